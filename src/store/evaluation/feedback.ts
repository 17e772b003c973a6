import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { positionOf } from '../../base/ids.js';
import { asText, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { unpack } from '../../wire/codec.js';
import type { RowWriter, ValuesOf } from '../../wire/evaluation/row-writer.js';
import { itemAt, packPosition, unpackPosition, type BlockPosition } from './blocks.js';
import { packItem, TwoPartItem } from '../../wire/evaluation/two-part-item.js';
import { LIMITS } from '../../base/limits.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import { ORPHAN_LIST } from './block-lists.js';
import type { ThreadRecord } from '../threads/threads.js';

/** The thread of a graph run, for access checks of feedback on the run. */
export interface RunThread {
  threadId: string;
  /**
   * Metadata of a thread that is not stored, for access checks. Null: whoever sees the thread sees the feedback,
   * as long as thread and run exist.
   */
  metadata: JsonBytes | null;
}

/** A score or comment on a run, or without a run on the whole experiment. */
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
  /**
   * This and the next fields are JSON as the client sent it, or null. score: number or boolean. value: number, boolean,
   * string or object. correction: object or string. source and config: objects.
   */
  score: JsonBytes | null;
  value: JsonBytes | null;
  correction: JsonBytes | null;
  source: JsonBytes | null;
  config: JsonBytes | null;
  extra: JsonBytes | null;
  groupId: string | null;
  comparativeId: string | null;
  /** Set for feedback on a graph run, which belongs to no experiment. Absent in older records. */
  thread?: RunThread | null;
}

/** Source of feedback that was sent without one, as JSON. */
export const DEFAULT_SOURCE: JsonBytes = Buffer.from('{"type":"api"}');

/** Fields for statistics and lists, which can be read without the rest. */
export interface FeedbackHead {
  feedbackId: string;
  runId: string | null;
  key: string;
  createdAtUs: number;
  error: boolean;
  /** A finite number, with booleans as 1 and 0; null when there is none. */
  number: number | null;
  /** A category: strings as they are, numbers and booleans as JSON. Null for objects. */
  label: string | null;
  remark: string | null;
  sourceType: string | null;
  /** Part of a pairwise comparison, not of the experiment itself. */
  comparative: boolean;
  thread?: RunThread | null;
}

