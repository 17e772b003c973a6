import type { LiveRun } from './live.js';

/** What the queue needs to know of a run. */
export type QueuedRun = Pick<LiveRun, 'queued' | 'isolated'> & { record: Pick<LiveRun['record'], 'graphId'> };

/**
 * Runs that are ready for a worker. Graphs take turns, so the queue of one graph does not delay another's; the runs of
 * one graph leave in the order in which they came. Runs that need a worker of their own wait apart.
 */
export class RunQueue<Run extends QueuedRun = LiveRun> {
  /** Ready runs by graph. The order of the map is the order in which the graphs take turns. */
  readonly #byGraph = new Map<string, Run[]>();
  readonly #isolated: Run[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(run: Run): void {
    run.queued = true;
    this.#size += 1;
    if (run.isolated) {
      this.#isolated.push(run);
      return;
    }
    const { graphId } = run.record;
    const runs = this.#byGraph.get(graphId);
    if (runs === undefined) this.#byGraph.set(graphId, [run]);
    else runs.push(run);
  }

  /** Does nothing for a run that is not queued. */
  remove(run: Run): void {
    if (!run.queued) return;
    this.#left(run);
    if (removeFrom(this.#isolated, run)) return;
    const { graphId } = run.record;
    const runs = this.#byGraph.get(graphId);
    if (runs === undefined) return;
    removeFrom(runs, run);
    if (runs.length === 0) this.#byGraph.delete(graphId);
  }

  /** The run that is next among those for shared workers; null when there is none. */
  peek(): Run | null {
    const first = this.#byGraph.values().next();
    return first.done === true ? null : first.value[0]!;
  }

  /** The next run of each graph, in the order in which the graphs take turns. */
  *nextOfGraphs(): Generator<Run> {
    for (const runs of this.#byGraph.values()) yield runs[0]!;
  }

  /** Removes a run that is the next one of its graph. Of all graphs, this one has its next turn last. */
  take(run: Run): void {
    const { graphId } = run.record;
    const runs = this.#byGraph.get(graphId)!;
    runs.shift();
    this.#byGraph.delete(graphId);
    if (runs.length > 0) this.#byGraph.set(graphId, runs);
    this.#left(run);
  }

  get isolatedCount(): number {
    return this.#isolated.length;
  }

  /** Runs that need a worker of their own, oldest first. */
  get isolatedRuns(): readonly Run[] {
    return this.#isolated;
  }

  /** Removes a run of `isolatedRuns`. */
  takeIsolated(run: Run): void {
    removeFrom(this.#isolated, run);
    this.#left(run);
  }

  /**
   * Where a queued run is: the runs ahead of it in its queue, and the graphs that take turns. Null for any other run.
   */
  positionOf(run: Run): { before: number; graphs: number } | null {
    if (!run.queued) return null;
    const runs = run.isolated ? this.#isolated : (this.#byGraph.get(run.record.graphId) ?? []);
    return { before: Math.max(0, runs.indexOf(run)), graphs: this.#byGraph.size };
  }

  #left(run: Run): void {
    run.queued = false;
    this.#size -= 1;
  }
}

function removeFrom<T>(list: T[], item: T): boolean {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
