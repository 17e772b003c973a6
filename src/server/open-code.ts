import type { Log } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { workerFile } from '../pool/graphs/bundle.js';
import { GraphPool } from '../pool/graphs/graph-pool.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';
import type { Closers } from './closers.js';
import { superviseWorkers } from './supervise-workers.js';
import { bundleUserCode, type BundledCode } from './user-code.js';

/** The project's code, and the graph workers that execute it. */
export interface OpenCode {
  bundled: BundledCode;
  pool: GraphPool;
  /** Hash of each graph's code by graph id. */
  hashes: () => Record<string, string>;
  /** Called regularly. */
  onTick: () => void;
}

/** Bundles the code. The workers do not start yet. Throws what `bundleUserCode` throws. */
export async function openCode(
  { config, cache, serverAddress, logs }: { config: Config; cache: string; serverAddress: ServerAddress; logs: Log },
  closers: Closers,
): Promise<OpenCode> {
  const bundled = await bundleUserCode(config, { index: config.project.store.index, cache, serverAddress });
  const pool = new GraphPool({
    file: workerFile(),
    threads: config.workers,
    heapMb: config.workerHeapMb,
    runsPerWorker: config.runsPerWorker,
    watchdogMs: config.watchdogMs,
    data: bundled.data,
    log: logs.forModule('workers'),
    codeLog: logs.forModule('graphs'),
  });
  closers.add(() => pool.close());
  const code: OpenCode = {
    bundled,
    pool,
    hashes: () => Object.fromEntries(bundled.data.graphs.map(({ graphId, hash }) => [graphId, hash])),
    onTick: () => undefined,
  };
  const watchdog = superviseWorkers(pool, {
    watchdogMs: config.watchdogMs,
    log: logs.forModule('workers'),
    onTick: () => code.onTick(),
  });
  closers.add(() => watchdog.stop());
  return code;
}
