import { isEmptyValue } from '../../shared/empty-value.js';
import type { Cron } from './data.js';
import { DEFAULT_PRESET, scheduleOf } from './schedule-preset.js';

/** Content of the form. Undefined values are empty. */
export interface CronDraft {
  assistant: string;
  thread: string;
  schedule: string;
  timezone: string;
  end: string;
  onRunCompleted: string;
  multitaskStrategy: string;
  enabled: boolean;
  input: unknown;
  config: unknown;
  context: unknown;
  metadata: unknown;
  /** Other run options, an object. */
  otherOptions: unknown;
}

/** Payload properties outside `otherOptions`: with their own field, set by the server, or not changeable. */
const SEPARATE_FIELDS: ReadonlySet<string> = new Set([
  'input',
  'config',
  'context',
  'metadata',
  'assistant_id',
  'on_completion',
  'multitask_strategy',
]);

export function initialDraft(cron: Cron | null, assistant: string, thread: string): CronDraft {
  if (cron === null)
    return {
      assistant,
      thread,
      schedule: scheduleOf(DEFAULT_PRESET),
      // "Every day at 09:00" means the clock of the person.
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      end: '',
      onRunCompleted: 'delete',
      multitaskStrategy: 'enqueue',
      enabled: true,
      input: undefined,
      config: undefined,
      context: undefined,
      metadata: undefined,
      otherOptions: undefined,
    };
  const { payload } = cron;
  return {
    assistant,
    thread,
    schedule: cron.schedule,
    timezone: cron.timezone ?? '',
    end: cron.end_time ?? '',
    onRunCompleted: cron.on_run_completed ?? 'delete',
    multitaskStrategy: String(payload['multitask_strategy'] ?? 'enqueue'),
    enabled: cron.enabled,
    input: valueOf(payload['input']),
    config: valueOf(payload['config']),
    context: valueOf(payload['context']),
    metadata: valueOf(cron.metadata),
    otherOptions: valueOf(Object.fromEntries(Object.entries(payload).filter(([name]) => !SEPARATE_FIELDS.has(name)))),
  };
}

/** What is missing or cannot be sent; null if nothing. The server validates the rest. */
export function draftProblem({ assistant, schedule, otherOptions }: CronDraft): string | null {
  if (assistant === '') return 'Choose an assistant.';
  if (schedule.trim() === '') return 'Enter a schedule.';
  return otherOptions === undefined || isObject(otherOptions) ? null : 'More options: Must be a JSON object.';
}

/** The request body. With `before` only changed fields: an emptied field becomes null, which removes the value. */
export function requestBody(draft: CronDraft, before: CronDraft | null): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const put = (field: string, name: keyof CronDraft, value: unknown): void => {
    if (before === null ? value !== null : !isSame(draft[name], before[name])) body[field] = value;
  };
  put('schedule', 'schedule', draft.schedule.trim());
  put('timezone', 'timezone', draft.timezone.trim() || null);
  put('end_time', 'end', draft.end.trim() || null);
  put('enabled', 'enabled', draft.enabled);
  for (const name of ['input', 'config', 'context', 'metadata'] as const) put(name, name, draft[name] ?? null);
  if (draft.thread === '') put('on_run_completed', 'onRunCompleted', draft.onRunCompleted);
  else if (before === null) body['multitask_strategy'] = draft.multitaskStrategy;
  if (before !== null && isSame(draft.otherOptions, before.otherOptions)) return body;
  const otherOptions = objectOf(draft.otherOptions);
  const removed = Object.keys(objectOf(before?.otherOptions))
    .filter((name) => !(name in otherOptions))
    .map((name) => [name, null]);
  // Separate fields override `otherOptions`.
  return { ...Object.fromEntries(removed), ...otherOptions, ...body };
}

function valueOf(value: unknown): unknown {
  return isEmptyValue(value) ? undefined : value;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
