/** Formatting of numbers, durations and times. */
const COUNT = new Intl.NumberFormat('en');
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatCount(value: number): string {
  return COUNT.format(value);
}

/** "1 run", "2 runs". */
export function pluralize(value: number, one: string, more = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : more}`;
}

/** At most four significant digits for fractions. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value)
    ? formatCount(value)
    : new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value);
}

const COLUMN_DIGITS = 3;
const COLUMN_DECIMALS_MAX = 6;

/** A format for all numbers of a column, with the same decimals: three digits of the largest number. */
export function columnFormat(values: readonly (number | null | undefined)[]): (value: number) => string {
  const known = values.filter((value) => typeof value === 'number' && Number.isFinite(value)) as number[];
  const max = Math.max(0, ...known.map(Math.abs));
  const decimals =
    known.every(Number.isInteger) || max === 0
      ? 0
      : Math.min(COLUMN_DECIMALS_MAX, Math.max(0, COLUMN_DIGITS - 1 - Math.floor(Math.log10(max))));
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (value) => format.format(value);
}

export function formatPercent(share: number): string {
  return `${formatNumber(Math.round(share * 1_000) / 10)} %`;
}

export function formatBytes(value: number): string {
  let unit = 0;
  let left = value;
  while (left >= 1_024 && unit < UNITS.length - 1) {
    left /= 1_024;
    unit += 1;
  }
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]}`;
}

/** A duration given in milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < 1) return `${ms < 0.01 ? 0 : ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** A time relative to now, for example "3 min ago". */
export function formatRelativeTime(ms: number, nowMs: number): string {
  const past = nowMs - ms;
  if (past < -1_000) return `in ${roughDuration(-past)}`;
  return past < 5_000 ? 'just now' : `${roughDuration(past)} ago`;
}

function roughDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

export function formatDateTime(time: string | number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/**
 * Eight digits that tell an id from others: its end, because ids that were created within the same minute share their
 * beginning. Ids of uploaded runs (UUIDv8) end in their place in the store, and have random digits before it.
 */
export function shortId(id: string): string {
  return id[14] === '8' ? id.slice(19, 23) + id.slice(24, 28) : id.slice(-8);
}

const STATUS_NAMES: Readonly<Record<string, string>> = {
  idle: 'Idle',
  busy: 'Busy',
  interrupted: 'Interrupted',
  error: 'Failed',
  pending: 'Queued',
  running: 'Running',
  success: 'Succeeded',
  timeout: 'Timed out',
  waiting: 'Waiting for input',
};

/** Display name of a status of a thread or a run. Unknown statuses are shown as they are. */
export function statusName(status: string): string {
  return STATUS_NAMES[status] ?? status;
}
