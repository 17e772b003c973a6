import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Clock } from '../base/clock.js';
import { fail } from '../base/errors.js';
import { randomIds } from '../base/ids.js';
import { Log, type Logger } from '../base/log/log.js';
import { isLoopback } from '../base/loopback.js';
import { VERSION } from '../base/version.js';
import type { Config, Project } from '../config/config.js';
import { LOCAL_CALLER } from '../domain/caller.js';
import { CustomApp } from '../http/custom-app.js';
import { Metrics } from '../http/monitoring/metrics.js';
import { RequestStats } from '../http/monitoring/request-stats.js';
import { findTransport, type Transport } from '../http/transport/create-app.js';
import type { Sockets } from '../http/transport/http-app.js';
import { EvaluationPool } from '../pool/evaluation-pool.js';
import type { RunWorkerHooks } from '../pool/graphs/run-workers.js';
import { ItemVectorIndex } from '../pool/item-vectors.js';
import { AllWorkers } from '../pool/nodes/all-workers.js';
import { TypesPool } from '../pool/user-code/types-pool.js';
import { UserCodePool } from '../pool/user-code/user-code-pool.js';
import { VectorSearchPool } from '../pool/vector-search-pool.js';
import { WebhookThread } from '../pool/webhook-thread.js';
import { Access } from '../services/access/access.js';
import { Audit } from '../services/access/audit.js';
import { ScheduledBackups } from '../services/backups/scheduled-backups.js';
import { Alerts } from '../services/alerts/alerts.js';
import { Quotas } from '../services/access/quotas.js';
import { CodeRegistry, usedCode } from '../services/code/code-registry.js';
import { GraphInspector } from '../services/assistants/graph-inspector.js';
import { syncSystemAssistants } from '../services/assistants/system-assistants.js';
import type { Needs, Services } from '../services/context.js';
import { CronTable } from '../services/crons/cron-table.js';
import { EvaluationContext } from '../services/evaluation/context.js';
import { ExperimentJobs } from '../services/experiment-jobs/experiment-jobs.js';
import { FeedbackUrls } from '../services/evaluation/feedback-urls.js';
import { deleteFeedbackOfRuns } from '../services/evaluation/feedback.js';
import { createGraphRunLookup } from '../services/evaluation/graph-run-lookup.js';
import { recoverEvaluation } from '../services/evaluation/recover.js';
import { ItemIndexing } from '../services/items/item-indexing.js';
import { recoverRuns, type Recovery } from '../services/runs/recover.js';
import { RunCounts } from '../services/runs/run-counts.js';
import { Scheduler } from '../services/runs/scheduler.js';
import { loadSample, type SampleCounts } from '../services/sample/load-sample.js';
import { StateEditor } from '../services/state/state-editor.js';
import { ThreadStats } from '../services/thread-stats.js';
import { ThreadEvents } from '../services/threads/thread-events.js';
import { ThreadTable } from '../services/threads/thread-table.js';
import { openRules } from '../services/rules/open-rules.js';
import { openTraces } from '../services/traces/open-traces.js';
import { receivedTraceSettings } from '../services/traces/trace-settings.js';
import { TimeSlicer } from '../services/time-slicer.js';
import { deliverToApp } from '../services/webhooks/app-webhooks.js';
import { Webhooks } from '../services/webhooks/webhooks.js';
import { AuditLog } from '../store/access/audit-log.js';
import { ApiKeys } from '../store/access/api-keys.js';
import { storeKey, writeKeyFiles } from '../store/access/shared-keys.js';
import type { UsedCode } from '../store/code-versions.js';
import { dataFile } from '../store/files/data-file.js';
import type { Stores } from '../store/stores.js';
import type { TypesWorkerData } from '../wire/user-code/graph-types.js';
import { createServerAddress, publishPort } from '../wire/user-code/server-address.js';
import { UserApp } from './user-app.js';
import { AuthWorkers } from './auth-workers.js';
import { startBackgroundWork } from './background-work.js';
import { Closers } from './closers.js';
import type { ClusterMember } from './cluster-member.js';
import type { ClusterPort, PublicApp } from './cluster-port.js';
import { Deployment } from './deployment.js';
import { bindRoutes, createHttpApp, listenOn, type Listening } from './listen.js';
import { openDataFolder } from './open-data-folder.js';
import { reloadProject } from './reload.js';
import { openCode } from './open-code.js';
import { openStateBudgets } from './open-state-budgets.js';
import { openSignIn } from './open-sign-in.js';
import { schedulerTick } from './supervise-workers.js';
import { buildComponents, bundledProject, failOnBrokenGraph } from './user-code.js';

