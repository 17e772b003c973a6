import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Clock } from '../base/clock.js';
import { fail, ThreadmillError } from '../base/errors.js';
import { randomIds } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { isLoopback } from '../base/loopback.js';
import { Log, type Logger } from '../base/log/log.js';
import { VERSION } from '../base/version.js';
import { App, restart, type PreparedApp } from './app-files.js';
import { loadEncryptionKey } from '../config/encryption.js';
import type { Config, Project } from '../config/config.js';
import { Gates } from './auth-files.js';
import { mount } from '../http/app.js';
import { CrossOriginGuard } from '../http/access/cross-origin.js';
import { CustomApp } from '../http/custom-app.js';
import { callBoth } from '../http/transport/exchange.js';
import { Metrics } from '../http/monitoring/metrics.js';
import { requestLog } from '../http/monitoring/request-log.js';
import { RequestStats } from '../http/monitoring/request-stats.js';
import { tableFor } from '../http/routes/index.js';
import { countSockets, createApp, listen, openFilesMax, type Sockets } from '../http/transport/uws.js';
import { bundleGraphs, bundleModule, workerFile } from '../pool/graphs/bundle.js';
import { DeskPool } from '../pool/user-code/user-code-pool.js';
import { EvaluationPool } from '../pool/evaluation-pool.js';
import { GraphPool } from '../pool/graphs/graph-pool.js';
import { ItemMeaning } from '../pool/item-vectors.js';
import { scrubPages } from '../pool/page-scrub.js';
import { NearestPool } from '../pool/vector-search-pool.js';
import { buildUi } from '../pool/user-code/ui-builder.js';
import { TypesPool } from '../pool/user-code/types-pool.js';
import { Watchdog } from '../pool/graphs/watchdog.js';
import { WebhookThread } from '../pool/webhook-thread.js';
import { Edits } from '../services/state/state-edits.js';
import { Access } from '../services/access/access.js';
import type { Services } from '../services/context.js';
import { CronClock } from '../services/crons/cron-clock.js';
import { CronTable } from '../services/crons/cron-table.js';
import { Evaluation } from '../services/evaluation/context.js';
import { FeedbackAddresses } from '../services/evaluation/feedback-addresses.js';
import { GraphFacts } from '../services/assistants/graph-facts.js';
import { graphRunsOf } from '../services/evaluation/graph-run-lookup.js';
import { forgetFeedbackOf } from '../services/evaluation/feedback.js';
import { recoverEvaluation } from '../services/evaluation/recover.js';
import { ItemIndexing } from '../services/items/item-indexing.js';
import { Machine } from '../services/thread-stats.js';
import { recoverRuns, type Recovery } from '../services/runs/recover.js';
import { deliverToApp } from '../services/webhooks/app-webhooks.js';
import { Quotas } from '../services/access/quotas.js';
import { RunCounts } from '../services/runs/run-counts.js';
import { Scheduler } from '../services/runs/scheduler.js';
import { ThreadEvents } from '../services/threads/thread-events.js';
import { ThreadSweeper } from '../services/threads/thread-ttl.js';
import { syncSystemAssistants } from '../services/assistants/system-assistants.js';
import { ThreadTable } from '../services/threads/thread-table.js';
import { Webhooks, type WebhooksOptions } from '../services/webhooks/webhooks.js';
import { Turns } from '../services/time-slicer.js';
import { ApiKeys } from '../store/access/api-keys.js';
import { dataFile } from '../store/files/data-file.js';
import type { Store } from '../store/env.js';
import { checkEncryptionKey } from '../store/encryption/encryption.js';
import { openStores } from '../store/stores.js';
import { upgradeFolder } from '../store/files/upgrade.js';
import type { ItemIndexConfig } from '../config/store.js';
import type { DeskWorkerData } from '../wire/user-code/user-code.js';
import type { TypesWorkerData } from '../wire/user-code/graph-types.js';
import type { LoadReport } from '../wire/runs/messages.js';
import { listensOn, ownServer, type OwnServer } from '../wire/user-code/own-server.js';

export interface Server {
  host: string;
  port: number;
  url: string;
  graphIds: string[];
  recovery: Recovery;
  /** Files of the user's own that the graphs were made from. */
  files: string[];
  /** Takes new code for new runs; nothing changes when it does not load. Throws GRAPH_LOAD_FAILED, AUTH_LOAD_FAILED, EMBED_LOAD_FAILED. */
  reload(project: Project): Promise<string[]>;
  /** Intake stops, running work gets `graceMs`, the rest goes back to the queue. */
  close(graceMs?: number): Promise<void>;
}

