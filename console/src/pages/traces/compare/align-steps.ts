import { metadataOf, type Step } from '../trace-tree.js';

/** A step on the left and the step on the right that stands for the same work. Null: only the other side has it. */
export interface AlignedPair {
  left: Step | null;
  right: Step | null;
  depth: number;
  /** Number of pairs below this one, which follow it. */
  below: number;
}

/** With more insertions and deletions among siblings, the exact search takes too long. */
const EDITS_MAX = 1_000;

type IndexPair = readonly [left: number | null, right: number | null];

/**
 * Aligns the steps of two traces: children of aligned steps are aligned by name, type and order. The result is in the
 * order of the tree.
 */
export function alignSteps(left: readonly Step[], right: readonly Step[]): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  // No recursion: traces can be nested thousands of levels deep.
  const waiting: { pair: IndexPair; depth: number }[] = [];
  const addSiblings = (ofLeft: readonly number[], ofRight: readonly number[], depth: number): void => {
    const aligned = alignSiblings(
      ofLeft.map((at) => left[at]!),
      ofRight.map((at) => right[at]!),
    );
    for (const [one, other] of aligned.toReversed())
      waiting.push({ pair: [one === null ? null : ofLeft[one]!, other === null ? null : ofRight[other]!], depth });
  };
  addSiblings(childrenAt(left, null), childrenAt(right, null), 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { pair, depth } = next;
    const [one, other] = pair;
    pairs.push({
      left: one === null ? null : left[one]!,
      right: other === null ? null : right[other]!,
      depth,
      below: 0,
    });
    addSiblings(one === null ? [] : childrenAt(left, one), other === null ? [] : childrenAt(right, other), depth + 1);
  }
  const open: number[] = [];
  pairs.forEach(({ depth }, at) => {
    open.length = depth;
    for (const parentAt of open) pairs[parentAt]!.below += 1;
    open.push(at);
  });
  return pairs;
}

/** Indexes of the children of a step; of the steps at the top for null. */
function childrenAt(steps: readonly Step[], parentAt: number | null): number[] {
  const [start, end] = parentAt === null ? [0, steps.length] : [parentAt + 1, parentAt + 1 + steps[parentAt]!.below];
  const found: number[] = [];
  for (let at = start; at < end; at += 1 + steps[at]!.below) found.push(at);
  return found;
}

function alignSiblings(left: readonly Step[], right: readonly Step[]): IndexPair[] {
  // The name of a run may change with its code. Two traces always have their only root in common.
  const areRoots = left.length === 1 && right.length === 1 && left[0]!.depth === 0 && right[0]!.depth === 0;
  const partners = areRoots ? new Map([[0, 0]]) : commonIndexes(left.map(keyOf), right.map(keyOf));
  addSameTurn(left, right, partners);
  const taken = new Set(partners.values());
  const pairs: IndexPair[] = [];
  let next = 0;
  const addRightUntil = (end: number): void => {
    for (; next < end; next += 1) if (!taken.has(next)) pairs.push([null, next]);
  };
  left.forEach((_, at) => {
    const partner = partners.get(at);
    if (partner !== undefined) addRightUntil(partner);
    pairs.push([at, partner ?? null]);
  });
  addRightUntil(right.length);
  return pairs;
}

function keyOf({ run: { name, run_type: type } }: Step): string {
  return JSON.stringify([name, type]);
}

/** Nodes of the same step of a graph run at the same time, so they can begin in any order. */
function addSameTurn(left: readonly Step[], right: readonly Step[], partners: Map<number, number>): void {
  const taken = new Set(partners.values());
  const free = new Map<string, number[]>();
  right.forEach((step, at) => {
    const key = turnOf(step);
    if (key === null || taken.has(at)) return;
    const others = free.get(key);
    if (others === undefined) free.set(key, [at]);
    else others.push(at);
  });
  left.forEach((step, at) => {
    const key = partners.has(at) ? null : turnOf(step);
    const partner = key === null ? undefined : free.get(key)?.shift();
    if (partner !== undefined) partners.set(at, partner);
  });
}

function turnOf(step: Step): string | null {
  const { langgraph_step: turn } = metadataOf(step.run);
  return typeof turn === 'number' ? `${turn} ${keyOf(step)}` : null;
}

/** A longest common subsequence: the index on the right for each matched index on the left. */
export function commonIndexes(left: readonly string[], right: readonly string[]): Map<number, number> {
  const partners = new Map<number, number>();
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) {
    partners.set(start, start);
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) {
    end += 1;
    partners.set(left.length - end, right.length - end);
  }
  const [ofLeft, ofRight] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const middle = shortestEdit(ofLeft, ofRight) ?? sameOccurrence(ofLeft, ofRight);
  for (const [one, other] of middle) partners.set(start + one, start + other);
  return partners;
}

/** Myers' algorithm. Null if more than `EDITS_MAX` edits are needed. */
function shortestEdit(left: readonly string[], right: readonly string[]): [number, number][] | null {
  const [m, n] = [left.length, right.length];
  if (m === 0 || n === 0) return [];
  const limit = Math.min(m + n, EDITS_MAX);
  // `reached[k + limit]`: how far on the left the best path on the diagonal k has come.
  const reached = new Int32Array(2 * limit + 3);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    // The paths of this number of edits need only the diagonals around them.
    history.push(reached.slice(limit - edits, limit + edits + 3));
    for (let k = -edits; k <= edits; k += 2) {
      const at = k + limit + 1;
      const isInsertion = k === -edits || (k !== edits && reached[at - 1]! < reached[at + 1]!);
      let x = isInsertion ? reached[at + 1]! : reached[at - 1]! + 1;
      while (x < m && x - k < n && left[x] === right[x - k]) x += 1;
      reached[at] = x;
      if (x >= m && x - k >= n) return matchesOf(history, m, n);
    }
  }
  return null;
}

/** Walks back through the paths of each number of edits. */
function matchesOf(history: readonly Int32Array[], m: number, n: number): [number, number][] {
  const matches: [number, number][] = [];
  let [x, y] = [m, n];
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const before = history[edits]!;
    const k = x - y;
    const at = k + edits + 1;
    const isInsertion = k === -edits || (k !== edits && before[at - 1]! < before[at + 1]!);
    const startX = edits === 0 ? 0 : isInsertion ? before[at + 1]! : before[at - 1]!;
    const startY = edits === 0 ? 0 : startX - (isInsertion ? k + 1 : k - 1);
    const diagonalX = edits === 0 ? 0 : isInsertion ? startX : startX + 1;
    while (x > diagonalX) {
      x -= 1;
      y -= 1;
      matches.push([x, y]);
    }
    [x, y] = [startX, startY];
  }
  return matches;
}

/** The first of a name with the first of it on the other side, the second with the second, and so on. */
function sameOccurrence(left: readonly string[], right: readonly string[]): [number, number][] {
  const places = new Map<string, number[]>();
  right.toReversed().forEach((key, at) => {
    const others = places.get(key);
    if (others === undefined) places.set(key, [right.length - 1 - at]);
    else others.push(right.length - 1 - at);
  });
  return left.flatMap((key, at): [number, number][] => {
    const partner = places.get(key)?.pop();
    return partner === undefined ? [] : [[at, partner]];
  });
}