export interface Server {
  host: string;
  port: number;
  url: string;
  transport: Transport;
  /** Which parts of the API are served. */
  links: { console: boolean; docs: boolean; runs: boolean };
  /** How callers authenticate: not at all, with an API key, or as the project's auth handler requires. */
  credential: 'none' | 'key' | 'handler';
  /** Log of the module "server". */
  log: Logger;
  graphIds: string[];
  recovery: Recovery;
  /** The project's source files that were bundled, for `dev` to watch. */
  files: string[];
  /** Creates sample threads and experiments that do not exist yet. */
  loadSample(): Promise<SampleCounts>;
  /**
   * Loads changed code for new runs and returns its source files. Changes nothing when it does not load. Throws
   * CONFIG_INVALID, GRAPH_LOAD_FAILED, AUTH_LOAD_FAILED, APP_LOAD_FAILED, EMBED_LOAD_FAILED,
   * EVALUATOR_LOAD_FAILED.
   */
  reload(project: Project): Promise<string[]>;
  /** Stops the intake, gives executing runs `graceMs`, and puts the rest back into the queue. */
  close(graceMs?: number): Promise<void>;
}

export interface OpenOptions {
  /**
   * Called when this node is the owner of a cluster, is drained, and hands over. The server must not be used any more,
   * and closes by itself. `next` resolves when this node is the owner again, and rejects as `openServer` does.
   */
  onHandedOver?: (next: Promise<Server>) => void;
  /** The public port of the node, which it had before it handed over. */
  port?: ClusterPort;
  /** For tests. */
  clock?: Clock;
  /** Called once in a cluster, if another node is the owner when the port is open. */
  onWaiting?: (listening: Listening) => void;
  /** Ends the waiting in a cluster: `openServer` closes everything and rejects. */
  signal?: AbortSignal;
}

/**
 * Opens store, pools, services and HTTP in that order; `close` goes the other way. A failure closes what is open
 * already. In a cluster, resolves when this node is the owner.
 */
export async function openServer(config: Config, options: OpenOptions = {}): Promise<Server> {
  const logs = await Log.open(config.log);
  const closers = new Closers();
  closers.add(() => logs.flush());
  try {
    return await open(config, options, logs, closers);
  } catch (error) {
    await closers
      .close(options.signal?.aborted === true ? config.shutdownGraceMs : 0)
      .catch((failure: unknown) => logs.forModule('server').error({ err: failure }, 'closing failed'));
    throw error;
  }
}

