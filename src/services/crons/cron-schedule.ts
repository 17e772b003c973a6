import { Cron } from 'croner';
import { fail } from '../../base/errors.js';

const FIELDS = 5;
const NICKNAMES: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const DAY_MS = 86_400_000;

/** When a cron is due: five fields in a time zone. Times are milliseconds since the epoch, and whole minutes. */
export interface Schedule {
  /** The first slot after this time; null when there is none. */
  after(ms: number): number | null;
  /** The last slot up to this time. */
  upTo(ms: number): number | null;
}

/** Throws CRON_SCHEDULE_INVALID, also for a schedule without any slot (30 February); INVALID_REQUEST for an unknown time zone. */
export function readSchedule(text: string, timezone: string | null): Schedule {
  const zone = zoneOf(timezone);
  const cron = parse(text, zone);
  return {
    after(ms) {
      // Where a zone leaves out a whole day (Samoa, 2011), croner says the same slot again and again.
      for (let from = ms; from <= ms + 2 * DAY_MS; from += DAY_MS) {
        const next = cron.nextRun(new Date(from));
        if (next === null || next.getTime() > ms) return next?.getTime() ?? null;
      }
      return null;
    },
    upTo: (ms) => cron.previousRuns(1, new Date(ms + 1))[0]?.getTime() ?? null,
  };
}

function parse(text: string, timezone: string): Cron {
  const plain = text.trim();
  // A sixth field is seconds: the first one to some, the last one to others.
  if (!NICKNAMES.has(plain.toLowerCase()) && plain.split(/\s+/).length !== FIELDS) {
    throw fail('CRON_SCHEDULE_INVALID', {
      problem: `needs ${FIELDS} fields (minute, hour, day of the month, month, day of the week), or is one of ${[...NICKNAMES].join(', ')}`,
    });
  }
  let cron: Cron;
  try {
    // `0/15`, and `L5` for the last Friday, are what the Agent Server takes; a list of times is kept when the clocks change.
    cron = new Cron(plain.replaceAll(/(?<=[\s,])L([0-7])(?=,|$)/gi, '$1#L'), {
      mode: '5-part',
      timezone,
      paused: true,
      sloppyRanges: true,
      fixedTimeRule: 'no-wildcard',
    });
  } catch (error) {
    throw fail('CRON_SCHEDULE_INVALID', { problem: (error as Error).message.replace(/^CronPattern: /, '') }, error);
  }
  if (cron.getOnce() !== null) throw fail('CRON_SCHEDULE_INVALID', { problem: 'is a date' });
  if (cron.nextRun(new Date(0)) === null)
    throw fail('CRON_SCHEDULE_INVALID', { problem: 'names no time that ever comes' });
  return cron;
}

/** The one name of a time zone, which goes by several and in any case; no zone is UTC, wherever the server stands. */
function zoneOf(timezone: string | null): string {
  if (timezone === null) return 'UTC';
  try {
    // Offsets (+02:00) are zones to some versions of Node only.
    if (/^[a-z]/i.test(timezone))
      return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    // It is told below.
  }
  throw fail('INVALID_REQUEST', {
    problems: `body.timezone: ${JSON.stringify(timezone)} is not a time zone that is known here, such as "Europe/Berlin"`,
  });
}
