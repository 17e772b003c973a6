import type { CopiedRequest } from '../../shared/request-snippets.js';
import { initialDraft, requestBody } from './cron-draft.js';
import type { Cron } from './data.js';

/** Options that the methods of both SDKs have. The time of the end is an object of their language. */
const SDK_OPTIONS: ReadonlySet<string> = new Set([
  'schedule',
  'input',
  'metadata',
  'config',
  'context',
  'interrupt_before',
  'interrupt_after',
  'webhook',
  'on_run_completed',
  'enabled',
  'timezone',
  'stream_mode',
  'stream_subgraphs',
  'stream_resumable',
  'durability',
]);

/** Creates a cron, on a thread unless it is empty. */
export function createCronRequest(assistant: string, thread: string, options: Record<string, unknown>): CopiedRequest {
  const isSupported = hasOptions(options, (name) => SDK_OPTIONS.has(name) || name === 'multitask_strategy');
  const call =
    thread === ''
      ? { method: 'crons.create', args: [assistant] }
      : { method: 'crons.create_for_thread', args: [thread, assistant] };
  return {
    method: 'POST',
    path: thread === '' ? 'runs/crons' : `threads/${encodeURIComponent(thread)}/runs/crons`,
    body: { assistant_id: assistant, ...options },
    sdk: isSupported ? { library: 'langgraph', ...call, options } : null,
  };
}

export function updateCronRequest(id: string, changes: Record<string, unknown>): CopiedRequest {
  const isSupported = hasOptions(changes, (name) => SDK_OPTIONS.has(name));
  return {
    method: 'PATCH',
    path: `runs/crons/${encodeURIComponent(id)}`,
    body: changes,
    sdk: isSupported ? { library: 'langgraph', method: 'crons.update', args: [id], options: changes } : null,
  };
}

/** Creates another cron like this one. */
export function sameCronRequest(cron: Cron): CopiedRequest {
  const thread = cron.thread_id ?? '';
  return createCronRequest(cron.assistant_id, thread, requestBody(initialDraft(cron, cron.assistant_id, thread), null));
}

/** The SDKs do not send null, which removes a value. */
function hasOptions(options: Record<string, unknown>, has: (name: string) => boolean): boolean {
  return Object.entries(options).every(([name, value]) => value !== null && has(name));
}
