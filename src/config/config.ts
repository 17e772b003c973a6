import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { availableParallelism, totalmem } from 'node:os';
import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { LIMITS, MiB } from '../base/limits.js';
import type { LogOptions } from '../base/log/log.js';
import { readPrefixFromEnv, readPublicUrl, readApi, type ApiOptions } from './api.js';
import { readAudit } from './audit.js';
import { readBackups } from './backups.js';
import { readCodeVersions } from './code-versions.js';
import { parseModuleSpec, readAuth, type AuthConfig } from './auth.js';
import { readThreadTtl } from './checkpointer.js';
import { readAssistantDefaults } from './assistants.js';
import { readCluster, type ClusterConfig } from './cluster.js';
import {
  readAllowedHostsOption,
  readCorsFromEnv,
  readAllowedHosts,
  readCors,
  readPublicShares,
  readPublicSharesFromEnv,
  readTls,
  readTransport,
} from './http.js';
import { findEncryptionKeySource, type EncryptionKeySource } from './encryption.js';
import { checkAuthType, ignoredVariablesWarning, readKeysFromEnv, unknownVariableWarnings } from './env.js';
import { checkKeys } from './keys.js';
import { readLog } from './log.js';
import { readClientSecret, readOidc, type OidcConfig } from './oidc.js';
import { readStateBudget } from './state-budget.js';
import { readStore, type StoreConfig } from './store.js';
import { readUi, type UiConfig } from './ui.js';
import { boundsOf, envText, parseInteger, envSecondsAsMs, envInteger } from './values.js';
import { readWebhooks, resolveWebhooks, type WebhookConfig, type WebhookSettings } from './webhooks.js';
import { readTraces } from './traces.js';
import { readEvaluators, type EvaluatorConfig } from './evaluators.js';
import { readTracing, type TracingOptions } from './tracing.js';
import type { CorsOptions } from '../http/access/cors.js';
import type { OutsideMode } from '../wire/user-code/graph-source.js';
import type { Optimization } from '../domain/optimizations.js';
import { readOptimizations } from './optimizations.js';
import type { TransportChoice } from '../http/transport/create-app.js';
import type { TlsFiles } from '../http/transport/http-app.js';
import type { GraphEntry } from '../pool/graphs/bundle.js';
import type { WalkUsers } from '../services/access/access.js';
import type { QuotaLimits } from '../services/access/quotas.js';
import type { TraceSettings } from '../services/traces/trace-settings.js';
import type { StateBudget } from '../domain/state-budget.js';
import type { BackupSettings } from '../services/backups/scheduled-backups.js';
import type { CodeVersionSettings } from '../services/code/code-registry.js';
import type { AuditRetention } from '../store/access/audit-log.js';
import type { TtlOptions } from '../services/threads/thread-ttl.js';
import type { AssistantDefaults } from '../services/assistants/system-assistants.js';

/** The configuration of a server: read once at startup, passed down and never changed. */
export interface Config {
  host: string;
  port: number;
  /** Second port, on the loopback address; null: none. */
  linkPort: number | null;
  dataFolder: string;
  workers: number;
  /** Number of concurrent runs per worker. */
  runsPerWorker: number;
  workerHeapMb: number;
  log: LogOptions;
  watchdogMs: number;
  runTimeoutMs: number;
  resumableTtlMs: number;
  schemaResolveMs: number;
  shutdownGraceMs: number;
  cronLateMs: number;
  bodyBytesMax: number;
  /** Null: LIMITS.connectionsMax. */
  connectionsMax: number | null;
  transport: TransportChoice;
  /** Those that are not disabled. */
  optimizations: readonly Optimization[];
  uploadBytesMax: number;
  sealKey: string | undefined;
  /** Source of the key of an encrypted data folder; null: the folder is not encrypted. */
  encryption: EncryptionKeySource | null;
  /** Null: a server by itself. */
  cluster: ClusterConfig | null;
  /** THREADMILL_API_KEYS: API keys in addition to those in the data folder. */
  apiKeys: string | undefined;
  /** THREADMILL_OIDC_CLIENT_SECRET; null without `auth.oidc`. */
  oidcSecret: string | null;
  /** Allow listening on a public address without authentication. */
  insecure: boolean;
  quotas: QuotaLimits;
  /** Users for the route check of `doctor`; only `doctor` sets them. */
  walk: WalkUsers | null;
  /** Null: plain HTTP. */
  tls: TlsFiles | null;
  cors: CorsOptions;
  /**
   * Additional host names that are accepted while authentication is off. Names of this machine are always
   * accepted.
   */
  allowedHosts: readonly string[];
  /** Datasets and runs may be shared by public links. */
  publicShares: boolean;
  /** LANGGRAPH_CONFIG: default configuration of the graphs' system assistants, by graph. */
  assistantDefaults: ReadonlyMap<string, AssistantDefaults>;
  webhooks: WebhookConfig;
  /** Which routes are served, and under which prefix. */
  api: ApiOptions;
  /** Messages about environment variables that have no effect. */
  warnings: readonly string[];
  /** LANGGRAPH_API_URL; null: the listening address. */
  publicUrl: string | null;
  /** Null: tracing is off. */
  tracing: TracingOptions | null;
  /** Set in servers that replay runs: graphs get nothing from outside but what was recorded. Null: as usual. */
  outside: OutsideMode | null;
  project: Project;
}

