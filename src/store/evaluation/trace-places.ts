import { spanPrefix } from '../../wire/runs/spans.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys, type Key } from '../keys.js';
import type { Lookup } from '../lookup.js';
import { itemInBlock, type BlockPosition } from './blocks.js';

/** Consecutive items of a block. */
interface BlockPart {
  first: number;
  at: number;
  count: number;
}

/**
 * Where the root of a graph run's trace is, with the steps that were stored with it. They have no other entries in the
 * index, so that a trace needs one put. The ids of such runs begin alike (wire/runs/spans.ts), and the key is that
 * beginning.
 */
export interface TracePlace {
  traceId: string;
  list: number;
  parts: readonly BlockPart[];
}

/** Key of the place of the trace that a run with this id would belong to. */
export function tracePlaceKey(runId: string): Key {
  return keys.tracePlace(spanPrefix(runId));
}

/** Puts the place of a trace whose runs are the items from `start` to `end`, which follow each other. */
export function putTracePlace(
  commit: Commit,
  traceId: string,
  places: readonly BlockPosition[],
  { start, end }: { start: number; end: number },
): void {
  const row: (string | number)[] = [traceId, places[start]!.list];
  for (let from = start; from < end;) {
    const { first, at } = places[from]!;
    let to = from + 1;
    while (to < end && places[to]!.first === first) to += 1;
    row.push(first, at, to - from);
    from = to;
  }
  commit.put(tracePlaceKey(traceId), pack(row));
}

export function unpackTracePlace(bytes: Uint8Array): TracePlace {
  const [traceId, list, ...numbers] = unpack<[string, number, ...number[]]>(bytes);
  const parts: BlockPart[] = [];
  for (let n = 0; n < numbers.length; n += 3)
    parts.push({ first: numbers[n]!, at: numbers[n + 1]!, count: numbers[n + 2]! });
  return { traceId, list, parts };
}

/** The place of the trace that a run with this id belongs to. The run itself may be elsewhere, or not exist. */
export function tracePlaceOf(lookup: Lookup, runId: string): TracePlace | undefined {
  const bytes = lookup.get(tracePlaceKey(runId));
  return bytes === undefined ? undefined : unpackTracePlace(bytes);
}

/** The list of this trace, if it has a place. */
export function listOfTracePlace(lookup: Lookup, traceId: string): number | undefined {
  const place = tracePlaceOf(lookup, traceId);
  // The ids of another trace may begin like this one.
  return place?.traceId === traceId ? place.list : undefined;
}

/** The items that are still there. */
export function* itemsOfTrace(
  lookup: Lookup,
  { list, parts }: TracePlace,
): Generator<{ item: Uint8Array; block: Uint8Array; place: BlockPosition }> {
  for (const { first, at: start, count } of parts) {
    const block = lookup.get(keys.block('R', list, first));
    if (block === undefined) continue;
    for (let at = start; at < start + count; at += 1) {
      const item = itemInBlock(block, at);
      if (item !== undefined) yield { item, block, place: { list, first, at } };
    }
  }
}

export function isInTracePlace({ list, parts }: TracePlace, place: BlockPosition): boolean {
  return (
    list === place.list &&
    parts.some(({ first, at, count }) => first === place.first && place.at >= at && place.at < at + count)
  );
}
