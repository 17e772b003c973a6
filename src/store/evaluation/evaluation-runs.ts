import { positionOf } from '../../base/ids.js';
import { unpackEvaluationRun, type EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import { itemAt, packPosition, unpackPosition, type BlockPosition } from './blocks.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';

/** The run and its position. Undefined when it does not exist, or its experiment is deleted or not published. */
export function findEvaluationRun(
  lookup: Lookup,
  runId: string,
): { run: EvaluationRun; place: BlockPosition } | undefined {
  const bytes = lookup.get(keys.evaluationRun(runId));
  const place = bytes === undefined ? positionOf('run', runId) : unpackPosition(bytes);
  if (place === null || lookup.get(keys.experimentList(place.list)) === undefined) return undefined;
  const item = itemAt(lookup, 'R', place);
  if (item === undefined) return undefined;
  const run = unpackEvaluationRun(item);
  return run.runId === runId ? { run, place } : undefined;
}

/** Ids of the stored runs that begin with this text, unless they contain their position. */
export function* runIdsFrom(reader: Reader, beginning: string): Generator<string> {
  for (const [, runId] of reader.keys({ prefix: keys.evaluationRuns(), start: keys.evaluationRun(beginning) })) {
    if (!(runId as string).startsWith(beginning)) return;
    yield runId as string;
  }
}

export function putEvaluationRunPosition(commit: Commit, runId: string, place: BlockPosition): void {
  commit.put(keys.evaluationRun(runId), packPosition(place));
}