async function open(config: Config, options: OpenOptions, logs: Log, closers: Closers): Promise<Server> {
  const { project } = config;
  const { clock = systemClock } = options;
  const log = logs.forModule('server');
  for (const warning of config.warnings) log.warn(warning);
  for (const warning of project.warnings) log.warn({ file: project.file }, warning);

  // --- transport, cluster and store ---
  const publicApp = options.port?.publicApp ?? (await openPublicApp(config, logs));
  const { app, transport, sockets } = publicApp;
  const member = await joinCluster({ config, port: options.port ?? publicApp, logs }, closers);
  const serverAddress = createServerAddress(config.host, config.api.mountPrefix, tlsFingerprint(config));
  const cache = join(config.dataFolder, 'cache');
  const codeParts = { config, cache, serverAddress, logs };
  // A node runs graphs for the owner, whoever that is, so its workers start before it is the owner itself.
  const lent = member === null ? null : await openCode(codeParts, closers);
  if (member !== null && lent !== null) {
    const { pool, hashes, bundled } = lent;
    const readCode = (graphIds: readonly string[]): UsedCode[] =>
      usedCode({
        ...bundledProject(project, bundled),
        graphs: bundled.data.graphs.filter(({ graphId }) => graphIds.includes(graphId)),
      });
    publishPort(serverAddress, member.port.listening.port);
    failOnBrokenGraph(await pool.start(member.lendWorkers(pool, { graphs: hashes(), readCode }, closers)));
    await member.becomeOwner(waitingOf(options));
  }
  const stores = await openDataFolder({ config, member, clock, logs }, closers);
  member?.startSnapshots(closers);
  const encryption = stores.store.cipher?.keys ?? null;
  const files = { dataFile: dataFile(config.dataFolder), cache };
  const indexing = new ItemIndexing(stores, logs.forModule('memory'));
  // Its last work may wait for a thread that is closed before this.
  closers.add(() => indexing.closed);

  // --- who may call ---
  if (config.cluster !== null) writeKeyFiles(stores.store, config.dataFolder);
  const keys = ApiKeys.open(config.dataFolder, config.apiKeys, {
    nowMs: () => clock.nowMs(),
    onProblem: (text) => logs.forModule('auth').warn(text),
  });
  closers.add(() => keys.close());
  if (config.cluster !== null) keys.onChanged = (record) => storeKey(stores.store, record);
  const authWorkers = await AuthWorkers.open({
    project,
    cache: files.cache,
    log: logs.forModule('auth'),
    serverAddress,
  });
  closers.add(() => authWorkers.close());
  const audit = new Audit(new AuditLog(stores.store, project.audit), { clock, ids: randomIds });
  const people = await openSignIn({ config, stores, clock, audit, logs }, closers);
  const access = new Access({
    keys,
    authPool: authWorkers.pool,
    auth: { allowsStudio: project.auth?.allowsStudio ?? false, acceptsApiKeys: project.auth?.acceptsApiKeys ?? false },
    walk: config.walk,
    signIn: people?.signIn ?? null,
    log: logs.forModule('auth'),
  });
  people?.onEnded((sessionIds) => access.endConnections(sessionIds));
  if (access.isOpen && !isLoopback(config.host) && !config.insecure) throw openToOthers(config.host);

  // --- threads ---
  const userApp = await UserApp.open(config.api.app, {
    project,
    cache: files.cache,
    log: logs.forModule('app'),
    serverAddress,
  });
  closers.add(() => userApp?.pool.close());
  const { mountPrefix } = config.api;
  const attachmentLinks = {
    // Clients resolve a path against the address at which they reach the server.
    base: `${config.publicUrl ?? ''}${mountPrefix}`,
    key: stores.seal.hmac('', 'attachment links'),
  };
  const evaluationPool = new EvaluationPool(
    {
      dataFile: files.dataFile,
      encryption,
      uploadBytesMax: config.uploadBytesMax,
      attachmentLinks,
      receivedTraces: receivedTraceSettings(project.traces),
    },
    logs.forModule('evaluation'),
  );
  closers.add(() => evaluationPool.close());
  const { index } = project.store;
  const code = lent ?? (await openCode(codeParts, closers));
  const { bundled, pool } = code;
  const userCode = new UserCodePool(bundled.data, logs.forModule('graphs'));
  closers.add(() => userCode.close());
  const vectorSearch = new VectorSearchPool(files.dataFile, encryption, logs.forModule('memory'));
  closers.add(() => vectorSearch.close());
  if (index !== null) stores.items.vectorIndex = await ItemVectorIndex.open({ index, userCode, vectorSearch, clock });
  const typesData = ({ root, env }: Project): TypesWorkerData => ({ root, cacheFolder: files.cache, env });
  const types = new TypesPool(typesData(project), config.schemaResolveMs, logs.forModule('graphs'));
  closers.add(() => types.close());
  const components = await buildComponents(project, config.api);
  const callPools = {
    desk: userCode,
    types,
    nearest: vectorSearch,
    ...(userApp === null ? {} : { app: userApp.pool }),
  };
  const threadStats = new ThreadStats({
    graphs: pool,
    authWorkers: () => authWorkers.pool,
    evaluation: evaluationPool,
    callPools,
  });
  closers.add(() => threadStats.close());

  // --- services ---
  const graphIds = new Set(project.graphs.map(({ graphId }) => graphId));
  const tracing =
    config.tracing === null
      ? null
      : await (await import('./tracing.js')).openTracing(config.tracing, logs.forModule('tracing'));
  closers.add(() => tracing?.close());
  const threads = new ThreadTable(stores);
  const quotas = new Quotas(config.quotas, () => performance.now());
  const threadEvents = new ThreadEvents(stores, threads, logs.forModule('threads'));
  const stateEditor = new StateEditor(stores, pool);
  const counts = new RunCounts(graphIds);
  const webhooks = openWebhooks({ config, clock, logs, stores, app: userApp }, closers);
  const feedback = new FeedbackUrls(
    stores.feedbackTokens,
    clock,
    config.publicUrl === null ? null : `${config.publicUrl}${mountPrefix}`,
  );
  const nodeWorkers =
    member?.takeWorkers({
      graphs: code.hashes,
      hooks: {
        onCapacity: () => scheduler.dispatchWaiting(),
        onRunReturned: (worker, runId) => scheduler.onRunReturned(worker, runId),
        onWorkerLost: (worker, runIds, loss) => scheduler.onWorkerLost(worker, runIds, loss),
      },
      onRunsOffered: (node, runs) => scheduler.onRunsOffered(node, runs),
      wantsCode: (graphs) => registry.wanted(graphs),
      onCode: (code) => registry.receive(code),
      log: logs.forModule('cluster'),
    }) ?? null;
  const registry = new CodeRegistry(project.codeVersions, { stores, clock, cache, log: logs.forModule('graphs') });
  await registry.use(bundledProject(project, bundled), project.codeVersions);
  const timeSlicer = new TimeSlicer();
  const stateBudgets = openStateBudgets(
    project.stateBudget,
    { services: () => services, stores, threads, timeSlicer, clock, log: logs.forModule('threads') },
    closers,
  );
  const scheduler: Scheduler = new Scheduler({
    onThreadChanged: stateBudgets === null ? null : (record) => stateBudgets.onChanged(record),
    stores,
    code: registry,
    threads,
    pool: nodeWorkers === null ? pool : new AllWorkers(pool, nodeWorkers, member!.isDraining),
    feedback,
    clock,
    log: logs.forModule('runs'),
    runTimeoutMs: config.runTimeoutMs,
    resumableTtlMs: config.resumableTtlMs,
    quotas,
    webhooks,
    threadEvents,
    counts,
    spans: tracing,
    traces: () => traces.recorder,
  });
  const evaluation = new EvaluationContext({
    store: stores.store,
    remover: stores.remover,
    pool: evaluationPool,
    clock,
    ids: randomIds,
    log: logs.forModule('evaluation'),
    uploadBytesMax: config.uploadBytesMax,
    attachmentLinks,
    allowsShares: config.publicShares,
    graphRuns: createGraphRunLookup({ access, scheduler, stores, threads }),
  });
  closers.add(() => evaluation.statistics.close());
  const traces = openTraces(project.traces, {
    evaluation,
    stores,
    timeSlicer,
    clock,
    log: logs.forModule('evaluation'),
    spans: tracing,
  });
  closers.add(() => traces.recorder.close());
  const defaultTtl = project.threadTtl.defaultTtl;
  const experimentJobs = new ExperimentJobs(
    {
      services: {
        access,
        clock,
        defaultTtl,
        evaluation,
        graphIds,
        ids: randomIds,
        quotas,
        scheduler,
        stores,
        threads,
        webhooks,
      },
      userCode,
      heldTraces: traces.recorder.held,
      log: logs.forModule('evaluation'),
    },
    project.evaluators,
  );
  const rules = openRules(project.traces?.evaluate ?? [], {
    evaluation,
    stores,
    access,
    userCode,
    clock,
    evaluators: () => experimentJobs.evaluators,
    log: logs.forModule('evaluation'),
  });
  await rules.checkFile(project.file);
  const alerts = new Alerts({
    evaluation,
    webhooks,
    access,
    stores,
    clock,
    log: logs.forModule('evaluation'),
    consoleUrl: () => (config.api.disabled.has('console') ? null : `${feedback.baseUrl}/console`),
  });
  const services: Services = {
    stores,
    threads,
    scheduler,
    timeSlicer,
    threadEvents,
    stateEditor,
    access,
    apiKeys: keys,
    audit,
    signIn: people?.signIn ?? null,
    quotas,
    scheduledBackups:
      project.backups === null
        ? null
        : new ScheduledBackups(project.backups, {
            store: stores.store,
            pool: evaluation.pool,
            clock,
            log: logs.forModule('store'),
          }),
    stateBudgets,
    deployer: null,
    crons: new CronTable(stores.store),
    webhooks,
    evaluation,
    experimentJobs,
    rules,
    alerts,
    feedback,
    graphs: new GraphInspector({ userCode, types, sources: bundled.data.graphs, log: logs.forModule('graphs') }),
    counts,
    threadStats,
    clock,
    ids: randomIds,
    log: logs.forModule('threads'),
    spans: tracing,
    cluster: member?.control ?? null,
    defaultTtl,
    code: registry,
    graphIds,
    library: { version: bundled.libraryVersion },
    ui: { bundles: components.bundles },
    disabled: config.api.disabled,
    configurableHeaders: config.api.configurableHeaders,
  };
  stores.remover.onRunsRemoved = async (runIds) => {
    await deleteFeedbackOfRuns(evaluation, runIds);
    await traces.recorder.onRunsRemoved(runIds);
  };

  // --- workers start, then what an earlier process left is recovered ---
  code.onTick = schedulerTick(scheduler);
  const requests = new RequestStats();
  if (member !== null) requests.keepExchanges();
  const metrics = new Metrics({ services, requests, sockets, cluster: member === null ? null : () => member.facts });
  const hooks = poolHooks(scheduler, stateEditor);
  if (lent !== null) pool.replaceHooks(hooks);
  const [report] = await Promise.all([lent === null ? pool.start(hooks) : null, metrics.load()]);
  if (report !== null) failOnBrokenGraph(report);
  const recovery = await recover(services, config, { logs, nodes: member?.nodeNames });
  member?.offerOwnRuns(scheduler);

  // --- http ---
  const customApp =
    userApp === null
      ? null
      : new CustomApp({
          pool: userApp.pool,
          paths: await userApp.pool.paths(),
          ...userApp.config,
          mountPrefix,
          bodyBytesMax: Math.max(config.bodyBytesMax, config.uploadBytesMax),
          access,
          quotas,
          log: logs.forModule('app'),
        });
  const reload = (changed: Project): Promise<string[]> =>
    reloadProject(
      {
        ...{ config, services, serverAddress, pool, userCode, types, typesData, authWorkers, customApp },
        app: userApp,
        cache: files.cache,
      },
      changed,
    );
  if (member === null)
    services.deployer = new Deployment({
      started: project,
      reload,
      versionOf: (graphId) => registry.currentOf(graphId),
      graphIds: () => [...graphIds],
    });
  const apps = member === null ? [app] : [member.port.entrance, member.createNodeApp()];
  bindRoutes(apps, { config, services, customApp, metrics, requests, logs });
  // The ports of a cluster's node close later: requests are passed to the next owner meanwhile.
  if (member === null) closers.add(() => app.close());
  closers.add(() => nodeWorkers?.close());
  closers.add((untilMs) => scheduler.stop(Math.max(0, untilMs - performance.now())));
  const background = new Closers();
  closers.add(() => background.close());
  const listening = member === null ? await listenOn(app, config) : member.port.listening;
  closers.add(() => {
    if (member?.isKeepingPort !== true) listening.stopListening();
    publishPort(serverAddress, null);
  });
  publishPort(serverAddress, listening.port);
  feedback.setServerUrl(listening.url);
  await startBackgroundWork(
    { services, indexing, retention: traces.retention, requestTotals: () => requests.userTotals, config, logs },
    background,
  );
  await member?.serve();
  closers.add(() => member?.leave(requests));
  if (member !== null && options.onHandedOver !== undefined) {
    const { onHandedOver } = options;
    member.onDrained = () => onHandedOver(handOver(member, { config, options, closers, log }));
  }

  return {
    host: config.host,
    port: listening.port,
    url: listening.url,
    transport,
    links: {
      console: !config.api.disabled.has('console'),
      docs: !config.api.disabled.has('meta'),
      runs: !config.api.disabled.has('runs'),
    },
    credential: access.isOpen ? 'none' : project.auth === null ? 'key' : 'handler',
    log,
    graphIds: [...graphIds],
    recovery,
    files: [...bundled.files, ...authWorkers.files, ...(userApp?.files ?? []), ...components.inputs],
    loadSample: () => loadSample(services, LOCAL_CALLER),
    reload,
    close: (graceMs = config.shutdownGraceMs) => closers.close(graceMs),
  };
}

