import { rawNumber } from '../../../api/json.js';
import { isMessage } from '../../../shared/message-parts.js';

/** What differs between any two runs of the same code. */
export interface VolatileFacts {
  /** Ids of both runs and of their threads. */
  ids: ReadonlySet<string>;
  /** The times of both runs. A time in one of them was read from a clock. */
  spans: readonly (readonly [fromMs: number, toMs: number])[];
}

const ID_TEXT = '[id]';
const TIME_TEXT = '[time]';
const DURATION_TEXT = '[duration]';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ANY_UUID = new RegExp(UUID, 'gi');
/** Ids of messages, and namespaces of checkpoints such as `node:UUID|node:UUID`. */
const GENERATED = new RegExp(`^(?:(?:lc_)?run-{1,2}${UUID}(?:-\\d+)?|[^\\s|]+:${UUID}(?:\\|[^\\s|]+:${UUID})*)$`, 'i');
const ID_KEYS: ReadonlySet<string> = new Set([
  'run_id',
  'parent_run_id',
  'trace_id',
  'checkpoint_id',
  'parent_checkpoint_id',
  'checkpoint_ns',
  'langgraph_checkpoint_ns',
  '__pregel_task_id',
  'tool_call_id',
  'interrupt_id',
  'thread_ts',
]);
const DURATION_KEYS: ReadonlySet<string> = new Set([
  'latency',
  'latency_ms',
  'latency_seconds',
  'elapsed',
  'elapsed_ms',
  'elapsed_seconds',
  'total_duration',
  'load_duration',
  'prompt_eval_duration',
  'eval_duration',
]);
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A copy with placeholders for ids and times that differ between any two runs. Keeps the order of keys. */
export function withoutVolatile(value: unknown, facts: VolatileFacts, hasOwnId = false): unknown {
  if (typeof value === 'string') return comparableText(value, facts);
  if (typeof value === 'number') return isClockTime(value, facts) ? TIME_TEXT : value;
  if (typeof value !== 'object' || value === null || rawNumber(value) !== null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutVolatile(one, facts, hasOwnId));
  const object = value as Record<string, unknown>;
  const generatesId = hasOwnId || isMessage(object) || isToolCall(object);
  const isMessageConstructor = Array.isArray(object['id']) && object['id'].includes('messages');
  return Object.fromEntries(
    Object.entries(object).map(([key, one]) => {
      if (typeof one === 'string' && (ID_KEYS.has(key) || (key === 'id' && generatesId))) return [key, ID_TEXT];
      if (typeof one === 'number' && DURATION_KEYS.has(key)) return [key, DURATION_TEXT];
      const ofValue =
        key === '__interrupt__' || key === 'response_metadata' || (key === 'kwargs' && isMessageConstructor);
      return [key, withoutVolatile(one, facts, ofValue)];
    }),
  );
}

function comparableText(text: string, { ids, spans }: VolatileFacts): string {
  if (ids.has(text)) return ID_TEXT;
  if (GENERATED.test(text)) return text.replaceAll(ANY_UUID, ID_TEXT);
  const zone = DATE_TIME.exec(text);
  // A time without a zone is in UTC or in the zone of the program, which is unknown.
  return zone !== null && isIn(Date.parse(zone[1] === undefined ? `${text.replace(' ', 'T')}Z` : text), spans)
    ? TIME_TEXT
    : text;
}

/** Seconds or milliseconds since 1970. */
function isClockTime(value: number, { spans }: VolatileFacts): boolean {
  return isIn(value, spans) || isIn(value * 1_000, spans);
}

function isIn(ms: number, spans: VolatileFacts['spans']): boolean {
  return spans.some(([fromMs, toMs]) => ms >= fromMs && ms <= toMs);
}

function isToolCall(object: Readonly<Record<string, unknown>>): boolean {
  return (typeof object['name'] === 'string' && ('args' in object || 'input' in object)) || 'function' in object;
}

/** An error without the places in the code, which move with every change of it. */
export function withoutStack(error: string): string {
  const traceback = error.indexOf('Traceback (most recent call last)');
  const lines = (traceback === -1 ? error : error.slice(0, traceback))
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));
  // Python repeats the error after its stack.
  if (traceback !== -1) lines.push(error.slice(traceback).trimEnd().split('\n').at(-1)!);
  return lines.join('\n').trim();
}

/** The right value with its keys in the order of the left one, so that only real differences are lines of a diff. */
export function inOrderOf(left: unknown, right: unknown): unknown {
  if (Array.isArray(left) && Array.isArray(right)) return right.map((one, at) => inOrderOf(left[at], one));
  if (!isObject(left) || !isObject(right)) return right;
  const names = [
    ...Object.keys(left).filter((name) => Object.hasOwn(right, name)),
    ...Object.keys(right).filter((name) => !Object.hasOwn(left, name)),
  ];
  return Object.fromEntries(
    names.map((name) => [name, inOrderOf(Object.hasOwn(left, name) ? left[name] : undefined, right[name])]),
  );
}

/** A short text that is the same for equal values, whatever the order of their keys. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(withSortedKeys(value)) ?? '';
  let [one, other] = [0x9e37_79b9, 0x85eb_ca6b];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x85eb_ca6b);
    one ^= one >>> 13;
    other = Math.imul(other ^ code, 0xc2b2_ae35);
    other ^= other >>> 15;
  }
  return `${text.length} ${(one >>> 0).toString(36)} ${(other >>> 0).toString(36)}`;
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, withSortedKeys(value[name])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && rawNumber(value) === null;
}
