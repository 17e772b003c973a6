import { useEffect, useState } from 'react';
import { serverNow } from '../../api/server-clock.js';
import { Select, TextField } from '../../components/field.js';
import { formatRelativeTime } from '../../components/format.js';
import { TimeZoneField } from '../../components/time-zone-field.js';
import { describeSchedule } from '../../shared/describe-schedule.js';
import { isKnownZone, nextTimes, timeInWords } from './next-times.js';
import {
  DATE_MAX,
  DEFAULT_PRESET,
  presetOf,
  scheduleOf,
  WEEKDAYS,
  type Preset,
  type PresetKind,
} from './schedule-preset.js';
import styles from './crons.module.css';

const OWN = 'own';
const KINDS = [
  { id: 'hourly', name: 'Every hour' },
  { id: 'daily', name: 'Every day' },
  { id: 'weekdays', name: 'Monday to Friday' },
  { id: 'weekly', name: 'Every week' },
  { id: 'monthly', name: 'Every month' },
  { id: OWN, name: 'Own expression' },
];
const DATES = Array.from({ length: DATE_MAX }, (_, at) => ({ id: String(at + 1), name: String(at + 1) }));
const MINUTES = Array.from({ length: 60 }, (_, at) => ({ id: String(at), name: `:${String(at).padStart(2, '0')}` }));
/** Monday first. */
const DAYS = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ id: String(day), name: WEEKDAYS[day]! }));
const SHOWN_TIMES = 5;
const RENEW_MS = 15_000;

/** When a cron runs: a preset or an expression, its zone, and the next times. */
export function ScheduleFields({
  schedule,
  timezone,
  error,
  zoneError,
  onSchedule,
  onTimezone,
}: {
  schedule: string;
  timezone: string;
  error: string | null;
  zoneError: string | null;
  onSchedule: (schedule: string) => void;
  onTimezone: (timezone: string) => void;
}) {
  const [isOwn, setOwn] = useState(presetOf(schedule) === null);
  const preset = presetOf(schedule) ?? DEFAULT_PRESET;
  const put = (changes: Partial<Preset>): void => onSchedule(scheduleOf({ ...preset, ...changes }));
  const choose = (id: string): void => {
    setOwn(id === OWN);
    if (id !== OWN) put({ kind: id as PresetKind });
  };
  return (
    <div className={styles['when']}>
      <div className="stack">
        <div className={styles['preset']}>
          <div className={styles['repeats']}>
            <Select label="Repeats" options={KINDS} value={isOwn ? OWN : preset.kind} onChange={choose} />
          </div>
          {isOwn ? null : <PresetFields preset={preset} onChange={put} />}
        </div>
        {isOwn ? (
          <TextField
            label="Schedule"
            mono
            placeholder="0 9 * * mon-fri"
            value={schedule}
            onChange={onSchedule}
            error={error}
            help="Minute, hour, day of the month, month, day of the week."
          />
        ) : null}
        <TimeZoneField label="Time zone" value={timezone} onChange={onTimezone} />
        {zoneError === null ? null : <p className={styles['problem']}>{zoneError}</p>}
      </div>
      <NextTimes schedule={schedule} timezone={timezone} />
    </div>
  );
}

function PresetFields({ preset, onChange }: { preset: Preset; onChange: (changes: Partial<Preset>) => void }) {
  const { kind, minute, hour, weekday, date } = preset;
  return (
    <>
      {kind === 'weekly' ? (
        <Select
          label="On"
          options={DAYS}
          value={String(weekday)}
          onChange={(id) => onChange({ weekday: Number(id) })}
        />
      ) : null}
      {kind === 'monthly' ? (
        <Select label="On day" options={DATES} value={String(date)} onChange={(id) => onChange({ date: Number(id) })} />
      ) : null}
      {kind === 'hourly' ? (
        <Select
          label="At minute"
          options={MINUTES}
          value={String(minute)}
          onChange={(id) => onChange({ minute: Number(id) })}
        />
      ) : (
        <TimeOfDay key={kind} hour={hour} minute={minute} onChange={onChange} />
      )}
    </>
  );
}

/** The text is kept while it is not a whole time. */
function TimeOfDay({
  hour,
  minute,
  onChange,
}: {
  hour: number;
  minute: number;
  onChange: (changes: Partial<Preset>) => void;
}) {
  const [text, setText] = useState(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  return (
    <TextField
      label="At"
      type="time"
      value={text}
      onChange={(next) => {
        setText(next);
        const [nextHour, nextMinute] = next.split(':').map(Number);
        if (next !== '') onChange({ hour: nextHour!, minute: nextMinute! });
      }}
    />
  );
}

/** The next times in words, in the zone of the cron. */
function NextTimes({ schedule, timezone }: { schedule: string; timezone: string }) {
  const [nowMs, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  const zone = timezone.trim() || 'UTC';
  const words = describeSchedule(schedule);
  const next = isKnownZone(timezone)
    ? nextTimes({ schedule, timezone }, nowMs, SHOWN_TIMES)
    : { times: null, problem: 'Choose a time zone from the list.' };
  return (
    <section aria-label="Next runs" aria-live="polite" className={styles['next']}>
      <p className={styles['words']}>{words ?? <code>{schedule || '–'}</code>}</p>
      {next.times === null ? (
        <p className={schedule.trim() === '' ? 'soft' : styles['problem']}>{next.problem}</p>
      ) : (
        <>
          <h3>Next runs, in {zone}</h3>
          <ol>
            {next.times.map((ms) => (
              <li key={ms}>
                <time dateTime={new Date(ms).toISOString()}>{timeInWords(ms, timezone, nowMs)}</time>
                <span className="soft">{formatRelativeTime(ms, nowMs)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
