import { hasFailed, runStatus, type Step } from '../trace-tree.js';
import type { AlignedPair } from './align-steps.js';
import { digestOf, withoutStack, withoutVolatile, type VolatileFacts } from './volatile-values.js';

export type Difference = 'inputs' | 'outputs' | 'error' | 'status' | 'left' | 'right';

/** Of a value: without what differs between any two runs, and as it is. */
interface Digests {
  comparable: string;
  exact: string;
}

/** What is kept of the values of a step, which can be of any size. */
export interface StepDigest {
  inputs: Digests;
  outputs: Digests;
}

export interface ComparedPair extends AlignedPair {
  /** Of the step on the left, or on the right if only that exists. */
  id: string;
  /** `left` or `right`: only that side has the step. */
  differences: readonly Difference[];
  /**
   * When the difference arose: inputs when the step began, outputs when it ended. So the output of a model comes before
   * the output of the graph that it changed.
   */
  order: number;
  differsBelow: boolean;
  /** Among the pairs with the same parent, from 1. */
  position: number;
  siblingCount: number;
}

export interface Comparison {
  pairs: readonly ComparedPair[];
  /** Places of the differences in the order in which they arose. Of steps of one side, only the topmost. */
  differing: readonly number[];
  counts: { equal: number; different: number; left: number; right: number };
}

export function digestStep(values: { inputs: unknown; outputs: unknown }, facts: VolatileFacts): StepDigest {
  const digests = (value: unknown): Digests => ({
    comparable: digestOf(withoutVolatile(value, facts)),
    exact: digestOf(value),
  });
  return { inputs: digests(values.inputs), outputs: digests(values.outputs) };
}

/** `exact`: ids, times and stacks count as well. */
export function compareSteps(
  aligned: readonly AlignedPair[],
  digests: ReadonlyMap<string, StepDigest>,
  exact: boolean,
): Comparison {
  const counts = { equal: 0, different: 0, left: 0, right: 0 };
  const pairs = aligned.map((pair): ComparedPair => {
    const differences = differencesOf(pair, digests, exact);
    if (pair.right === null) counts.left += 1;
    else if (pair.left === null) counts.right += 1;
    else if (differences.length > 0) counts.different += 1;
    else counts.equal += 1;
    return {
      ...pair,
      id: (pair.left ?? pair.right)!.run.id,
      differences,
      order: 0,
      differsBelow: false,
      position: 1,
      siblingCount: 1,
    };
  });
  setOrder(pairs);
  const differing = relatePairs(pairs).toSorted((one, other) => pairs[one]!.order - pairs[other]!.order);
  return { pairs, differing, counts };
}

export function isOneSided({ left, right }: AlignedPair): boolean {
  return left === null || right === null;
}

function differencesOf(
  { left, right }: AlignedPair,
  digests: ReadonlyMap<string, StepDigest>,
  exact: boolean,
): Difference[] {
  if (left === null || right === null) return [left === null ? 'right' : 'left'];
  const [one, other] = [digests.get(left.run.id), digests.get(right.run.id)];
  const kind = exact ? 'exact' : 'comparable';
  const differences: Difference[] = [];
  if (one?.inputs[kind] !== other?.inputs[kind]) differences.push('inputs');
  if (one?.outputs[kind] !== other?.outputs[kind]) differences.push('outputs');
  if (errorOf(left, exact) !== errorOf(right, exact)) differences.push('error');
  if (runStatus(left.run) !== runStatus(right.run)) differences.push('status');
  return differences;
}

function errorOf({ run }: Step, exact: boolean): string {
  if (!hasFailed(run)) return '';
  return exact ? run.error! : withoutStack(run.error!);
}

/** Counts the starts and ends of steps. A pair gets the number of the event that its first difference belongs to. */
function setOrder(pairs: readonly ComparedPair[]): void {
  let events = 0;
  const open: { pair: ComparedPair; end: number }[] = [];
  const closeUntil = (at: number): void => {
    while (open.length > 0 && open.at(-1)!.end <= at) {
      const { pair } = open.pop()!;
      events += 1;
      const [first] = pair.differences;
      if (first !== undefined && first !== 'inputs' && !isOneSided(pair)) pair.order = events;
    }
  };
  pairs.forEach((pair, at) => {
    closeUntil(at);
    events += 1;
    pair.order = events;
    open.push({ pair, end: at + 1 + pair.below });
  });
  closeUntil(Number.POSITIVE_INFINITY);
}

/** Fills in what a pair has to know of others. Returns the places of differences, of one-sided pairs the topmost. */
function relatePairs(pairs: readonly ComparedPair[]): number[] {
  const differing: number[] = [];
  const path: ComparedPair[] = [];
  const siblings = new Map<ComparedPair | null, ComparedPair[]>();
  pairs.forEach((pair, at) => {
    path.length = pair.depth;
    const parent = path.at(-1) ?? null;
    path.push(pair);
    const before = siblings.get(parent);
    if (before === undefined) siblings.set(parent, [pair]);
    else pair.position = before.push(pair);
    if (pair.differences.length === 0) return;
    if (parent === null || !isOneSided(parent)) differing.push(at);
    // Once a pair is marked, those above it are as well.
    for (let above = path.length - 2; above >= 0 && !path[above]!.differsBelow; above -= 1)
      path[above]!.differsBelow = true;
  });
  for (const group of siblings.values()) for (const pair of group) pair.siblingCount = group.length;
  return differing;
}

/** The place of the next difference after the pair, or of the previous one before it. Null if there is none. */
export function differenceBeside({ pairs, differing }: Comparison, at: number, step: 1 | -1): number | null {
  const { order } = pairs[at]!;
  return (
    (step === 1
      ? differing.find((place) => pairs[place]!.order > order)
      : differing.findLast((place) => pairs[place]!.order < order)) ?? null
  );
}

/** Places of the pairs that are shown: those in open pairs, and on request only those with a difference in them. */
export function visiblePairs(
  { pairs }: Comparison,
  collapsed: ReadonlySet<string>,
  onlyDifferences: boolean,
): number[] {
  const visible: number[] = [];
  for (let at = 0; at < pairs.length; at += 1) {
    const pair = pairs[at]!;
    if (!onlyDifferences || pair.differences.length > 0 || pair.differsBelow) visible.push(at);
    if (collapsed.has(pair.id)) at += pair.below;
  }
  return visible;
}

/** Ids of the pairs above a pair. */
export function idsAbove(pairs: readonly ComparedPair[], at: number): string[] {
  const ids: string[] = [];
  let { depth } = pairs[at]!;
  for (let before = at - 1; before >= 0 && depth > 0; before -= 1) {
    const pair = pairs[before]!;
    if (pair.depth >= depth) continue;
    ids.push(pair.id);
    depth = pair.depth;
  }
  return ids;
}
