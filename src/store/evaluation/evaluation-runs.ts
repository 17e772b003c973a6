import { positionOf } from '../../base/ids.js';
import { spanPrefix } from '../../wire/runs/spans.js';
import { unpack } from '../../wire/codec.js';
import { unpackRunHead, type EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { RunItem } from '../../wire/evaluation/run-item.js';
import { itemInBlock, packPosition, unpackPosition, type BlockPosition } from './blocks.js';
import { runItemInBlock } from './run-blocks.js';
import { itemsOfTrace, listOfTracePlace, tracePlaceOf } from './trace-places.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { ReadYourWrites } from '../read-your-writes.js';

interface PlacedBlock {
  block: Uint8Array;
  place: BlockPosition;
}

export interface PlacedItem {
  item: RunItem;
  place: BlockPosition;
}

export interface PlacedRun {
  run: EvaluationRun;
  place: BlockPosition;
}

/** The run and its position. Undefined when it does not exist, or its experiment is deleted or not published. */
export function findEvaluationRun(lookup: Lookup, runId: string): PlacedRun | undefined {
  const found = findRunItem(lookup, runId);
  return found === undefined ? undefined : { run: found.item.run, place: found.place };
}

/** Like `findEvaluationRun`, without reading all of the run. */
export function findRunItem(lookup: Lookup, runId: string): PlacedItem | undefined {
  const found = blockWithEntry(lookup, runId) ?? blockOfTrace(lookup, runId);
  if (found === undefined || lookup.get(keys.experimentList(found.place.list)) === undefined) return undefined;
  const item = runItemInBlock(found.block, found.place.at);
  return item?.runId === runId ? { item, place: found.place } : undefined;
}

/** The block of a run whose position is in the index or in its id. */
function blockWithEntry(lookup: Lookup, runId: string): PlacedBlock | undefined {
  const bytes = lookup.get(keys.evaluationRun(runId));
  const place = bytes === undefined ? positionOf('run', runId) : unpackPosition(bytes);
  const block = place === null ? undefined : lookup.get(keys.block('R', place.list, place.first));
  return place === null || block === undefined || itemInBlock(block, place.at) === undefined
    ? undefined
    : { block, place };
}

function blockOfTrace(lookup: Lookup, runId: string): PlacedBlock | undefined {
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
