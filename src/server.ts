import { join } from 'node:path';
import { systemClock } from './base/clock.js';
import { fail } from './base/errors.js';
import { randomIds } from './base/ids.js';
import { openLog, type Logger } from './base/log.js';
import { isLoopback, type Config, type Project } from './config.js';
import { Gates } from './gates.js';
import { mount } from './http/app.js';
import { corsOf } from './http/cors.js';
import { routes } from './http/routes/index.js';
import { createApp, listen } from './http/uws.js';
import { bundleGraphs, workerFile } from './pool/bundle.js';
import { EvaluationPool } from './pool/evaluation-pool.js';
import { GraphPool } from './pool/graph-pool.js';
import { Watchdog } from './pool/watchdog.js';
import { syncSystemAssistants } from './services/assistants.js';
import { Access } from './services/access.js';
import type { Services } from './services/context.js';
import { Evaluation } from './services/evaluation/context.js';
import { recoverEvaluation } from './services/evaluation/recover.js';
import { recoverRuns, type Recovery } from './services/recover.js';
import { Quotas } from './services/quotas.js';
import { Scheduler } from './services/scheduler.js';
import { ThreadTable } from './services/thread-table.js';
import { Turns } from './services/turns.js';
import { ApiKeys } from './store/api-keys.js';
import { dataFile } from './store/env.js';
import { openNouns } from './store/index.js';
import type { GraphWorkerData } from './wire/graph-source.js';
import type { LoadReport } from './wire/messages.js';

export interface Server {
  host: string;
  port: number;
  url: string;
  graphIds: string[];
  recovery: Recovery;
  /** Files of the user's own that the graphs were made from. */
  files: string[];
  /** Takes new code for new runs; nothing changes when it does not load. Throws GRAPH_LOAD_FAILED, AUTH_LOAD_FAILED. */
  reload(project: Project): Promise<string[]>;
  /** Intake stops, running work gets `graceMs`, the rest goes back to the queue. */
  close(graceMs?: number): Promise<void>;
}

const SWEEP_MS = 10_000;

