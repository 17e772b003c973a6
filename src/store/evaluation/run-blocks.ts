import { LIMITS } from '../../base/limits.js';
import {
  packEvaluationRun,
  unpackEvaluationRun,
  unpackRunHead,
  type EvaluationRun,
} from '../../wire/evaluation/evaluation-run.js';
import { RunItem } from '../../wire/evaluation/run-item.js';
import { packTexts, textNumbersOf, unpackTexts } from '../../wire/evaluation/shared-texts.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import {
  appendGroups,
  changeBlock,
  commonPartAt,
  commonPartsOf,
  itemInBlock,
  type BlockPosition,
  type CommonPart,
  type ItemGroup,
  type ListEnd,
} from './blocks.js';

/** Undefined when there is no such run or it was removed. */
export function runAt(lookup: Lookup, { list, first, at }: BlockPosition): EvaluationRun | undefined {
  const block = lookup.get(keys.block('R', list, first));
  return block === undefined ? undefined : runInBlock(block, at);
}

/** Undefined when there is no such run or it was removed. The item is a view into the block. */
export function runItemInBlock(block: Uint8Array, at: number): RunItem | undefined {
  const item = itemInBlock(block, at);
  if (item === undefined) return undefined;
  const { parentRunId, ...head } = unpackRunHead(item);
  return RunItem.packed({ ...head, isRoot: parentRunId === null }, item, commonPartAt(block, at));
}

/** Undefined when there is no such run or it was removed. */
export function runInBlock(block: Uint8Array, at: number): EvaluationRun | undefined {
  const item = itemInBlock(block, at);
  return item === undefined ? undefined : unpackEvaluationRun(item, commonPartAt(block, at));
}

/**
 * Appends runs of the evaluation API in new blocks. What items of a block have in common are the texts to which marks
 * in their inputs and outputs refer (shared-texts.ts). Returns the positions of the runs, and the next number.
 */
export function appendRuns(
  commit: Commit,
  end: ListEnd,
  runs: readonly RunItem[],
): { places: BlockPosition[]; next: number } {
  return appendGroups(commit, 'R', end, groupsOf(runs));
}

/** Runs that share texts stay together, with those between them. */
function groupsOf(runs: readonly RunItem[]): ItemGroup[] {
  const lastWith = new Map<Uint8Array, number>();
  runs.forEach(({ texts }, at) => {
    if (texts !== null) lastWith.set(texts, at);
  });
  const groups: ItemGroup[] = [];
  for (let at = 0; at < runs.length;) {
    const { texts, bytes } = runs[at]!;
    if (texts === null) {
      groups.push({ items: [bytes], common: null });
      at += 1;
      continue;
    }
    let to = at + 1;
    for (; to <= lastWith.get(texts)!; to += 1) {
      const other = runs[to]!.texts;
      if (other !== null && other !== texts) break;
    }
    groups.push(...splitGroup(runs.slice(at, to), texts));
    at = to;
  }
  return groups;
}

/** Groups of runs with these texts that are not too large for a block. */
function* splitGroup(runs: readonly RunItem[], texts: Uint8Array): Generator<ItemGroup> {
  const { blockItemsMax, runGroupBytesMax } = LIMITS;
  for (let from = 0; from < runs.length; from += blockItemsMax) {
    const part = runs.slice(from, from + blockItemsMax);
    const items = part.map(({ bytes }) => bytes);
    const common = part.length === runs.length ? texts : usedTexts(items, texts);
    const size = items.reduce((sum, item) => sum + item.byteLength, common?.byteLength ?? 0);
    if (size <= runGroupBytesMax) yield { items, common };
    else for (const { run } of part) yield { items: [packEvaluationRun(run)], common: null };
  }
}

/** Replaces a stored run. */
export function replaceRun(plan: Commit & Lookup, { list, first, at }: BlockPosition, run: RunItem): void {
  changeBlock(plan, keys.block('R', list, first), (items, parts) => {
    const texts = parts.find((part) => includes(part, at))?.bytes;
    const keepsTexts = run.texts !== null && texts !== undefined && Buffer.compare(run.texts, texts) === 0;
    items[at] = run.texts === null || keepsTexts ? run.bytes : packEvaluationRun(run.run);
    return keepsTexts ? parts : withUsedTexts(items, parts, [at]);
  });
}

/** Removes the runs of one block for which `isRemoved` is true. */
export function removeRuns(
  plan: Commit & Lookup,
  { list, first }: Omit<BlockPosition, 'at'>,
  isRemoved: (item: Uint8Array, at: number) => boolean,
): void {
  changeBlock(plan, keys.block('R', list, first), (items, parts) => {
    const removed = [...items.keys()].filter((at) => items[at]!.byteLength > 0 && isRemoved(items[at]!, at));
    if (removed.length === 0) return null;
    for (const at of removed) items[at] = NOTHING;
    return withUsedTexts(items, parts, removed);
  });
}

/** The parts without the texts to which only items referred that were changed. */
function withUsedTexts(items: readonly Uint8Array[], parts: CommonPart[], changed: readonly number[]): CommonPart[] {
  return parts.flatMap((part) => {
    if (!changed.some((at) => includes(part, at))) return [part];
    const bytes = usedTexts(items.slice(part.start, part.end), part.bytes);
    return bytes === null ? [] : [{ ...part, bytes }];
  });
}

/** Texts to which an item of the block refers, and which are not there. */
export function* missingTexts(block: Uint8Array): Generator<{ at: number; number: number }> {
  for (const { start, end, bytes } of commonPartsOf(block)) {
    const texts = unpackTexts(bytes);
    for (let at = start; at < end; at += 1) {
      const item = itemInBlock(block, at);
      for (const number of item === undefined ? [] : textNumbersOf(unpackEvaluationRun(item)))
        if (texts[number] === undefined || texts[number].byteLength === 0) yield { at, number };
    }
  }
}

/** Those of the texts to which the items refer, under their numbers. Null if they refer to none. */
function usedTexts(items: readonly Uint8Array[], texts: Uint8Array): Uint8Array | null {
  const left = items.filter(({ byteLength }) => byteLength > 0);
  const used = new Set(left.flatMap((item) => textNumbersOf(unpackEvaluationRun(item))));
  return used.size === 0 ? null : packTexts(unpackTexts(texts).map((text, n) => (used.has(n) ? text : NOTHING)));
}

/** A removed item or text. */
const NOTHING = new Uint8Array(0);

function includes({ start, end }: CommonPart, at: number): boolean {
  return at >= start && at < end;
}
