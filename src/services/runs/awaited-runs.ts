import type { Clock } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { OfferedRun } from '../../pool/graphs/offered-run.js';
import type { LiveRun } from './live.js';

interface AwaitedRun {
  run: LiveRun;
  /** Name of the node that executes it. */
  node: string;
  settle: () => void;
}

export interface AwaitedRunsOptions {
  clock: Clock;
  /** The run goes on. */
  onReturned: (run: LiveRun, offer: OfferedRun) => void;
  /** Nobody executes the run any more. */
  onLost: (run: LiveRun) => void;
}

/**
 * Runs that other nodes executed for an earlier owner of the cluster. Each waits until its node has introduced itself
 * to this owner, at most LIMITS.runReturnMs.
 */
export class AwaitedRuns {
  readonly #options: AwaitedRunsOptions;
  readonly #runs = new Map<string, AwaitedRun>();

  constructor(options: AwaitedRunsOptions) {
    this.#options = options;
  }

  add(run: LiveRun): void {
    const { runId } = run.record;
    const node = run.alive!.place!.node!;
    run.returned = new Promise((settle) => {
      this.#runs.set(runId, { run, node, settle });
    });
    this.#options.clock.wakeAfter(LIMITS.runReturnMs, () => {
      if (this.#remove(run)) this.#options.onLost(run);
    });
  }

  /** The node has introduced itself: it executes the runs that it offers, and no others. */
  onOffered(node: string, offers: readonly OfferedRun[]): void {
    for (const offer of offers) {
      const awaited = this.#runs.get(offer.runId);
      const isOurs = awaited?.node === node && awaited.run.record.lease === offer.lease;
      if (isOurs && this.#remove(awaited.run)) this.#options.onReturned(awaited.run, offer);
      else offer.refuse();
    }
    this.#loseRunsOf((place) => place === node);
  }

  /** Names of the nodes that live. Others offer no runs. */
  onNodesSeen(living: ReadonlySet<string>): void {
    this.#loseRunsOf((node) => !living.has(node));
  }

  #loseRunsOf(isLost: (node: string) => boolean): void {
    for (const { run, node } of [...this.#runs.values()])
      if (isLost(node) && this.#remove(run)) this.#options.onLost(run);
  }

  /** Returns false if the run is not awaited. */
  #remove(run: LiveRun): boolean {
    const { runId } = run.record;
    const awaited = this.#runs.get(runId);
    if (awaited?.run !== run) return false;
    this.#runs.delete(runId);
    run.returned = null;
    awaited.settle();
    return true;
  }

  /** The run has ended while it was awaited. */
  onSettled(run: LiveRun): void {
    if (run.returned !== null) this.#remove(run);
  }
}
