/**
 * Supported features, in the order of the sections of the reference, and the tests that prove them. If a test is
 * renamed or removed, `npm run compatibility` fails. A route of the server without a row fails a test.
 */
export interface Row {
  /** A route (`POST /threads`), several, or a field or rule. */
  what: string;
  /** The supported part of the feature, if that is not obvious. */
  about?: string;
  /** `folder/file: name`; further names of the same file behind `; `. */
  tests: string[];
}

export interface Section {
  title: string;
  rows: Row[];
}

const row = (what: string, about: string, ...tests: string[]): Row => ({ what, about, tests });

export const SECTIONS: Section[] = [
  {
    title: 'Transport',
    rows: [
      row(
        'lists in a query',
        'repeated, as JSON, comma-separated',
        'contracts/python-shapes: accepts lists in a query: repeated, as JSON, with commas',
        'contracts/sdk-thread-reads: accepts select of a state in every list format of clients',
      ),
      row(
        'empty values in a query',
        'count as absent',
        'contracts/python-shapes: accepts stream_mode of a join: repeated, as JSON, with commas, empty',
      ),
      row(
        'booleans in a query',
        '`true`, `1`',
        'contracts/python-shapes: accepts wait=0 and wait=1 of a cancel; lets the run continue with cancel_on_disconnect=0 of a join',
      ),
      row(
        'bodies',
        'JSON, with its content type or, from programs, none; empty counts as `{}`; null counts as absent; unknown fields are ignored',
        'contracts/python-shapes: accepts a JSON body with its content type or none; treats an empty body as an empty object; treats null in every optional field of a run as absent; treats null in every optional field of threads and their searches as absent; ignores unknown fields',
      ),
      row(
        'ids in a path',
        'percent-encoded, case-insensitive',
        'contracts/python-shapes: accepts a thread id in the path that is percent-encoded or in upper case',
      ),
      row(
        'errors',
        '`{"detail": "text"}`',
        'contracts/python-shapes: returns the text of an error in `detail`',
        'contracts/error-catalogue: shows status and body in the errors of the stock client',
      ),
      row(
        'pages',
        '`x-pagination-next`, `x-pagination-total`',
        'contracts/sdk-threads: returns pages and announces more in headers',
        'contracts/sdk-assistants: returns pages and whether there is more',
        'contracts/sdk-crons: announces a further page in headers',
        'contracts/sdk-many-runs: announces more runs of a list',
      ),
      row(
        'web pages of other origins',
        'refused before anything is executed, unless allowed',
        'http/cross-origin: without a key: refuses pages of other origins on every route, whatever the content type; executes requests only for origins that http.cors allows; with keys: serves any page, or the listed origins',
      ),
      row(
        'CORS',
        '`http.cors`, `CORS_ALLOW_ORIGINS`',
        'http/cors: lets every origin read with *; lets only listed origins read, and varies by origin; sends configured methods, headers, exposed headers and age',
      ),
      row(
        '`x-request-id`',
        "the request's own, or a new one",
        "http/request-ids: returns the request's x-request-id, or a new UUID",
      ),
      row('`x-api-key`', '', 'access/keys: accepts a key from the stock clients of both APIs'),
      row(
        'limits of a body',
        '`HTTP_MAX_REQUEST_BODY_BYTES`',
        'contracts/error-catalogue: returns 413 for a body that is too large',
      ),
    ],
  },
  {
    title: 'Assistants',
    rows: [
      row(
        '`POST /assistants`',
        'every field, `if_exists`',
        'contracts/sdk-assistants: stores every field; uses the given id, once; refuses an unknown graph',
      ),
      row(
        '`POST /assistants/search`',
        '`metadata`, `graph_id`, `name`, `limit`, `offset`, `sort_by`, `sort_order`, `select`',
        'contracts/sdk-assistants: finds by metadata, graph and part of the name, newest first; sorts; returns pages and whether there is more; returns only selected fields',
      ),
      row('`POST /assistants/count`', '', 'contracts/sdk-assistants: counts the assistants that a search finds'),
      row(
        '`GET /assistants/{assistant_id}`',
        "by id or by the graph's name",
        'contracts/sdk-assistants: finds the same assistant under both names',
      ),
      row(
        '`PATCH /assistants/{assistant_id}`',
        'each change creates a version',
        'contracts/sdk-assistants: replaces given fields, merges metadata and keeps the rest; creates a version for every update, also for two at once',
      ),
      row(
        '`DELETE /assistants/{assistant_id}`',
        '`delete_threads`',
        'contracts/sdk-assistants: deletes versions and runs and keeps threads; deletes its threads if requested; ends its running and queued runs',
      ),
      row(
        '`POST /assistants/{assistant_id}/versions`',
        '`limit`, `offset`, `metadata`',
        'contracts/sdk-assistants: lists complete versions, newest first',
      ),
      row(
        '`POST /assistants/{assistant_id}/latest`',
        '',
        'contracts/sdk-assistants: returns to an earlier version and numbers the next change anew; accepts the requests of the Python client',
      ),
      row(
        'assistants of graphs',
        'id, name, description, `LANGGRAPH_CONFIG`',
        'http/graph-forms: gives each graph the assistant id that every server gives it',
        'http/assistants: configures the assistants of graphs by LANGGRAPH_CONFIG',
      ),
    ],
  },
  {
    title: 'Graphs',
    rows: [
      row(
        '`GET /assistants/{assistant_id}/graph`',
        '`xray`',
        'schemas/drawings: draws a graph, with its subgraphs down to a depth on request',
      ),
      row(
        '`GET /assistants/{assistant_id}/schemas`',
        'from the running code, otherwise from the types',
        'schemas/schemas: returns schemas of the running code without reading types; reads from types what the running code does not contain',
      ),
      row(
        '`GET /assistants/{assistant_id}/subgraphs`, `GET /assistants/{assistant_id}/subgraphs/{namespace}`',
        '`recurse`; both sets of names',
        'schemas/schemas: returns schemas of subgraphs under both sets of names',
      ),
      row(
        'graph factories',
        "called with the assistant's configuration",
        'schemas/drawings: calls a factory with the configuration of the assistant',
      ),
    ],
  },
  {
    title: 'Threads',
    rows: [
      row(
        '`POST /threads`',
        '`thread_id`, `metadata`, `if_exists`',
        'contracts/sdk-threads: creates an idle thread without values and with the given metadata; creates a thread under the given id; returns the existing thread unchanged with do_nothing',
      ),
      row(
        '`ttl` of a thread',
        '`delete`, `keep_latest`, `checkpointer.ttl`',
        'contracts/sdk-thread-changes: removes an expired thread with everything it has',
      ),
      row(
        '`supersteps`',
        '',
        'contracts/sdk-state-updates: creates a thread with the history of another; accepts commands in supersteps; creates no thread from a history that the graph refuses',
      ),
      row(
        '`POST /threads/search`, `GET /threads`',
        '`ids`, `metadata`, `values`, `status`, `limit`, `offset`, `sort_by`, `sort_order`, `select`',
        'contracts/sdk-threads: finds by metadata, newest first; finds by ids, alone and with metadata; sorts; finds a thread by its status at every stage; searches the values of the latest state; returns only selected fields; applies the same filters in GET /threads',
      ),
      row('`extract`', '', "contracts/sdk-thread-reads: returns extracted parts under names of the client's choosing"),
      row('`POST /threads/count`', '', 'contracts/sdk-thread-reads: returns the number of found threads from count'),
      row(
        '`POST /threads/prune`',
        '`delete`, `keep_latest`',
        'contracts/sdk-thread-changes: keeps the newest state and everything it depends on; deletes threads by default and skips running ones',
      ),
      row(
        '`GET /threads/{thread_id}`',
        '`include=ttl`',
        'contracts/sdk-thread-reads: accepts include of a thread in every format',
        'contracts/sdk-1.9: creates, reads, changes, copies, finds, counts, prunes and deletes threads',
      ),
      row(
        '`PATCH /threads/{thread_id}`',
        'merges metadata; `Prefer: return=minimal`',
        'contracts/sdk-threads: merges metadata one level deep',
        'contracts/sdk-thread-reads: returns no body to a change that asks for none',
      ),
      row(
        '`DELETE /threads/{thread_id}`',
        '',
        'contracts/sdk-threads: deletes a thread with its runs and states and frees its id; ends the runs of a deleted busy thread',
      ),
      row(
        '`GET /threads/{thread_id}/export`, `POST /threads/import`',
        'only in Threadmill: a thread as a file',
        'contracts/thread-files: moves a thread with all its data to another server, where it continues; refuses an id in use, or imports under a new id; refuses an incomplete file by its line and leaves nothing; lets readers of a thread export it, and only operators import',
      ),
      row(
        '`POST /threads/{thread_id}/copy`',
        '',
        'contracts/sdk-thread-changes: copies the whole state and history under a new id; keeps a copy independent, also when the original is deleted',
      ),
      row('`GET /threads/{thread_id}/storage`', '', 'contracts/sdk-thread-changes: reports the storage of a thread'),
    ],
  },
  {
    title: 'State and history',
    rows: [
      row(
        '`GET /threads/{thread_id}/state`',
        '`subgraphs`, `select`',
        'contracts/sdk-threads: returns the latest state; returns the state of a subgraph',
        'contracts/sdk-thread-reads: returns the selected parts of states',
      ),
      row(
        '`GET /threads/{thread_id}/state/{checkpoint_id}`, `POST /threads/{thread_id}/state/checkpoint`',
        '',
        'contracts/sdk-threads: returns a state by its checkpoint, in both forms',
      ),
      row(
        '`POST /threads/{thread_id}/state`',
        '`values`, `as_node`, `checkpoint`',
        'contracts/sdk-state-updates: applies an update as the named node and continues from there; forks the thread when an earlier checkpoint is updated; marks a node as done with null values; updates the state of a subgraph by its namespace',
      ),
      row(
        '`PATCH /threads/{thread_id}/state`',
        '',
        'contracts/sdk-state-updates: merges metadata into the thread with patchState',
      ),
      row(
        '`GET /threads/{thread_id}/history`, `POST /threads/{thread_id}/history`',
        '`limit`, `before`, `metadata`, `checkpoint`, `select`',
        'contracts/sdk-threads: returns every step of the history, newest first; returns parts of the history; returns ten entries of the history by default',
        'contracts/sdk-thread-reads: returns the same history from GET and POST',
      ),
      row(
        'a thread without a run',
        '',
        'contracts/sdk-threads: returns an empty state and no history for a thread without runs',
      ),
      row(
        'interrupts',
        'in thread, state and tasks',
        'contracts/sdk-threads: shows the interrupts of an interrupted thread',
      ),
    ],
  },
  {
    title: 'The stream of a thread',
    rows: [
      row(
        '`GET /threads/{thread_id}/stream`',
        '`run_modes`, `lifecycle`, `state_update`; `Last-Event-ID`',
        'contracts/thread-stream: run_modes, the default, sends the events and the end of every run; lifecycle sends start and end of each run, state_update the state after it; accepts both names and every format of the parameter; continues over runs from a cursor, each event once',
      ),
    ],
  },
  {
    title: 'Runs',
    rows: [
      row(
        '`POST /threads/{thread_id}/runs`',
        '',
        'contracts/sdk-runs: runs a created run in the background and lets clients join it; shows the arguments of a run',
      ),
      row(
        '`POST /threads/{thread_id}/runs/stream`',
        '',
        'contracts/sdk-streams: starts with run and attempt, and increases event ids',
      ),
      row(
        '`POST /threads/{thread_id}/runs/wait`',
        '',
        'contracts/sdk-runs: returns the final values from a wait; always returns an object from a wait; raises the error of a failed run from a wait, unless disabled',
      ),
      row(
        '`POST /runs`, `POST /runs/stream`, `POST /runs/wait`',
        '`on_completion`',
        'contracts/sdk-runs: leaves nothing behind after a stateless run; keeps a stateless background run until it ends; keeps the thread of a stateless run with onCompletion keep',
        'http/runs-stream: streams metadata first and then updates of a stateless run',
      ),
      row(
        '`POST /runs/batch`',
        '',
        'contracts/sdk-many-runs: creates the runs of a batch in order, each on its own thread; creates a whole batch or none of it',
      ),
      row(
        '`GET /threads/{thread_id}/runs`',
        '`limit`, `offset`, `status`, `select`',
        'contracts/sdk-runs: lists runs newest first, in pages, by status, with selected fields',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}`',
        '',
        'contracts/sdk-runs: returns 404 for an unknown run and a run of another thread; runs a created run in the background and lets clients join it',
      ),
      row(
        '`DELETE /threads/{thread_id}/runs/{run_id}`',
        '',
        'contracts/sdk-runs: deleting a run; keeps later runs and their state when an older run is deleted',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/join`',
        '`cancel_on_disconnect`',
        'contracts/sdk-runs: runs a created run in the background and lets clients join it; ends the run with cancelOnDisconnect of a join',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/why`, `GET /runs/{run_id}/why`',
        'only in Threadmill: the reason why a run waits',
        'http/why: shows what a run waits for, from its thread to its worker; shows how a run ended',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/stream`, `GET /runs/{run_id}/stream`',
        '`stream_mode`, `cancel_on_disconnect`, `namespace`, `Last-Event-ID`',
        'contracts/sdk-streams: sends only later events to a client that joins without a cursor; is replayed from the start, with the same ids and data; ends the run when a client with cancelOnDisconnect disconnects',
        'contracts/sdk-stream-filters: follows a run by its id alone; applies streamNamespaces to a new run and to a join',
      ),
      row(
        '`POST /threads/{thread_id}/runs/{run_id}/cancel`',
        '`wait`, `action`, `reason`',
        'contracts/sdk-runs: interrupt keeps the stored steps of the run; rollback removes the run and everything it wrote; accepts a cancel without waiting and ends the run',
        'contracts/sdk-many-runs: shows why a run was canceled',
      ),
      row(
        '`POST /runs/cancel`',
        'by status, by ids',
        'contracts/sdk-many-runs: cancels runs by thread and ids; cancels runs by status; accepts either a status or a thread and ids',
      ),
      row(
        '`config`, `context`, `metadata`',
        '',
        'contracts/sdk-runs: passes config, context and metadata to the graph; limits the steps of a run by recursion_limit',
      ),
      row(
        '`command`',
        '`update`, `resume`, `goto`',
        'contracts/sdk-runs: updates the state by a command; jumps to a node by a command, by name or with its own input; answers some or all interrupts by a map of ids; resumes with any JSON value',
      ),
      row('`strict_resume`', '', 'contracts/sdk-runs: fails a run that answers nothing with strictResume'),
      row(
        '`checkpoint`, `checkpoint_id`',
        '',
        'contracts/sdk-runs: forks the thread with a run from an earlier checkpoint',
        'contracts/sdk-options: starts a stream at a checkpoint, named in either way',
      ),
      row(
        '`interrupt_before`, `interrupt_after`',
        '',
        'contracts/sdk-runs: stops before the given nodes and continues from there; continues behind the node after which it stopped; stops at every node with interruptBefore "*"',
      ),
      row(
        '`multitask_strategy`',
        'default `enqueue`',
        'contracts/sdk-runs: reject refuses it and leaves the first run alone; enqueue, the default, runs it after the first run; interrupt stops the first run and continues from its stored state; rollback removes the first run and starts from the state before it',
      ),
      row(
        '`if_not_exists`, `after_seconds`',
        '',
        'contracts/sdk-runs: creates or refuses a missing thread by ifNotExists; delays a run by afterSeconds and runs others first',
      ),
      row(
        '`on_disconnect`',
        'default `continue`',
        'contracts/sdk-runs: cancel ends the run when a streaming client disconnects; cancel ends the run when a waiting client disconnects; continue, the default, lets the run finish; cancel does nothing at the normal end',
      ),
      row(
        '`durability`, `checkpoint_during`',
        '',
        'contracts/sdk-runs: keeps every step with durability sync and async; keeps only the last step with durability exit',
        'contracts/how-runs-stop: stores the same non-JSON values with durability exit as with sync',
        'contracts/sdk-options: accepts every option of a stream',
      ),
      row(
        '`Content-Location`',
        '',
        'contracts/sdk-runs: names only the run in Content-Location, readable by browsers; calls onRunCreated exactly once, with the stored run',
      ),
      row(
        '`Location`',
        'the clients reconnect by themselves',
        "contracts/reconnects: resumes a stream of a thread's run, as useStream opens it; resumes a joined stream; resumes the stream of a thread; offers to resume only streams that can be resumed",
      ),
      row(
        'retries',
        'after the loss of a worker',
        'faults/workers: succeeds after one lost worker, and counts an attempt only for a loss while alone; continues a stateless stream with a second attempt when its worker is lost',
      ),
    ],
  },
  {
    title: 'Events',
    rows: [
      row(
        'framing',
        '',
        'contracts/sdk-streams: writes an event as three lines and an empty one; never repeats event ids of a thread',
      ),
      row('heartbeats', '', 'contracts/traps: sends heartbeats while graphs block every worker'),
      row(
        '`values`, `updates`, `custom`',
        '',
        'contracts/sdk-streams: values; updates; custom; sends values by default and for an empty list',
      ),
      row(
        '`messages`',
        '',
        'contracts/sdk-streams: messages: sends growing partial messages and each complete one once; messages: sends metadata once, before the first part',
      ),
      row('`messages-tuple`', '', 'contracts/sdk-streams: messages-tuple: sends each new part with its origin'),
      row('`tasks`, `checkpoints`, `debug`, `events`', '', 'contracts/sdk-streams: tasks; checkpoints; debug; events'),
      row('`tools`', '', 'contracts/sdk-stream-filters: streams tools with their progress and failures'),
      row('`error`', '', 'contracts/sdk-streams: ends the stream of a failed run with an error event'),
      row(
        '`stream_subgraphs`',
        '',
        'contracts/sdk-streams: adds the namespace to the names of events; adds the namespace to tasks and debug',
      ),
      row('`namespace`', '', 'contracts/sdk-stream-filters: applies streamNamespaces to a new run and to a join'),
      row(
        '`stream_resumable`',
        'replay, also after a restart of the server',
        'contracts/sdk-streams: continues after any event; keeps the events of a resumable run over a restart',
      ),
      row(
        '`RemoteGraph`',
        '',
        'contracts/remote-graph: invoke returns the final values; stream yields the same as a local graph in each mode; stream of subgraphs yields namespaces; raises interrupts, shows them in the state and resumes with a command; getState returns a snapshot, also of an earlier checkpoint',
      ),
    ],
  },
  {
    title: 'Crons',
    rows: [
      row(
        '`POST /runs/crons`, `POST /threads/{thread_id}/runs/crons`',
        'every field',
        'contracts/sdk-crons: returns every field of a new cron; creates a cron of a thread',
        'contracts/sdk-options: accepts every option of a cron',
      ),
      row(
        '`GET /runs/crons/{cron_id}`, `PATCH /runs/crons/{cron_id}`, `DELETE /runs/crons/{cron_id}`',
        '',
        'contracts/sdk-crons: changes only the fields of an update; returns 404 after a delete; accepts the requests of the Python client',
      ),
      row(
        '`POST /runs/crons/search`, `POST /runs/crons/count`',
        '',
        'contracts/sdk-crons: searches with filters, pages and selected fields, and counts; sorts by every field and places missing values last or first',
      ),
      row(
        'time zones',
        'daylight saving',
        'crons/schedule: fires skipped times once, right after the clocks go forward, and continues intervals; fires repeated times once, at the first, and continues intervals when the clocks go back',
      ),
      row(
        '`enabled`, `end_time`',
        '',
        'crons/slots: does not fire while disabled, and continues from the present; stops at its end_time',
      ),
      row(
        'one run per slot',
        'missed slots become one firing',
        'crons/slots: fires once for all missed slots; fires once after a restart for all missed slots',
        'crons/kill: starts one run for each slot, wherever the server is killed',
      ),
    ],
  },
  {
    title: 'Store',
    rows: [
      row(
        '`PUT /store/items`, `GET /store/items`, `DELETE /store/items`',
        '`ttl`, `refresh_ttl`',
        'contracts/sdk-store: puts, reads, replaces and deletes an item; returns the statuses and bodies of the protocol; expires items for clients and graphs, and refreshes them on read',
      ),
      row(
        '`POST /store/items/search`',
        '`namespace_prefix`, `filter`, `limit`, `offset`',
        'contracts/sdk-store: searches by whole labels, newest update first, in pages; filters items',
      ),
      row(
        '`query`, `store.index`',
        'semantic search; `index` of a put',
        'contracts/sdk-store-meaning: returns the nearest items first, with a score; searches the configured fields of an item',
      ),
      row(
        '`POST /store/namespaces`',
        '',
        'contracts/sdk-store: lists namespaces with items, by prefix, suffix and depth',
      ),
      row('one store for clients and graphs', '', 'contracts/sdk-store: shows graphs and clients the same items'),
    ],
  },
  {
    title: 'Webhooks',
    rows: [
      row(
        '`webhook`',
        'payload, for every status of a run',
        'webhooks/deliveries: delivers the values of a run on a thread; delivers the end of a run, however it was started; delivers the error of a failed run',
      ),
      row(
        '`webhooks` of `langgraph.json`',
        '`headers`, `url`',
        'webhooks/config: accepts valid settings; sends configured headers with every delivery and follows the loopback setting',
        'webhooks/addresses: restricts schemes, domains, ports and lengths',
      ),
      row(
        'retries',
        '',
        'webhooks/retries: repeats a delivery under the same id until it is accepted; sends pending deliveries after a restart',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/webhook`',
        'only in Threadmill: status of the delivery',
        'webhooks/deliveries: shows the deliveries to everyone who sees the run',
      ),
      row(
        '`POST /threads/{thread_id}/runs/{run_id}/webhook`, `GET /webhooks/deliveries`',
        'only in Threadmill: failed deliveries are sent again; the deliveries of all runs',
        'webhooks/failed-deliveries: sends a failed delivery again, also after a restart; lists deliveries by status, the newest first',
      ),
      row(
        '`http.disable_webhooks`',
        '',
        'webhooks/config: sends nothing and runs everything with http.disable_webhooks',
      ),
    ],
  },
  {
    title: 'MCP and A2A',
    rows: [
      row(
        '`POST /mcp`',
        '',
        'contracts/mcp: serves initialize, ping, list and call of the official client; returns the HTTP statuses and error codes of the protocol',
      ),
      row(
        '`POST /a2a/{assistant_id}`',
        'versions 1.0 and 0.3',
        'contracts/a2a: version 1.0: continues a conversation of two tasks in one context; version 0.3: continues a conversation of two tasks in one context; streams a task in both versions; refuses invalid requests',
        'contracts/a2a-client: lets the official client find an agent by its card and talk to it',
      ),
      row(
        '`GET /.well-known/agent-card.json`, `GET /a2a/{assistant_id}/.well-known/agent-card.json`',
        '',
        'contracts/a2a: serves the cards of agents',
      ),
      row(
        '`http.disable_mcp`, `http.disable_a2a`',
        '',
        'contracts/mcp: serves nothing with http.disable_mcp',
        'contracts/a2a: returns 404 with http.disable_a2a',
      ),
    ],
  },
  {
    title: 'The server',
    rows: [
      row(
        '`GET /ok`',
        '`check_db`',
        'http/api-options: /ok reads the store on request; /ok returns 500 after a failed commit or when the store cannot be read',
      ),
      row('`GET /info`', '', 'http/api-options: /info returns what clients read and the LangGraph version of graphs'),
      row(
        '`GET /metrics`',
        '`format`; `names` only in Threadmill',
        'http/metrics: exports every metric in the Prometheus format, as in the table; returns the official fields and the same metrics with ?format=json',
      ),
      row(
        '`GET /backup`, `GET /server/backup`',
        'only in Threadmill: all data, for `threadmill restore`; the last backup, and the schedule of backups with its files',
        'cli/backup: backs up a running server during writes and restores the same data; shows when the last backup was made; gives a backup only to a full key or one with the backup scope',
        'http/scheduled-backups: writes backups on schedule, keeps the newest, and makes up for a missed one',
      ),
      row(
        '`GET /server/queue`, `GET /server/storage`',
        'only in Threadmill: waiting runs with reasons; stored records by kind, and states by thread, owner and channel',
        'http/server-routes: shows for every run who runs it or what it waits for; counts every record once, by the kinds of the key table',
        'http/state-budget: stores a profile each day, from which growth is computed',
      ),
      row(
        '`GET /server/code`, `GET /server/code/{version}`',
        "only in Threadmill: the versions of the graphs' code that are kept, and one of them with its bundle",
        'http/code-versions: lists the versions of each graph, and returns one with its code',
      ),
      row(
        '`POST /server/code`',
        'only in Threadmill: loads the code of the graphs again, or other code, into the running server',
        'http/deploy: loads the project again, and other code from folders that it allows; only a key with full access or its scope may deploy',
      ),
      row(
        '`GET /server/history`',
        'only in Threadmill: runs, waits, requests and load over the last 90 days',
        'http/history: keeps what the server did, minute by minute, also over a restart',
      ),
      row(
        '`GET /server/sample`, `POST /server/sample`',
        'only in Threadmill: sample threads and experiments, for trying the console',
        'http/sample: loads threads, a dataset and two experiments once',
      ),
      row(
        '`POST /v1/traces`',
        'only in Threadmill: spans of OpenTelemetry as runs of traces (OTLP over HTTP)',
        'traces/otlp: stores what an exporter sends as JSON, and the stock client reads it; stores what an exporter sends as Protocol Buffers, and the stock client reads it',
      ),
      row(
        '`GET /server/keys`, `POST /server/keys`, `DELETE /server/keys/{key}`',
        'only in Threadmill: API keys',
        'http/server-routes: manages keys over the API',
      ),
      row(
        '`GET /server/sign-in`, `GET /server/sign-in/callback`, `POST /server/sign-out`, `GET /server/session`',
        'only in Threadmill: people sign in to the console with an identity provider',
        'access/sign-in: a person signs in, works within the role, and signs out',
      ),
      row(
        '`GET /server/audit`',
        'only in Threadmill: what was changed by whom, and who signed in',
        'access/audit: says who changed what, from where, and with which result; filters and pages',
      ),
      row(
        '`GET /server/sessions`, `DELETE /server/sessions/{session}`',
        'only in Threadmill: the sessions of people who signed in',
        'access/sign-in: an administrator lists and ends sessions, and a person has a limited number',
      ),
      row(
        '`GET /server/nodes`, `POST /server/nodes/{node}/drain`, `DELETE /server/nodes/{node}/drain`',
        'only in Threadmill: the nodes of a cluster, and taking them out of service',
        'cluster/observability: lists the nodes, drains one and puts it back over the API',
      ),
      row(
        '`GET /`',
        'only in Threadmill: version and links as JSON; browsers are redirected to the console',
        'http/root: redirects browsers to the console, and answers programs with version and links',
      ),
      row(
        '`GET /console`, `GET /console/*`',
        'only in Threadmill: the console',
        'http/console-files: loads its files from every URL, and the policy allows nothing else',
      ),
      row(
        '`GET /o/*`',
        'only in Threadmill: links that evaluation clients print lead to the console',
        'contracts/langsmith-links: redirects every link that the client makes to the page of the console',
      ),
      row(
        '`GET /public/{token}/d`, `GET /public/{token}/r`',
        'only in Threadmill: share links of evaluation clients lead to the console',
        'contracts/langsmith-shares: shows what is shared in a browser, without a key and without the menu',
      ),
      row(
        '`GET /docs`, `GET /openapi.json`, `GET /docs/swagger-ui.css`, `GET /docs/swagger-ui-bundle.js`, `GET /docs/page.js`',
        '',
        'http/api-options: serves everything below the prefix, and only /ok without it',
      ),
      row(
        '`http.disable_*`, `http.mount_prefix`',
        '`MOUNT_PREFIX`',
        'http/api-options: disables each group of routes: 404, and nothing in the OpenAPI document; serves everything below the prefix, and only /ok without it; MOUNT_PREFIX overrides the file, and may be empty',
      ),
      row(
        '`http.configurable_headers`',
        '',
        'http/api-options: passes configured request headers to configurable in lower case, and never secrets',
      ),
      row('`http.logging_headers`', '', 'http/request-log: logs configured headers truncated, and never secrets'),
      row(
        '`http.app`',
        '`middleware_order`, `enable_custom_route_auth`',
        'app/custom-routes: answers its routes; streams responses; runs middleware around built-in routes; lets middleware change the body of a built-in request; applies authentication to the routes of the app',
      ),
      row(
        'webhooks to a path',
        '',
        'app/custom-routes: delivers a webhook with a path alone to a route of the app; refuses a webhook without a host when there is no app',
      ),
      row(
        '`POST /ui/{agent}`, `GET /ui/{agent}/{file}`',
        '`ui`, `ui_config`',
        'app/ui: builds and serves components as the stock page loads them',
      ),
      row(
        '`new Client()` inside graphs',
        '',
        'http/own-server: lets a graph call its own server; authenticates calls like those of any client',
      ),
      row(
        '`feedback_keys`',
        '',
        'contracts/feedback-addresses: sends feedback URLs as the last event of a run, in order and once for every reader; returns feedback URLs beside the values of waits and joins',
      ),
      row(
        '`POST /threads/{thread_id}/commands`, `POST /threads/{thread_id}/stream/events`',
        '`run.start`, `input.respond`, `agent.getTree`, `state.get`, `state.listCheckpoints`, `state.fork`; channels, namespaces, depth, since; threads that are not there yet; `strict_resume`',
        'contracts/sdk-protocol: the stock client: receives and answers one interrupt or many; treats respond, and an input during an interrupt, as answers; sends messages as blocks with the ids of the state; sends events in order with ids and times; keeps all events and ids over a restart; sends an end for every run, also a failed or canceled one; queues, replaces or refuses further runs of a thread by strategy; waits for a thread that does not exist yet and starts with its first event; sends tasks under their graph and starts a watcher at the present for the Python client',
      ),
      row(
        'the same routes',
        'reading and forking',
        'contracts/protocol-state: state.get: returns the values of a graph, all or by keys, at the root and below; state.listCheckpoints: returns pages, newest first; state.fork: continues from an older state; agent.getTree: returns the graphs of a run, during and after it; strict_resume: ends the run with the open questions when an answer fits none',
      ),
      row(
        'a WebSocket at the same address',
        'commands and subscriptions; `transport`, `webSocketFactory`',
        'contracts/protocol-socket: runs, streams values and answers an interrupt with the stock client over a WebSocket; answers a subscription before its replay, which equals that of SSE; serves many sockets and subscriptions beside commands over HTTP; applies keys, users and origins to sockets',
      ),
      row(
        '`useStream`',
        'React',
        'contracts/use-stream: shows messages, thread, history and another branch of a conversation; shows and answers an interrupt; stops a run from its page, and another page joins a running one',
      ),
      row(
        '`useStream` of `@langchain/react`',
        'SSE and WebSocket',
        'contracts/use-stream-v2: SSE: a conversation of two turns, and another page that opens its thread; SSE: an interrupt is shown and answered; SSE: an error of the graph is shown, and a run is stopped by its page; WebSocket: a conversation of two turns, and another page that opens its thread; WebSocket: an interrupt is shown and answered; WebSocket: an error of the graph is shown, and a run is stopped by its page',
      ),
      row(
        '`threads.stream` of the Python client',
        'SSE and WebSocket',
        'python/langgraph-sdk: serves threads.stream of the Python client over SSE and WebSockets',
      ),
      row(
        'agent-chat-ui, deep-agents-ui',
        'what they request; approvals of JavaScript graphs',
        'contracts/front-ends: answers pages of this machine with the headers that front ends send; finds threads by the name of their graph and by their assistant, and assistants by both; asks for approvals of JavaScript graphs in the spelling of JavaScript',
      ),
      row(
        'traces',
        '`OTEL_*`',
        'tracing/tracing: exports one trace for a request, its run, the wait and the attempt, without content',
      ),
    ],
  },
  {
    title: 'Authentication and access control',
    rows: [
      row(
        '`auth.path`',
        '`authenticate`, `on`',
        "access/handlers: shows each user only their own threads; returns the handler's own status, text and headers to an unauthenticated client; applies $or and $contains, treats false as 403 and an invalid verdict as 500",
      ),
      row('choice of the handler', '', 'access/options: calls only the most specific handler'),
      row(
        '`auth.disable_studio_auth`, `auth.cache`, `auth.allow_langsmith_api_keys`',
        'the studio is disabled by default',
        'access/options: admits the studio only where it is enabled, and only with a key; caches users only when the handler is configured to; allow_langsmith_api_keys: shows a key of this server what its owner sees',
      ),
      row(
        'store events',
        '',
        'access/store: shows a handler the operation and the fields of the request; applies the namespace that a handler prepends everywhere, in graphs too',
      ),
      row(
        'every route',
        'as owner, as another user, without authentication',
        'access/matrix: with a handler: answers every route as owner, other user and nobody',
      ),
      row(
        '`langgraph_auth_user`',
        '',
        'access/handlers: passes the authenticated user to the graph, whatever the client sets',
      ),
    ],
  },
  {
    title: 'langgraph.json and the environment',
    rows: [
      row(
        '`graphs`',
        'compiled, builder, promise, factory, agent',
        'http/graph-forms: accepts a builder, a promise, a factory and JavaScript as graphs; streams tokens of the example agent, asks before a mail and continues with the answer',
      ),
      row('`env`', '', 'http/graph-forms: passes the environment of langgraph.json to graphs'),
      row(
        '`store.ttl`, `store.index`',
        '',
        'contracts/sdk-store: expires items for clients and graphs, and refreshes them on read',
        'contracts/sdk-store-meaning: embeds existing items when an index is configured or changed',
      ),
      row(
        '`LANGGRAPH_AES_KEY`',
        'encrypts all values in the data folder; `encryption` handlers are not called',
        'store/encryption: stores no plain text in a new encrypted folder, which opens only with its key',
        'store/encryption: reads the key from a flag, a file, a command or a variable',
      ),
      row(
        'environment variables',
        'docs/configuration.md',
        'docs: lists every environment variable, and no other, in docs/configuration.md',
      ),
    ],
  },
];

/** A row of the error catalogue: request, status, text, test. */
export interface ErrorRow {
  where: string;
  status: string;
  says: string;
  test: string;
  /** The official response, and the reason for ours. */
  differs?: string;
}

const error = (where: string, status: string, says: string, name: string, differs?: string): ErrorRow => ({
  where,
  status,
  says,
  test: `contracts/error-catalogue: ${name}`,
  ...(differs === undefined ? {} : { differs }),
});

export const CATALOGUE: ErrorRow[] = [
  error(
    'assistant get, patch, delete, latest: missing',
    '404',
    '`Assistant not found`',
    'returns 404 for get, patch, delete and latest of a missing assistant',
  ),
  error(
    'the same: hidden',
    '404',
    '`Assistant not found`',
    'returns 404 for get, patch, delete and latest of a hidden assistant',
  ),
  error(
    'latest: unknown version',
    '404',
    '`Assistant version not found`',
    'returns 404 for latest of an unknown version',
  ),
  error(
    'create an assistant: exists, also hidden',
    '409',
    '`Assistant already exists`',
    'returns 409 for an assistant whose id exists, even if it is hidden',
  ),
  error('versions: empty', '404', '`Assistant "<id>" not found.`', 'returns 404 for an empty list of versions'),
  error('unknown graph', '404', '`Graph "<id>" not found`', 'returns 404 for an assistant of an unknown graph'),
  error(
    'schemas, drawing: no graph, or an error in its code',
    '404, 422',
    '`Failed to find root graph`',
    'returns an error for a graph without a root and one that cannot be drawn',
  ),
  error(
    'run: unknown assistant or graph',
    '404',
    '`No assistant found for "<id>". Make sure …`',
    'returns 404 for a run of an unknown assistant or graph',
  ),
  error(
    'thread get, delete, state, history',
    '404',
    '`Thread with ID <id> not found`',
    'returns 404 for get, delete, state and history of a missing or hidden thread',
  ),
  error(
    'thread patch',
    '404',
    '`Thread with ID <id> not found`',
    'names the missing thread of a change',
    'officially `Thread not found`; here the text is the same for every route',
  ),
  error(
    'thread copy: missing, hidden',
    '409',
    '`Thread not found`',
    "returns an error for a copy of a missing thread or another user's",
  ),
  error('create a thread: exists', '409', '`Thread already exists`', 'returns 409 for a thread that exists'),
  error(
    'run: thread missing, `if_not_exists=reject`',
    '404',
    '`Thread with ID <id> not found`',
    'returns 404 for a run on a missing thread',
  ),
  error(
    'state update: a run is pending or running',
    '409',
    '`Thread is busy`',
    'returns 409 for a state update while a run is pending or running, and for a rejected run',
  ),
  error(
    '`multitask_strategy=reject`',
    '409',
    '`Thread is already running a task. Wait …`',
    'returns 409 for a state update while a run is pending or running, and for a rejected run',
  ),
  error(
    'state update: thread without a graph',
    '400',
    '`Thread <id> has no graph ID`',
    'returns an error for a state update of a thread without a graph',
  ),
  error(
    'supersteps: no graph',
    '422',
    '`body.metadata.graph_id: is required with supersteps`',
    'names the place of supersteps without a graph',
    'officially 400 with the id of a thread; no thread is created, so none is named',
  ),
  error('run get, delete, cancel', '404', '`Run not found`', 'returns 404 for get, delete and cancel of a missing run'),
  error('cancel: the run has ended', '404', '`Run not found`', 'returns an error for a cancel of a finished run'),
  error(
    'join, stream: thread hidden',
    '404',
    '`Thread with ID <id> not found`',
    'returns its own status for a join or stream of a hidden thread',
    'the development server returns 200 and an `error` event; here the status is known before the stream begins',
  ),
  error('store: no namespace', '400', '`Namespace is required`', 'refuses an item without a namespace'),
  error(
    'store: empty label, label with a period',
    '422',
    '`Namespace labels cannot be empty or contain periods. Received: a.b`',
    'refuses labels that are empty or contain periods',
  ),
  error(
    'store: item hidden',
    '404',
    '`Item not found`',
    'returns 404 for a hidden item and 403 for a put outside of the filter',
  ),
  error(
    'store: write outside the filter',
    '403',
    '`Not authorized`',
    'returns 404 for a hidden item and 403 for a put outside of the filter',
  ),
  error(
    'store: too many items to search',
    '400',
    '`Authenticated store query exceeded maximum scan limit. …`',
    'refuses a search that would read too many items',
  ),
  error('auth handler: false', '403', '`Not authorized`', 'returns 403 when a handler returns false'),
  error(
    'auth handler: invalid return value',
    '500',
    '`The auth handler failed. …`',
    'returns 500 when the verdict of a handler is invalid',
    'the development server sends the return value of the handler to the client; here it is in the log only',
  ),
  error('cron: schedule', '422', '`Invalid cron schedule: …`', 'refuses an invalid schedule'),
  error(
    'cron: thread missing, hidden',
    '404',
    '`Thread not found or not authorized`',
    'returns 404 for a cron on a missing or hidden thread',
  ),
  error(
    'body too large',
    '413',
    '`The request body is over the limit of <n> bytes.`',
    'returns 413 for a body that is too large',
  ),
  error('validation', '422', 'the place, then the error', 'returns 422 for a body that does not match the schema'),
  {
    where: 'UI component, or its file',
    status: '404',
    says: '`There are no UI components named "<name>".`',
    test: 'app/ui: puts nothing of a request into the page',
    differs: 'officially `UI not found` as text',
  },
];

/** The traps of the reference in a few words. Names of their tests contain `[trap N]`. */
export const TRAPS: string[] = [
  'ids of assistants',
  'every PATCH creates a version with the number max + 1',
  'a wait never returns null or a scalar',
  'errors of waits in a 200 response',
  'a run that stops at an interrupt succeeds',
  'updates of interrupted threads and of threads with pending runs',
  'cancelling a delayed run',
  'rollback removes the run and its checkpoints',
  'the new run waits until the old one has stopped',
  '`wait=0`',
  'lists in a query',
  '`before` of the history',
  '`namespace=a.b`, missing items',
  '`{namespaces}`',
  'copying a thread that does not exist',
  '`Content-Location`',
  '`Location`',
  'the status is final before the stream ends',
  'heartbeats',
  'ids of events, live and replayed',
  'joining a background run',
  'only requested stream modes are sent',
  '`messages` and `messages-tuple`',
  'interrupts in streams',
  'events of subgraphs and final values',
  "the graph's own recursion limit",
  'messages are flat everywhere',
  'metadata of a new thread',
  'exactly one handler runs',
  'changes by a handler take effect',
  'hidden records are 404, or 409',
  'identity set by the client',
  'secrets in headers',
  'temporary threads',
  '`on_disconnect`',
  '`created_at` of a delayed run',
  'one assistant per graph',
  'custom routes have precedence',
  'webhooks to paths and to loopback',
  'totals of paged lists',
];