function tlsFingerprint({ tls }: Config): string | null {
  return tls === null ? null : new X509Certificate(readFileSync(tls.certFile)).fingerprint256;
}

function openToOthers(host: string): Error {
  return fail('CONFIG_INVALID', {
    file: '--host',
    problem: `${host} can be reached from other machines, and no key is required: anyone who reaches the port could run every graph. Create a key with "threadmill keys create --name NAME", or set "auth" in langgraph.json. Use --insecure to serve everyone anyway.`,
  });
}

function poolHooks(scheduler: Scheduler, stateEditor: StateEditor): RunWorkerHooks {
  return {
    onCapacity: () => {
      stateEditor.dispatchWaiting();
      scheduler.dispatchWaiting();
    },
    onRunReturned: (worker, runId) => scheduler.onRunReturned(worker, runId),
    onWorkerLost: (worker, runIds, loss) => {
      stateEditor.onWorkerLost(worker, runIds);
      scheduler.onWorkerLost(worker, runIds, loss);
    },
  };
}

function openWebhooks(
  {
    config,
    clock,
    logs,
    stores,
    app,
  }: { config: Config; clock: Clock; logs: Log; stores: Stores; app: UserApp | null },
  closers: Closers,
): Webhooks {
  const { enabled, rules, headers, secrets, attemptMs, retryMs } = config.webhooks;
  const thread = new WebhookThread(
    {
      dataFile: dataFile(config.dataFolder),
      encryption: stores.store.cipher?.keys ?? null,
      rules,
      headers,
      secrets,
      attemptMs,
      userAgent: `threadmill/${VERSION}`,
    },
    logs.forModule('webhooks'),
  );
  closers.add(() => thread.close());
  const webhooks = new Webhooks({
    stores,
    clock,
    log: logs.forModule('webhooks'),
    enabled,
    rules,
    retryMs,
    random: Math.random,
    send: async (task) => {
      const result = await thread.send(task);
      return result.kind === 'own' ? deliverToApp(app?.pool ?? null, result, attemptMs) : result;
    },
  });
  closers.add((untilMs) => webhooks.close(Math.max(0, untilMs - performance.now())));
  return webhooks;
}

