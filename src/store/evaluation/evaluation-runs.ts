import { positionOf } from '../../base/ids.js';
import { spanPrefix } from '../../wire/runs/spans.js';
import { unpack } from '../../wire/codec.js';
import { unpackEvaluationRun, unpackRunHead, type EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import { itemAt, packPosition, unpackPosition, type BlockPosition } from './blocks.js';
import { itemsOfTrace, listOfTracePlace, tracePlaceOf } from './trace-places.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { ReadYourWrites } from '../read-your-writes.js';

interface StoredItem {
  item: Uint8Array;
  place: BlockPosition;
}

export interface PlacedRun {
  run: EvaluationRun;
  place: BlockPosition;
}

/** The run and its position. Undefined when it does not exist, or its experiment is deleted or not published. */
export function findEvaluationRun(lookup: Lookup, runId: string): PlacedRun | undefined {
  const found = itemWithEntry(lookup, runId) ?? itemInTrace(lookup, runId);
  if (found === undefined || lookup.get(keys.experimentList(found.place.list)) === undefined) return undefined;
  const run = unpackEvaluationRun(found.item);
  return run.runId === runId ? { run, place: found.place } : undefined;
}

/** The item of a run whose position is in the index or in its id. */
function itemWithEntry(lookup: Lookup, runId: string): StoredItem | undefined {
  const bytes = lookup.get(keys.evaluationRun(runId));
  const place = bytes === undefined ? positionOf('run', runId) : unpackPosition(bytes);
  const item = place === null ? undefined : itemAt(lookup, 'R', place);
  return place === null || item === undefined ? undefined : { item, place };
}

function itemInTrace(lookup: Lookup, runId: string): StoredItem | undefined {
  const place = tracePlaceOf(lookup, runId);
  if (place === undefined) return undefined;
  for (const found of itemsOfTrace(lookup, place)) if (unpackRunHead(found.item).runId === runId) return found;
  return undefined;
}

/** False if no run with this id is stored. See `Reader.getBeforeWrite`. */
export function mayBeStored(beforeWrite: Lookup, runId: string): boolean {
  return (
    positionOf('run', runId) !== null ||
    beforeWrite.get(keys.evaluationRun(runId)) !== undefined ||
    tracePlaceOf(beforeWrite, runId) !== undefined
  );
}

/** Of these runs, those of which `mayBeStored` is true. */
export function storedRuns(latest: ReadYourWrites, runIds: readonly string[]): Set<string> {
  const withEntry = latest.idsUnder(keys.evaluationRuns(), runIds);
  const beginnings = latest.idsUnder(keys.tracePlaces(), runIds.map(spanPrefix));
  return new Set(
    runIds.filter(
      (runId) => positionOf('run', runId) !== null || withEntry.has(runId) || beginnings.has(spanPrefix(runId)),
    ),
  );
}

/** The list that has the trace. */
export function listOfTrace(lookup: Lookup, traceId: string): number | undefined {
  const bytes = lookup.get(keys.trace(traceId));
  return bytes === undefined ? listOfTracePlace(lookup, traceId) : unpack<number>(bytes);
}

/** Ids of the stored runs of a graph run's trace, and of others whose ids begin like them. */
export function* idsOfTrace(latest: ReadYourWrites, traceId: string): Generator<string> {
  const place = tracePlaceOf(latest, traceId);
  if (place !== undefined) for (const { item } of itemsOfTrace(latest, place)) yield unpackRunHead(item).runId;
  const beginning = spanPrefix(traceId);
  const ids = latest.store.keys({ prefix: keys.evaluationRuns(), start: keys.evaluationRun(beginning) });
  for (const [, runId] of ids) {
    if (!(runId as string).startsWith(beginning)) return;
    yield runId as string;
  }
}

export function putEvaluationRunPosition(commit: Commit, runId: string, place: BlockPosition): void {
  commit.put(keys.evaluationRun(runId), packPosition(place));
}