const HEAD_FIELDS = [
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
/** Fields after the head. */
const REST_FIELDS = [
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

/** `traceId` is true when it equals the run id (or both are null). */
type StoredRest = Omit<Pick<Feedback, (typeof REST_FIELDS)[number]>, 'traceId'> & { traceId: string | true | null };

const FEEDBACK_ITEM = new TwoPartItem<FeedbackHead, StoredRest>(HEAD_FIELDS, REST_FIELDS);

/** The feedback as an item of a block. */
export function packFeedback(feedback: Feedback): Uint8Array {
  return packItem((out) => writeFeedback(out, feedback));
}

/** Short forms of a score, a value and a comment, for statistics and lists. */
export type FeedbackSummary = Pick<FeedbackHead, 'number' | 'label' | 'remark'>;

/** Number and label of a feedback record. `valueText` returns the value as JSON. */
export function summarize(
  score: unknown,
  value: unknown,
  valueText: () => string,
): Pick<FeedbackSummary, 'number' | 'label'> {
  return {
    number:
      typeof score === 'boolean' ? Number(score) : typeof score === 'number' && Number.isFinite(score) ? score : null,
    label:
      typeof value === 'string'
        ? value.slice(0, LIMITS.keptTextChars)
        : value === null || value === undefined || typeof value === 'object'
          ? null
          : valueText(),
  };
}

/** The same for a score and a value that are not parsed yet. */
export function summarizeJson(
  score: JsonBytes | null,
  value: JsonBytes | null,
): Pick<FeedbackSummary, 'number' | 'label'> {
  const parsed = (bytes: JsonBytes | null): unknown => (bytes === null ? null : parseJson(bytes));
  return summarize(parsed(score), parsed(value), () => asText(value!));
}

/** The beginning of a comment. It shares its memory with the whole text. */
export function summarizeComment(comment: JsonBytes | null): string | null {
  return comment === null ? null : (parseJson(comment) as string).slice(0, LIMITS.keptTextChars);
}

/** Pass `summary` when the feedback is already parsed. */
export function writeFeedback(out: RowWriter, feedback: Feedback, summary = summaryOf(feedback)): void {
  const head: ValuesOf<FeedbackHead, typeof HEAD_FIELDS> = [
    feedback.feedbackId,
    feedback.runId,
    feedback.key,
    feedback.createdAtUs,
    feedback.error,
    summary.number,
    summary.label,
    summary.remark,
    feedback.source === null ? null : feedbackSourceType(feedback.source),
    feedback.comparativeId !== null,
    feedback.thread ?? null,
  ];
  const rest: ValuesOf<StoredRest, typeof REST_FIELDS> = [
    feedback.traceId === feedback.runId ? true : feedback.traceId,
    feedback.modifiedAtUs,
    feedback.comment,
    feedback.score,
    feedback.value,
    feedback.correction,
    feedback.source,
    feedback.config,
    feedback.extra,
    feedback.groupId,
    feedback.comparativeId,
  ];
  FEEDBACK_ITEM.write(out, head, rest);
}

export function unpackFeedback(bytes: Uint8Array): Feedback {
  const { feedbackId, runId, key, createdAtUs, error, thread } = unpackFeedbackHead(bytes);
  const rest = FEEDBACK_ITEM.readRest(bytes);
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
  return FEEDBACK_ITEM.readHead(bytes);
}

function summaryOf({ score, value, comment }: Feedback): FeedbackSummary {
  return { ...summarizeJson(score, value), remark: summarizeComment(comment) };
}

/** Cache: nearly all feedback has one of a few sources. */
const sourceTypes = new Map<string, string | null>();

/** The type of a source, such as `api`. */
export function feedbackSourceType(source: JsonBytes): string | null {
  if (source === DEFAULT_SOURCE) return 'api';
  const text = asText(source);
  const known = sourceTypes.get(text);
  if (known !== undefined) return known;
  const { type } = JSON.parse(text) as { type?: unknown };
  const found = typeof type === 'string' ? type : null;
  if (text.length <= 100 && sourceTypes.size < 100) sourceTypes.set(text, found);
  return found;
}

/** Feedback on a graph run has the visibility of the run's thread. Nobody sees it once run or thread is deleted. */
export function seesRunThread(
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

/**
 * Access to feedback without an experiment: on a graph run, or on an evaluation run that was not uploaded yet. The
 * latter is visible only to callers who see all experiments.
 */
export function seesFeedbackWithoutExperiment(
  lookup: Lookup,
  caller: Caller,
  { runId, thread }: Pick<Feedback, 'runId' | 'thread'>,
): boolean {
  return thread === null || thread === undefined || runId === null
    ? filterOf(caller, 'experiments') === null
    : seesRunThread(lookup, caller, runId, thread);
}

/** The feedback and its position. Undefined when it does not exist, or its experiment is deleted or not published. */
export function findFeedback(
  lookup: Lookup,
  feedbackId: string,
): { feedback: Feedback; place: BlockPosition } | undefined {
  const bytes = lookup.get(keys.feedback(feedbackId));
  const place = bytes === undefined ? positionOf('feedback', feedbackId) : unpackPosition(bytes);
  if (place === null || (place.list !== ORPHAN_LIST && lookup.get(keys.experimentList(place.list)) === undefined))
    return undefined;
  const item = itemAt(lookup, 'F', place);
  if (item === undefined) return undefined;
  const feedback = unpackFeedback(item);
  return feedback.feedbackId === feedbackId ? { feedback, place } : undefined;
}

export function putFeedbackPosition(commit: Commit, feedbackId: string, place: BlockPosition): void {
  commit.put(keys.feedback(feedbackId), packPosition(place));
}
