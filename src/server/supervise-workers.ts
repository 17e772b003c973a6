import type { Logger } from '../base/log/log.js';
import type { GraphPool, GraphWorker } from '../pool/graphs/graph-pool.js';
import { Watchdog } from '../pool/graphs/watchdog.js';
import type { Scheduler } from '../services/runs/scheduler.js';

/** Run timeouts are checked once in so many ticks of the watchdog. */
const TICKS_PER_TIMEOUT_CHECK = 10;

/** What the clock of the watchdog does for the scheduler. */
export function schedulerTick(scheduler: Scheduler): () => void {
  let ticks = 0;
  return () => {
    scheduler.dispatchWaiting();
    if (++ticks % TICKS_PER_TIMEOUT_CHECK === 0) scheduler.checkTimeouts();
  };
}

/** Terminates graph workers that hang or no longer work, and replaces them. `onTick` is called regularly. */
export function superviseWorkers(
  pool: GraphPool,
  { watchdogMs, log, onTick }: { watchdogMs: number; log: Logger; onTick: () => void },
): Watchdog<GraphWorker> {
  const watchdog = new Watchdog<GraphWorker>({
    workers: () => pool.workers,
    watchdogMs,
    end: (worker, silentForMs) => {
      log.warn(
        { worker: worker.id, silentForMs: Math.round(silentForMs), runs: worker.runs.size },
        'a graph worker is silent and is ended',
      );
      worker.heartbeat.reset();
      pool.terminate(worker);
    },
    tick: () => {
      for (const worker of pool.brokenWorkers()) {
        log.warn(
          { worker: worker.id, runs: worker.runs.size },
          'A graph worker is terminated: its event loop turns, but it can execute nothing any more. Code in it may have replaced globals such as Promise.prototype.then or setTimeout',
        );
        pool.terminate(worker);
      }
      pool.ensureWorkers();
      onTick();
    },
  });
  watchdog.start();
  return watchdog;
}
