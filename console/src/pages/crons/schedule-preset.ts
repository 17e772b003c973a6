/** Schedules that most people want, without an expression. */
export type PresetKind = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly';

export interface Preset {
  kind: PresetKind;
  minute: number;
  hour: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Day of the month. */
  date: number;
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** Every month has these days. */
export const DATE_MAX = 28;
export const DEFAULT_PRESET: Preset = { kind: 'daily', minute: 0, hour: 9, weekday: 1, date: 1 };

export function scheduleOf({ kind, minute, hour, weekday, date }: Preset): string {
  switch (kind) {
    case 'hourly':
      return `${minute} * * * *`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`;
    case 'monthly':
      return `${minute} ${hour} ${date} * *`;
  }
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};
const SHAPE = /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* (\d|\*|1-5|mon-fri)$/;

/** The preset that writes an equal schedule; null if none does. */
export function presetOf(schedule: string): Preset | null {
  const text = schedule.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const found = SHAPE.exec(NICKNAMES[text] ?? text);
  if (found === null) return null;
  const [, minute, hour, date, day] = found as unknown as [string, string, string, string, string];
  const preset = { ...DEFAULT_PRESET, minute: Number(minute), hour: hour === '*' ? 0 : Number(hour) };
  if (preset.minute > 59 || preset.hour > 23) return null;
  if (hour === '*') return date === '*' && day === '*' ? { ...preset, kind: 'hourly' } : null;
  if (date !== '*') {
    const isMonthly = day === '*' && Number(date) >= 1 && Number(date) <= DATE_MAX;
    return isMonthly ? { ...preset, kind: 'monthly', date: Number(date) } : null;
  }
  if (day === '*') return { ...preset, kind: 'daily' };
  if (day.length > 1) return { ...preset, kind: 'weekdays' };
  return Number(day) <= 7 ? { ...preset, kind: 'weekly', weekday: Number(day) % 7 } : null;
}
