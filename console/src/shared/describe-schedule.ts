const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** Up to this many times of a day are listed individually. */
const TIMES_LISTED_MAX = 6;

/** A cron field: every value, values and ranges, or a step through a range. */
type Field =
  | { kind: 'all' }
  | { kind: 'some'; parts: readonly (readonly [from: number, to: number])[] }
  | { kind: 'step'; by: number; from: number; to: number };

/** Describes a schedule in words. Null if it is invalid or has no simple description; the server validates it. */
export function describeSchedule(schedule: string): string | null {
  const text = schedule.trim().toLowerCase();
  const fields = (NICKNAMES[text] ?? text).split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute, hour, date, month, day] = fields as [string, string, string, string, string];
  const time = describeTime(parseField(minute, 0, 59), parseField(hour, 0, 23));
  const days = describeDays(date, day);
  const months = describeMonths(parseField(replaceNames(month, MONTHS, 1), 1, 12));
  if (time === null || days === null || months === null) return null;
  const whole = [time, days, months].filter((part) => part !== '').join(' ');
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function parseField(text: string, min: number, max: number): Field | null {
  const step = /^(?:(\*|\d+)|(\d+)-(\d+))\/(\d+)$/.exec(text);
  if (step !== null) {
    const by = Number(step[4]);
    const from = step[2] ?? (step[1] === '*' ? min : step[1]);
    const to = step[3] ?? max;
    return by === 0
      ? null
      : by === 1 && Number(from) === min && Number(to) === max
        ? { kind: 'all' }
        : within({ kind: 'step', by, from: Number(from), to: Number(to) }, min, max);
  }
  if (text === '*') return { kind: 'all' };
  const parts: [number, number][] = [];
  for (const part of text.split(',')) {
    const found = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (found === null) return null;
    parts.push([Number(found[1]), Number(found[2] ?? found[1])]);
  }
  return parts.every(([from, to]) => from >= min && to <= max && from <= to) ? { kind: 'some', parts } : null;
}

function within(field: Field & { kind: 'step' }, min: number, max: number): Field | null {
  return field.from >= min && field.to <= max && field.from <= field.to ? field : null;
}

function describeTime(minute: Field | null, hour: Field | null): string | null {
  if (minute === null || hour === null) return null;
  if (minute.kind === 'some') {
    const minutes = singleValues(minute);
    const hours = hour.kind === 'some' ? singleValues(hour) : null;
    if (minutes !== null && hours !== null && minutes.length * hours.length <= TIMES_LISTED_MAX)
      return `at ${joinList(hours.flatMap((at) => minutes.map((past) => formatClock(at, past))))}`;
    if (minutes?.length !== 1)
      return minutes !== null && hour.kind === 'all' && minutes.length <= TIMES_LISTED_MAX
        ? `every hour at minutes ${joinList(minutes.map(String))}`
        : null;
    const [past] = minutes as [number];
    if (hour.kind === 'all') return past === 0 ? 'every hour, on the hour' : `every hour at minute ${past}`;
    if (hour.kind === 'step')
      return `every ${hour.by} hours from ${formatClock(hour.from, past)}${hour.to === 23 ? '' : ` to ${formatClock(lastValue(hour), past)}`}`;
    return hour.parts.length === 1
      ? `every hour from ${formatClock(hour.parts[0]![0], past)} to ${formatClock(hour.parts[0]![1], past)}`
      : null;
  }
  if (minute.kind === 'step' && (minute.from !== 0 || minute.to !== 59)) return null;
  const pace = minute.kind === 'all' ? 'every minute' : `every ${minute.by} minutes`;
  if (hour.kind === 'all') return pace;
  if (hour.kind === 'step')
    return hour.from === 0 && hour.to === 23 ? `${pace} in every ${ordinal(hour.by)} hour` : null;
  return `${pace} ${hour.parts.map(([from, to]) => `from ${formatClock(from, 0)} to ${formatClock(to, 59)}`).join(' and ')}`;
}

/** If date and weekday are given, either one has to match. With `+` before the weekday both have to match. */
function describeDays(date: string, day: string): string | null {
  const dates = describeDates(date);
  const weekdays = describeWeekdays(day.replace(/^\+/, ''));
  if (dates === null || weekdays === null) return null;
  if (dates === '' || weekdays === '') return dates + weekdays;
  return `${dates}${day.startsWith('+') ? ', if that is ' : ', and also '}${day.startsWith('+') ? weekdays.replace(/^(?:on|from) /, '') : weekdays}`;
}

function describeDates(text: string): string | null {
  if (text === 'l') return 'on the last day of the month';
  if (text === 'lw') return 'on the last working day of the month';
  const near = /^(\d+)w$/.exec(text);
  if (near !== null) return `on the working day nearest to the ${ordinal(Number(near[1]))}`;
  const field = parseField(text, 1, 31);
  if (field === null) return null;
  if (field.kind === 'all') return '';
  if (field.kind === 'step')
    return `every ${field.by} days from the ${ordinal(field.from)}${field.to === 31 ? '' : ` to the ${ordinal(field.to)}`} of the month`;
  return `on ${joinList(field.parts.map(([from, to]) => (from === to ? `the ${ordinal(from)}` : `the ${ordinal(from)} to the ${ordinal(to)}`)))} of the month`;
}

function describeWeekdays(text: string): string | null {
  const plain = replaceNames(text, DAYS, 0);
  const last = /^(?:([0-7])l|l([0-7])|([0-7])#l)$/.exec(plain);
  if (last !== null) return `on the last ${DAYS[Number(last[1] ?? last[2] ?? last[3]) % 7]} of the month`;
  const nth = /^([0-7])#([1-5])$/.exec(plain);
  if (nth !== null) return `on the ${ordinal(Number(nth[2]))} ${DAYS[Number(nth[1]) % 7]} of the month`;
  const field = parseField(plain, 0, 7);
  if (field === null || field.kind === 'step') return null;
  if (field.kind === 'all') return '';
  const [only] = field.parts;
  if (field.parts.length === 1 && only![0] !== only![1]) return `from ${DAYS[only![0] % 7]} to ${DAYS[only![1] % 7]}`;
  return `on ${joinList(field.parts.map(([from, to]) => (from === to ? DAYS[from % 7]! : `${DAYS[from % 7]} to ${DAYS[to % 7]}`)))}`;
}

function describeMonths(field: Field | null): string | null {
  if (field === null || field.kind === 'step')
    return field === null ? null : `in every ${ordinal(field.by)} month from ${MONTHS[field.from - 1]}`;
  return field.kind === 'all'
    ? ''
    : `in ${joinList(field.parts.map(([from, to]) => (from === to ? MONTHS[from - 1]! : `${MONTHS[from - 1]} to ${MONTHS[to - 1]}`)))}`;
}

/** Replaces names of days and months by numbers. Only the first three letters count. */
function replaceNames(text: string, names: readonly string[], first: number): string {
  return text.replaceAll(/[a-z]{3}/g, (name) => {
    const at = names.findIndex((one) => one.toLowerCase().startsWith(name));
    return at === -1 ? name : String(at + first);
  });
}

function singleValues(field: Field & { kind: 'some' }): number[] | null {
  return field.parts.every(([from, to]) => from === to) ? field.parts.map(([from]) => from) : null;
}

function lastValue({ by, from, to }: Field & { kind: 'step' }): number {
  return from + Math.floor((to - from) / by) * by;
}

function formatClock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function ordinal(value: number): string {
  const ending = value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}

function joinList(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
