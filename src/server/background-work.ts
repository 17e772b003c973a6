import { ThreadmillError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Log, Logger } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { scrubPages } from '../pool/page-scrub.js';
import type { Services } from '../services/context.js';
import { CronScheduler } from '../services/crons/cron-scheduler.js';
import type { ItemIndexing } from '../services/items/item-indexing.js';
import type { TraceRetention } from '../services/traces/trace-retention.js';
import { HistorySampler, type RequestTotals } from '../services/history/history-sampler.js';
import { StateProfiler } from '../services/state-profile/state-profiler.js';
import { ThreadSweeper } from '../services/threads/thread-ttl.js';
import { keys } from '../store/keys.js';
import type { Store } from '../store/store.js';
import { dataFile } from '../store/files/data-file.js';
import type { Closers } from './closers.js';

const SWEEP_MS = 10_000;

export interface BackgroundParts {
  services: Services;
  indexing: ItemIndexing;
  retention: TraceRetention;
  requestTotals: () => RequestTotals;
  config: Config;
  logs: Log;
}

/**
 * Starts what runs on its own while the server is up: crons, backups, experiments, alerts, indexing, scrubbing, the
 * history of the load, the daily profile of the state, and the removal of what has expired.
 */
export async function startBackgroundWork(
  { services, indexing, retention, requestTotals, config, logs }: BackgroundParts,
  closers: Closers,
): Promise<void> {
  const { stores, clock } = services;
  const cronScheduler = new CronScheduler({ ...services, log: logs.forModule('crons') }, config.cronLateMs);
  cronScheduler.start();
  closers.add(() => cronScheduler.stop());

  const { scheduledBackups } = services;
  if (scheduledBackups !== null) {
    scheduledBackups.start();
    closers.add(() => scheduledBackups.close());
  }

  services.rules.recover();
  closers.add(() => services.rules.close());

  services.experimentJobs.recover();
  closers.add(() => services.experimentJobs.close());

  services.alerts.start();
  closers.add(() => services.alerts.close());

  // Every folder has an experiment, for runs without one of their own; only some have evaluation runs.
  const [anyRuns] = stores.store.keys({ prefix: keys.blocksOfKind('R'), limit: 1 });
  if (anyRuns !== undefined) {
    const timer = setTimeout(() => services.evaluation.pool.keepIntakeReady(), LIMITS.intakeStartDelayMs);
    closers.add(() => clearTimeout(timer));
  }

  await indexing.start();
  closers.add(() => indexing.close());

  // The start has checked every page of a small file. A large one is checked while the server is up.
  if (!stores.store.allPagesChecked) {
    const scrubbing = new AbortController();
    const scrubbed = scrub(stores.store, scrubbing.signal, logs.forModule('store'));
    closers.add(() => {
      scrubbing.abort();
      return scrubbed;
    });
  }

  const history = new HistorySampler({ ...services, log: logs.forModule('store'), requestTotals });
  history.start();
  closers.add(() => history.close());

  const stateProfiler = new StateProfiler({
    stores,
    pool: services.evaluation.pool,
    clock,
    log: logs.forModule('store'),
  });
  every(LIMITS.stateProfileCheckMs, closers, () => stateProfiler.check());
  closers.add(() => stateProfiler.close());

  const threadSweeper = new ThreadSweeper(services, config.project.threadTtl);
  closers.add(() => threadSweeper.close());
  every(SWEEP_MS, closers, () =>
    stores.remover
      .sweep(clock.nowMs())
      .catch((error: unknown) => logs.forModule('store').error({ err: error }, 'the sweeper failed')),
  );
  every(LIMITS.auditSweepMs, closers, () =>
    services.audit.log
      .sweep(clock.nowMs())
      .catch((error: unknown) => logs.forModule('store').error({ err: error }, 'audit entries could not be removed')),
  );
  closers.add(() => retention.close());
  every(LIMITS.traceSweepMs, closers, () => retention.sweep());
  every(config.project.store.sweepMs, closers, () =>
    stores.remover
      .sweepItems()
      .catch((error: unknown) => logs.forModule('memory').error({ err: error }, 'items could not be removed')),
  );
}

function every(ms: number, closers: Closers, work: () => unknown): void {
  const timer = setInterval(work, ms).unref();
  closers.add(() => clearInterval(timer));
}

/** Checks every page of the data file. Damage stops the intake of changes with an error that names it. */
async function scrub(store: Store, signal: AbortSignal, log: Logger): Promise<void> {
  const startedMs = performance.now();
  try {
    await scrubPages(dataFile(store.folder), signal);
    log.info({ seconds: Math.round((performance.now() - startedMs) / 1_000) }, 'all pages of the data file are sound');
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ThreadmillError) store.stopWrites(error);
    else log.error({ err: error }, 'the pages of the data file could not be looked at');
  }
}