const SWEEP_MS = 10_000;

/** As many connections as are wanted, or as the system leaves room for. */
function connectionsMax(config: Config, log: Logger): number {
  const files = openFilesMax();
  const room = Math.max(1, (files ?? Infinity) - LIMITS.filesForOthers);
  if (config.connectionsMax !== null && config.connectionsMax > room)
    log.warn(
      `THREADMILL_MAX_CONNECTIONS is ${config.connectionsMax}, but the system lets this process open ${files} files: it takes ${room} connections. Raise the limit (ulimit -n).`,
    );
  return Math.min(config.connectionsMax ?? LIMITS.connectionsMax, room);
}

/** What an earlier release wrote is brought to the form of this one. */
async function upgrade(folder: string, log: Logger): Promise<void> {
  const done = await upgradeFolder(folder, {
    onBegin: (from, bytes) =>
      log.warn({ folder, from, bytes }, 'the data folder is of an earlier release: upgrading it'),
    onWritten: (records) => log.info({ records }, 'upgrading'),
  });
  if (done !== null) log.warn(done, 'the data folder is upgraded; the file as it was is kept');
}

/** Of a large file the start has looked at few pages: the rest is looked at while it serves. Damage ends intake, in words and not by a signal. */
async function scrub(store: Store, signal: AbortSignal, log: Logger): Promise<void> {
  const beganMs = performance.now();
  try {
    await scrubPages(dataFile(store.folder), signal);
    log.info({ seconds: Math.round((performance.now() - beganMs) / 1_000) }, 'all pages of the data file are sound');
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ThreadmillError) store.stop(error);
    else log.error({ err: error }, 'the pages of the data file could not be looked at');
  }
}