/** The keys of langgraph.json that Threadmill uses. */
export interface Project {
  file: string;
  /** Folder of the file. Relative paths in the file and package imports resolve from it. */
  root: string;
  graphs: (GraphEntry & { description: string | null })[];
  env: Record<string, string>;
  auth: AuthConfig | null;
  /** `audit`. */
  audit: AuditRetention;
  /** `backups`; null: no backups are made on a schedule. */
  backups: BackupSettings | null;
  codeVersions: CodeVersionSettings;
  /** `state_budget`; null: threads may grow without limit. */
  stateBudget: StateBudget | null;
  /** `auth.oidc`; null when it is absent. */
  oidc: OidcConfig | null;
  /** `http.cors`; null when it is absent. */
  cors: CorsOptions | null;
  /** `http.allowed_hosts`. */
  allowedHosts: readonly string[];
  /** `http.public_shares`. */
  publicShares: boolean;
  /** `checkpointer`. */
  threadTtl: TtlOptions;
  store: StoreConfig;
  webhooks: WebhookSettings;
  /** Null: runs are not recorded as traces. */
  traces: TraceSettings | null;
  evaluators: readonly EvaluatorConfig[];
  /** The rest of `http`. */
  api: ApiOptions;
  ui: UiConfig;
  /** Messages about keys of the file that have no effect. */
  warnings: readonly string[];
}

export interface Flags {
  config?: string;
  host?: string;
  port?: string;
  data?: string;
  workers?: string;
  insecure?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  /** Host names, separated by commas. */
  allowedHosts?: string;
  publicShares?: boolean;
  encryptionKeyFile?: string;
  /** Address of the cluster's database. */
  cluster?: string;
  /** False: no webhooks are sent, even if langgraph.json enables them. Only `doctor` sets it. */
  webhooks?: false;
}

/** Minimum and maximum number of graph workers. */
const WORKERS = [1, 256] as const;

/**
 * Reads the whole configuration. Precedence, highest first: flag, environment variable, `langgraph.json`,
 * default. Throws CONFIG_INVALID, which names the flag, variable or file and the place in it.
 */
