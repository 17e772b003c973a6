import { LIMITS } from './limits.js';
import { boundedText, describeThrown } from './thrown.js';

/** One problem of a request, with its place: `['body', 'results', 17, 'end_time']`. */
export interface Problem {
  loc: (string | number)[];
  msg: string;
  /** `missing`, `type`, `format`, … */
  type: string;
}

/**
 * All errors with their HTTP status and message. Threads and sockets send them by code; `http/errors.ts` converts a
 * record to the form of each API. `docs/errors.md` lists exactly these codes (a test compares the two).
 */
export const ERRORS = {
  // requests
  MALFORMED_JSON: {
    status: 400,
    message: (p: { reason: string }) => `The request body is not valid JSON: ${p.reason}`,
  },
  INVALID_REQUEST: { status: 422, message: (p: { problems: string; places?: Problem[] }) => p.problems },
  RPC_INVALID: { status: 400, message: (p: { reason: string }) => p.reason },
  BODY_TOO_LARGE: {
    status: 413,
    message: (p: { bytesMax: number }) => `The request body is over the limit of ${p.bytesMax} bytes.`,
  },
  BODY_TOO_SLOW: {
    status: 408,
    message: (p: { bytes: number; seconds: number }) =>
      `The request body arrives too slowly: less than ${p.bytes} bytes in ${p.seconds} s.`,
  },
  UNSUPPORTED_ENCODING: {
    status: 415,
    message: (p: { encoding: string }) =>
      `The content encoding "${p.encoding}" is not supported. Send the body plain or with gzip.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: (p: { found: string; accepted: string }) => `The request body has ${p.found}. Send it with ${p.accepted}.`,
  },
  REQUEST_ABORTED: {
    status: 400,
    message: (_: Record<string, never>) => 'The request ended before its body was complete.',
  },
  MALFORMED_BODY: { status: 400, message: (p: { reason: string }) => `The request body ${p.reason}` },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: (p: { method: string; path: string }) => `There is no route for ${p.method} ${p.path}.`,
  },
  QUEUE_NOT_FOUND: {
    status: 404,
    message: (_: { queueId: string }) => 'Annotation queue not found',
  },
  QUEUE_EXISTS: {
    status: 409,
    message: (p: { queueId: string }) => `An annotation queue with the id ${p.queueId} already exists.`,
  },
  RULE_NOT_FOUND: {
    status: 404,
    message: (_: { ruleId: string }) => 'Rule not found',
  },
  RULE_READ_ONLY: {
    status: 409,
    message: (p: { place: string }) =>
      `This rule is ${p.place} of langgraph.json. Change it there, and restart the server.`,
  },
  RULES_LIMITED: {
    status: 409,
    message: (p: { limit: number }) => `There are ${p.limit} rules already, which is the most. Delete one first.`,
  },
  QUEUE_RUN_NOT_FOUND: {
    status: 404,
    message: (p: { id: string }) => `Run not found in the annotation queue: ${p.id}`,
  },
  CODE_VERSION_NOT_FOUND: {
    status: 404,
    message: (p: { version: string }) =>
      `No code version that is kept has the hash ${p.version}, or several begin with it. GET /server/code lists them.`,
  },
  DEPLOY_REFUSED: {
    status: 409,
    message: (p: { reason: string }) => `The code was not deployed: ${p.reason}`,
  },
  DEPLOY_FAILED: {
    status: 422,
    message: (p: { reason: string }) => `The new code does not load, and the code before it stays in use. ${p.reason}`,
  },
  ALERT_NOT_FOUND: {
    status: 404,
    message: (_: { alertId: string }) => 'Alert not found',
  },
  ALERTS_LIMITED: {
    status: 409,
    message: (p: { alertsMax: number }) =>
      `There are ${p.alertsMax} alerts already. Delete one that is not needed any more.`,
  },
  SHARES_DISABLED: {
    status: 403,
    message: (_: Record<string, never>) =>
      'Public links are off. Allow them with --public-shares, THREADMILL_PUBLIC_SHARES=true or http.public_shares in langgraph.json.',
  },
  SHARE_NOT_FOUND: {
    status: 404,
    message: (_: Record<string, never>) => 'This link is not valid, or no longer.',
  },
  SHARE_TOKEN_TAKEN: {
    status: 409,
    message: (_: Record<string, never>) => 'The share_token is already in use. Leave it out to get a new one.',
  },
  LINK_NOT_FOUND: {
    status: 404,
    message: (p: { path: string }) =>
      `The link ${p.path} leads to no page of this server. Open /console/ to find datasets and experiments.`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: (p: { method: string; path: string; allowed: string }) =>
      `${p.method} is not allowed on ${p.path}. Allowed: ${p.allowed}.`,
  },
  // authentication and access control
  SESSION_ORIGIN: {
    status: 403,
    message: (p: { origin: string }) =>
      `A session counts for requests of pages of ${p.origin} only. Programs send an API key.`,
  },
  ROLE_SCOPE: {
    status: 403,
    message: (p: { role: string; action: string }) =>
      `Not authorized: the role ${p.role} does not include ${p.action}.`,
  },
  SIGN_IN_OFF: {
    status: 404,
    message: () => 'Nobody can sign in here: langgraph.json has no auth.oidc.',
  },
  SIGN_IN_ADDRESS: {
    status: 400,
    message: () =>
      'Nobody can sign in at this address, because browsers would send their sessions unencrypted. ' +
      'Set LANGGRAPH_API_URL to the https address of this server.',
  },
  SESSION_OWN: { status: 409, message: () => 'This is the session of this request. Sign out instead.' },
  SESSION_NOT_FOUND: { status: 404, message: (p: { session: string }) => `There is no session ${p.session}.` },
  UNAUTHENTICATED: { status: 401, message: (p: { reason: string }) => `Not authenticated: ${p.reason}` },
  ORIGIN_REFUSED: {
    status: 403,
    message: (p: { origin: string }) =>
      `Requests from pages of ${p.origin} are not allowed. ` +
      'Allow the origin with http.cors.allow_origins in langgraph.json or with CORS_ALLOW_ORIGINS.',
  },
  SAME_ORIGIN_REQUIRED: {
    status: 403,
    message: (p: { method: string; path: string }) =>
      `${p.method} ${p.path} is not allowed for pages of other origins while authentication is off. ` +
      'Create an API key first.',
  },
  HOST_REFUSED: {
    status: 403,
    message: (p: { host: string }) =>
      `The host name ${JSON.stringify(p.host)} is not allowed while authentication is off. ` +
      'Allow it with --allowed-hosts, THREADMILL_ALLOWED_HOSTS or http.allowed_hosts in langgraph.json.',
  },
  FORBIDDEN: { status: 403, message: (_: { action: string }) => 'Not authorized' },
  KEY_SCOPE: {
    status: 403,
    message: (p: { action: string }) => `Not authorized: this API key has no scope for ${p.action}.`,
  },
  RATE_LIMITED: {
    status: 429,
    message: (p: { perSecond: number; retryAfterS: number }) =>
      `Too many requests: this caller may send ${p.perSecond} per second.`,
  },
  RUNS_LIMITED: {
    status: 429,
    message: (p: { runs: number; retryAfterS: number }) => `Too many runs: this caller has ${p.runs} unfinished runs.`,
  },
  AUTH_REFUSED: {
    status: 401,
    message: (p: { detail: string; status: number; headers: Record<string, string> }) => p.detail,
  },
  AUTH_FAILED: {
    status: 500,
    message: (_: { where: string }) => "The auth handler failed. The server's log has the error.",
  },
  AUTH_SILENT: {
    status: 503,
    message: (p: { waitedMs: number }) => `The auth handler did not respond within ${p.waitedMs} ms.`,
  },
  // the project's HTTP app
  APP_FAILED: {
    status: 500,
    message: (_: Record<string, never>) => "The HTTP app of this server failed. The server's log has the error.",
  },
  APP_UNAVAILABLE: {
    status: 503,
    message: (p: { reason: string }) => `The HTTP app of this server does not respond: ${p.reason}`,
  },
  APP_LOAD_FAILED: {
    status: 500,
    message: (p: { file: string; reason: string }) => `The HTTP app "${p.file}" could not be loaded: ${p.reason}`,
  },
  // UI components
  UI_NOT_FOUND: { status: 404, message: (p: { name: string }) => `There are no UI components named "${p.name}".` },
  UI_LOAD_FAILED: {
    status: 500,
    message: (p: { name: string; file: string; reason: string }) =>
      `The UI components "${p.name}" (${p.file}) could not be built: ${p.reason}`,
  },
  // assistants, graphs, threads, runs
  ASSISTANT_NOT_FOUND: { status: 404, message: (_: { assistantId: string }) => 'Assistant not found' },
  ASSISTANT_EXISTS: { status: 409, message: (_: { assistantId: string }) => 'Assistant already exists' },
  ASSISTANT_VERSION_NOT_FOUND: {
    status: 404,
    message: (_: { assistantId: string; version: number }) => 'Assistant version not found',
  },
  ASSISTANT_VERSIONS_NOT_FOUND: {
    status: 404,
    message: (p: { assistantId: string }) => `Assistant "${p.assistantId}" not found.`,
  },
  ASSISTANT_CONFIGURED: {
    status: 409,
    message: (p: { graphId: string }) =>
      `This assistant belongs to the configured graph "${p.graphId}". It cannot be deleted, and its graph cannot change.`,
  },
  GRAPH_NOT_FOUND: { status: 404, message: (p: { graphId: string }) => `Graph "${p.graphId}" not found` },
  GRAPH_ROOT_NOT_FOUND: { status: 404, message: (_: { graphId: string }) => 'Failed to find root graph' },
  GRAPH_UNREADABLE: {
    status: 422,
    message: (p: { graphId: string; reason: string }) => `Graph "${p.graphId}" could not be read: ${p.reason}`,
  },
  RUN_ASSISTANT_NOT_FOUND: {
    status: 404,
    message: (p: { assistantId: string }) =>
      `No assistant found for "${p.assistantId}". Make sure the assistant ID is for a valid assistant or a valid graph ID.`,
  },
  THREAD_NOT_FOUND: { status: 404, message: (p: { threadId: string }) => `Thread with ID ${p.threadId} not found` },
  THREAD_EXISTS: { status: 409, message: (_: { threadId: string }) => 'Thread already exists' },
  THREAD_BUSY: { status: 409, message: (_: { threadId: string }) => 'Thread is busy' },
  THREAD_RUNNING: {
    status: 409,
    message: (_: { threadId: string }) =>
      'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
  },
  STATE_BUDGET_EXCEEDED: {
    status: 409,
    message: (p: { threadId: string; bytes: number; bytesMax: number }) =>
      `The state of thread ${p.threadId} has ${p.bytes} bytes, and its budget is ${p.bytesMax} ` +
      '(state_budget.thread_bytes in langgraph.json). Remove its older states with POST /threads/prune and the ' +
      'strategy "keep_latest", continue on a new thread, or raise the budget.',
  },
  RUN_NOT_FOUND: { status: 404, message: (_: { runId: string }) => 'Run not found' },
  THREAD_WITHOUT_GRAPH: { status: 400, message: (p: { threadId: string }) => `Thread ${p.threadId} has no graph ID` },
  COPY_NOT_FOUND: { status: 409, message: (_: { threadId: string }) => 'Thread not found' },
  EDIT_REFUSED: { status: 422, message: (p: { reason: string }) => `The state was not updated: ${p.reason}` },
  EDIT_LOST: {
    status: 422,
    message: (p: { reason: string }) => `The state was not updated: the graph's code did not finish: ${p.reason}.`,
  },
  CRON_NOT_FOUND: { status: 404, message: (_: { cronId: string }) => 'Cron not found or not authorized' },
  CRON_THREAD_NOT_FOUND: { status: 404, message: (_: { threadId: string }) => 'Thread not found or not authorized' },
  CRON_SCHEDULE_INVALID: {
    status: 422,
    message: (p: { problem: string }) => `Invalid cron schedule: body.schedule: ${p.problem}`,
  },
  CRONS_LIMITED: {
    status: 409,
    message: (p: { who: string; crons: number }) => `Too many crons: ${p.who} has ${p.crons}. Delete some first.`,
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    message: (_: { runId: string }) => 'This run has no webhook, or the log of its delivery has expired.',
  },
  WEBHOOK_NOT_REPEATABLE: {
    status: 409,
    message: (p: { why: string }) => `This delivery cannot be sent again: ${p.why}.`,
  },
  CHECKPOINT_NOT_FOUND: {
    status: 404,
    message: (p: { checkpointId: string }) => `Checkpoint ${p.checkpointId} not found`,
  },
  CURSOR_EXPIRED: {
    status: 409,
    message: (_: Record<string, never>) => 'The cursor has expired. Begin again with the cursor "*".',
  },
  THREAD_CHANGED: {
    status: 412,
    message: (_: { threadId: string }) => 'The thread has changed: it does not match If-Match.',
  },
  // long-term memory
  ITEM_NOT_FOUND: { status: 404, message: (_: { key: string }) => 'Item not found' },
  NAMESPACE_REQUIRED: { status: 400, message: (_: Record<string, never>) => 'Namespace is required' },
  NAMESPACE_INVALID: {
    status: 422,
    message: (p: { received: string }) =>
      `Namespace labels cannot be empty or contain periods. Received: ${p.received}`,
  },
  STORE_SCAN_LIMIT: {
    status: 400,
    message: (p: { authenticated: boolean }) =>
      `${p.authenticated ? 'Authenticated store' : 'Store'} query exceeded maximum scan limit. Narrow the namespace or filters.`,
  },
  EMBED_FAILED: {
    status: 502,
    message: (p: { reason: string }) => `The project's embedding function failed: ${p.reason}`,
  },
  EMBED_UNAVAILABLE: {
    status: 503,
    message: (p: { reason: string }) => `The project's embedding function did not respond: ${p.reason}`,
  },
  // datasets, examples, experiments
  DATASET_NOT_FOUND: { status: 404, message: (_: { datasetId: string }) => 'Dataset not found' },
  DATASET_VERSION_NOT_FOUND: {
    status: 404,
    message: (p: { version: string }) => `Dataset version ${p.version} not found`,
  },
  EXAMPLE_EXISTS: { status: 409, message: (p: { exampleId: string }) => `Example ${p.exampleId} already exists.` },
  EXAMPLE_NOT_FOUND: { status: 404, message: (_: { exampleId: string }) => 'Example not found' },
  EVALUATION_RUN_NOT_FOUND: { status: 404, message: (_: { runId: string }) => 'Run not found' },
  FEEDBACK_CONFIG_EXISTS: {
    status: 400,
    message: (p: { feedbackKey: string }) => `Feedback config already exists for key ${p.feedbackKey}`,
  },
  FEEDBACK_CONFIG_NOT_FOUND: {
    status: 404,
    message: (p: { feedbackKey: string }) => `Feedback config not found for key ${p.feedbackKey}`,
  },
  FEEDBACK_TOKEN_NOT_FOUND: { status: 404, message: (_: Record<string, never>) => 'Feedback token not found' },
  FEEDBACK_TOKEN_EXPIRED: {
    status: 410,
    message: (p: { expiredAt: string }) => `This feedback token expired at ${p.expiredAt}.`,
  },
  ATTACHMENT_NOT_FOUND: { status: 404, message: (_: Record<string, never>) => 'Attachment not found' },
  ATTACHMENT_LINK_EXPIRED: {
    status: 410,
    message: (p: { expiredAt: string }) =>
      `This link expired at ${p.expiredAt}. Read the example or run again to get a new one.`,
  },
  FEEDBACK_NOT_FOUND: { status: 404, message: (_: { feedbackId: string }) => 'Feedback not found' },
  DATASET_EXISTS: { status: 409, message: (_: { name: string }) => 'Dataset with this name already exists.' },
  DATASET_NOT_EXTERNAL: {
    status: 400,
    message: (p: { dataset: string }) =>
      `Dataset ${p.dataset} is not externally managed. Only datasets created by an upload accept uploads.`,
  },
  DATASET_AMBIGUOUS: {
    status: 400,
    message: (p: { datasetId: string; name: string }) =>
      `dataset_id ${p.datasetId} and dataset_name "${p.name}" refer to different datasets.`,
  },
  EXPERIMENT_EXISTS: { status: 409, message: (_: { name: string }) => 'Session already exists.' },
  EXPORT_CHANGED: {
    status: 409,
    message: (p: { column: string }) =>
      `The records changed during the export: column ${p.column} was added. Export again, or export JSON lines.`,
  },
  EXPERIMENT_NOT_FOUND: { status: 404, message: (_: { experimentId: string }) => 'Session not found' },
  EXPERIMENT_NOT_RUN_HERE: {
    status: 404,
    message: (_: { experimentId: string }) => 'This server has not started this experiment: it was sent by a client.',
  },
  EXPERIMENTS_LIMITED: {
    status: 409,
    message: (p: { running: number }) =>
      `Too many experiments: ${p.running} are running. Wait until one has ended, or cancel one.`,
  },
  COMPARATIVE_EXISTS: {
    status: 409,
    message: (p: { comparativeId: string }) => `Comparative experiment ${p.comparativeId} already exists.`,
  },
  COMPARATIVE_NOT_FOUND: { status: 404, message: (_: { comparativeId: string }) => 'Comparative experiment not found' },
  // API keys
  KEY_NOT_FOUND: {
    status: 404,
    message: (p: { key: string }) =>
      `There is no API key with the id or the name "${p.key}", or it is already revoked.`,
  },
  KEY_AMBIGUOUS: {
    status: 409,
    message: (p: { name: string; keyIds: string }) =>
      `Several API keys have the name "${p.name}". Use the id of one of them: ${p.keyIds}.`,
  },
  KEY_NAME_TAKEN: {
    status: 409,
    message: (p: { name: string; keyId: string }) =>
      `The valid API key ${p.keyId} already has the name "${p.name}". Revoke it first, or choose another name.`,
  },
  KEYS_TOO_MANY: {
    status: 409,
    message: (p: { keys: number }) =>
      `There are ${p.keys} or more API keys, including revoked ones. ` +
      'Create further keys on the machine, with threadmill keys create.',
  },
  KEY_OUTLIVES: {
    status: 403,
    message: (p: { expiresAt: string }) =>
      `Not authorized: this API key expires at ${p.expiresAt}. A key that it creates must not expire later. ` +
      'Send expires_at.',
  },
  KEY_OF_ENVIRONMENT: {
    status: 409,
    message: (p: { key: string }) =>
      `The API key ${p.key} comes from THREADMILL_API_KEYS. Change the variable and restart the server.`,
  },
  // runs that could not continue
  ATTEMPTS_EXCEEDED: {
    status: 500,
    message: (p: { runId: string; attempts: number }) => `Run ${p.runId} exceeded max attempts (${p.attempts}).`,
  },
  CODE_VERSION_UNAVAILABLE: {
    status: 500,
    message: (p: { version: string; graphId: string; reason: string }) =>
      `The thread waits on code version ${p.version} of the graph ${p.graphId}, which cannot run: ${p.reason}. ` +
      'Set code_versions.parked_threads to "newest" to continue such threads with the newest code.',
  },
  RUN_TIMEOUT: {
    status: 504,
    message: (p: { runId: string; timeoutMs: number }) => `Run ${p.runId} did not finish within ${p.timeoutMs} ms.`,
  },
  CALLER_UNAVAILABLE: {
    status: 500,
    message: (p: { runId: string }) =>
      `Run ${p.runId} cannot continue: its caller cannot be decrypted, because the seal key is missing or changed.`,
  },
  CRON_CALLER_GONE: {
    status: 403,
    message: (p: { reason: string }) => `The cron did not fire, because it has no valid caller: ${p.reason}`,
  },
  CRON_MISSED: {
    status: 504,
    message: (p: { slot: string; lateS: number }) =>
      `The firing at ${p.slot} was missed. It was more than ${p.lateS} s ago when the server noticed it.`,
  },
  FOREIGN_THREAD: {
    status: 403,
    message: (p: { asked: string }) => `This run may only read and write its own thread, not thread ${p.asked}.`,
  },
  // server
  OVERLOADED: {
    status: 503,
    message: (p: { what: string }) => `The server is at its limit: ${p.what}. Try again later.`,
  },
  SHUTTING_DOWN: { status: 503, message: (_: Record<string, never>) => 'The server is shutting down.' },
  STORE_FAILED: { status: 503, message: (p: { reason: string }) => `The data folder cannot be written: ${p.reason}` },
  STORE_DAMAGED: {
    status: 500,
    message: (p: { key: string }) => `A stored record is damaged and was not used: ${p.key}`,
  },
  STORE_FILE_DAMAGED: {
    status: 500,
    message: (p: { file: string; problem: string }) =>
      `The file ${p.file} is damaged: ${p.problem}. The file was not changed.`,
  },
  EVALUATION_FAILED: {
    status: 503,
    message: (p: { reason: string }) =>
      `The evaluation thread stopped before it finished: ${p.reason}. Nothing was changed. Try again.`,
  },
  INTERNAL: {
    status: 500,
    message: (p: { reference: string }) => `Internal error. Reference ${p.reference} is in the server's log.`,
  },
  // start-up
  CONFIG_INVALID: { status: 500, message: (p: { file: string; problem: string }) => `${p.file}: ${p.problem}` },
  GRAPH_LOAD_FAILED: {
    status: 500,
    message: (p: { graphId: string; file: string; reason: string }) =>
      `Graph "${p.graphId}" (${p.file}) could not be loaded: ${p.reason}`,
  },
  AUTH_LOAD_FAILED: {
    status: 500,
    message: (p: { file: string; reason: string }) => `The auth handler (${p.file}) could not be loaded: ${p.reason}`,
  },
  EMBED_LOAD_FAILED: {
    status: 500,
    message: (p: { file: string; reason: string }) =>
      `The embedding function (${p.file}) could not be loaded: ${p.reason}`,
  },
  HIDE_FUNCTION_LOAD_FAILED: {
    status: 500,
    message: (p: { file: string; reason: string }) =>
      `The function of traces.hide_with (${p.file}) could not be loaded: ${p.reason}`,
  },
  EVALUATOR_LOAD_FAILED: {
    status: 422,
    message: (p: { file: string; reason: string }) => `The evaluator ${p.file} could not be loaded: ${p.reason}`,
  },
  PORT_IN_USE: {
    status: 500,
    message: (p: { host: string; port: number }) =>
      `Port ${p.port} on ${p.host} is already in use. Choose another with --port, or --port 0 for a free one.`,
  },
  STORE_LOCKED: {
    status: 500,
    message: (p: { folder: string; pid: number | null; command: string | null }) => {
      const command = p.command === null ? '' : ` (${p.command})`;
      const holder = p.pid === null ? '' : `: process ${p.pid}${command}`;
      return (
        `The data folder ${p.folder} is in use by another threadmill process${holder}. ` +
        'Stop that process, or choose another folder with --data.'
      );
    },
  },
  STORE_FORMAT: {
    status: 500,
    message: (p: { folder: string; found: string; known: number }) =>
      `${p.folder} has format ${p.found}; this version reads format ${p.known}. ` +
      (Number(p.found) < p.known
        ? 'Start the server to upgrade the data folder.'
        : 'A newer version wrote it. Use that version, or restore an older backup.'),
  },
  STORE_NOT_ENCRYPTED: {
    status: 500,
    message: (p: { folder: string }) =>
      `The data folder ${p.folder} is not encrypted, but an encryption key is set. ` +
      `Encrypt it with "threadmill encrypt --data ${p.folder}", or start without the key. Nothing was changed.`,
  },
  ENCRYPTION_KEY_MISSING: {
    status: 500,
    message: (p: { folder: string }) =>
      `The data folder ${p.folder} is encrypted. Set its key with THREADMILL_ENCRYPTION_KEY, ` +
      'THREADMILL_ENCRYPTION_KEY_FILE or THREADMILL_ENCRYPTION_KEY_COMMAND. Nothing was changed.',
  },
  CLUSTER_UNREACHABLE: {
    status: 503,
    message: (_: Record<string, never>) =>
      'The database of the cluster cannot be reached at present, so nothing can be changed.',
  },
  CLUSTER_FENCED: {
    status: 503,
    message: (p: { epoch: number }) =>
      `Another node of the cluster has taken over from this one, which was the owner in epoch ${p.epoch}.`,
  },
  CLUSTER_NO_OWNER: {
    status: 503,
    message: (_: Record<string, never>) => 'No node of the cluster serves at present. The request had no effect.',
  },
  CLUSTER_OUTCOME_UNKNOWN: {
    status: 502,
    message: (_: Record<string, never>) =>
      'The node that served this request was lost before it answered. Whether the request took effect is not known.',
  },
  CLUSTER_DATABASE: {
    status: 500,
    message: (p: { database: string; problem: string }) =>
      `The database of the cluster, ${p.database}, cannot be used: ${p.problem}`,
  },
  CLUSTER_FORMAT: {
    status: 500,
    message: (p: { problem: string }) => `This release cannot join the cluster: ${p.problem}. Nothing was changed.`,
  },
  CLUSTER_KEY_WRONG: {
    status: 500,
    message: (_: Record<string, never>) =>
      'The cluster was created with a different THREADMILL_CLUSTER_KEY than the one that is set. Nothing was changed.',
  },
  CLUSTER_NOT_EMPTY: {
    status: 500,
    message: (p: { database: string; problem: string }) =>
      `The cluster in ${p.database} ${p.problem}. Only a cluster without data and without running nodes can take the ` +
      'data of a folder. Name another database with --cluster. Nothing was changed.',
  },
  SEAL_KEY_WRONG: {
    status: 500,
    message: (p: { folder: string; records: readonly string[]; count: number }) =>
      `The sealing key of ${p.folder} does not open the callers of ${p.count} unfinished runs and crons: ` +
      `${p.records.join(', ')}${p.count > p.records.length ? ', …' : ''}. If the server runs with ` +
      'THREADMILL_SEAL_KEY, set it to the same value. Otherwise start the server, delete these crons and let the runs ' +
      'end. Nothing was changed.',
  },
  CLUSTER_LOG_DAMAGED: {
    status: 500,
    message: (p: { index: number }) => `Entry ${p.index} of the cluster's log is damaged, or is not the one expected.`,
  },
  CLUSTER_COPY_AHEAD: {
    status: 500,
    message: (p: { folder: string; index: number }) =>
      `${p.folder} ends with entry ${p.index} of the cluster's log, which the database does not have. It may have lost ` +
      'its newest entries. The folder was not changed. Keep it: if all nodes are stopped, "threadmill cluster refill" ' +
      'can append them again. If the database was put back to an earlier state on purpose, use another folder.',
  },
  NODE_NOT_FOUND: { status: 404, message: (p: { node: string }) => `Node "${p.node}" not found` },
  NODE_NEEDED: {
    status: 409,
    message: (p: { node: string }) =>
      `"${p.node}" is the owner, and no other node can take over from it. Start another node first, or undo the drain ` +
      'of one. Nothing was changed.',
  },
  CLUSTER_REFILL: {
    status: 500,
    message: (p: { folder: string; problem: string }) =>
      `The entries of ${p.folder} cannot be appended to the log of the cluster: ${p.problem}. Nothing was changed.`,
  },
  CLUSTER_FOLDER: {
    status: 500,
    message: (p: { folder: string; problem: string }) =>
      `${p.folder} ${p.problem}. Choose another folder with --data; an empty one will do. Nothing was changed.`,
  },
  ENCRYPTION_KEY_WRONG: {
    status: 500,
    message: (p: { folder: string }) =>
      `The data folder ${p.folder} is encrypted with a different key than the one that is set. Nothing was changed.`,
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorParams<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]['message']>[0];

/** An error as stored and sent between threads. Clients receive `name` as `error`. */
export interface ErrorRecord {
  name: string;
  message: string;
}

/** An error for the caller, with a code and HTTP status from the table. */
export class ThreadmillError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly params: Record<string, unknown>;

  constructor(code: ErrorCode, params: Record<string, unknown>, cause?: unknown) {
    super((ERRORS[code].message as (p: unknown) => string)(params), cause === undefined ? undefined : { cause });
    this.name = code;
    this.code = code;
    this.status = ERRORS[code].status;
    this.params = params;
  }
}

/** Creates the error for `code`, without throwing it. Use: `throw fail('THREAD_NOT_FOUND', { threadId })`. */
export function fail<C extends ErrorCode>(code: C, params: ErrorParams<C>, cause?: unknown): ThreadmillError {
  return new ThreadmillError(code, params as Record<string, unknown>, cause);
}

/** Any thrown value as a record, with class name and message but without stack. Never throws. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  const { name, message } = describeThrown(thrown);
  return { name, message };
}

/** The error as one line of text. */
export function errorLine(error: ErrorRecord): string {
  const { name, message } = boundedError(error);
  return `${name}: ${message}`;
}

/** Shortens the texts of a record, since earlier versions stored them at any length. */
export function boundedError({ name, message }: ErrorRecord): ErrorRecord {
  return { name: boundedText(name, LIMITS.errorNameCharsMax), message: boundedText(message, LIMITS.errorTextCharsMax) };
}