function waitingOf({
  onWaiting = () => undefined,
  signal = new AbortController().signal,
}: OpenOptions): Required<Pick<OpenOptions, 'onWaiting' | 'signal'>> {
  return { onWaiting, signal };
}

/** Closes the server of a drained owner, and waits again behind the same public port. */
async function handOver(
  member: ClusterMember,
  { config, options, closers, log }: { config: Config; options: OpenOptions; closers: Closers; log: Logger },
): Promise<Server> {
  log.info('This node hands over to another one, because it is drained');
  const port = member.keepPort();
  try {
    await closers.close(config.shutdownGraceMs);
    return await openServer(config, { ...options, port });
  } catch (error) {
    port.close();
    throw error;
  }
}

async function openPublicApp(config: Config, logs: Log): Promise<PublicApp> {
  const transport = await findTransport(config.transport);
  if (transport.problem !== null)
    logs.forModule('server').info(`HTTP runs over node:http, because ${transport.problem}`);
  const sockets: Sockets = { open: 0, refused: 0 };
  const app = await createHttpApp(config, { transport: transport.name, sockets, log: logs.forModule('http') });
  return { app, transport, sockets };
}

/** Null without a cluster. Otherwise resolves when the public port is open. */
async function joinCluster(
  { config, port, logs }: { config: Config; port: PublicApp | ClusterPort; logs: Log },
  closers: Closers,
): Promise<ClusterMember | null> {
  const { cluster } = config;
  if (cluster === null) return null;
  // Loaded when it is needed, because the client of PostgreSQL would delay every start.
  const { ClusterMember } = await import('./cluster-member.js');
  return ClusterMember.join({ config: { ...config, cluster }, port, logs }, closers);
}

/** Takes up what an earlier process left: runs, deliveries, uploads and crons. */
async function recover(
  services: Needs<'clock' | 'crons' | 'evaluation' | 'scheduler' | 'stores' | 'threads' | 'webhooks'>,
  config: Config,
  { logs, nodes }: { logs: Log; nodes: ReadonlySet<string> | undefined },
): Promise<Recovery> {
  const { stores, clock, webhooks, evaluation, crons } = services;
  await syncSystemAssistants(stores, clock, config.project.graphs, config.assistantDefaults);
  const adopted = await stores.items.moveOldItems();
  if (adopted > 0)
    logs.forModule('memory').info({ items: adopted }, 'items of long-term memory were put into the index');
  webhooks.recover();
  const recovery = await recoverRuns(services, { streamsContinue: config.cluster !== null, nodes });
  await recoverEvaluation(evaluation);
  crons.load();
  return recovery;
}
