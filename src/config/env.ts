import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { nearestWord } from '../base/nearest-word.js';
import { OPTIMIZATIONS } from '../domain/optimizations.js';

/** Environment variables with one meaning: a row of the table in docs/configuration.md. */
export interface Variable {
  names: readonly string[];
  /** The meaning, exactly as in docs/configuration.md. */
  meaning: string;
  /** The default. */
  defaultText: string;
  /** The file that reads and validates it. */
  reader: string;
  /** The value is never shown. */
  secret?: true;
  /** Bounds of a whole number, or a number of seconds above 0. The reader validates any other format. */
  allowed?: readonly [min: number, max: number] | 'seconds';
}

/** All environment variables that the server reads. Precedence: flag, variable, langgraph.json. */
export const VARIABLES: readonly Variable[] = [
  {
    names: ['LANGGRAPH_SERVER_HOST'],
    meaning: 'default of `--host`',
    defaultText: '`127.0.0.1`',
    reader: 'src/config/config.ts',
  },
  {
    names: ['PORT'],
    meaning: 'default of `--port`',
    defaultText: '`8123`',
    reader: 'src/config/config.ts',
    allowed: [0, 65_535],
  },
  {
    names: ['THREADMILL_LINK_PORT'],
    meaning:
      'a second port, on this machine only. Evaluation clients on the same machine print links to `http://localhost:3000`; `3000` makes them work ([links](evaluation.md#links-that-clients-print))',
    defaultText: 'none',
    reader: 'src/config/config.ts',
    allowed: [1, 65_535],
  },
  {
    names: ['LOG_LEVEL'],
    meaning:
      'level of the log: `trace`, `debug`, `info`, `warn` (`warning`), `error`, `fatal` (`critical`) or `silent`, in any case; `info` logs a line for every request and every run. Levels per module are possible: `info,http=warn` ([operations](operations.md#logs))',
    defaultText: '`info`',
    reader: 'src/config/log.ts',
  },
  {
    names: ['LOG_JSON'],
    meaning: '`true`: log lines are JSON; `false`: they are plain text',
    defaultText: '`false` where stderr is a terminal',
    reader: 'src/config/log.ts',
  },
  {
    names: ['LOG_COLOR', 'NO_COLOR'],
    meaning: '`LOG_COLOR=false`, or any value of `NO_COLOR`: plain-text lines have no colors',
    defaultText: 'colors where stderr is a terminal',
    reader: 'src/config/log.ts',
  },
  {
    names: ['N_JOBS_PER_WORKER'],
    meaning: 'concurrent runs per worker',
    defaultText: '512',
    reader: 'src/config/config.ts',
    allowed: [1, LIMITS.runsPerWorkerMax],
  },
  {
    names: ['THREADMILL_WORKER_HEAP_MB'],
    meaning: 'heap of one graph worker, in MiB',
    defaultText: 'memory divided by workers + 1, from 256 to 2048',
    reader: 'src/config/config.ts',
    allowed: [32, 1_048_576],
  },
  {
    names: ['THREADMILL_WATCHDOG_SECS'],
    meaning: 'how long a worker may be unresponsive before it is terminated',
    defaultText: '2',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['BG_JOB_TIMEOUT_SECS'],
    meaning: 'how long one attempt of a run may take',
    defaultText: '3600',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS'],
    meaning: 'how long runs may continue after SIGTERM',
    defaultText: '10',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['THREADMILL_CRON_LATE_SECS'],
    meaning: 'cron slots that were missed longer ago than this are skipped ([crons](crons.md#missed-slots))',
    defaultText: '86400',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS'],
    meaning: "time limit for reading a graph's schemas from its types; without them the graph has no schemas",
    defaultText: '30000',
    reader: 'src/config/config.ts',
    allowed: [1, 3_600_000],
  },
  {
    names: ['HTTP_MAX_REQUEST_BODY_BYTES'],
    meaning: 'size limit of a request body that starts a run',
    defaultText: '33554432',
    reader: 'src/config/config.ts',
    allowed: [1_024, 2 ** 30],
  },
  {
    names: ['THREADMILL_MAX_UPLOAD_BYTES'],
    meaning: 'size limit of an upload of examples or traces',
    defaultText: '209715200',
    reader: 'src/config/config.ts',
    allowed: [1_024, 2 ** 29],
  },
  {
    names: ['THREADMILL_MAX_CONNECTIONS'],
    meaning: 'limit of open connections; further connections get 503 ([limits](operations.md#limits))',
    defaultText: '16384',
    reader: 'src/config/config.ts',
    allowed: [1, 10_000_000],
  },
  {
    names: ['THREADMILL_TRANSPORT'],
    meaning:
      'the HTTP server: `uws` is uWebSockets.js, `node` is the one of Node, and `auto` is uWebSockets.js where it has a binary for the machine and its version of Node ([operations](operations.md#http-transport))',
    defaultText: '`auto`',
    reader: 'src/config/http.ts',
  },
  {
    names: ['THREADMILL_DISABLED_OPTIMIZATIONS'],
    meaning:
      'optimizations of LangGraph in graph workers to turn off: `all`, or a list of ' +
      `${OPTIMIZATIONS.map((name) => `\`${name}\``).join(', ')} ` +
      '([decision 54](decisions/0054-library-optimizations.md))',
    defaultText: 'none',
    reader: 'src/config/optimizations.ts',
  },
  {
    names: ['RESUMABLE_STREAM_TTL_SECONDS'],
    meaning: 'how long the events of a resumable run are kept after it ends',
    defaultText: '120',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['THREADMILL_TLS_CERT', 'THREADMILL_TLS_KEY'],
    meaning: 'defaults of `--tls-cert` and `--tls-key`',
    defaultText: 'plain HTTP',
    reader: 'src/config/http.ts',
  },
  {
    names: ['CORS_ALLOW_ORIGINS'],
    meaning:
      'origins whose pages may use the server, separated by commas; used when `http.cors` is absent ([network](network.md#cross-origin-requests))',
    defaultText: '`loopback` while authentication is off, else `*`',
    reader: 'src/config/http.ts',
  },
  {
    names: ['THREADMILL_ALLOWED_HOSTS'],
    meaning:
      'default of `--allowed-hosts`: host names that are accepted while authentication is off, separated by commas ([network](network.md#host-names))',
    defaultText: 'names of this machine',
    reader: 'src/config/http.ts',
  },
  {
    names: ['THREADMILL_PUBLIC_SHARES'],
    meaning:
      '`true`: default of `--public-shares`: datasets and runs may be shared by public links ([share links](evaluation.md#share-links))',
    defaultText: '`false`',
    reader: 'src/config/http.ts',
  },
  {
    names: ['LANGSERVE_GRAPHS'],
    meaning: 'JSON that replaces `graphs` of `langgraph.json`; the file may then be missing',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_AUTH'],
    meaning: 'JSON that replaces `auth` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_STORE'],
    meaning: 'JSON that replaces `store` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_CHECKPOINTER'],
    meaning: 'JSON that replaces `checkpointer` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_HTTP'],
    meaning: 'JSON that replaces `http` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_WEBHOOKS'],
    meaning: 'JSON that replaces `webhooks` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_UI'],
    meaning: 'JSON that replaces `ui` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_UI_CONFIG'],
    meaning: 'JSON that replaces `ui_config` of `langgraph.json`',
    defaultText: 'value in the file',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_CONFIG'],
    meaning:
      "default configuration of the graphs' assistants: JSON by graph ([assistants](assistants.md#assistants-of-graphs))",
    defaultText: 'nothing',
    reader: 'src/config/config.ts',
  },
  {
    names: ['LANGGRAPH_API_URL'],
    meaning:
      "address under which clients reach the server: the start of every URL that it returns, before `MOUNT_PREFIX` ([feedback](streaming.md#feedback)), and the value of `langgraph_api_url` in a run's metadata",
    defaultText: 'the address printed at startup; nothing in metadata',
    reader: 'src/config/api.ts',
  },
  {
    names: ['LANGGRAPH_AUTH_TYPE'],
    meaning: 'must be `noop`, or the server does not start: keys are never checked against LangSmith ([auth](auth.md))',
    defaultText: '`noop`',
    reader: 'src/config/env.ts',
  },
  {
    names: ['MOUNT_PREFIX'],
    meaning:
      'prefix of every path; takes precedence over `http.mount_prefix` ([operations](operations.md#path-prefix))',
    defaultText: 'none',
    reader: 'src/config/api.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    meaning: 'collector that spans are sent to ([operations](operations.md#traces))',
    defaultText: 'no traces',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'],
    meaning: '`http/protobuf` or `http/json`',
    defaultText: '`http/protobuf`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
    meaning: 'headers for the collector: `name=value`, separated by commas',
    defaultText: '',
    reader: 'src/config/tracing.ts',
    secret: true,
  },
  {
    names: ['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'],
    meaning: 'resource attributes of all spans',
    defaultText: '`threadmill`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
    meaning: 'which traces are sampled',
    defaultText: '`parentbased_always_on`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'],
    meaning: '`true`, `none`: no traces',
    defaultText: '',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['THREADMILL_CALLER_REQUESTS_PER_SECOND'],
    meaning: 'requests per second of one caller; further requests get 429',
    defaultText: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_CALLER_RUNNING_RUNS'],
    meaning: 'concurrent runs of one caller; further runs wait',
    defaultText: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_CALLER_QUEUED_RUNS'],
    meaning: 'waiting runs of one caller; further runs get 429',
    defaultText: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_API_KEYS'],
    meaning: 'API keys for containers: `name=key` or only the key, separated by commas ([auth](auth.md#containers))',
    defaultText: 'keys of the data folder only',
    reader: 'src/config/config.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_CLUSTER'],
    meaning: 'default of `--cluster`: PostgreSQL database of the cluster to join ([cluster](cluster.md))',
    defaultText: 'no cluster',
    reader: 'src/config/cluster.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_CLUSTER_KEY'],
    meaning:
      'secret of a cluster, the same on all of its nodes: 32 bytes as hex digits or base64. It takes the place of `THREADMILL_SEAL_KEY`',
    defaultText: '',
    reader: 'src/config/cluster.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_NODE_NAME'],
    meaning: 'name of this node of the cluster, for people',
    defaultText: 'host name',
    reader: 'src/config/cluster.ts',
  },
  {
    names: ['THREADMILL_NODE_ADDRESS'],
    meaning: 'address and port at which the other nodes of the cluster reach this one',
    defaultText: "a free port of the machine's address in the network of the database",
    reader: 'src/config/cluster.ts',
  },
  {
    names: ['THREADMILL_SEAL_KEY'],
    meaning: 'secret that authenticates the stored callers of unfinished runs',
    defaultText: 'a key generated in the data folder',
    reader: 'src/config/config.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY'],
    meaning: 'key of an encrypted data folder: 32 bytes as hex or base64 ([encryption](encryption.md))',
    defaultText: 'not encrypted',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY_FILE'],
    meaning: 'file with the key; default of `--encryption-key-file`',
    defaultText: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY_COMMAND'],
    meaning: 'command that prints the key; runs once at startup, for at most 30 seconds',
    defaultText: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['LANGGRAPH_AES_KEY'],
    meaning: "key in the Agent Server's format, a text of 16, 24 or 32 bytes; used when none of the three above is set",
    defaultText: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_OIDC_CLIENT_SECRET'],
    meaning: 'client secret of `auth.oidc` ([sign in](sign-in.md))',
    defaultText: 'none',
    reader: 'src/config/oidc.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_WEBHOOK_SECRET'],
    meaning: 'secrets that sign webhooks, `whsec_…` ([webhooks](webhooks.md#verifying))',
    defaultText: 'not signed',
    reader: 'src/config/webhooks.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_WEBHOOK_ALLOW_ADDRESSES'],
    meaning: 'addresses and ranges, separated by commas, that webhooks may reach in addition to public ones',
    defaultText: 'none',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['THREADMILL_WEBHOOK_TIMEOUT_SECS'],
    meaning: 'time limit of one attempt to send a webhook',
    defaultText: '10',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['THREADMILL_WEBHOOK_RETRY_SECS'],
    meaning: 'seconds before each further attempt to send a webhook, separated by commas',
    defaultText: '5,30,120,600,1800,3600,10800,21600,43200',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['LANGSMITH_API_KEY'],
    meaning: 'key that `upload` and `compare` send; the server does not read it',
    defaultText: '',
    reader: 'src/cli/client.ts',
    secret: true,
  },
];

/** Returns `allowed` as text; empty where the meaning already contains it. */
export function allowedText({ allowed }: Variable): string {
  return allowed === undefined ? '' : allowed === 'seconds' ? 'seconds above 0' : `${allowed[0]} to ${allowed[1]}`;
}

/** Variables that the Agent Server reads and this server ignores, and the replacement for each. */
export const IGNORED_VARIABLES: readonly {
  names: readonly string[];
  instead: string;
  /** Matches values that ask for what this server does anyway; these cause no warning. */
  agrees?: RegExp;
}[] = [
  {
    names: [
      'DATABASE_URI',
      'POSTGRES_URI',
      'POSTGRES_URI_CUSTOM',
      'LANGGRAPH_POSTGRES_POOL_MAX_SIZE',
      'REDIS_URI',
      'REDIS_URI_CUSTOM',
      'REDIS_CLUSTER',
      'REDIS_KEY_PREFIX',
      'REDIS_MAX_CONNECTIONS',
    ],
    instead: 'all data is stored in the folder of --data',
  },
  {
    names: ['LANGGRAPH_AES_JSON_KEYS', 'LANGGRAPH_ENCRYPTION'],
    instead: 'THREADMILL_ENCRYPTION_KEY encrypts all values of the data folder',
  },
  { names: ['BG_JOB_ISOLATED_LOOPS'], instead: 'graphs always run on threads of their own', agrees: /^(true|1)$/i },
  { names: ['BG_JOB_HEARTBEAT'], instead: 'THREADMILL_WATCHDOG_SECS sets when a worker counts as lost' },
  {
    names: ['LSD_PROM_METRICS_ENABLED', 'LSD_PROM_METRICS_PORT'],
    instead: 'the server itself has /metrics',
  },
  {
    names: ['LS_OTEL_INSTRUMENT', 'DD_API_KEY'],
    instead: 'OTEL_EXPORTER_OTLP_ENDPOINT sets the collector of traces, such as a Datadog agent',
  },
  {
    names: ['FF_V2_EVENT_STREAMING', 'A2A_A2UI_ENABLED', 'A2A_ALLOWED_TOOL_CALL_RESULTS'],
    instead: 'this version supports the feature without a switch',
  },
  { names: ['LANGGRAPH_NODE_LOADER'], instead: 'TypeScript is always bundled' },
];

/** Returns one line that names the ignored variables that are set; null if there are none. */
export function ignoredVariablesWarning(env: NodeJS.ProcessEnv): string | null {
  const parts = IGNORED_VARIABLES.flatMap(({ names, instead, agrees }) => {
    const set = names.filter((name) => (env[name] ?? '') !== '' && !agrees?.test(env[name]!));
    return set.length === 0 ? [] : [`${set.join(', ')} (${instead})`];
  });
  return parts.length === 0 ? null : `these variables of the Agent Server have no effect here: ${parts.join('; ')}`;
}

/**
 * Returns a message for each THREADMILL_ variable that nothing reads. Most are typos, and ignoring them
 * silently would leave the server configured differently from what was intended.
 */
export function unknownVariableWarnings(env: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(({ names }) => names).filter((name) => name.startsWith(OUR_PREFIX));
  return Object.keys(env)
    .filter((name) => name.startsWith(OUR_PREFIX) && !known.includes(name))
    .toSorted()
    .map((name) => {
      const near = nearestWord(
        name.slice(OUR_PREFIX.length),
        known.map((one) => one.slice(OUR_PREFIX.length)),
      );
      return `the variable ${name} is unknown and has no effect.${near === null ? '' : ` Did you mean ${OUR_PREFIX}${near}?`}`;
    });
}

const OUR_PREFIX = 'THREADMILL_';

/**
 * Throws CONFIG_INVALID when the variable requests LangSmith authentication. The server does not perform that
 * check, so starting anyway would leave it open to everybody.
 */
export function checkAuthType(env: NodeJS.ProcessEnv): void {
  const type = env['LANGGRAPH_AUTH_TYPE'] ?? '';
  if (type !== '' && type !== 'noop')
    throw fail('CONFIG_INVALID', {
      file: 'LANGGRAPH_AUTH_TYPE',
      problem: `"${type}" is not supported: keys are not checked against LangSmith. Create keys with "threadmill keys create --name NAME", or set "auth" in langgraph.json, and set this to "noop".`,
    });
}

/** Keys of langgraph.json and the variables in which images of the Agent Server pass them. */
export const FILE_KEY_VARIABLES: readonly [key: string, name: string][] = [
  ['graphs', 'LANGSERVE_GRAPHS'],
  ['auth', 'LANGGRAPH_AUTH'],
  ['store', 'LANGGRAPH_STORE'],
  ['checkpointer', 'LANGGRAPH_CHECKPOINTER'],
  ['http', 'LANGGRAPH_HTTP'],
  ['webhooks', 'LANGGRAPH_WEBHOOKS'],
  ['ui', 'LANGGRAPH_UI'],
  ['ui_config', 'LANGGRAPH_UI_CONFIG'],
];

/**
 * Reads the keys of langgraph.json that environment variables replace as a whole. `names` maps each key to its
 * variable. Throws CONFIG_INVALID, which names the variable.
 */
export function readKeysFromEnv(env: NodeJS.ProcessEnv): { keys: JsonObject; names: ReadonlyMap<string, string> } {
  const keys: JsonObject = {};
  const names = new Map<string, string>();
  for (const [key, name] of FILE_KEY_VARIABLES) {
    const text = env[name] ?? '';
    if (text.trim() === '') continue;
    try {
      keys[key] = JSON.parse(text) as unknown;
    } catch (error) {
      throw fail('CONFIG_INVALID', { file: name, problem: `not valid JSON: ${(error as Error).message}` });
    }
    if (!isObject(keys[key]))
      throw fail('CONFIG_INVALID', {
        file: name,
        problem: `must be a JSON object: the value of "${key}" in langgraph.json.`,
      });
    names.set(key, name);
  }
  return { keys, names };
}
