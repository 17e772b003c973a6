import { placeOf } from '../../base/ids.js';
import type { JsonBytes } from '../../base/json/json.js';
import { unpackRow } from '../../wire/codec.js';
import type { RowWriter } from '../../wire/evaluation/row-writer.js';
import { headRange, itemAt, packItem, packPlace, placeFrom, writeHeaded, type Place } from './blocks.js';
import type { Commit } from '../env.js';
import { keys } from '../keys.js';
import type { Lookup } from '../read-your-writes.js';

/** A run of a trace: the output for one example, or one of its steps. Not a graph run on a thread (glossary). */
export interface EvaluationRun {
  runId: string;
  traceId: string;
  parentRunId: string | null;
  name: string;
  runType: string;
  startUs: number;
  endUs: number | null;
  /** Start and id of every ancestor from the root, then its own. Null when that is only its own. */
  dottedOrder: string | null;
  exampleId: string | null;
  /** JSON text of a string; null without an error. JSON, because the string may not be valid UTF-8. */
  error: JsonBytes | null;
  firstTokenUs: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
  promptCost: number | null;
  completionCost: number | null;
  totalCost: number | null;
  receivedUs: number;
  inputs: JsonBytes | null;
  outputs: JsonBytes | null;
  extra: JsonBytes | null;
  tags: JsonBytes | null;
  events: JsonBytes | null;
  serialized: JsonBytes | null;
}

/** Fields for statistics, sorting and joins, which can be read without the rest. */
export type RunHead = Pick<EvaluationRun, (typeof HEAD)[number]> & { failed: boolean };

const HEAD = [
  'runId',
  'traceId',
  'parentRunId',
  'name',
  'runType',
  'startUs',
  'endUs',
  'exampleId',
  'firstTokenUs',
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'promptCost',
  'completionCost',
  'totalCost',
] as const satisfies readonly (keyof EvaluationRun)[];
const STORED_HEAD = [...HEAD, 'failed'] as const satisfies readonly (keyof RunHead)[];
const REST = [
  'receivedUs',
  'dottedOrder',
  'error',
  'inputs',
  'outputs',
  'extra',
  'tags',
  'events',
  'serialized',
] as const satisfies readonly (keyof EvaluationRun)[];

/** A root run stores no trace id, since it is its own. Ids take half of a small record. */
interface StoredHead extends Omit<RunHead, 'traceId'> {
  traceId: string | null;
}

/** The run as an item of a block. */
export function packEvaluationRun(run: EvaluationRun): Uint8Array {
  return packItem((out) => writeEvaluationRun(out, run));
}

export function writeEvaluationRun(out: RowWriter, run: EvaluationRun): void {
  // Listed one by one: copying with a spread would take a third of the time of writing.
  const head: StoredHead = {
    runId: run.runId,
    traceId: run.traceId === run.runId ? null : run.traceId,
    parentRunId: run.parentRunId,
    name: run.name,
    runType: run.runType,
    startUs: run.startUs,
    endUs: run.endUs,
    exampleId: run.exampleId,
    firstTokenUs: run.firstTokenUs,
    promptTokens: run.promptTokens,
    completionTokens: run.completionTokens,
    totalTokens: run.totalTokens,
    promptCost: run.promptCost,
    completionCost: run.completionCost,
    totalCost: run.totalCost,
    failed: run.error !== null,
  };
  writeHeaded(out, head, STORED_HEAD, run, REST);
}

export function unpackEvaluationRun(bytes: Uint8Array): EvaluationRun {
  const { start, end } = headRange(bytes);
  const head = unpackRow<StoredHead>(bytes, HEAD, { start, end });
  return {
    ...head,
    traceId: head.traceId ?? head.runId,
    ...unpackRow<Pick<EvaluationRun, (typeof REST)[number]>>(bytes, REST, { start: end, end: bytes.byteLength }),
  };
}

export function unpackRunHead(bytes: Uint8Array): RunHead {
  const head = unpackRow<StoredHead>(bytes, STORED_HEAD, headRange(bytes));
  head.traceId ??= head.runId;
  return head as RunHead;
}

/** The run and its position. Undefined when it does not exist, or its experiment is deleted or not published. */
export function findEvaluationRun(lookup: Lookup, runId: string): { run: EvaluationRun; place: Place } | undefined {
  const bytes = lookup.get(keys.evaluationRun(runId));
  const place = bytes === undefined ? placeOf('run', runId) : placeFrom(bytes);
  if (place === null || lookup.get(keys.experimentList(place.list)) === undefined) return undefined;
  const item = itemAt(lookup, 'R', place);
  if (item === undefined) return undefined;
  const run = unpackEvaluationRun(item);
  return run.runId === runId ? { run, place } : undefined;
}

export function putEvaluationRunPlace(commit: Commit, runId: string, place: Place): void {
  commit.put(keys.evaluationRun(runId), packPlace(place));
}