export function readConfig(flags: Flags, processEnv: NodeJS.ProcessEnv): Config {
  const file = resolve(flags.config ?? 'langgraph.json');
  const env = withFileEnv(file, processEnv);
  const workers =
    flags.workers === undefined ? availableParallelism() : parseInteger('--workers', flags.workers, WORKERS);
  const host = flags.host ?? envText(env, 'LANGGRAPH_SERVER_HOST') ?? '127.0.0.1';
  checkAuthType(env);
  const cluster = readCluster(flags, env);
  const config = {
    host,
    port:
      flags.port === undefined
        ? (envInteger(env, 'PORT') ?? 8123)
        : parseInteger('--port', flags.port, boundsOf('PORT')),
    linkPort: envInteger(env, 'THREADMILL_LINK_PORT'),
    dataFolder: resolve(flags.data ?? '.threadmill'),
    workers,
    runsPerWorker: envInteger(env, 'N_JOBS_PER_WORKER') ?? LIMITS.runsPerWorkerMax,
    workerHeapMb:
      envInteger(env, 'THREADMILL_WORKER_HEAP_MB') ??
      Math.min(LIMITS.workerHeapMb, Math.max(256, Math.floor(totalmem() / MiB / (workers + 1)))),
    log: readLog(env),
    watchdogMs: envSecondsAsMs(env, 'THREADMILL_WATCHDOG_SECS', LIMITS.watchdogMs),
    runTimeoutMs: envSecondsAsMs(env, 'BG_JOB_TIMEOUT_SECS', LIMITS.runTimeoutMs),
    resumableTtlMs: envSecondsAsMs(env, 'RESUMABLE_STREAM_TTL_SECONDS', LIMITS.resumableTtlMs),
    schemaResolveMs: envInteger(env, 'LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS') ?? LIMITS.schemaResolveMs,
    shutdownGraceMs: envSecondsAsMs(env, 'BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS', LIMITS.shutdownGraceMs),
    cronLateMs: envSecondsAsMs(env, 'THREADMILL_CRON_LATE_SECS', LIMITS.cronLateMs),
    bodyBytesMax: envInteger(env, 'HTTP_MAX_REQUEST_BODY_BYTES') ?? LIMITS.bodyBytesMax,
    connectionsMax: envInteger(env, 'THREADMILL_MAX_CONNECTIONS'),
    transport: readTransport(env),
    optimizations: readOptimizations(env),
    uploadBytesMax: envInteger(env, 'THREADMILL_MAX_UPLOAD_BYTES') ?? LIMITS.uploadBytesMax,
    sealKey: cluster === null ? env['THREADMILL_SEAL_KEY'] : cluster.sealKey,
    cluster,
    encryption: findEncryptionKeySource(flags, env),
    apiKeys: env['THREADMILL_API_KEYS'],
    insecure: flags.insecure ?? false,
    quotas: {
      requestsPerSecond: envInteger(env, 'THREADMILL_CALLER_REQUESTS_PER_SECOND'),
      runningRuns: envInteger(env, 'THREADMILL_CALLER_RUNNING_RUNS'),
      queuedRuns: envInteger(env, 'THREADMILL_CALLER_QUEUED_RUNS'),
    },
    walk: null,
    tls: readTls(flags, env),
    publicUrl: readPublicUrl(env),
    tracing: readTracing(env),
    outside: null,
    warnings: [ignoredVariablesWarning(env) ?? [], unknownVariableWarnings(env)].flat(),
  };
  // Flags are checked before the file, so that their errors are reported first.
  const project = readProject(file, processEnv);
  const { api } = project;
  const webhooks = { ...project.webhooks, enabled: project.webhooks.enabled && flags.webhooks !== false };
  return Object.freeze({
    ...config,
    project,
    oidcSecret: readClientSecret(project.oidc, {
      env,
      host,
      publicUrl: config.publicUrl,
      hasTls: config.tls !== null,
      file,
    }),
    assistantDefaults: readAssistantDefaults(
      env['LANGGRAPH_CONFIG'],
      project.graphs.map(({ graphId }) => graphId),
    ),
    cors: project.cors ?? readCorsFromEnv(env),
    allowedHosts: readAllowedHostsOption(flags.allowedHosts, env) ?? project.allowedHosts,
    publicShares: flags.publicShares ?? readPublicSharesFromEnv(env) ?? project.publicShares,
    api: { ...api, mountPrefix: readPrefixFromEnv(env) ?? api.mountPrefix },
    webhooks: resolveWebhooks(webhooks, env, project.env),
  });
}

