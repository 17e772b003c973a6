import { LIMITS } from '../../base/limits.js';
import type { LoadReport } from '../../wire/runs/messages.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';

interface LoadingWorker {
  readonly heartbeat: { readonly loadingGraph: number | null };
}

/** Knows for how long each worker has been loading its current graph. */
export class LoadProgress<W extends LoadingWorker> {
  readonly #since: Map<W, { position: number | null; sinceMs: number }>;
  readonly #reported = new Set<number>();

  constructor(workers: readonly W[]) {
    const sinceMs = performance.now();
    this.#since = new Map(workers.map((worker) => [worker, { position: worker.heartbeat.loadingGraph, sinceMs }]));
  }

  /** The graph that a worker has been loading for the longest time. `isNew`: true once for each slow graph. */
  slowest(): { position: number | null; forMs: number; isNew: boolean } {
    const now = performance.now();
    let slowest: { position: number | null; forMs: number } = { position: null, forMs: 0 };
    for (const [worker, known] of this.#since) {
      const position = worker.heartbeat.loadingGraph;
      if (position !== known.position) this.#since.set(worker, { position, sinceMs: now });
      else if (position !== null && now - known.sinceMs > slowest.forMs)
        slowest = { position, forMs: now - known.sinceMs };
    }
    const { position, forMs } = slowest;
    const isNew = position !== null && forMs > LIMITS.graphLoadSlowMs && !this.#reported.has(position);
    if (isNew) this.#reported.add(position);
    return { ...slowest, isNew };
  }
}

/** `afterMs`: null when it is unknown because the worker has ended. */
export function unfinishedLoad({ graphId, file }: GraphSource, afterMs: number | null): LoadReport {
  const after = afterMs === null ? '' : ` within ${Math.round(afterMs / 1_000)} s`;
  const reason =
    `it did not finish loading${after}. Code at the top level of the file, or of a module that it imports, ` +
    'loops forever, waits or ends the thread.';
  return { ok: false, problems: [{ graphId, file, reason, stack: '' }] };
}
