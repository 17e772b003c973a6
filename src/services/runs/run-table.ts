import { DelayedActions } from '../../base/delayed-actions.js';
import { LIMITS } from '../../base/limits.js';
import { TransientMap } from '../../base/transient.js';
import { isElsewhere, type LiveRun, type Outcome, type RecentRun } from './live.js';

/** Runs in memory: those that have not ended, and for a while those that have, for late readers. */
export class RunTable {
  readonly #live = new TransientMap<string, LiveRun>();
  readonly #finished = new Map<string, RecentRun>();
  readonly #forgetting = new DelayedActions<string>(LIMITS.finishedLogTtlMs, (runId) => this.#finished.delete(runId));

  add(run: LiveRun): void {
    this.#live.set(run.record.runId, run);
  }

  /** A run that has not ended. */
  get(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  /** A run that has not ended, or ended a moment ago. */
  recent(runId: string): RecentRun | undefined {
    return this.#live.get(runId) ?? this.#finished.get(runId);
  }

  /** Runs that have not ended, in the order in which they were accepted. */
  all(): Iterable<LiveRun> {
    return this.#live.values();
  }

  /**
   * Resolves with the outcome of a run that `get` finds, when its end is on disk. Rejects with STORE_FAILED when the
   * store cannot tell.
   */
  wait(run: LiveRun): Promise<Outcome> {
    const ended =
      run.failure !== null
        ? Promise.reject<Outcome>(run.failure)
        : new Promise<Outcome>((resolve, reject) => {
            run.waiters.push({ resolve, reject });
          });
    // The caller may not have attached a handler yet when the run fails.
    ended.catch(() => undefined);
    return ended;
  }

  /**
   * As `wait`, but resolves at once for a run that has left the table. A run that is settled may not be on disk yet.
   */
  async whenEnded({ record: { runId } }: RecentRun): Promise<void> {
    const run = this.#live.get(runId);
    if (run !== undefined) await this.wait(run);
  }

  /** The end of the run is on disk: its log ends, and waiters get the outcome. */
  finish(run: LiveRun, outcome: Outcome): void {
    const { record, stored, thread, caller, alive, log } = run;
    const { runId } = record;
    log.end();
    this.#live.delete(runId);
    // Not the run itself, with its input and its port: the garbage collector would copy all of it twice.
    this.#finished.set(runId, { record, stored, thread, caller, alive, log });
    this.#forgetting.add(runId);
    for (const { resolve } of run.waiters.splice(0)) resolve(outcome);
  }

  /**
   * The store has failed, so it is unknown what of this run is on disk. The run stays in the table: it is not settled,
   * and the thread's next run does not start. Waiters get the error. Streams break off, so that clients reconnect.
   */
  breakOff(run: LiveRun, cause: unknown): Error {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    run.failure ??= error;
    // The next owner of the cluster can take over what another node executes.
    if (isElsewhere(run)) run.port?.fence();
    else run.port?.close();
    run.log.abort();
    for (const { reject } of run.waiters.splice(0)) reject(error);
    return error;
  }
}