/** Throws CONFIG_INVALID, which names the file, or the variable that overrides it, and the place in it. */
export function readProject(file: string, env: NodeJS.ProcessEnv = {}): Project {
  const { json, problem } = readKeys(file, env);
  const warnings = checkKeys(json, problem);
  const root = dirname(file);
  const { graphs } = json;
  if (!isObject(graphs) || Object.keys(graphs).length === 0)
    throw problem('graphs: must be an object with at least one graph, such as {"agent": "./agent.ts:graph"}.');
  const evaluators = readEvaluators(json['evaluators'], root, problem);
  return {
    file,
    root,
    graphs: Object.entries(graphs).map(([graphId, value]) => readGraph(graphId, value, root, problem)),
    env: readEnv(json['env'], root, problem),
    auth: readAuth(json['auth'], root, problem),
    oidc: readOidc(json['auth'], problem),
    audit: readAudit(json['audit'], problem),
    backups: readBackups(json['backups'], root, problem),
    codeVersions: readCodeVersions(json['code_versions'], root, problem),
    cors: readCors(json['http'], problem),
    allowedHosts: readAllowedHosts(json['http'], problem),
    publicShares: readPublicShares(json['http'], problem),
    threadTtl: readThreadTtl(json['checkpointer'], problem),
    stateBudget: readStateBudget(json['state_budget'], problem),
    store: readStore(json['store'], root, problem),
    webhooks: readWebhooks(json['webhooks'], json['http'], problem),
    traces: readTraces(json['traces'], { root, evaluators }, problem),
    evaluators,
    api: readApi(json['http'], root, problem, warnings),
    ui: readUi(json['ui'], json['ui_config'], root, problem),
    warnings,
  };
}

/**
 * Reads the file and merges in the variables that replace whole keys of it. `problem` makes an error that names
 * the source of the key.
 */
export function readKeys(
  file: string,
  processEnv: NodeJS.ProcessEnv,
): { json: JsonObject; names: ReadonlyMap<string, string>; problem: (text: string) => Error } {
  const { keys, names } = readKeysFromEnv(withFileEnv(file, processEnv));
  // The message of a problem starts with the key it is about.
  const problem = (text: string): Error =>
    fail('CONFIG_INVALID', { file: names.get(/^\w*/.exec(text)![0]) ?? file, problem: text });
  return {
    json: { ...('graphs' in keys && !existsSync(file) ? {} : readJson(file, problem)), ...keys },
    names,
    problem,
  };
}

/**
 * The environment with `env` of the file below it, so that everything that can be set by a variable can be set there.
 * Errors of the file are left to `readProject`.
 */
export function withFileEnv(file: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
    return { ...parseFileEnv(json['env'], dirname(file), (text) => new Error(text)), ...env };
  } catch {
    return env;
  }
}

function readJson(file: string, problem: (text: string) => Error): JsonObject {
  if (!existsSync(file)) throw problem('the file does not exist. Name another with --config.');
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw problem(`not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw problem('must hold a JSON object.');
  return json;
}

function readGraph(
  graphId: string,
  value: unknown,
  root: string,
  problem: (text: string) => Error,
): Project['graphs'][number] {
  const spec = isObject(value) ? value['path'] : value;
  if (typeof spec !== 'string' || spec === '')
    throw problem(`graphs.${graphId}: must be "path:export" or {"path": "path:export", "description": …}.`);
  const description = isObject(value) ? value['description'] : undefined;
  if (description !== undefined && description !== null && typeof description !== 'string')
    throw problem(`graphs.${graphId}.description: must be a string.`);
  return { graphId, ...parseModuleSpec(spec, root), description: description ?? null };
}

/** Reads a file of NAME=value lines, or a map. The process environment takes precedence over both. */
function readEnv(value: unknown, root: string, problem: (text: string) => Error): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parseFileEnv(value, root, problem)).filter(([name]) => process.env[name] === undefined),
  );
}

function parseFileEnv(value: unknown, root: string, problem: (text: string) => Error): Record<string, string> {
  if (value === undefined || value === null) return {};
  let found: JsonObject;
  if (typeof value === 'string') {
    const file = join(root, value);
    if (!existsSync(file)) throw problem(`env: the file ${file} does not exist.`);
    found = parseEnv(readFileSync(file, 'utf8')) as JsonObject;
  } else if (isObject(value)) found = value;
  else if (Array.isArray(value)) return {};
  else throw problem('env: must be the path of a file, or a map of names to values.');
  const result: Record<string, string> = {};
  for (const [name, text] of Object.entries(found)) {
    if (typeof text === 'object') throw problem(`env.${name}: must be a string.`);
    result[name] = String(text);
  }
  return result;
}
