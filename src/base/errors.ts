import { LIMITS } from './limits.js';
import { boundedText, describeThrown } from './thrown.js';

/** One thing that is wrong with a request, and where: `['body', 'results', 17, 'end_time']`. */
export interface Problem {
  loc: (string | number)[];
  msg: string;
  /** `missing`, `type`, `format`, … */
  type: string;
}

/**
 * The one table of errors. They travel by code across threads and sockets; `http/errors.ts` turns a record into each
 * API's wire form. `docs/errors.md` lists exactly these codes (a test compares the two).
 */
export const ERRORS = {
  // requests
  MALFORMED_JSON: { status: 400, say: (p: { reason: string }) => `The request body is not valid JSON: ${p.reason}` },
  INVALID_REQUEST: { status: 422, say: (p: { problems: string; places?: Problem[] }) => p.problems },
  RPC_INVALID: { status: 400, say: (p: { reason: string }) => p.reason },
  BODY_TOO_LARGE: {
    status: 413,
    say: (p: { bytesMax: number }) => `The request body is over the limit of ${p.bytesMax} bytes.`,
  },
  BODY_TOO_SLOW: {
    status: 408,
    say: (p: { bytes: number; seconds: number }) =>
      `The request body comes too slowly: less than ${p.bytes} bytes in ${p.seconds} s.`,
  },
  UNSUPPORTED_ENCODING: {
    status: 415,
    say: (p: { encoding: string }) =>
      `The content encoding "${p.encoding}" is not supported. Send the body plain or with gzip.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    say: (p: { found: string; accepted: string }) => `The request body has ${p.found}. Send it with ${p.accepted}.`,
  },
  REQUEST_ABORTED: { status: 400, say: (_: Record<string, never>) => 'The request ended before its body did.' },
  MALFORMED_BODY: { status: 400, say: (p: { reason: string }) => `The request body ${p.reason}` },
  ROUTE_NOT_FOUND: {
    status: 404,
    say: (p: { method: string; path: string }) => `There is no route for ${p.method} ${p.path}.`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    say: (p: { method: string; path: string; allowed: string }) =>
      `${p.method} is not allowed on ${p.path}. Allowed: ${p.allowed}.`,
  },
  // who asks
  UNAUTHENTICATED: { status: 401, say: (p: { reason: string }) => `Not authenticated: ${p.reason}` },
  ORIGIN_REFUSED: {
    status: 403,
    say: (p: { origin: string }) =>
      `Pages of ${p.origin} may not use this server. Allow an origin with http.cors.allow_origins of langgraph.json or CORS_ALLOW_ORIGINS.`,
  },
  SAME_ORIGIN_REQUIRED: {
    status: 403,
    say: (p: { method: string; path: string }) =>
      `${p.method} ${p.path} is not for pages of other origins while nobody has to authenticate. Make an API key first.`,
  },
  HOST_REFUSED: {
    status: 403,
    say: (p: { host: string }) =>
      `The host name ${JSON.stringify(p.host)} is not served while nobody has to authenticate. Allow it with --allowed-hosts, THREADMILL_ALLOWED_HOSTS or http.allowed_hosts of langgraph.json.`,
  },
  FORBIDDEN: { status: 403, say: (_: { action: string }) => 'Not authorized' },
  KEY_SCOPE: {
    status: 403,
    say: (p: { action: string }) => `Not authorized: this API key has no scope for ${p.action}.`,
  },
  RATE_LIMITED: {
    status: 429,
    say: (p: { perSecond: number; retryAfterS: number }) =>
      `Too many requests: this caller may send ${p.perSecond} a second.`,
  },
  RUNS_LIMITED: {
    status: 429,
    say: (p: { runs: number; retryAfterS: number }) => `Too many runs: ${p.runs} of this caller have not ended yet.`,
  },
  AUTH_REFUSED: {
    status: 401,
    say: (p: { detail: string; status: number; headers: Record<string, string> }) => p.detail,
  },
  AUTH_FAILED: { status: 500, say: (_: { where: string }) => "The auth handler failed. The server's log says why." },
  AUTH_SILENT: {
    status: 503,
    say: (p: { waitedMs: number }) => `The auth handler did not answer within ${p.waitedMs} ms.`,
  },
  // the project's own HTTP app
  APP_FAILED: {
    status: 500,
    say: (_: Record<string, never>) => "The HTTP app of this server failed. The server's log says why.",
  },
  APP_UNAVAILABLE: {
    status: 503,
    say: (p: { reason: string }) => `The HTTP app of this server does not answer: ${p.reason}`,
  },
  APP_LOAD_FAILED: {
    status: 500,
    say: (p: { file: string; reason: string }) => `The HTTP app "${p.file}" could not be loaded: ${p.reason}`,
  },
  // components for pages
  UI_NOT_FOUND: { status: 404, say: (p: { name: string }) => `There are no components "${p.name}".` },
  UI_LOAD_FAILED: {
    status: 500,
    say: (p: { name: string; file: string; reason: string }) =>
      `The components "${p.name}" (${p.file}) could not be built: ${p.reason}`,
  },
  // assistants, graphs, threads, runs
  ASSISTANT_NOT_FOUND: { status: 404, say: (_: { assistantId: string }) => 'Assistant not found' },
  ASSISTANT_EXISTS: { status: 409, say: (_: { assistantId: string }) => 'Assistant already exists' },
  ASSISTANT_VERSION_NOT_FOUND: {
    status: 404,
    say: (_: { assistantId: string; version: number }) => 'Assistant version not found',
  },
  ASSISTANT_VERSIONS_NOT_FOUND: {
    status: 404,
    say: (p: { assistantId: string }) => `Assistant "${p.assistantId}" not found.`,
  },
  ASSISTANT_CONFIGURED: {
    status: 409,
    say: (p: { graphId: string }) =>
      `This is the assistant of the configured graph "${p.graphId}": it cannot be deleted, nor get another graph.`,
  },
  GRAPH_NOT_FOUND: { status: 404, say: (p: { graphId: string }) => `Graph "${p.graphId}" not found` },
  GRAPH_ROOT_NOT_FOUND: { status: 404, say: (_: { graphId: string }) => 'Failed to find root graph' },
  GRAPH_UNREADABLE: {
    status: 422,
    say: (p: { graphId: string; reason: string }) => `Graph "${p.graphId}" could not be read: ${p.reason}`,
  },
  RUN_ASSISTANT_NOT_FOUND: {
    status: 404,
    say: (p: { assistantId: string }) =>
      `No assistant found for "${p.assistantId}". Make sure the assistant ID is for a valid assistant or a valid graph ID.`,
  },
  THREAD_NOT_FOUND: { status: 404, say: (p: { threadId: string }) => `Thread with ID ${p.threadId} not found` },
  THREAD_EXISTS: { status: 409, say: (_: { threadId: string }) => 'Thread already exists' },
  THREAD_BUSY: { status: 409, say: (_: { threadId: string }) => 'Thread is busy' },
  THREAD_RUNNING: {
    status: 409,
    say: (_: { threadId: string }) =>
      'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
  },
  RUN_NOT_FOUND: { status: 404, say: (_: { runId: string }) => 'Run not found' },
  THREAD_WITHOUT_GRAPH: { status: 400, say: (p: { threadId: string }) => `Thread ${p.threadId} has no graph ID` },
  COPY_NOT_FOUND: { status: 409, say: (_: { threadId: string }) => 'Thread not found' },
  EDIT_REFUSED: { status: 422, say: (p: { reason: string }) => `The state was not updated: ${p.reason}` },
  EDIT_LOST: {
    status: 422,
    say: (p: { reason: string }) => `The state was not updated: the graph's code did not finish; ${p.reason}.`,
  },
  CRON_NOT_FOUND: { status: 404, say: (_: { cronId: string }) => 'Cron not found or not authorized' },
  CRON_THREAD_NOT_FOUND: { status: 404, say: (_: { threadId: string }) => 'Thread not found or not authorized' },
  CRON_SCHEDULE_INVALID: {
    status: 422,
    say: (p: { problem: string }) => `Invalid cron schedule: body.schedule: ${p.problem}`,
  },
  CRONS_LIMITED: {
    status: 409,
    say: (p: { who: string; crons: number }) => `Too many crons: ${p.who} has ${p.crons}. Delete some first.`,
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    say: (_: { runId: string }) => 'This run has no webhook, or what became of it is no longer kept.',
  },
  CHECKPOINT_NOT_FOUND: { status: 404, say: (p: { checkpointId: string }) => `Checkpoint ${p.checkpointId} not found` },
  CURSOR_EXPIRED: {
    status: 409,
    say: (_: Record<string, never>) => 'The cursor has expired: begin again with the cursor "*".',
  },
  THREAD_CHANGED: { status: 412, say: (_: { threadId: string }) => 'The thread is not what If-Match says.' },
  // long-term memory
  ITEM_NOT_FOUND: { status: 404, say: (_: { key: string }) => 'Item not found' },
  NAMESPACE_REQUIRED: { status: 400, say: (_: Record<string, never>) => 'Namespace is required' },
  NAMESPACE_INVALID: {
    status: 422,
    say: (p: { received: string }) => `Namespace labels cannot be empty or contain periods. Received: ${p.received}`,
  },
  STORE_SCAN_LIMIT: {
    status: 400,
    say: (p: { authenticated: boolean }) =>
      `${p.authenticated ? 'Authenticated store' : 'Store'} query exceeded maximum scan limit. Narrow the namespace or filters.`,
  },
  EMBED_FAILED: { status: 502, say: (p: { reason: string }) => `The project's embedding function failed: ${p.reason}` },
  EMBED_UNAVAILABLE: {
    status: 503,
    say: (p: { reason: string }) => `The project's embedding function gave no answer: ${p.reason}`,
  },
  // datasets, examples, experiments
  DATASET_NOT_FOUND: { status: 404, say: (_: { datasetId: string }) => 'Dataset not found' },
  DATASET_VERSION_NOT_FOUND: { status: 404, say: (p: { version: string }) => `Dataset version ${p.version} not found` },
  EXAMPLE_EXISTS: { status: 409, say: (p: { exampleId: string }) => `Example ${p.exampleId} already exists.` },
  EXAMPLE_NOT_FOUND: { status: 404, say: (_: { exampleId: string }) => 'Example not found' },
  EVALUATION_RUN_NOT_FOUND: { status: 404, say: (_: { runId: string }) => 'Run not found' },
  FEEDBACK_CONFIG_EXISTS: {
    status: 400,
    say: (p: { feedbackKey: string }) => `Feedback config already exists for key ${p.feedbackKey}`,
  },
  FEEDBACK_CONFIG_NOT_FOUND: {
    status: 404,
    say: (p: { feedbackKey: string }) => `Feedback config not found for key ${p.feedbackKey}`,
  },
  FEEDBACK_TOKEN_NOT_FOUND: { status: 404, say: (_: Record<string, never>) => 'Feedback token not found' },
  FEEDBACK_TOKEN_EXPIRED: {
    status: 410,
    say: (p: { expiredAt: string }) => `This feedback token expired at ${p.expiredAt}.`,
  },
  FEEDBACK_NOT_FOUND: { status: 404, say: (_: { feedbackId: string }) => 'Feedback not found' },
  DATASET_EXISTS: { status: 409, say: (_: { name: string }) => 'Dataset with this name already exists.' },
  DATASET_NOT_EXTERNAL: {
    status: 400,
    say: (p: { dataset: string }) =>
      `Dataset ${p.dataset} is not externally managed: only datasets made by an upload take uploads.`,
  },
  DATASET_AMBIGUOUS: {
    status: 400,
    say: (p: { datasetId: string; name: string }) =>
      `dataset_id ${p.datasetId} and dataset_name "${p.name}" do not name the same dataset.`,
  },
  EXPERIMENT_EXISTS: { status: 409, say: (_: { name: string }) => 'Session already exists.' },
  EXPORT_CHANGED: {
    status: 409,
    say: (p: { column: string }) =>
      `The records changed while they were exported: there was no column ${p.column} at first. Export again, or as JSON lines.`,
  },
  EXPERIMENT_NOT_FOUND: { status: 404, say: (_: { experimentId: string }) => 'Session not found' },
  COMPARATIVE_EXISTS: {
    status: 409,
    say: (p: { comparativeId: string }) => `Comparative experiment ${p.comparativeId} already exists.`,
  },
  COMPARATIVE_NOT_FOUND: { status: 404, say: (_: { comparativeId: string }) => 'Comparative experiment not found' },
  // API keys
  KEY_NOT_FOUND: {
    status: 404,
    say: (p: { key: string }) => `There is no API key with the id or the name "${p.key}" that is not revoked yet.`,
  },
  KEY_AMBIGUOUS: {
    status: 409,
    say: (p: { name: string; keyIds: string }) =>
      `Several API keys have the name "${p.name}". Say which one by its id: ${p.keyIds}.`,
  },
  KEY_NAME_TAKEN: {
    status: 409,
    say: (p: { name: string; keyId: string }) =>
      `The API key ${p.keyId} has the name "${p.name}" and is valid. Revoke it first, or choose another name.`,
  },
  KEYS_TOO_MANY: {
    status: 409,
    say: (p: { keys: number }) =>
      `There are ${p.keys} API keys or more, revoked ones included: make further ones on the machine, with threadmill keys create.`,
  },
  KEY_OUTLIVES: {
    status: 403,
    say: (p: { expiresAt: string }) =>
      `Not authorized: this API key expires at ${p.expiresAt}, and a key that it makes must expire by then. Send expires_at.`,
  },
  KEY_OF_ENVIRONMENT: {
    status: 409,
    say: (p: { key: string }) =>
      `The API key ${p.key} is given by THREADMILL_API_KEYS: change the variable and start the server anew.`,
  },
  // runs that could not go on
  ATTEMPTS_EXCEEDED: {
    status: 500,
    say: (p: { runId: string; attempts: number }) => `Run ${p.runId} exceeded max attempts (${p.attempts}).`,
  },
  RUN_TIMEOUT: {
    status: 504,
    say: (p: { runId: string; timeoutMs: number }) => `Run ${p.runId} did not finish within ${p.timeoutMs} ms.`,
  },
  CALLER_UNAVAILABLE: {
    status: 500,
    say: (p: { runId: string }) =>
      `Run ${p.runId} cannot go on: the caller it was started for cannot be read (the key that sealed it is missing).`,
  },
  CRON_CALLER_GONE: {
    status: 403,
    say: (p: { reason: string }) => `The cron did not fire, for it never fires as nobody: ${p.reason}`,
  },
  CRON_MISSED: {
    status: 504,
    say: (p: { slot: string; lateS: number }) =>
      `The slot of ${p.slot} was missed, and more than ${p.lateS} s had passed when the server looked again.`,
  },
  FOREIGN_THREAD: {
    status: 403,
    say: (p: { asked: string }) => `This run may only read and write its own thread; it asked for thread ${p.asked}.`,
  },
  // the server itself
  OVERLOADED: { status: 503, say: (p: { what: string }) => `The server is at its limit: ${p.what}. Try again later.` },
  SHUTTING_DOWN: { status: 503, say: (_: Record<string, never>) => 'The server is shutting down.' },
  STORE_FAILED: { status: 503, say: (p: { reason: string }) => `The data folder cannot be written: ${p.reason}` },
  STORE_DAMAGED: { status: 500, say: (p: { key: string }) => `A stored record is damaged and was not used: ${p.key}` },
  STORE_FILE_DAMAGED: {
    status: 500,
    say: (p: { file: string; problem: string }) => `The file ${p.file} is damaged: ${p.problem}. It was not changed.`,
  },
  EVALUATION_FAILED: {
    status: 503,
    say: (p: { reason: string }) =>
      `The evaluation thread stopped before it was done: ${p.reason}. Nothing was changed; try again.`,
  },
  INTERNAL: {
    status: 500,
    say: (p: { reference: string }) => `Internal error. Reference ${p.reference} is in the server's log.`,
  },
  // start-up
  CONFIG_INVALID: { status: 500, say: (p: { file: string; problem: string }) => `${p.file}: ${p.problem}` },
  GRAPH_LOAD_FAILED: {
    status: 500,
    say: (p: { graphId: string; file: string; reason: string }) =>
      `Graph "${p.graphId}" (${p.file}) could not be loaded: ${p.reason}`,
  },
  AUTH_LOAD_FAILED: {
    status: 500,
    say: (p: { file: string; reason: string }) => `The auth handler (${p.file}) could not be loaded: ${p.reason}`,
  },
  EMBED_LOAD_FAILED: {
    status: 500,
    say: (p: { file: string; reason: string }) => `The embedding function (${p.file}) could not be loaded: ${p.reason}`,
  },
  PORT_IN_USE: {
    status: 500,
    say: (p: { host: string; port: number }) =>
      `Port ${p.port} on ${p.host} is already in use. Choose another with --port, or --port 0 for a free one.`,
  },
  STORE_LOCKED: {
    status: 500,
    say: (p: { folder: string }) => `The data folder ${p.folder} is in use by another threadmill process.`,
  },
  STORE_FORMAT: {
    status: 500,
    say: (p: { folder: string; found: string; known: number }) =>
      `${p.folder} has format ${p.found}; this version reads format ${p.known}. ${Number(p.found) < p.known ? 'A start of the server upgrades the data folder.' : 'A newer version wrote it: use that one, or a backup of before.'}`,
  },
  STORE_NOT_ENCRYPTED: {
    status: 500,
    say: (p: { folder: string }) =>
      `The data folder ${p.folder} is not encrypted, and an encryption key is set. Encrypt it with "threadmill encrypt --data ${p.folder}", or start without the key. Nothing was changed.`,
  },
  ENCRYPTION_KEY_MISSING: {
    status: 500,
    say: (p: { folder: string }) =>
      `The data folder ${p.folder} is encrypted. Set its key with THREADMILL_ENCRYPTION_KEY, THREADMILL_ENCRYPTION_KEY_FILE or THREADMILL_ENCRYPTION_KEY_COMMAND. Nothing was changed.`,
  },
  ENCRYPTION_KEY_WRONG: {
    status: 500,
    say: (p: { folder: string }) =>
      `The data folder ${p.folder} is encrypted with another key than the one that is set. Nothing was changed.`,
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorParams<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]['say']>[0];

/** An error as it is stored and sent between threads. `name` is what clients see as `error`. */
export interface ErrorRecord {
  name: string;
  message: string;
}

/** An error a caller can act on. `status` is the HTTP status the table gives it. */
export class ThreadmillError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly params: Record<string, unknown>;

  constructor(code: ErrorCode, params: Record<string, unknown>, cause?: unknown) {
    super((ERRORS[code].say as (p: unknown) => string)(params), cause === undefined ? undefined : { cause });
    this.name = code;
    this.code = code;
    this.status = ERRORS[code].status;
    this.params = params;
  }
}

/** Makes the error for `code`; the caller throws it: `throw fail('THREAD_NOT_FOUND', { threadId })`. */
export function fail<C extends ErrorCode>(code: C, params: ErrorParams<C>, cause?: unknown): ThreadmillError {
  return new ThreadmillError(code, params as Record<string, unknown>, cause);
}

/** Any thrown value as a record: the class name and the message, never the stack. Never throws. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  const { name, message } = describeThrown(thrown);
  return { name, message };
}

/** One line for people. */
export function errorLine(error: ErrorRecord): string {
  const { name, message } = boundedError(error);
  return `${name}: ${message}`;
}

/** A record whose texts are bounded: earlier versions stored them at any length. */
export function boundedError({ name, message }: ErrorRecord): ErrorRecord {
  return { name: boundedText(name, LIMITS.errorNameCharsMax), message: boundedText(message, LIMITS.errorTextCharsMax) };
}
