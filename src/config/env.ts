import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { nearestWord } from '../base/nearest-word.js';

/** Variables of the environment that mean one thing: a row of the table in docs/configuration.md. */
export interface Variable {
  names: readonly string[];
  /** As the page says it. */
  meaning: string;
  /** What holds without it. */
  otherwise: string;
  /** The file that reads and checks it. */
  reader: string;
  /** Its value is shown to nobody. */
  secret?: true;
  /** A whole number, from the least to the most; or seconds above 0. Anything else is checked by its reader. */
  allowed?: readonly [min: number, max: number] | 'seconds';
}

/** All that is read of the environment. A flag goes before a variable, a variable before langgraph.json. */
export const VARIABLES: readonly Variable[] = [
  {
    names: ['LANGGRAPH_SERVER_HOST'],
    meaning: 'what `--host` says when it is not given',
    otherwise: '`127.0.0.1`',
    reader: 'src/config/config.ts',
  },
  {
    names: ['PORT'],
    meaning: 'what `--port` says when it is not given',
    otherwise: '`8123`',
    reader: 'src/config/config.ts',
    allowed: [0, 65_535],
  },
  {
    names: ['LOG_LEVEL'],
    meaning:
      'level of the log: `trace`, `debug`, `info`, `warn` (`warning`), `error`, `fatal` (`critical`) or `silent`, in any case; `info` has a line for every request and every run. By module, too: `info,http=warn` ([operations](operations.md#logs))',
    otherwise: '`info`',
    reader: 'src/config/log.ts',
  },
  {
    names: ['LOG_JSON'],
    meaning: '`true`: log lines are JSON; `false`: they are for people',
    otherwise: '`false` where stderr is a terminal',
    reader: 'src/config/log.ts',
  },
  {
    names: ['LOG_COLOR', 'NO_COLOR'],
    meaning: '`LOG_COLOR=false`, or `NO_COLOR` with anything in it: lines for people have no colours',
    otherwise: 'colours where stderr is a terminal',
    reader: 'src/config/log.ts',
  },
  {
    names: ['N_JOBS_PER_WORKER'],
    meaning: 'runs under way in one worker',
    otherwise: '512',
    reader: 'src/config/config.ts',
    allowed: [1, LIMITS.runsPerWorkerMax],
  },
  {
    names: ['THREADMILL_WORKER_HEAP_MB'],
    meaning: 'heap of one graph worker, in MiB',
    otherwise: 'memory divided by workers + 1, from 256 to 2048',
    reader: 'src/config/config.ts',
    allowed: [32, 1_048_576],
  },
  {
    names: ['THREADMILL_WATCHDOG_SECS'],
    meaning: 'how long a worker may be silent before it is ended',
    otherwise: '2',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['BG_JOB_TIMEOUT_SECS'],
    meaning: 'how long one attempt of a run may take',
    otherwise: '3600',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS'],
    meaning: 'how long runs may go on after SIGTERM',
    otherwise: '10',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['THREADMILL_CRON_LATE_SECS'],
    meaning: 'a slot of a cron that was missed longer ago is left out ([crons](crons.md#missed-slots))',
    otherwise: '86400',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS'],
    meaning: "how long reading a graph's schemas out of its types may take; they are missing after that",
    otherwise: '30000',
    reader: 'src/config/config.ts',
    allowed: [1, 3_600_000],
  },
  {
    names: ['HTTP_MAX_REQUEST_BODY_BYTES'],
    meaning: 'largest body that starts a run',
    otherwise: '33554432',
    reader: 'src/config/config.ts',
    allowed: [1_024, 2 ** 30],
  },
  {
    names: ['THREADMILL_MAX_UPLOAD_BYTES'],
    meaning: 'largest body of an upload, of examples or of runs of traces',
    otherwise: '209715200',
    reader: 'src/config/config.ts',
    allowed: [1_024, 2 ** 29],
  },
  {
    names: ['THREADMILL_MAX_CONNECTIONS'],
    meaning: 'open connections; further ones get 503 ([limits](operations.md#limits))',
    otherwise: '16384',
    reader: 'src/config/config.ts',
    allowed: [1, 10_000_000],
  },
  {
    names: ['RESUMABLE_STREAM_TTL_SECONDS'],
    meaning: 'how long events of a resumable run are kept after its end',
    otherwise: '120',
    reader: 'src/config/config.ts',
    allowed: 'seconds',
  },
  {
    names: ['THREADMILL_TLS_CERT', 'THREADMILL_TLS_KEY'],
    meaning: 'what `--tls-cert` and `--tls-key` say when they are not given',
    otherwise: 'plain HTTP',
    reader: 'src/config/http.ts',
  },
  {
    names: ['CORS_ALLOW_ORIGINS'],
    meaning:
      'origins whose pages may use the server, separated by commas, when `http.cors` is not there ([network](network.md#pages-of-other-origins))',
    otherwise: '`loopback` while nobody has to authenticate, else `*`',
    reader: 'src/config/http.ts',
  },
  {
    names: ['THREADMILL_ALLOWED_HOSTS'],
    meaning:
      'what `--allowed-hosts` says when it is not given: host names that are served while nobody has to authenticate, separated by commas ([network](network.md#host-names))',
    otherwise: 'names of this machine',
    reader: 'src/config/http.ts',
  },
  {
    names: ['LANGSERVE_GRAPHS'],
    meaning: 'JSON in the place of `graphs` of `langgraph.json`; with it the file may be missing',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_AUTH'],
    meaning: 'JSON in the place of `auth` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_STORE'],
    meaning: 'JSON in the place of `store` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_CHECKPOINTER'],
    meaning: 'JSON in the place of `checkpointer` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_HTTP'],
    meaning: 'JSON in the place of `http` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_WEBHOOKS'],
    meaning: 'JSON in the place of `webhooks` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_UI'],
    meaning: 'JSON in the place of `ui` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_UI_CONFIG'],
    meaning: 'JSON in the place of `ui_config` of `langgraph.json`',
    otherwise: 'what the file says',
    reader: 'src/config/env.ts',
  },
  {
    names: ['LANGGRAPH_CONFIG'],
    meaning:
      'what the assistants of graphs are configured with, JSON by graph ([assistants](assistants.md#assistants-of-graphs))',
    otherwise: 'nothing',
    reader: 'src/config/config.ts',
  },
  {
    names: ['LANGGRAPH_API_URL'],
    meaning:
      "how others reach the server: what addresses that it gives out begin with, before `MOUNT_PREFIX` ([feedback](streaming.md#feedback)), and what a run's metadata says in `langgraph_api_url`",
    otherwise: 'the address that it prints at the start; nothing in metadata',
    reader: 'src/config/api.ts',
  },
  {
    names: ['LANGGRAPH_AUTH_TYPE'],
    meaning: "`noop`, or the server does not start: nobody's keys are checked against LangSmith ([auth](auth.md))",
    otherwise: '`noop`',
    reader: 'src/config/env.ts',
  },
  {
    names: ['MOUNT_PREFIX'],
    meaning: 'prefix of every path; goes before `http.mount_prefix` ([operations](operations.md#a-prefix))',
    otherwise: 'none',
    reader: 'src/config/api.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    meaning: 'collector that spans are sent to ([operations](operations.md#traces))',
    otherwise: 'no traces',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'],
    meaning: '`http/protobuf` or `http/json`',
    otherwise: '`http/protobuf`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
    meaning: 'sent along: `name=value`, with commas between',
    otherwise: '',
    reader: 'src/config/tracing.ts',
    secret: true,
  },
  {
    names: ['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'],
    meaning: 'what spans say of the server',
    otherwise: '`threadmill`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
    meaning: 'which traces are kept',
    otherwise: '`parentbased_always_on`',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'],
    meaning: '`true`, `none`: no traces',
    otherwise: '',
    reader: 'src/config/tracing.ts',
  },
  {
    names: ['THREADMILL_CALLER_REQUESTS_PER_SECOND'],
    meaning: 'requests a second of one caller; more are refused with 429',
    otherwise: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_CALLER_RUNNING_RUNS'],
    meaning: 'runs of one caller that execute at a time; more wait',
    otherwise: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_CALLER_QUEUED_RUNS'],
    meaning: 'runs of one caller that wait; more are refused with 429',
    otherwise: 'no limit',
    reader: 'src/config/config.ts',
    allowed: [1, 1_000_000],
  },
  {
    names: ['THREADMILL_API_KEYS'],
    meaning: 'API keys for containers: `name=text`, or texts alone, with commas between ([auth](auth.md#containers))',
    otherwise: 'keys of the data folder only',
    reader: 'src/config/config.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_SEAL_KEY'],
    meaning: 'secret that seals the callers of unfinished runs',
    otherwise: 'a key made in the data folder',
    reader: 'src/config/config.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY'],
    meaning: 'key of an encrypted data folder: 32 bytes as hex or base64 ([encryption](encryption.md))',
    otherwise: 'not encrypted',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY_FILE'],
    meaning: 'file that has the key, when `--encryption-key-file` is not given',
    otherwise: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_ENCRYPTION_KEY_COMMAND'],
    meaning: 'command that prints the key; run once at the start, for at most 30 seconds',
    otherwise: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['LANGGRAPH_AES_KEY'],
    meaning: 'key as the Agent Server takes it: a text of 16, 24 or 32 bytes, when none of the three above is set',
    otherwise: '',
    reader: 'src/config/encryption.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_WEBHOOK_SECRET'],
    meaning: 'secrets that webhooks are signed with, `whsec_…` ([webhooks](webhooks.md#verifying))',
    otherwise: 'not signed',
    reader: 'src/config/webhooks.ts',
    secret: true,
  },
  {
    names: ['THREADMILL_WEBHOOK_ALLOW_ADDRESSES'],
    meaning: 'addresses and ranges, with commas between, that webhooks may go to besides public ones',
    otherwise: 'none',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['THREADMILL_WEBHOOK_TIMEOUT_SECS'],
    meaning: 'how long one attempt of a webhook may take',
    otherwise: '10',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['THREADMILL_WEBHOOK_RETRY_SECS'],
    meaning: 'seconds before each further attempt of a webhook, with commas between',
    otherwise: '5,30,120,600,1800,3600,10800,21600,43200',
    reader: 'src/config/webhooks.ts',
  },
  {
    names: ['LANGSMITH_API_KEY'],
    meaning: 'key that `upload` and `compare` send; the server does not read it',
    otherwise: '',
    reader: 'src/cli/client.ts',
    secret: true,
  },
];

