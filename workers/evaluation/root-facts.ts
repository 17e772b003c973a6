import { listHead } from '../../src/store/evaluation/block-lists.js';
import { listsOf, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { storedRoots } from './aggregate.js';
import type { Caches } from './caches.js';
import type { RunFact } from './run-statistics.js';

/** Both bounds are included. */
export interface TimeBounds {
  fromUs: number;
  toUs: number;
}

/**
 * The root runs of projects that started between the bounds, without their feedback, the newest list of each project
 * first. Full lists have them stored apart, so that this reads little of them.
 */
export function* rootFacts(
  caches: Caches,
  projects: readonly ExperimentRecord[],
  bounds: TimeBounds,
): Generator<RunFact> {
  for (const project of projects)
    for (const list of listsOf(project).toReversed()) {
      const [earliestUs, latestUs] = listHead(caches.reader, list).startsUs ?? [-Infinity, Infinity];
      if (latestUs < bounds.fromUs || earliestUs > bounds.toUs) continue;
      yield* storedRoots(caches, list, bounds) ?? rootsInMemory(caches, list, bounds);
    }
}

function* rootsInMemory(caches: Caches, list: number, { fromUs, toUs }: TimeBounds): Generator<RunFact> {
  for (const run of caches.facts(list).derived.runs)
    if (run.root && run.startUs >= fromUs && run.startUs <= toUs) yield { ...run, feedback: [] };
}
