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

/** A schedule of five fields in a time zone. All times are milliseconds since the epoch and whole minutes. */
export interface Schedule {
  /** The first slot after this time. Null if there is none. */
  nextAfter(ms: number): number | null;
  /** The last slot at or before this time. */
  lastUpTo(ms: number): number | null;
}

/**
 * Throws CRON_SCHEDULE_INVALID, also for a schedule without any slot (30 February). Throws INVALID_REQUEST for
 * an unknown time zone.
 */
export function parseSchedule(text: string, timezone: string | null): Schedule {
  const zone = canonicalTimeZone(timezone);
  const cron = parseCron(text, zone);
  return {
    nextAfter(ms) {
      // If a time zone skips a whole day (Samoa, 2011), croner repeats the same slot.
      for (let from = ms; from <= ms + 2 * DAY_MS; from += DAY_MS) {
        const next = cron.nextRun(new Date(from));
        if (next === null || next.getTime() > ms) return next?.getTime() ?? null;
      }
      return null;
    },
    lastUpTo: (ms) => cron.previousRuns(1, new Date(ms + 1))[0]?.getTime() ?? null,
  };
}

function parseCron(text: string, timezone: string): Cron {
  const trimmed = text.trim();
  // A sixth field is ambiguous: implementations expect the seconds first or last.
  if (!NICKNAMES.has(trimmed.toLowerCase()) && trimmed.split(/\s+/).length !== FIELDS) {
    throw fail('CRON_SCHEDULE_INVALID', {
      problem: `needs ${FIELDS} fields (minute, hour, day of the month, month, day of the week), or is one of ${[...NICKNAMES].join(', ')}`,
    });
  }
  let cron: Cron;
  try {
    // The Agent Server accepts `0/15`, and `L5` for the last Friday. A list of times stays correct across
    // daylight saving changes.
    cron = new Cron(trimmed.replaceAll(/(?<=[\s,])L([0-7])(?=,|$)/gi, '$1#L'), {
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
  if (cron.nextRun(new Date(0)) === null) throw fail('CRON_SCHEDULE_INVALID', { problem: 'matches no time' });
  return cron;
}

/**
 * The canonical name of a time zone, which has aliases and ignores case. The default is UTC, not the zone of
 * the server.
 */
function canonicalTimeZone(timezone: string | null): string {
  if (timezone === null) return 'UTC';
  try {
    // Only some versions of Node accept offsets (+02:00) as zones.
    if (/^[a-z]/i.test(timezone))
      return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    // Reported below.
  }
  throw fail('INVALID_REQUEST', {
    problems: `body.timezone: ${JSON.stringify(timezone)} is not a known time zone, such as "Europe/Berlin"`,
  });
}
