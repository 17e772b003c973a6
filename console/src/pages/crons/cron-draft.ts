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
  keep: string;
  busy: string;
  enabled: boolean;
  input: string;
  config: string;
  context: string;
  metadata: string;
  /** Other run options as a JSON object. */
  more: string;
}

const JSON_FIELDS = ['input', 'config', 'context', 'metadata', 'more'] as const;
/** Payload properties that are not in `more`: they have their own field, are set by the server, or cannot change. */
const NOT_IN_MORE: ReadonlySet<string> = new Set([
  'input',
  'config',
  'context',
  'metadata',
  'assistant_id',
  'on_completion',
  'multitask_strategy',
]);

export function draftOf(cron: Cron | null, assistant: string, thread: string): CronDraft {
  if (cron === null)
    return {
      assistant,
      thread,
      schedule: '',
      timezone: '',
      end: '',
      keep: 'delete',
      busy: 'enqueue',
      enabled: true,
      input: '',
      config: '',
      context: '',
      metadata: '',
      more: '',
    };
  const { payload } = cron;
  return {
    assistant,
    thread,
    schedule: cron.schedule,
    timezone: cron.timezone ?? '',
    end: cron.end_time ?? '',
    keep: cron.on_run_completed ?? 'delete',
    busy: String(payload['multitask_strategy'] ?? 'enqueue'),
    enabled: cron.enabled,
    input: textOf(payload['input']),
    config: textOf(payload['config']),
    context: textOf(payload['context']),
    metadata: textOf(cron.metadata),
    more: textOf(Object.fromEntries(Object.entries(payload).filter(([name]) => !NOT_IN_MORE.has(name)))),
  };
}

/** Whether required fields or valid JSON are missing. The server validates the rest. */
export function wrongIn(draft: CronDraft): boolean {
  const more = readJson(draft.more).value;
  return (
    draft.assistant === '' ||
    draft.schedule.trim() === '' ||
    JSON_FIELDS.some((name) => readJson(draft[name]).error !== null) ||
    (more !== undefined && (typeof more !== 'object' || more === null || Array.isArray(more)))
  );
}

/** The request body. With `before` only changed fields: an emptied field becomes null, which removes the value. */
export function bodyOf(draft: CronDraft, before: CronDraft | null): Record<string, unknown> {
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
  if (draft.thread === '') put('on_run_completed', 'keep', draft.keep);
  else if (before === null) body['multitask_strategy'] = draft.busy;
  if (draft.more === before?.more) return body;
  const more = objectOf(draft.more);
  const removed = Object.keys(objectOf(before?.more ?? ''))
    .filter((name) => !(name in more))
    .map((name) => [name, null]);
  // Fields of the form override properties in `more`.
  return { ...Object.fromEntries(removed), ...more, ...body };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value) ? '' : prettyJson(value);
}

function objectOf(text: string): Record<string, unknown> {
  return (readJson(text).value ?? {}) as Record<string, unknown>;
}
