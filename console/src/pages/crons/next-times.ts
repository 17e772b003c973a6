import { Cron } from 'croner';

const FIELDS = 5;
const LAST_WEEKDAY = /(?<=[\s,])L([0-7])(?=,|$)/gi;

/** The next times of a schedule in milliseconds, or why there are none. The server decides with the same library. */
export type NextTimes = { times: readonly number[]; problem: null } | { times: null; problem: string };

export function nextTimes(
  { schedule, timezone }: { schedule: string; timezone: string },
  fromMs: number,
  count: number,
): NextTimes {
  const text = schedule.trim();
  if (!text.startsWith('@') && text.split(/\s+/).length !== FIELDS)
    return { times: null, problem: 'Five fields: minute, hour, day of the month, month, day of the week.' };
  try {
    const cron = new Cron(text.replaceAll(LAST_WEEKDAY, '$1#L'), {
      mode: '5-part',
      timezone: timezone.trim() || 'UTC',
      paused: true,
      sloppyRanges: true,
      fixedTimeRule: 'no-wildcard',
    });
    const times = cron.nextRuns(count, new Date(fromMs)).map((at) => at.getTime());
    return times.length === 0 ? { times: null, problem: 'Matches no time.' } : { times, problem: null };
  } catch (error) {
    return { times: null, problem: (error as Error).message.replace(/^CronPattern: /, '') };
  }
}

/** Whether the browser knows this time zone. Empty stands for UTC. */
export function isKnownZone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone.trim() || 'UTC' }).format(0) !== '';
  } catch {
    return false;
  }
}

/** A time in words in a zone, for example "Monday 30 November at 09:00", with the year if it is another one. */
export function timeInWords(ms: number, timezone: string, nowMs: number): string {
  const timeZone = timezone.trim() || 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  const partsOf = (at: number): Record<string, string> =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  // Put together here, because `format` adds a comma after the weekday only if there is a year.
  const { weekday, day, month, year, hour, minute } = partsOf(ms);
  const date = [weekday, day, month, ...(year === partsOf(nowMs)['year'] ? [] : [year])].join(' ');
  return `${date} at ${hour}:${minute}`;
}
