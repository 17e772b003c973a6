import { listHead } from '../../src/store/evaluation/block-lists.js';
import { listsOf, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import { byStartDescending, type KeptRun, type ListFacts } from './list-facts.js';

export interface Found {
  run: KeptRun;
  experiment: ExperimentRecord;
}

/** Of a run in the order. */
export type Position = [startUs: number, runId: string];

export const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string';

export interface RunOrder {
  /** Only runs of these lists; null for all of the experiments. */
  lists?: readonly number[] | null;
  /** Only runs of these examples; null for all. */
  examples?: readonly string[] | null;
  /** The position of the last run that was already returned. */
  after?: Position | null;
  /** Oldest first. */
  ascending?: boolean;
  /** Only runs that started in this time, both bounds included. */
  fromUs?: number | null;
  toUs?: number | null;
}

/** A list that the order has not reached. */
interface UnreadList {
  experiment: ExperimentRecord;
  list: number;
  /** No run of the list comes before this time. */
  nextUs: number;
}

/** Where the order is in a list. Lists have their newest run first, so `step` is -1 in ascending order. */
interface Walk {
  experiment: ExperimentRecord;
  runs: readonly KeptRun[];
  at: number;
  step: 1 | -1;
}

/**
 * Yields the runs of several experiments in one order. A list is read when the order reaches the time of its runs, and
 * entered by binary search.
 */
export function* runsInOrder(
  caches: Caches,
  experiments: readonly ExperimentRecord[],
  order: RunOrder = {},
): Generator<Found> {
  const { ascending = false } = order;
  const [fromUs, toUs] = boundsOf(order);
  const endUs = ascending ? toUs : fromUs;
  const unread = unreadLists(caches, experiments, order);
  let walks: Walk[] = [];
  for (;;) {
    let next = firstOf(walks, ascending);
    while (unread.length > 0 && (next === null || !isPast(unread[0]!.nextUs, next.runs[next.at]!.startUs, ascending))) {
      const walk = walkOf(caches, unread.shift()!, order);
      if (walk.runs[walk.at] !== undefined) walks.push(walk);
      next = firstOf(walks, ascending);
    }
    const run = next?.runs[next.at];
    if (next === null || run === undefined || isPast(run.startUs, endUs, ascending)) return;
    yield { run, experiment: next.experiment };
    next.at += next.step;
    // Forgets the list.
    if (next.runs[next.at] === undefined) walks = walks.filter((walk) => walk !== next);
  }
}

/** The times that are left after a cursor. */
function boundsOf({ ascending, after, fromUs, toUs }: RunOrder): [fromUs: number, toUs: number] {
  const [from, to] = [fromUs ?? -Infinity, toUs ?? Infinity];
  if (after == null) return [from, to];
  return ascending === true ? [Math.max(from, after[0]), to] : [from, Math.min(to, after[0])];
}

/** The lists that may have runs of the order, in the order in which they are needed. */
function unreadLists({ reader }: Caches, experiments: readonly ExperimentRecord[], order: RunOrder): UnreadList[] {
  const { lists = null, ascending = false } = order;
  const [fromUs, toUs] = boundsOf(order);
  const unread = experiments.flatMap((experiment) =>
    listsOf(experiment).flatMap((list) => {
      if (lists?.includes(list) === false) return [];
      const [earliestUs, latestUs] = listHead(reader, list).startsUs ?? [-Infinity, Infinity];
      if (latestUs < fromUs || earliestUs > toUs) return [];
      return [{ experiment, list, nextUs: ascending ? earliestUs : latestUs }];
    }),
  );
  return unread.sort((a, b) => (a.nextUs === b.nextUs ? 0 : isPast(a.nextUs, b.nextUs, ascending) ? 1 : -1));
}

function walkOf(caches: Caches, { experiment, list }: UnreadList, order: RunOrder): Walk {
  const { ascending = false, after = null, examples = null } = order;
  const [fromUs, toUs] = boundsOf(order);
  const runs = candidates(caches.facts(list), examples);
  const start: Position | null = after ?? (ascending ? boundary(fromUs, '') : boundary(toUs, LAST_ID));
  return { experiment, runs, at: firstAfter(runs, start, ascending), step: ascending ? -1 : 1 };
}

/** Sorts after every id. */
const LAST_ID = '\u{10FFFF}';

function boundary(us: number, runId: string): Position | null {
  return Number.isFinite(us) ? [us, runId] : null;
}

/** True if the time comes after the other one in the order. */
function isPast(us: number, otherUs: number, ascending: boolean): boolean {
  return ascending ? us > otherUs : us < otherUs;
}

function firstOf(walks: readonly Walk[], ascending: boolean): Walk | null {
  let first: Walk | null = null;
  for (const walk of walks)
    if (first === null || before(walk.runs[walk.at]!, first.runs[first.at]!, ascending)) first = walk;
  return first;
}

/** The runs that a query can match, newest first: those of its examples if it names any, otherwise all. */
function candidates(facts: ListFacts, examples: readonly string[] | null): readonly KeptRun[] {
  const { runs, byExample, childrenOfExamples } = facts.derived;
  if (examples === null) return runs;
  const found = [...new Set(examples)].flatMap((id) => byExample.get(id) ?? []);
  return [...found, ...childrenOfExamples].sort(byStartDescending);
}

/** Lists are ordered newest first. In ascending order they are read from the end. */
function firstAfter(runs: readonly KeptRun[], after: Position | null, ascending: boolean): number {
  if (after === null) return ascending ? runs.length - 1 : 0;
  const [startUs, runId] = after;
  let low = 0;
  let high = runs.length;
  // Find the first run after the position, in newest-first order.
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (run.startUs < startUs || (run.startUs === startUs && run.runId < runId)) high = middle;
    else low = middle + 1;
  }
  if (!ascending) return low;
  const same = runs[low - 1];
  return same !== undefined && same.startUs === startUs && same.runId === runId ? low - 2 : low - 1;
}

function before(a: KeptRun, b: KeptRun, ascending: boolean): boolean {
  const newer = a.startUs !== b.startUs ? a.startUs > b.startUs : a.runId > b.runId;
  return newer !== ascending;
}
