/** Figures as people read them. */
const COUNT = new Intl.NumberFormat('en');
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function count(value: number): string {
  return COUNT.format(value);
}

/** "1 run", "2 runs". */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** At most four digits that mean something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value)
    ? count(value)
    : new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value);
}

export function percent(share: number): string {
  return `${figure(Math.round(share * 1_000) / 10)} %`;
}

export function bytes(value: number): string {
  let unit = 0;
  let left = value;
  while (left >= 1_024 && unit < UNITS.length - 1) {
    left /= 1_024;
    unit += 1;
  }
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]}`;
}

/** Milliseconds. */
export function duration(ms: number): string {
  if (ms < 1) return `${ms < 0.01 ? 0 : ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** "3 min ago"; the whole time where that says too little. */
export function ago(ms: number, nowMs: number): string {
  const past = nowMs - ms;
  if (past < -1_000) return `in ${rough(-past)}`;
  return past < 5_000 ? 'just now' : `${rough(past)} ago`;
}

function rough(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

export function wholeTime(time: string | number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** The end of an id: those that were made within a minute begin alike. */
export function shortId(id: string): string {
  return id.slice(-8);
}