/** `allowed` in words; empty where the meaning says it. */
export function allowedText({ allowed }: Variable): string {
  return allowed === undefined ? '' : allowed === 'seconds' ? 'seconds above 0' : `${allowed[0]} to ${allowed[1]}`;
}

/** What the Agent Server reads and this server has no use for, and what serves instead. */
export const FOREIGN: readonly {
  names: readonly string[];
  instead: string;
  /** Says what is done here anyway. */ agrees?: RegExp;
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
    instead: 'everything is kept in the folder that --data names',
  },
  {
    names: ['LANGGRAPH_AES_JSON_KEYS', 'LANGGRAPH_ENCRYPTION'],
    instead: 'THREADMILL_ENCRYPTION_KEY encrypts all values of the data folder',
  },
  { names: ['BG_JOB_ISOLATED_LOOPS'], instead: 'graphs always run on threads of their own', agrees: /^(true|1)$/i },
  { names: ['BG_JOB_HEARTBEAT'], instead: 'THREADMILL_WATCHDOG_SECS says when a worker counts as lost' },
  {
    names: ['LSD_PROM_METRICS_ENABLED', 'LSD_PROM_METRICS_PORT'],
    instead: 'metrics are at /metrics of the server itself',
  },
  {
    names: ['LS_OTEL_INSTRUMENT', 'DD_API_KEY'],
    instead: 'OTEL_EXPORTER_OTLP_ENDPOINT names the collector of traces, such as an agent of Datadog',
  },
  {
    names: ['FF_V2_EVENT_STREAMING', 'A2A_A2UI_ENABLED', 'A2A_ALLOWED_TOOL_CALL_RESULTS'],
    instead: 'what this version has of it is always on',
  },
  { names: ['LANGGRAPH_NODE_LOADER'], instead: 'TypeScript is always bundled' },
];