/** Builds store, pool, services and http in that order; `close` goes back the same way. */
export async function openServer(config: Config): Promise<Server> {
  const log = openLog(config.logLevel);
  const nouns = openNouns(config.dataFolder, config.sealKey);
  nouns.remover.onError = (error) => log.error({ err: error }, 'leftovers could not be removed');
  const undo: (() => Promise<void> | void)[] = [() => nouns.store.close()];
  try {
    const threads = new ThreadTable(nouns);
    const quotas = new Quotas(config.quotas, () => performance.now());
    const scheduler = new Scheduler({ nouns, threads, clock: systemClock, log, runTimeoutMs: config.runTimeoutMs, resumableTtlMs: config.resumableTtlMs, quotas });
    const cache = join(config.dataFolder, 'cache');
    const graphIds = new Set(config.project.graphs.map(({ graphId }) => graphId));
    const evaluationPool = new EvaluationPool({ dataFile: dataFile(config.dataFolder), uploadBytesMax: config.uploadBytesMax }, log);
    undo.push(() => evaluationPool.close());
    const evaluation = new Evaluation({ store: nouns.store, remover: nouns.remover, pool: evaluationPool, clock: systemClock, ids: randomIds, log, uploadBytesMax: config.uploadBytesMax });
    const keys = ApiKeys.open(config.dataFolder, config.apiKeys, { nowMs: () => systemClock.nowMs(), onProblem: (text) => log.warn(text) });
    undo.push(() => keys.close());
    const { auth } = config.project;
    const gates = await Gates.open({ project: config.project, cache, log });
    undo.push(() => gates.close());
    const access = new Access({ keys, gate: gates.pool, auth: { studio: auth?.studio ?? false, keys: auth?.keys ?? false }, walk: config.walk, log });
    if (access.open && !isLoopback(config.host) && !config.insecure) {
      throw fail('CONFIG_INVALID', { file: '--host', problem: `${config.host} can be reached by others, and nobody is asked for a key: whoever reaches the port could run every graph. Make a key with "threadmill keys create --name NAME", or set "auth" in langgraph.json. --insecure serves everyone all the same.` });
    }
    const services: Services = { nouns, threads, scheduler, turns: new Turns(), access, quotas, evaluation, clock: systemClock, ids: randomIds, log, graphIds };

    const bundled = await workerData(config.project, cache);
    let files = [...bundled.files, ...gates.files];
    const pool = new GraphPool({
      file: workerFile(), threads: config.workers, heapMb: config.workerHeapMb, data: bundled.data, log,
      hooks: { room: () => scheduler.pump(), lost: (worker, runIds, reason) => scheduler.lost(worker, runIds, reason) },
    });
    undo.push(() => pool.close());
    scheduler.attach(pool);
    const watchdog = watch(pool, scheduler, config, log);
    undo.push(() => watchdog.close());
    refuseBroken(await pool.load());

    await syncSystemAssistants(nouns, systemClock, config.project.graphs);
    const recovery = await recoverRuns(services);
    await recoverEvaluation(evaluation);

    const app = await createApp(config.tls);
    mount(app, routes, services, { log, bodyBytesMax: config.bodyBytesMax, cors: corsOf(config.cors) });
    const listener = await listen(app, config.host, config.port);
    if (listener === null) throw fail('PORT_IN_USE', { host: config.host, port: config.port });
    const sweeper = setInterval(() => { void nouns.remover.sweep(Date.now()).catch((error: unknown) => log.error({ err: error }, 'the sweeper failed')); }, SWEEP_MS).unref();

    return {
      host: config.host,
      port: listener.port,
      url: `${config.tls === null ? 'http' : 'https'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}`,
      graphIds: [...graphIds],
      recovery,
      files,
      async reload(project) {
        const next = await workerData(project, cache);
        const handlers = await gates.prepare(project);
        try {
          refuseBroken(await pool.reload(next.data));
        } catch (error) {
          await handlers.drop();
          throw error;
        }
        await handlers.use(access);
        files = [...next.files, ...handlers.files];
        for (const { graphId } of project.graphs) graphIds.add(graphId);
        for (const graphId of graphIds) if (!project.graphs.some((graph) => graph.graphId === graphId)) graphIds.delete(graphId);
        await syncSystemAssistants(nouns, systemClock, project.graphs);
        return files;
      },
      async close(graceMs = config.shutdownGraceMs) {
        listener.stopListening();
        await scheduler.stop(graceMs);
        clearInterval(sweeper);
        watchdog.close();
        app.close();
        await evaluation.statistics.close();
        await evaluationPool.close();
        await gates.close();
        await keys.close();
        await pool.close();
        await nouns.remover.close();
        await nouns.store.close();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function workerData(project: Project, cache: string): Promise<{ data: GraphWorkerData; files: string[] }> {
  const { graphs, library, files } = await bundleGraphs(project.graphs, project.root, cache);
  return { data: { graphs, library, env: project.env }, files: [...new Set([project.file, ...files])] };
}

function refuseBroken(report: LoadReport): void {
  const [problem] = report.problems;
  if (problem === undefined) return;
  const error = fail('GRAPH_LOAD_FAILED', { graphId: problem.graphId, file: problem.file, reason: problem.reason });
  error.stack = problem.stack;
  throw error;
}

function watch(pool: GraphPool, scheduler: Scheduler, config: Config, log: Logger): Watchdog<GraphPool['workers'][number]> {
  let ticks = 0;
  return new Watchdog({
    workers: () => pool.workers,
    watchdogMs: config.watchdogMs,
    end: (worker, silentForMs) => {
      log.warn({ worker: worker.id, silentForMs: Math.round(silentForMs), runs: worker.runs.size }, 'a graph worker is silent and is ended');
      worker.beat.forgive();
      pool.terminate(worker);
    },
    tick: () => {
      pool.ensureWorkers();
      scheduler.pump();
      if (++ticks % 10 === 0) scheduler.checkTimeouts();
    },
  });
}
