import { prettyJson } from '../../api/json.js';
import { readJson } from '../../components/json-editor.js';
import type { Cron } from './data.js';

/** Content of the form, as typed. */
export interface CronDraft {
  assistant: string;
  thread: string;
  schedule: string;
  timezone: string;
  end: string;
  onRunCompleted: string;
  multitaskStrategy: string;
  enabled: boolean;
  input: string;
  config: string;
  context: string;
  metadata: string;
  /** Other run options as a JSON object. */
  otherOptions: string;
}

const JSON_FIELDS = ['input', 'config', 'context', 'metadata', 'otherOptions'] as const;
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
      schedule: '',
      timezone: '',
      end: '',
      onRunCompleted: 'delete',
      multitaskStrategy: 'enqueue',
      enabled: true,
      input: '',
      config: '',
      context: '',
      metadata: '',
      otherOptions: '',
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
    input: jsonText(payload['input']),
    config: jsonText(payload['config']),
    context: jsonText(payload['context']),
    metadata: jsonText(cron.metadata),
    otherOptions: jsonText(Object.fromEntries(Object.entries(payload).filter(([name]) => !SEPARATE_FIELDS.has(name)))),
  };
}

/** Whether required fields or valid JSON are missing. The server validates the rest. */
export function isIncomplete(draft: CronDraft): boolean {
  const otherOptions = readJson(draft.otherOptions).value;
  return (
    draft.assistant === '' ||
    draft.schedule.trim() === '' ||
    JSON_FIELDS.some((name) => readJson(draft[name]).error !== null) ||
    (otherOptions !== undefined &&
      (typeof otherOptions !== 'object' || otherOptions === null || Array.isArray(otherOptions)))
  );
}

/** The request body. With `before` only changed fields: an emptied field becomes null, which removes the value. */
export function requestBody(draft: CronDraft, before: CronDraft | null): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const put = (field: string, name: keyof CronDraft, value: unknown): void => {
    if (before === null ? value !== null : draft[name] !== before[name]) body[field] = value;
  };
  put('schedule', 'schedule', draft.schedule.trim());
  put('timezone', 'timezone', draft.timezone.trim() || null);
  put('end_time', 'end', draft.end.trim() || null);
  put('enabled', 'enabled', draft.enabled);
  put('metadata', 'metadata', readJson(draft.metadata).value ?? null);
  for (const name of ['input', 'config', 'context'] as const) put(name, name, readJson(draft[name]).value ?? null);
  if (draft.thread === '') put('on_run_completed', 'onRunCompleted', draft.onRunCompleted);
  else if (before === null) body['multitask_strategy'] = draft.multitaskStrategy;
  if (draft.otherOptions === before?.otherOptions) return body;
  const otherOptions = parseObject(draft.otherOptions);
  const removed = Object.keys(parseObject(before?.otherOptions ?? ''))
    .filter((name) => !(name in otherOptions))
    .map((name) => [name, null]);
  // Separate fields override `otherOptions`.
  return { ...Object.fromEntries(removed), ...otherOptions, ...body };
}

function jsonText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value) ? '' : prettyJson(value);
}

function parseObject(text: string): Record<string, unknown> {
  return (readJson(text).value ?? {}) as Record<string, unknown>;
}