/** One line that names what is set and means nothing here; null when there is nothing to say. */
export function foreignWarning(env: NodeJS.ProcessEnv): string | null {
  const parts = FOREIGN.flatMap(({ names, instead, agrees }) => {
    const set = names.filter((name) => (env[name] ?? '') !== '' && !agrees?.test(env[name]!));
    return set.length === 0 ? [] : [`${set.join(', ')} (${instead})`];
  });
  return parts.length === 0 ? null : `these variables of the Agent Server change nothing here: ${parts.join('; ')}`;
}

/** Variables with our name before them that nothing reads: most likely slips, and a server that ignores one is not set up as it was meant to be. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(({ names }) => names).filter((name) => name.startsWith(OURS));
  return Object.keys(env)
    .filter((name) => name.startsWith(OURS) && !known.includes(name))
    .toSorted()
    .map((name) => {
      const near = nearestWord(
        name.slice(OURS.length),
        known.map((one) => one.slice(OURS.length)),
      );
      return `the variable ${name} is not known and changes nothing.${near === null ? '' : ` Did you mean ${OURS}${near}?`}`;
    });
}

const OURS = 'THREADMILL_';

/** Throws CONFIG_INVALID when it asks for a check that is not made: going on would serve everybody. */
export function checkAuthType(env: NodeJS.ProcessEnv): void {
  const type = env['LANGGRAPH_AUTH_TYPE'] ?? '';
  if (type !== '' && type !== 'noop')
    throw fail('CONFIG_INVALID', {
      file: 'LANGGRAPH_AUTH_TYPE',
      problem: `"${type}" is not supported: keys are not checked against LangSmith. Make keys with "threadmill keys create --name NAME", or set "auth" in langgraph.json, and set this to "noop".`,
    });
}

/** What images of the Agent Server bring their configuration in. */
export const KEYS: readonly [key: string, name: string][] = [
  ['graphs', 'LANGSERVE_GRAPHS'],
  ['auth', 'LANGGRAPH_AUTH'],
  ['store', 'LANGGRAPH_STORE'],
  ['checkpointer', 'LANGGRAPH_CHECKPOINTER'],
  ['http', 'LANGGRAPH_HTTP'],
  ['webhooks', 'LANGGRAPH_WEBHOOKS'],
  ['ui', 'LANGGRAPH_UI'],
  ['ui_config', 'LANGGRAPH_UI_CONFIG'],
];

/** Keys of langgraph.json that the environment brings, each whole, and the variable of each. Throws CONFIG_INVALID naming the variable. */
export function keysFromEnv(env: NodeJS.ProcessEnv): { keys: JsonObject; names: ReadonlyMap<string, string> } {
  const keys: JsonObject = {};
  const names = new Map<string, string>();
  for (const [key, name] of KEYS) {
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
        problem: `must be a JSON object: what langgraph.json would have in "${key}".`,
      });
    names.set(key, name);
  }
  return { keys, names };
}
