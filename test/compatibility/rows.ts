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
        'contracts/python-shapes: lists in a query: repeated, as JSON, with commas',
        'contracts/sdk-thread-reads: select of a state in every form that a client sends a list in',
      ),
      row(
        'empty values in a query',
        'count as absent',
        'contracts/python-shapes: stream_mode of a join: repeated, as JSON, with commas, empty',
      ),
      row(
        'booleans in a query',
        '`true`, `1`',
        'contracts/python-shapes: wait=0 and wait=1 of a cancel; cancel_on_disconnect=0 of a join lets the run go on',
      ),
      row(
        'bodies',
        'JSON, with its content type or, from programs, none; empty counts as `{}`; null counts as absent; unknown fields are ignored',
        'contracts/python-shapes: a body is JSON, and says so or nothing; an empty body counts as an empty object; null on every optional field of a run counts as absent; null on every optional field of threads and their searches counts as absent; fields that are not known are let be',
      ),
      row(
        'ids in a path',
        'percent-encoded, case-insensitive',
        'contracts/python-shapes: a thread id in the path that was percent-encoded or in upper case',
      ),
      row(
        'errors',
        '`{"detail": "text"}`',
        'contracts/python-shapes: an error has its text in `detail`',
        'contracts/error-catalogue: the stock client says status and body',
      ),
      row(
        'pages',
        '`x-pagination-next`, `x-pagination-total`',
        'contracts/sdk-threads: pages, and says in headers whether there is more',
        'contracts/sdk-assistants: pages, and says whether there is more',
        'contracts/sdk-crons: a further page is told in headers',
        'contracts/sdk-many-runs: a list of runs says whether there are more',
      ),
      row(
        'web pages of other origins',
        'refused before anything is executed, unless allowed',
        'http/cross-origin: without a key no route serves a page of another origin, whatever the body calls itself; http.cors says who else may, and nobody else is executed; with keys any page may ask, for a page has no key by itself; a narrowed list is kept to',
      ),
      row(
        'CORS',
        '`http.cors`, `CORS_ALLOW_ORIGINS`',
        'http/cors: with * every origin may read every answer; with a list only its origins may, and every answer says that it depends on who asks; methods, headers, exposed headers and age are as they are configured',
      ),
      row(
        '`x-request-id`',
        "the request's own, or a new one",
        "http/request-ids: every answer has an x-request-id: the request's own, or a new UUID",
      ),
      row('`x-api-key`', '', 'access/keys: both APIs take a key from their stock clients'),
      row('limits of a body', '`HTTP_MAX_REQUEST_BODY_BYTES`', 'contracts/error-catalogue: a body that is too large'),
    ],
  },
  {
    title: 'Assistants',
    rows: [
      row(
        '`POST /assistants`',
        'every field, `if_exists`',
        'contracts/sdk-assistants: keeps every field; under the id that was asked for, once; of an unknown graph is refused',
      ),
      row(
        '`POST /assistants/search`',
        '`metadata`, `graph_id`, `name`, `limit`, `offset`, `sort_by`, `sort_order`, `select`',
        'contracts/sdk-assistants: finds by metadata, graph and part of the name, newest first; sorts; pages, and says whether there is more; returns only what was selected',
      ),
      row('`POST /assistants/count`', '', 'contracts/sdk-assistants: counts what it would find'),
      row(
        '`GET /assistants/{assistant_id}`',
        "by id or by the graph's name",
        'contracts/sdk-assistants: is found as one, under both names',
      ),
      row(
        '`PATCH /assistants/{assistant_id}`',
        'each change creates a version',
        'contracts/sdk-assistants: replaces what is given, merges metadata, and keeps the rest; makes a version every time, two at once too',
      ),
      row(
        '`DELETE /assistants/{assistant_id}`',
        '`delete_threads`',
        'contracts/sdk-assistants: takes versions and the rows of runs, and leaves threads; with its threads, where that is asked for; ends its runs, those under way and those that wait',
      ),
      row(
        '`POST /assistants/{assistant_id}/versions`',
        '`limit`, `offset`, `metadata`',
        'contracts/sdk-assistants: are listed whole, newest first',
      ),
      row(
        '`POST /assistants/{assistant_id}/latest`',
        '',
        'contracts/sdk-assistants: an assistant goes back to one, and the next change has a new number; what the Python client sends',
      ),
      row(
        'assistants of graphs',
        'id, name, description, `LANGGRAPH_CONFIG`',
        'http/graph-forms: each graph has an assistant with the id that every server gives it',
        'http/assistants: LANGGRAPH_CONFIG configures the assistants of graphs',
      ),
    ],
  },
  {
    title: 'Graphs',
    rows: [
      row(
        '`GET /assistants/{assistant_id}/graph`',
        '`xray`',
        'desk/drawings: a graph is drawn, its subgraphs too when they are asked for, down to a depth',
      ),
      row(
        '`GET /assistants/{assistant_id}/schemas`',
        'from the running code, otherwise from the types',
        'desk/schemas: schemas that the running code has need no types; the types say what the running code does not',
      ),
      row(
        '`GET /assistants/{assistant_id}/subgraphs`, `GET /assistants/{assistant_id}/subgraphs/{namespace}`',
        '`recurse`; both sets of names',
        'desk/schemas: subgraphs have schemas, under both sets of names',
      ),
      row(
        'graph factories',
        "called with the assistant's configuration",
        'desk/drawings: a factory is called with the configuration of the assistant',
      ),
    ],
  },
  {
    title: 'Threads',
    rows: [
      row(
        '`POST /threads`',
        '`thread_id`, `metadata`, `if_exists`',
        'contracts/sdk-threads: a new thread is idle, has no values and exactly the metadata it was given; a thread is made under the id that was asked for; do_nothing returns the thread that is there, unchanged',
      ),
      row(
        '`ttl` of a thread',
        '`delete`, `keep_latest`, `checkpointer.ttl`',
        'contracts/sdk-thread-changes: a thread whose time is over is removed, with all that it has',
      ),
      row(
        '`supersteps`',
        '',
        'contracts/sdk-state-updates: a thread may begin with the history of another; commands stand in supersteps too; a history that the graph does not take makes no thread',
      ),
      row(
        '`POST /threads/search`, `GET /threads`',
        '`ids`, `metadata`, `values`, `status`, `limit`, `offset`, `sort_by`, `sort_order`, `select`',
        'contracts/sdk-threads: finds by metadata, newest first; finds by ids, alone and with metadata; sorts; search by status follows a thread through its life; search by values looks into the latest state; returns only what was selected; GET /threads lists with the same filters',
      ),
      row(
        '`extract`',
        '',
        "contracts/sdk-thread-reads: extract shows parts of a thread under names of the client's choosing",
      ),
      row('`POST /threads/count`', '', 'contracts/sdk-thread-reads: count is a bare number, of what search finds'),
      row(
        '`POST /threads/prune`',
        '`delete`, `keep_latest`',
        'contracts/sdk-thread-changes: pruning keeps the newest state, and everything that it is made of; pruning deletes by default, and leaves a thread alone that runs',
      ),
      row(
        '`GET /threads/{thread_id}`',
        '`include=ttl`',
        'contracts/sdk-thread-reads: include of a thread in every form',
        'contracts/sdk-1.9: threads are made, read, changed, copied, found, counted, pruned and deleted',
      ),
      row(
        '`PATCH /threads/{thread_id}`',
        'merges metadata; `Prefer: return=minimal`',
        'contracts/sdk-threads: update merges metadata one level deep and leaves the rest',
        'contracts/sdk-thread-reads: a change that wants no answer gets none',
      ),
      row(
        '`DELETE /threads/{thread_id}`',
        '',
        'contracts/sdk-threads: a deleted thread is gone with its runs and states, and its id is free again; deleting a busy thread ends its runs',
      ),
      row(
        '`GET /threads/{thread_id}/export`, `POST /threads/import`',
        'only in Threadmill: a thread as a file',
        'contracts/thread-files: a thread goes to another server with all that it has, and goes on there; an id that is taken: refused, or another one; a file that is not whole is refused by its line, and leaves nothing; who sees a thread may export it; only who runs the server may import',
      ),
      row(
        '`POST /threads/{thread_id}/copy`',
        '',
        'contracts/sdk-thread-changes: a copy has the whole state and history, under its own id; a copy goes its own way, also when the first thread is gone',
      ),
      row('`GET /threads/{thread_id}/storage`', '', 'contracts/sdk-thread-changes: storage says what a thread takes'),
    ],
  },
  {
    title: 'State and history',
    rows: [
      row(
        '`GET /threads/{thread_id}/state`',
        '`subgraphs`, `select`',
        'contracts/sdk-threads: the latest state; the state of a graph in a graph',
        'contracts/sdk-thread-reads: states show the parts that are selected',
      ),
      row(
        '`GET /threads/{thread_id}/state/{checkpoint_id}`, `POST /threads/{thread_id}/state/checkpoint`',
        '',
        'contracts/sdk-threads: a state is read by its checkpoint, in both forms',
      ),
      row(
        '`POST /threads/{thread_id}/state`',
        '`values`, `as_node`, `checkpoint`',
        'contracts/sdk-state-updates: an update counts as the node that it names, and the graph goes on from there; an update of a checkpoint of the past is a fork; null as a node marks it as done; the state of a subgraph is updated by its namespace',
      ),
      row(
        '`PATCH /threads/{thread_id}/state`',
        '',
        'contracts/sdk-state-updates: patchState merges metadata into the thread',
      ),
      row(
        '`GET /threads/{thread_id}/history`, `POST /threads/{thread_id}/history`',
        '`limit`, `before`, `metadata`, `checkpoint`, `select`',
        'contracts/sdk-threads: history is newest first, every step of it; history in parts; history has ten entries unless told otherwise',
        'contracts/sdk-thread-reads: history as GET has what POST has',
      ),
      row(
        'a thread without a run',
        '',
        'contracts/sdk-threads: a thread without a run has an empty state and no history',
      ),
      row(
        'interrupts',
        'in thread, state and tasks',
        'contracts/sdk-threads: an interrupted thread shows its questions',
      ),
    ],
  },
  {
    title: 'The stream of a thread',
    rows: [
      row(
        '`GET /threads/{thread_id}/stream`',
        '`run_modes`, `lifecycle`, `state_update`; `Last-Event-ID`',
        'contracts/thread-stream: run_modes, the default, are the events of every run as its own stream has them, and the end of each; lifecycle is start and end of each run, state_update the state after it; the parameter has two names and every form; a cursor goes on over runs, each event once',
      ),
    ],
  },
  {
    title: 'Runs',
    rows: [
      row(
        '`POST /threads/{thread_id}/runs`',
        '',
        'contracts/sdk-runs: a run that is created runs in the background and can be joined; a run shows what it was asked to do',
      ),
      row(
        '`POST /threads/{thread_id}/runs/stream`',
        '',
        'contracts/sdk-streams: the first event names run and attempt, and every event has a rising id',
      ),
      row(
        '`POST /threads/{thread_id}/runs/wait`',
        '',
        'contracts/sdk-runs: the final values are what a wait answers; a wait always answers an object, whatever the graph returns; a failed run raises from a wait, unless that is not wanted',
      ),
      row(
        '`POST /runs`, `POST /runs/stream`, `POST /runs/wait`',
        '`on_completion`',
        'contracts/sdk-runs: a stateless run leaves nothing behind; a stateless run in the background is there until it has ended; onCompletion keep leaves the thread of a stateless run',
        'http/runs-stream: a stateless run streams metadata first and its updates',
      ),
      row(
        '`POST /runs/batch`',
        '',
        'contracts/sdk-many-runs: a batch makes its runs in order, each on a thread of its own; a batch is made whole or not at all',
      ),
      row(
        '`GET /threads/{thread_id}/runs`',
        '`limit`, `offset`, `status`, `select`',
        'contracts/sdk-runs: list is newest first, in pages, by status, in parts',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}`',
        '',
        'contracts/sdk-runs: an unknown run is not found, nor is a run of another thread; a run that is created runs in the background and can be joined',
      ),
      row(
        '`DELETE /threads/{thread_id}/runs/{run_id}`',
        '',
        'contracts/sdk-runs: deleting a run; deleting an older run leaves the later ones and their state',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/join`',
        '`cancel_on_disconnect`',
        'contracts/sdk-runs: a run that is created runs in the background and can be joined; cancelOnDisconnect of a join ends the run',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/why`, `GET /runs/{run_id}/why`',
        'only in Threadmill: the reason why a run waits',
        'http/why: what a run waits for, from its thread to its worker; what became of it',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/stream`, `GET /runs/{run_id}/stream`',
        '`stream_mode`, `cancel_on_disconnect`, `namespace`, `Last-Event-ID`',
        'contracts/sdk-streams: joining without a cursor gives what comes after the join, and only that; is told again from the start, with the same ids and data; cancelOnDisconnect of a joiner ends the run when that joiner leaves',
        'contracts/sdk-stream-filters: a run is followed by its id alone; streamNamespaces of a new run and of a join',
      ),
      row(
        '`POST /threads/{thread_id}/runs/{run_id}/cancel`',
        '`wait`, `action`, `reason`',
        'contracts/sdk-runs: interrupt keeps what the run has stored; rollback removes the run and all it wrote; a cancel that does not wait is accepted, and the run ends',
        'contracts/sdk-many-runs: why a run was cancelled can be read',
      ),
      row(
        '`POST /runs/cancel`',
        'by status, by ids',
        'contracts/sdk-many-runs: runs are cancelled by thread and ids; runs are cancelled by status; either a status, or a thread and ids',
      ),
      row(
        '`config`, `context`, `metadata`',
        '',
        'contracts/sdk-runs: config, context and metadata reach the graph; recursion_limit bounds the steps of a run',
      ),
      row(
        '`command`',
        '`update`, `resume`, `goto`',
        'contracts/sdk-runs: a command updates the state; a command goes to a node, by name or with an input of its own; a map of interrupt ids answers some or all; a resume with any JSON value',
      ),
      row('`strict_resume`', '', 'contracts/sdk-runs: strictResume fails a run that answers nothing'),
      row(
        '`checkpoint`, `checkpoint_id`',
        '',
        'contracts/sdk-runs: a run from a past checkpoint forks the thread',
        'contracts/sdk-options: a stream begins at a checkpoint, named in either way',
      ),
      row(
        '`interrupt_before`, `interrupt_after`',
        '',
        'contracts/sdk-runs: a run stops before the nodes it was told to, and goes on from there; a run that stopped after a node goes on behind it; interruptBefore "*" stops at every node',
      ),
      row(
        '`multitask_strategy`',
        'default `enqueue`',
        'contracts/sdk-runs: reject refuses it and leaves the first alone; enqueue, the default, runs it after the first, in order; interrupt stops the first and goes on from what it stored; rollback undoes the first and starts from before it',
      ),
      row(
        '`if_not_exists`, `after_seconds`',
        '',
        'contracts/sdk-runs: a run on a thread that is not there; afterSeconds lets a run wait for its time, others go first',
      ),
      row(
        '`on_disconnect`',
        'default `continue`',
        'contracts/sdk-runs: cancel ends the run when the client that streams goes away; cancel ends the run when the client that waits goes away; continue, the default, lets the run go on; cancel does not fire at the normal end',
      ),
      row(
        '`durability`, `checkpoint_during`',
        '',
        'contracts/sdk-runs: durability sync and async keep every step; durability exit keeps the last step alone',
        'contracts/how-runs-stop: durability exit stores what JSON cannot carry as sync does',
        'contracts/sdk-options: what a stream may be told of its run',
      ),
      row(
        '`Content-Location`',
        '',
        'contracts/sdk-runs: Content-Location names the run and nothing else, and browsers may read it; onRunCreated is called exactly once, with the run that the server knows',
      ),
      row(
        '`Location`',
        'the clients reconnect by themselves',
        "contracts/reconnects: a stream of a thread's run, as useStream opens it; a joined stream; the stream of a thread; where a client may go on is said only where it can",
      ),
      row(
        'retries',
        'after the loss of a worker',
        'faults/workers: a run whose worker is lost once succeeds, and only a loss while alone uses up an attempt; a stateless stream goes on with a second attempt when its worker is lost',
      ),
    ],
  },
  {
    title: 'Events',
    rows: [
      row(
        'framing',
        '',
        'contracts/sdk-streams: on the wire an event is three lines and an empty one; event ids of a thread never repeat',
      ),
      row('heartbeats', '', 'contracts/traps: heartbeats keep coming while graphs hold up every worker'),
      row(
        '`values`, `updates`, `custom`',
        '',
        'contracts/sdk-streams: values; updates; custom; values is the default, and what an empty list means',
      ),
      row(
        '`messages`',
        '',
        'contracts/sdk-streams: messages: partial ones grow, complete ones come once; messages: metadata comes once for each, before its first part',
      ),
      row('`messages-tuple`', '', 'contracts/sdk-streams: messages-tuple: what is new, each with where it comes from'),
      row('`tasks`, `checkpoints`, `debug`, `events`', '', 'contracts/sdk-streams: tasks; checkpoints; debug; events'),
      row('`tools`', '', 'contracts/sdk-stream-filters: tools, with what they say on their way and how they fail'),
      row('`error`', '', 'contracts/sdk-streams: a run that throws ends its stream with an error event'),
      row(
        '`stream_subgraphs`',
        '',
        'contracts/sdk-streams: their events carry the namespace in their name; tasks and debug carry it too',
      ),
      row('`namespace`', '', 'contracts/sdk-stream-filters: streamNamespaces of a new run and of a join'),
      row(
        '`stream_resumable`',
        'replay, also after a restart of the server',
        'contracts/sdk-streams: is gone on with after any event; the events of a resumable run outlive the server',
      ),
      row(
        '`RemoteGraph`',
        '',
        'contracts/remote-graph: invoke returns the final values; stream yields what the modes of a local graph would; stream of subgraphs yields namespaces; interrupts are raised, shown in the state and answered with a command; getState gives a snapshot, also of the past',
      ),
    ],
  },
  {
    title: 'Crons',
    rows: [
      row(
        '`POST /runs/crons`, `POST /threads/{thread_id}/runs/crons`',
        'every field',
        'contracts/sdk-crons: a new cron has every field, and is read as it was made; a cron of a thread',
        'contracts/sdk-options: every option of a cron arrives',
      ),
      row(
        '`GET /runs/crons/{cron_id}`, `PATCH /runs/crons/{cron_id}`, `DELETE /runs/crons/{cron_id}`',
        '',
        'contracts/sdk-crons: an update changes what it names; deleted is gone; as the Python client sends it',
      ),
      row(
        '`POST /runs/crons/search`, `POST /runs/crons/count`',
        '',
        'contracts/sdk-crons: search: filters, pages, selection; and count; every order, and what has no value',
      ),
      row(
        'time zones',
        'daylight saving',
        'crons/schedule: the clocks go forward: a time that is left out is its first moment after, once; an interval goes on; the clocks go back: a time that comes twice is its first one; an interval goes on',
      ),
      row(
        '`enabled`, `end_time`',
        '',
        'crons/slots: disabled it does not fire; enabled again it goes on from now; it ends at its end_time',
      ),
      row(
        'one run per slot',
        'missed slots become one firing',
        'crons/slots: slots that were missed are one firing; a restart fires what was missed, once',
        'crons/kill: one run for a slot, wherever the server is killed',
      ),
    ],
  },
  {
    title: 'Store',
    rows: [
      row(
        '`PUT /store/items`, `GET /store/items`, `DELETE /store/items`',
        '`ttl`, `refresh_ttl`',
        'contracts/sdk-store: an item is put, read, replaced and deleted; statuses and bodies as they go over the wire; an item comes to its end, for clients and graphs, and reading puts that off',
      ),
      row(
        '`POST /store/items/search`',
        '`namespace_prefix`, `filter`, `limit`, `offset`',
        'contracts/sdk-store: a search goes by whole labels, newest update first, a page at a time; filters',
      ),
      row(
        '`query`, `store.index`',
        'semantic search; `index` of a put',
        'contracts/sdk-store-meaning: the nearest come first, with a score; what an item is found by',
      ),
      row(
        '`POST /store/namespaces`',
        '',
        'contracts/sdk-store: namespaces: those that hold something, by beginning, end and depth',
      ),
      row('one store for clients and graphs', '', 'contracts/sdk-store: graphs and clients see the same items'),
    ],
  },
  {
    title: 'Webhooks',
    rows: [
      row(
        '`webhook`',
        'payload, for every status of a run',
        'webhooks/deliveries: a run on a thread is announced with its values; every way to start a run announces its end; a failed run is announced with its error',
      ),
      row(
        '`webhooks` of `langgraph.json`',
        '`headers`, `url`',
        'webhooks/config: what may stand there; configured headers go with every delivery; loopback as langgraph.json says',
        'webhooks/addresses: schemes, domains, ports and lengths',
      ),
      row(
        'retries',
        '',
        'webhooks/retries: it comes again until the receiver takes it, under the same id; what is owed is sent after a restart',
      ),
      row(
        '`GET /threads/{thread_id}/runs/{run_id}/webhook`',
        'only in Threadmill: status of the delivery',
        'webhooks/deliveries: what became of it is told to whoever saw the run',
      ),
      row('`http.disable_webhooks`', '', 'webhooks/config: http.disable_webhooks: nothing is sent, runs go on'),
    ],
  },
  {
    title: 'MCP and A2A',
    rows: [
      row(
        '`POST /mcp`',
        '',
        'contracts/mcp: the official client: initialize, ping, list, call; statuses and codes of the wire',
      ),
      row(
        '`POST /a2a/{assistant_id}`',
        'versions 1.0 and 0.3',
        'contracts/a2a: version 1.0: a conversation of two tasks in one context; version 0.3: the same in its own words; streams, in both; what is refused',
        'contracts/a2a-client: the official client finds an agent by its card, and talks to it',
      ),
      row(
        '`GET /.well-known/agent-card.json`, `GET /a2a/{assistant_id}/.well-known/agent-card.json`',
        '',
        'contracts/a2a: cards',
      ),
      row(
        '`http.disable_mcp`, `http.disable_a2a`',
        '',
        'contracts/mcp: http.disable_mcp',
        'contracts/a2a: users see their own; http.disable_a2a',
      ),
    ],
  },
  {
    title: 'The server',
    rows: [
      row(
        '`GET /ok`',
        '`check_db`',
        'http/api-options: /ok reads the store when it is asked to; /ok says 500 once a commit has failed, or when the store cannot be read',
      ),
      row(
        '`GET /info`',
        '',
        'http/api-options: /info says what clients read, and the version of the LangGraph that graphs run with',
      ),
      row(
        '`GET /metrics`',
        '`format`; `names` only in Threadmill',
        'http/metrics: every figure is told in the form of Prometheus, as the table says; ?format=json has the official parts and the same figures',
      ),
      row(
        '`GET /backup`',
        'only in Threadmill: all data, for `threadmill restore`',
        'cli/backup: a running server is backed up while it writes, and restored as it was; only whoever may do everything gets a backup, or a key that is for it',
      ),
      row(
        '`GET /server/queue`, `GET /server/storage`',
        'only in Threadmill: waiting runs with reasons, and stored records by kind',
        'http/server-routes: the queue says of every run who has it or what it waits for; storage counts every record once, by kinds that the table of keys knows',
      ),
      row(
        '`GET /server/keys`, `POST /server/keys`, `DELETE /server/keys/{key}`',
        'only in Threadmill: API keys',
        'http/server-routes: keys over the API',
      ),
      row(
        '`GET /console`, `GET /console/*`',
        'only in Threadmill: the console',
        'http/console-files: the page finds its files from every address, and nothing but them may run in it',
      ),
      row(
        '`GET /docs`, `GET /openapi.json`, `GET /docs/swagger-ui.css`, `GET /docs/swagger-ui-bundle.js`, `GET /docs/page.js`',
        '',
        'http/api-options: under a prefix everything is there, and nothing without it but /ok',
      ),
      row(
        '`http.disable_*`, `http.mount_prefix`',
        '`MOUNT_PREFIX`',
        'http/api-options: every group can be taken away: 404, and no word of it in the document; under a prefix everything is there, and nothing without it but /ok; MOUNT_PREFIX goes before the file, and may say that there is none',
      ),
      row(
        '`http.configurable_headers`',
        '',
        'http/api-options: request headers that are named reach configurable, in lower case; secrets never do',
      ),
      row(
        '`http.logging_headers`',
        '',
        'http/request-log: headers that are named stand in the line, shortened; secrets never do',
      ),
      row(
        '`http.app`',
        '`middleware_order`, `enable_custom_route_auth`',
        'app/custom-routes: its routes answer; answers stream; middleware around built-in routes; it may change the body of a built-in request; who may ask',
      ),
      row(
        'webhooks to a path',
        '',
        'app/custom-routes: a webhook with a path alone is a route of its own; without an app a webhook needs a host',
      ),
      row(
        '`POST /ui/{agent}`, `GET /ui/{agent}/{file}`',
        '`ui`, `ui_config`',
        'app/ui: components are built and served as the stock page loads them',
      ),
      row(
        '`new Client()` inside graphs',
        '',
        'http/own-server: a graph reaches the server that it runs on; access control is as for any client',
      ),
      row(
        '`feedback_keys`',
        '',
        'contracts/feedback-addresses: a run gives out addresses as its last event, to every reader once and in order; waits and joins have the addresses beside the values',
      ),
      row(
        '`POST /threads/{thread_id}/commands`, `POST /threads/{thread_id}/stream/events`',
        '`run.start`, `input.respond`, `agent.getTree`, `state.get`, `state.listCheckpoints`, `state.fork`; channels, namespaces, depth, since; threads that are not there yet; `strict_resume`',
        "contracts/sdk-protocol: the stock client: interrupts are told and answered, one or many; respond of the stock client, and an input while something is asked, are answers; messages come as blocks, under the ids that they have in the state; order, ids and times; a restart loses nothing, and nothing gets another id; every run has an end: failures and cancelled runs too; runs of one thread wait, take over or are refused, as they say; a stream of a thread that is not there yet waits for it, and begins with its first event; Python's client: what tasks tell stands under their graph, and its watcher begins with what is of now",
      ),
      row(
        'the same routes',
        'reading and forking',
        'contracts/protocol-state: state.get: the values of a graph, whole or by keys, at the root and below; state.listCheckpoints: newest first, page by page; state.fork goes on from an older state; agent.getTree: the graphs of a run, while it goes on and afterwards; strict_resume: answers to what is not asked end the run with what is',
      ),
      row(
        'a WebSocket at the same address',
        'commands and subscriptions; `transport`, `webSocketFactory`',
        'contracts/protocol-socket: the stock client over a WebSocket: a run, its values, an interrupt and its answer; an answer comes before what it replays, and what is replayed is what SSE tells; many sockets, many subscriptions, and commands over HTTP beside them; who may: keys, users, pages',
      ),
      row(
        '`useStream`',
        'React',
        'contracts/use-stream: messages of a conversation, its thread, its history and another branch of it; an interrupt is shown and answered; a run is stopped by its page; another page joins one that goes on',
      ),
      row(
        '`useStream` of `@langchain/react`',
        'SSE and WebSocket',
        'contracts/use-stream-v2: SSE: a conversation of two turns, and another page that opens its thread; SSE: an interrupt is shown and answered; SSE: an error of the graph is shown, and a run is stopped by its page; WebSocket: a conversation of two turns, and another page that opens its thread; WebSocket: an interrupt is shown and answered; WebSocket: an error of the graph is shown, and a run is stopped by its page',
      ),
      row(
        'traces',
        '`OTEL_*`',
        'tracing/tracing: a request, its run, the wait and the attempt are one trace, and none of what was said is in it',
      ),
    ],
  },
  {
    title: 'Authentication and access control',
    rows: [
      row(
        '`auth.path`',
        '`authenticate`, `on`',
        "access/handlers: each sees its own; whoever is nobody gets the handler's own words and headers; filters with $or and $contains, false, and what means nothing",
      ),
      row('choice of the handler', '', 'access/options: the most specific handler alone'),
      row(
        '`auth.disable_studio_auth`, `auth.cache`, `auth.allow_langsmith_api_keys`',
        'the studio is disabled by default',
        'access/options: the studio is let in only where it is asked for, and only with a key; users are remembered only where the handler says so; allow_langsmith_api_keys: a key of this server sees what its owner sees',
      ),
      row(
        'store events',
        '',
        'access/store: a handler is shown what is asked, in its own words; a namespace that the handler puts in front counts everywhere, and graphs find it there',
      ),
      row(
        'every route',
        'as owner, as another user, without authentication',
        'access/matrix: with a handler: owner, other, nobody',
      ),
      row('`langgraph_auth_user`', '', 'access/handlers: a graph reads its user, whatever the client presets'),
    ],
  },
  {
    title: 'langgraph.json and the environment',
    rows: [
      row(
        '`graphs`',
        'compiled, builder, promise, factory, agent',
        'http/graph-forms: a builder, a promise, a factory and JavaScript are graphs like a compiled one; the example agent streams tokens, asks before it mails, and goes on with the answer',
      ),
      row('`env`', '', 'http/graph-forms: graphs see the environment of langgraph.json'),
      row(
        '`store.ttl`, `store.index`',
        '',
        'contracts/sdk-store: an item comes to its end, for clients and graphs, and reading puts that off',
        'contracts/sdk-store-meaning: items that were there before are embedded when an index, or another one, is configured',
      ),
      row(
        '`LANGGRAPH_AES_KEY`',
        'encrypts all values in the data folder; `encryption` handlers are not called',
        'store/encryption: a new folder with a key has no value in plain text, and opens with this key alone',
        'store/encryption: the key comes from a flag, a file, a command or a variable',
      ),
      row(
        'environment variables',
        'docs/configuration.md',
        'docs: the environment variables of docs/configuration.md are those of the table in the code, and those that are read',
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
    'assistant get, patch, delete and latest of one that is not there',
  ),
  error(
    'the same: hidden',
    '404',
    '`Assistant not found`',
    'assistant get, patch, delete and latest of one that is hidden',
  ),
  error('latest: unknown version', '404', '`Assistant version not found`', 'latest of an unknown version'),
  error(
    'create an assistant: exists, also hidden',
    '409',
    '`Assistant already exists`',
    'an assistant whose id exists, also hidden',
  ),
  error('versions: empty', '404', '`Assistant "<id>" not found.`', 'a list of versions that is empty'),
  error('unknown graph', '404', '`Graph "<id>" not found`', 'an unknown graph'),
  error(
    'schemas, drawing: no graph, or an error in its code',
    '404, 422',
    '`Failed to find root graph`',
    'a graph without a root, and one that cannot be read',
  ),
  error(
    'run: unknown assistant or graph',
    '404',
    '`No assistant found for "<id>". Make sure …`',
    'a run of an unknown assistant or graph',
  ),
  error(
    'thread get, delete, state, history',
    '404',
    '`Thread with ID <id> not found`',
    'thread get, delete, state and history of one that is not there, or hidden',
  ),
  error(
    'thread patch',
    '404',
    '`Thread with ID <id> not found`',
    'a change of a thread that is not there names it',
    'officially `Thread not found`; here the text is the same for every route',
  ),
  error(
    'thread copy: missing, hidden',
    '409',
    '`Thread not found`',
    "a copy of a thread that is not there, or not one's own",
  ),
  error('create a thread: exists', '409', '`Thread already exists`', 'a thread that exists'),
  error(
    'run: thread missing, `if_not_exists=reject`',
    '404',
    '`Thread with ID <id> not found`',
    'a run on a thread that is not there',
  ),
  error(
    'state update: a run is pending or running',
    '409',
    '`Thread is busy`',
    'an update of state while a run is pending or runs, and a run that is to be alone',
  ),
  error(
    '`multitask_strategy=reject`',
    '409',
    '`Thread is already running a task. Wait …`',
    'an update of state while a run is pending or runs, and a run that is to be alone',
  ),
  error(
    'state update: thread without a graph',
    '400',
    '`Thread <id> has no graph ID`',
    'an update of a thread without a graph',
  ),
  error(
    'supersteps: no graph',
    '422',
    '`body.metadata.graph_id: is required with supersteps`',
    'supersteps without a graph are named by their place',
    'officially 400 with the id of a thread; no thread is created, so none is named',
  ),
  error('run get, delete, cancel', '404', '`Run not found`', 'run get, delete and cancel of one that is not there'),
  error('cancel: the run has ended', '404', '`Run not found`', 'a cancel of a run that has ended'),
  error(
    'join, stream: thread hidden',
    '404',
    '`Thread with ID <id> not found`',
    'a join or stream of a thread that is hidden has a status of its own',
    'the development server returns 200 and an `error` event; here the status is known before the stream begins',
  ),
  error('store: no namespace', '400', '`Namespace is required`', 'an item without a namespace'),
  error(
    'store: empty label, label with a period',
    '422',
    '`Namespace labels cannot be empty or contain periods. Received: a.b`',
    'labels that are empty or have periods',
  ),
  error(
    'store: item hidden',
    '404',
    '`Item not found`',
    'an item that a filter hides, and one that is put outside of it',
  ),
  error(
    'store: write outside the filter',
    '403',
    '`Not authorized`',
    'an item that a filter hides, and one that is put outside of it',
  ),
  error(
    'store: too many items to search',
    '400',
    '`Authenticated store query exceeded maximum scan limit. …`',
    'a search of items that would look at too many',
  ),
  error('auth handler: false', '403', '`Not authorized`', 'a handler that returns false'),
  error(
    'auth handler: invalid return value',
    '500',
    '`The auth handler failed. …`',
    'a handler whose answer means nothing',
    'the development server sends the return value of the handler to the client; here it is in the log only',
  ),
  error('cron: schedule', '422', '`Invalid cron schedule: …`', 'a schedule that cannot be read'),
  error(
    'cron: thread missing, hidden',
    '404',
    '`Thread not found or not authorized`',
    'a cron on a thread that is not there, or hidden',
  ),
  error('body too large', '413', '`The request body is over the limit of <n> bytes.`', 'a body that is too large'),
  error('validation', '422', 'the place, then the error', 'what does not fit the schema'),
  {
    where: 'UI component, or its file',
    status: '404',
    says: '`There are no UI components named "<name>".`',
    test: 'app/ui: nothing of a request gets into the page',
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