/** Builds store, pool, services and http in that order; `close` goes back the same way. `clock` is a test's own. */
export async function openServer(config: Config, clock: Clock = systemClock): Promise<Server> {
  const logs = await Log.open(config.log);
  const log = logs.of('server');
  for (const warning of config.warnings) log.warn(warning);
  for (const warning of config.project.warnings) log.warn({ file: config.project.file }, warning);
  const encryptionKey =
    config.encryption === null
      ? null
      : loadEncryptionKey(config.encryption, config.dataFolder, (text) => log.warn(text));
  checkEncryptionKey(config.dataFolder, encryptionKey);
  await upgrade(config.dataFolder, logs.of('store'));
  const stores = openStores(config.dataFolder, config.sealKey, { clock, ttl: config.project.store.ttl }, encryptionKey);
  const encryption = stores.store.cipher?.keys ?? null;
  const { exposed } = stores.store;
  if (exposed.length > 0)
    logs
      .of('store')
      .warn(
        { paths: exposed.slice(0, 10), count: exposed.length },
        'other users of this machine can read the data folder, and this user may not change that',
      );
  stores.store.onFailure = (error) =>
    logs
      .of('store')
      .error({ err: error }, 'the store has failed: nothing more is accepted until the server is started again');
  stores.remover.onError = (error) => logs.of('store').error({ err: error }, 'leftovers could not be removed');
  const undo: (() => Promise<void> | void)[] = [() => stores.store.close()];
  try {
    const threads = new ThreadTable(stores);
    const quotas = new Quotas(config.quotas, () => performance.now());
    const threadEvents = new ThreadEvents(stores, threads, logs.of('threads'));
    const edits = new Edits(stores);
    const cache = join(config.dataFolder, 'cache');
    const own = ownServer(
      config.host,
      config.api.mountPrefix,
      config.tls === null ? null : new X509Certificate(readFileSync(config.tls.certFile)).fingerprint256,
    );
    const ownApp = await App.open(config.api.app, { project: config.project, cache, log: logs.of('app'), own });
    undo.push(async () => ownApp?.pool.close());
    const { enabled, rules, headers, secrets, attemptMs, retryMs } = config.webhooks;
    const webhookThread = new WebhookThread(
      {
        dataFile: dataFile(config.dataFolder),
        encryption,
        rules,
        headers,
        secrets,
        attemptMs,
        userAgent: `threadmill/${VERSION}`,
      },
      logs.of('webhooks'),
    );
    undo.push(() => webhookThread.close());
    const send: WebhooksOptions['send'] = async (task) => {
      const result = await webhookThread.send(task);
      return result.kind === 'own' ? deliverToApp(ownApp?.pool ?? null, result, attemptMs) : result;
    };
    const webhooks = new Webhooks({
      stores,
      clock,
      log: logs.of('webhooks'),
      enabled,
      rules,
      retryMs,
      random: Math.random,
      send,
    });
    undo.push(() => webhooks.close(0));
    const graphIds = new Set(config.project.graphs.map(({ graphId }) => graphId));
    const counts = new RunCounts(graphIds);
    const tracing =
      config.tracing === null
        ? null
        : await (await import('./tracing.js')).openTracing(config.tracing, logs.of('tracing'));
    undo.push(async () => tracing?.close());
    const { mountPrefix } = config.api;
    const feedback = new FeedbackAddresses(
      stores.feedbackTokens,
      clock,
      config.publicUrl === null ? null : `${config.publicUrl}${mountPrefix}`,
    );
    const scheduler = new Scheduler({
      stores,
      threads,
      feedback,
      clock,
      log: logs.of('runs'),
      runTimeoutMs: config.runTimeoutMs,
      resumableTtlMs: config.resumableTtlMs,
      quotas,
      webhooks,
      threadEvents,
      counts,
      spans: tracing,
    });
    const evaluationPool = new EvaluationPool(
      { dataFile: dataFile(config.dataFolder), encryption, uploadBytesMax: config.uploadBytesMax },
      logs.of('evaluation'),
    );
    undo.push(() => evaluationPool.close());
    const evaluation = new Evaluation({
      store: stores.store,
      remover: stores.remover,
      pool: evaluationPool,
      clock,
      ids: randomIds,
      log: logs.of('evaluation'),
      uploadBytesMax: config.uploadBytesMax,
    });
    const keys = ApiKeys.open(config.dataFolder, config.apiKeys, {
      nowMs: () => clock.nowMs(),
      onProblem: (text) => logs.of('auth').warn(text),
    });
    undo.push(() => keys.close());
    const { auth } = config.project;
    const gates = await Gates.open({ project: config.project, cache, log: logs.of('auth'), own });
    undo.push(() => gates.close());
    const access = new Access({
      keys,
      gate: gates.pool,
      auth: { studio: auth?.studio ?? false, keys: auth?.keys ?? false },
      walk: config.walk,
      log: logs.of('auth'),
    });
    if (access.open && !isLoopback(config.host) && !config.insecure) {
      throw fail('CONFIG_INVALID', {
        file: '--host',
        problem: `${config.host} can be reached by others, and nobody is asked for a key: whoever reaches the port could run every graph. Make a key with "threadmill keys create --name NAME", or set "auth" in langgraph.json. --insecure serves everyone all the same.`,
      });
    }
    const crons = new CronTable(stores.store);
    const machine = new Machine({ gates: () => gates.pool, evaluation: evaluationPool });
    undo.push(() => machine.close());
    const library: Services['library'] = { version: null };
    const { index } = config.project.store;
    const bundled = await workerData(config.project, index, cache, own);
    library.version = bundled.libraryVersion;
    const desk = new DeskPool(bundled.data, logs.of('graphs'));
    undo.push(() => desk.close());
    const nearest = new NearestPool(dataFile(config.dataFolder), encryption, logs.of('memory'));
    undo.push(() => nearest.close());
    if (index !== null) stores.items.meaning = await ItemMeaning.open({ index, desk, nearest, clock });
    const typesData = ({ root, env }: Project): TypesWorkerData => ({ root, cacheFolder: cache, env });
    const types = new TypesPool(typesData(config.project), config.schemaResolveMs, logs.of('graphs'));
    undo.push(() => types.close());
    const components = await componentsOf(config.project, config.api);
    const ui = { bundles: components.bundles };
    const graphs = new GraphFacts({ desk, types, sources: bundled.data.graphs, log: logs.of('graphs') });
    const services: Services = {
      stores,
      threads,
      scheduler,
      turns: new Turns(),
      threadEvents,
      edits,
      access,
      apiKeys: keys,
      quotas,
      crons,
      webhooks,
      evaluation,
      feedback,
      graphs,
      counts,
      machine,
      clock,
      ids: randomIds,
      log: logs.of('threads'),
      spans: tracing,
      defaultTtl: config.project.threadTtl.fallback,
      graphIds,
      library,
      ui,
      disabled: config.api.disabled,
      configurableHeaders: config.api.configurableHeaders,
    };

    evaluation.graphRuns = graphRunsOf(services);
    stores.remover.onRunsGone = (runIds) => forgetFeedbackOf(evaluation, runIds);

    let files = [...bundled.files, ...gates.files, ...(ownApp?.files ?? []), ...components.inputs];
    const pool = new GraphPool({
      file: workerFile(),
      threads: config.workers,
      heapMb: config.workerHeapMb,
      runsPerWorker: config.runsPerWorker,
      watchdogMs: config.watchdogMs,
      data: bundled.data,
      log: logs.of('workers'),
      hooks: {
        room: () => {
          edits.pump();
          scheduler.pump();
        },
        returned: (worker, runId) => scheduler.returned(worker, runId),
        lost: (worker, runIds, reason) => {
          edits.lost(worker, runIds);
          scheduler.lost(worker, runIds, reason);
        },
      },
    });
    undo.push(() => pool.close());
    scheduler.attach(pool);
    edits.attach(pool);
    machine.attach(pool, { desk, types, nearest, ...(ownApp === null ? {} : { app: ownApp.pool }) });
    const watchdog = watch(pool, scheduler, config, logs.of('workers'));
    undo.push(() => watchdog.close());
    const requests = new RequestStats();
    const sockets: Sockets = { open: 0, refused: 0 };
    const metrics = new Metrics({ services, requests, sockets });
    const [report] = await Promise.all([pool.load(), metrics.load()]);
    refuseBroken(report);

    await syncSystemAssistants(stores, clock, config.project.graphs, config.assistantDefaults);
    const adopted = await stores.items.adopt();
    if (adopted > 0) logs.of('memory').info({ items: adopted }, 'items of long-term memory were put into the index');
    webhooks.recover();
    const recovery = await recoverRuns(services);
    await recoverEvaluation(evaluation);
    crons.load();

    const customApp =
      ownApp === null
        ? null
        : new CustomApp({
            pool: ownApp.pool,
            paths: await ownApp.pool.paths(),
            ...ownApp.config,
            mountPrefix: config.api.mountPrefix,
            bodyBytesMax: Math.max(config.bodyBytesMax, config.uploadBytesMax),
            access,
            quotas,
            log: logs.of('app'),
          });
    const crossOrigin = new CrossOriginGuard({
      cors: config.cors,
      hosts: { bound: config.host, allowed: config.allowedHosts, publicUrl: config.publicUrl },
      isOpen: () => access.open,
      log: logs.of('http'),
    });
    const app = await createApp(config.tls);
    countSockets(app, sockets, { max: connectionsMax(config, logs.of('http')), tls: config.tls !== null });
    mount(app, tableFor({ ...config.api, metrics: () => metrics }), services, {
      log: logs.of('http'),
      bodyBytesMax: config.bodyBytesMax,
      crossOrigin,
      mountPrefix,
      customApp,
      sockets,
      watch: (route) => callBoth(requests.watch(route), requestLog(logs.of('http'), route, config.api.loggingHeaders)),
    });
    const listener = await listen(app, config.host, config.port);
    if (listener === null) throw fail('PORT_IN_USE', { host: config.host, port: config.port });
    listensOn(own, listener.port);
    const url = `${config.tls === null ? 'http' : 'https'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}${mountPrefix}`;
    feedback.listensAt(url);
    const cronClock = new CronClock({ ...services, log: logs.of('crons') }, config.cronLateMs);
    // Nothing fires on a server that did not come up.
    cronClock.start();
    const indexing = new ItemIndexing(stores, logs.of('memory'));
    await indexing.start();
    const scrubbing = new AbortController();
    const scrubbed = stores.store.looked ? Promise.resolve() : scrub(stores.store, scrubbing.signal, logs.of('store'));
    const threadSweeper = new ThreadSweeper(services, config.project.threadTtl);
    const sweeper = setInterval(() => {
      void stores.remover
        .sweep(clock.nowMs())
        .catch((error: unknown) => logs.of('store').error({ err: error }, 'the sweeper failed'));
    }, SWEEP_MS).unref();
    const itemSweeper = setInterval(() => {
      void stores.remover
        .sweepItems()
        .catch((error: unknown) => logs.of('memory').error({ err: error }, 'items could not be removed'));
    }, config.project.store.sweepMs).unref();

    return {
      host: config.host,
      port: listener.port,
      url,
      graphIds: [...graphIds],
      recovery,
      files,
      async reload(project) {
        if ((ownApp === null) !== (project.api.app === null)) throw restart(project);
        const next = await workerData(project, index, cache, own);
        const nextComponents = await componentsOf(project, config.api);
        const handlers = await gates.prepare(project);
        let ownNext: PreparedApp | null = null;
        try {
          ownNext = (await ownApp?.prepare(project)) ?? null;
          refuseBroken(await pool.reload(next.data));
        } catch (error) {
          await handlers.drop();
          await ownNext?.drop();
          throw error;
        }
        await handlers.use(access);
        if (ownNext !== null) customApp!.use(await ownNext.use());
        await desk.use(next.data);
        await types.use(typesData(project));
        graphs.use(next.data.graphs);
        files = [...next.files, ...handlers.files, ...(ownNext?.files ?? []), ...nextComponents.inputs];
        ui.bundles = nextComponents.bundles;
        library.version = next.libraryVersion;
        for (const { graphId } of project.graphs) graphIds.add(graphId);
        for (const graphId of graphIds)
          if (!project.graphs.some((graph) => graph.graphId === graphId)) graphIds.delete(graphId);
        await syncSystemAssistants(stores, clock, project.graphs, config.assistantDefaults);
        return files;
      },
      async close(graceMs = config.shutdownGraceMs) {
        listener.stopListening();
        listensOn(own, null);
        cronClock.stop();
        scrubbing.abort();
        await scrubbed;
        const until = performance.now() + graceMs;
        await scheduler.stop(graceMs);
        await webhooks.close(Math.max(0, until - performance.now()));
        await webhookThread.close();
        clearInterval(sweeper);
        await threadSweeper.close();
        indexing.close();
        clearInterval(itemSweeper);
        watchdog.close();
        app.close();
        await tracing?.close();
        await evaluation.statistics.close();
        await evaluationPool.close();
        await gates.close();
        await ownApp?.pool.close();
        await desk.close();
        await nearest.close();
        await types.close();
        await keys.close();
        await pool.close();
        machine.close();
        await indexing.closed;
        await stores.remover.close();
        await stores.store.close();
        await logs.flush();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    await logs.flush();
    throw error;
  }
}

async function workerData(
  project: Project,
  index: ItemIndexConfig | null,
  cache: string,
  own: OwnServer,
): Promise<{ data: DeskWorkerData; files: string[]; libraryVersion: string | null }> {
  const { graphs, library, libraryVersion, files } = await bundleGraphs(project.graphs, project.root, cache);
  const embed =
    index === null
      ? null
      : await bundleModule({ file: index.file, path: index.path, code: 'EMBED_LOAD_FAILED' }, project.root, cache);
  return {
    data: {
      graphs,
      library,
      env: project.env,
      own,
      embed:
        index === null || embed === null ? null : { module: embed.url, exportName: index.exportName, dims: index.dims },
    },
    files: [...new Set([project.file, ...files, ...(embed?.files ?? [])])],
    libraryVersion,
  };
}

/** Nothing is built that is not served. */
function componentsOf({ ui, root }: Project, { disabled }: Config['api']): ReturnType<typeof buildUi> {
  return buildUi(disabled.has('ui') ? [] : ui.modules, ui.shared, root);
}

function refuseBroken(report: LoadReport): void {
  const [problem] = report.problems;
  if (problem === undefined) return;
  const error = fail('GRAPH_LOAD_FAILED', { graphId: problem.graphId, file: problem.file, reason: problem.reason });
  error.stack = problem.stack;
  throw error;
}

function watch(
  pool: GraphPool,
  scheduler: Scheduler,
  config: Config,
  log: Logger,
): Watchdog<GraphPool['workers'][number]> {
  let ticks = 0;
  return new Watchdog({
    workers: () => pool.workers,
    watchdogMs: config.watchdogMs,
    end: (worker, silentForMs) => {
      log.warn(
        { worker: worker.id, silentForMs: Math.round(silentForMs), runs: worker.runs.size },
        'a graph worker is silent and is ended',
      );
      worker.beat.forgive();
      pool.terminate(worker);
    },
    tick: () => {
      for (const worker of pool.broken()) {
        log.warn(
          { worker: worker.id, runs: worker.runs.size },
          'a graph worker turns its loop but can run nothing any more, and is ended: code in it may have replaced globals such as Promise.prototype.then or setTimeout',
        );
        pool.terminate(worker);
      }
      pool.ensureWorkers();
      scheduler.pump();
      if (++ticks % 10 === 0) scheduler.checkTimeouts();
    },
  });
}
