import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { placeOf } from '../../base/ids.js';
import { asText, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { unpack, unpackRow } from '../../wire/codec.js';
import type { RowWriter } from '../../wire/evaluation/row-writer.js';
import { headRange, itemAt, packItem, packPlace, placeFrom, writeHeaded, type Place } from './blocks.js';
import { LIMITS } from '../../base/limits.js';
import type { Commit } from '../env.js';
import { keys } from '../keys.js';
import type { Lookup } from '../read-your-writes.js';
import { ORPHAN_LIST } from './lists.js';
import type { ThreadRecord } from '../threads/threads.js';

/** The thread that a graph's run belongs to, as far as it says who may see feedback on the run. */
export interface RunThread {
  threadId: string;
  /** Of a thread that is in no store: what says who sees it. Null: whoever sees the thread, for as long as it and the run are there. */
  metadata: JsonBytes | null;
}

/** A score or remark on a run, or with no run on the whole experiment. */
export interface Feedback {
  feedbackId: string;
  runId: string | null;
  traceId: string | null;
  key: string;
  createdAtUs: number;
  modifiedAtUs: number;
  /** JSON text of a string. */
  comment: JsonBytes | null;
  /** The evaluator itself failed. */
  error: boolean;
  /** JSON as sent: number or boolean; number, boolean, string or object; object or string; object; object. Null for null. */
  score: JsonBytes | null;
  value: JsonBytes | null;
  correction: JsonBytes | null;
  source: JsonBytes | null;
  config: JsonBytes | null;
  extra: JsonBytes | null;
  groupId: string | null;
  comparativeId: string | null;
  /** Set when it is on a graph's run, which no experiment has; absent in older records. */
  thread?: RunThread | null;
}

/** What stands for a source that was not said, JSON. */
export const DEFAULT_SOURCE: JsonBytes = Buffer.from('{"type":"api"}');

/** What statistics and lists need of feedback: read alone, without the rest. */
export interface FeedbackHead {
  feedbackId: string;
  runId: string | null;
  key: string;
  createdAtUs: number;
  error: boolean;
  /** A finite number, booleans as 1 and 0; null when there is none. */
  number: number | null;
  /** A category: text as it is, numbers and booleans as JSON writes them; an object is none. */
  label: string | null;
  remark: string | null;
  sourceType: string | null;
  /** Given in a pairwise comparison, not to the experiment itself. */
  comparative: boolean;
  thread?: RunThread | null;
}

const HEAD = [
  'feedbackId',
  'runId',
  'key',
  'createdAtUs',
  'error',
  'number',
  'label',
  'remark',
  'sourceType',
  'comparative',
  'thread',
] as const satisfies readonly (keyof FeedbackHead)[];
/** Read with the head. */
const REST = [
  'traceId',
  'modifiedAtUs',
  'comment',
  'score',
  'value',
  'correction',
  'source',
  'config',
  'extra',
  'groupId',
  'comparativeId',
] as const satisfies readonly (keyof Feedback)[];

/** True: the run itself, or none where there is no run. */
type StoredRest = Omit<Pick<Feedback, (typeof REST)[number]>, 'traceId'> & { traceId: string | true | null };

/** An item of a block. */
export function packFeedback(feedback: Feedback): Uint8Array {
  return packItem((out) => writeFeedback(out, feedback));
}

/** What a score, a value and a comment are to statistics and lists. */
export type FeedbackWords = Pick<FeedbackHead, 'number' | 'label' | 'remark'>;

/** `valueText`: the value as JSON. Texts that are longer than what is kept of them share their memory with the whole. */
export function wordsOf(
  score: unknown,
  value: unknown,
  valueText: () => string,
  comment: string | null,
): FeedbackWords {
  return {
    number:
      typeof score === 'boolean' ? Number(score) : typeof score === 'number' && Number.isFinite(score) ? score : null,
    label:
      typeof value === 'string'
        ? value.slice(0, LIMITS.keptTextChars)
        : value === null || value === undefined || typeof value === 'object'
          ? null
          : valueText(),
    remark: comment === null ? null : comment.slice(0, LIMITS.keptTextChars),
  };
}

/** `words`: for whoever has parsed the feedback already. */
export function writeFeedback(out: RowWriter, feedback: Feedback, words = storedWords(feedback)): void {
  const rest: StoredRest = {
    traceId: feedback.traceId === feedback.runId ? true : feedback.traceId,
    modifiedAtUs: feedback.modifiedAtUs,
    comment: feedback.comment,
    score: feedback.score,
    value: feedback.value,
    correction: feedback.correction,
    source: feedback.source,
    config: feedback.config,
    extra: feedback.extra,
    groupId: feedback.groupId,
    comparativeId: feedback.comparativeId,
  };
  writeHeaded(out, headOf(feedback, words), HEAD, rest, REST);
}

export function unpackFeedback(bytes: Uint8Array): Feedback {
  const { feedbackId, runId, key, createdAtUs, error, thread } = unpackFeedbackHead(bytes);
  const rest = unpackRow<StoredRest>(bytes, REST, { start: headRange(bytes).end, end: bytes.byteLength });
  return {
    feedbackId,
    runId,
    key,
    createdAtUs,
    error,
    thread: thread ?? null,
    ...rest,
    traceId: rest.traceId === true ? runId : rest.traceId,
  };
}

export function unpackFeedbackHead(bytes: Uint8Array): FeedbackHead {
  return unpackRow<FeedbackHead>(bytes, HEAD, headRange(bytes));
}

function storedWords({ score, value, comment }: Feedback): FeedbackWords {
  const parsed = (bytes: JsonBytes | null): unknown => (bytes === null ? null : parseJson(bytes));
  return wordsOf(parsed(score), parsed(value), () => asText(value!), parsed(comment) as string | null);
}

function headOf(feedback: Feedback, { number, label, remark }: FeedbackWords): FeedbackHead {
  return {
    feedbackId: feedback.feedbackId,
    runId: feedback.runId,
    key: feedback.key,
    createdAtUs: feedback.createdAtUs,
    error: feedback.error,
    number,
    label,
    remark,
    sourceType: feedback.source === null ? null : sourceTypeOf(feedback.source),
    comparative: feedback.comparativeId !== null,
    thread: feedback.thread ?? null,
  };
}

/** Nearly all feedback comes with one of a few sources. */
const sourceTypes = new Map<string, string | null>();

function sourceTypeOf(source: JsonBytes): string | null {
  if (source === DEFAULT_SOURCE) return 'api';
  const text = asText(source);
  const known = sourceTypes.get(text);
  if (known !== undefined) return known;
  const { type } = JSON.parse(text) as { type?: unknown };
  const found = typeof type === 'string' ? type : null;
  if (text.length <= 100 && sourceTypes.size < 100) sourceTypes.set(text, found);
  return found;
}

/** Feedback on a graph's run is seen through the run's thread: nobody sees it once either is gone. */
export function seesThreadOf(
  lookup: Lookup,
  caller: Caller,
  runId: string,
  { threadId, metadata }: RunThread,
): boolean {
  if (metadata !== null) return sees(caller, 'threads', () => parseJson(metadata) as JsonObject);
  const bytes = lookup.get(keys.run(runId)) === undefined ? undefined : lookup.get(keys.thread(threadId));
  return (
    bytes !== undefined && sees(caller, 'threads', () => parseJson(unpack<ThreadRecord>(bytes).metadata) as JsonObject)
  );
}

/** Feedback that stands with no experiment: on a graph's run, or on one that has not come yet, which is seen by those who see all. */
export function seesWaiting(
  lookup: Lookup,
  caller: Caller,
  { runId, thread }: Pick<Feedback, 'runId' | 'thread'>,
): boolean {
  return thread === null || thread === undefined || runId === null
    ? filterOf(caller, 'experiments') === null
    : seesThreadOf(lookup, caller, runId, thread);
}

/** The feedback and where it stands; undefined when there is none, or its experiment is gone or not published. */
export function findFeedback(lookup: Lookup, feedbackId: string): { feedback: Feedback; place: Place } | undefined {
  const bytes = lookup.get(keys.feedback(feedbackId));
  const place = bytes === undefined ? placeOf('feedback', feedbackId) : placeFrom(bytes);
  if (place === null || (place.list !== ORPHAN_LIST && lookup.get(keys.experimentList(place.list)) === undefined))
    return undefined;
  const item = itemAt(lookup, 'F', place);
  if (item === undefined) return undefined;
  const feedback = unpackFeedback(item);
  return feedback.feedbackId === feedbackId ? { feedback, place } : undefined;
}

export function putFeedbackPlace(commit: Commit, feedbackId: string, place: Place): void {
  commit.put(keys.feedback(feedbackId), packPlace(place));
}
