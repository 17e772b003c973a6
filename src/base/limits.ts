import { assert } from './assert.js';

/** Every limit of the server. The name has the subject and the unit; the comment gives the reason for the value. */
export const KiB = 1024;
export const MiB = 1024 * KiB;

/** Seconds before each further attempt of a webhook: ten attempts in about a day. THREADMILL_WEBHOOK_RETRY_SECS. */
export const WEBHOOK_RETRY_SECS: readonly number[] = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200];

export const LIMITS = {
  // HTTP
  /**
   * A request of this size delays others by a quarter of a second at most, whatever its shape (bench/large-bodies). The
   * Agent Server's own 300 MB would take seconds. HTTP_MAX_REQUEST_BODY_BYTES raises it.
   */
  bodyBytesMax: 32 * MiB,
  /**
   * Longer JSON is parsed in pieces of this size, with other requests handled in between. The worst piece takes
   * about 15 ms.
   */
  jsonPieceBytes: 64 * KiB,
  /**
   * Names and elements of a body, and of a run's input. A worker receives an input as bytes, and parses and
   * stores so many within a second. Other bodies are serialized again on the front thread, about 1 µs per name or
   * element.
   */
  bodyMembersMax: 100_000,
  inputMembersMax: 500_000,
  /** Larger bodies are read only after authentication. */
  unauthenticatedBodyBytesMax: 64 * KiB,
  /** A refused body of at most this size is received to its end, so that the client can read the response. */
  discardedBodyBytesMax: 64 * MiB,
  /** Bytes of one body that are handled before other sockets. */
  bodySliceBytes: MiB,
  /**
   * An incomplete body that receives less than `bodyWindowBytes` in `bodyWindowMs` is refused with 408. That is
   * 1.6 KB/s, slower than any real connection. Otherwise a client could hold its connection forever with a byte
   * now and then.
   */
  bodyWindowMs: 10_000,
  bodyWindowBytes: 16 * KiB,
  /** Interval of that check. Must come before the timer of uWebSockets.js, which fires after 8 s or more. */
  bodyCheckMs: 2_000,
  /**
   * Bytes of bodies that are read and parsed at once, over all requests. Further ones get 503. About 16 of the
   * largest.
   */
  bodiesBytesMax: 512 * MiB,
  /**
   * Open connections; further ones get 503 and are closed. A streaming one takes about 10 KB.
   * THREADMILL_MAX_CONNECTIONS.
   */
  connectionsMax: 16_384,
  /**
   * Open files that connections leave for everything else. Without any left, the server could not even refuse a
   * connection.
   */
  reservedFiles: 512,
  /** uWebSockets.js closes an idle socket after this time; it checks every 4 s. */
  idleSocketMs: 10_000,
  /** JSON bodies of reads and searches. Real ones are much smaller. */
  queryBodyBytesMax: 4 * MiB,
  /** Whole request head, as uWebSockets.js counts it. Its default of 4 KiB is too small for long tokens. */
  requestHeadBytesMax: 32 * KiB,
  /**
   * Longest origin that http.cors.allow_origin_regex is matched against. Real ones are shorter: hosts have at
   * most 253 characters.
   */
  originCharsMax: 512,
  /** Deeper JSON could overflow recursive code. Real data is much flatter. */
  jsonDepthMax: 200,
  /** Interval of SSE comment lines. Clients expect a steady interval (agent-server.md, 10.1). */
  heartbeatMs: 5_000,
  /** Unpacked assistants in memory. */
  unpackedAssistantsMax: 1_000,
  /**
   * How long the head of an event stream waits for the first event, and the last events of a run for the end of the
   * stream, to share a packet.
   */
  streamDelayMs: 5,
  /** The last events of a run are sent at once if they have more bytes together. */
  streamDelayedBytesMax: 16 * KiB,
  /** Interval of newlines before the JSON of a wait, so that proxies keep the connection. */
  waitKeepAliveMs: 1_000,
  /**
   * A wait that ends within this time is answered in one write. Later, headers are sent first, so that clients
   * learn the run id.
   */
  waitHeadersAfterMs: 100,
  /** Largest single write to one socket: memory that a client that stopped reading can occupy. */
  writeBytesMax: 64 * KiB,
  /** First write to a socket that was full: it stays in memory until the socket has taken all earlier ones. */
  resumedWriteBytes: KiB,
  /** Bytes of log lines that wait for a slow disk or reader of stderr. Further lines are dropped and counted. */
  logBytesMax: 16 * MiB,
  /** At its end the server waits for the log reader: this long without progress, and `logFlushMsMax` in total. */
  logStalledMs: 1_000,
  logFlushMsMax: 5_000,
  /** Rows that one request may read. Beyond that it must be more selective. */
  scanRowsMax: 50_000,
  /** Runs and threads deleted with an assistant, ended in one slice: a few milliseconds. */
  cascadeDeleteMax: 50,
  /** Index entries that one request may read, mostly without reading records. */
  scanEntriesMax: 2_000_000,
  /**
   * Records that a count may read when the index is not enough. Higher than for lists, since a count cannot be
   * paged.
   */
  countRowsMax: 1_000_000,
  /** Bytes of latest values that one search may read. */
  searchedBytesMax: 64 * MiB,
  /** Largest value that a search parses or extracts from in one slice. */
  searchedValueBytesMax: 2 * MiB,
  /**
   * Work on the front thread pauses after this time. The first slice is shorter, as many requests may begin in
   * one turn.
   */
  sliceMs: 4,
  firstSliceMs: 1,
  /** Tasks that wait for their next slice. */
  slicesQueuedMax: 1_024,
  /** Conditions of one search, and their nesting depth. */
  conditionsMax: 100,
  conditionDepthMax: 8,
  /** How long, and how many, changes of threads are remembered for clients that page with a cursor. */
  cursorIdleMs: 600_000,
  cursorMovesMax: 100_000,
  /** Threads that were returned by a cursor and moved ahead of it. Happens only when the clock was set back. */
  cursorPassedMax: 100,
  /** Threads with outdated index entries. Every list reads their records (store/threads/thread-index.ts). */
  outdatedThreadsMax: 64,
  /** Largest state that is returned as a whole. */
  stateBytesMax: 256 * MiB,
  /** Content shared by the states of one response. */
  sharedContentCharsMax: 8 * MiB,
  /** JSON of the items that were read last, in all threads: about 16 MB, or 32 MB of text that is not Latin. */
  contentTextsCharsMax: 16 * MiB,
  /** Longest list of states or threads in one response. A thousand long chats would be hundreds of megabytes. */
  responseBytesMax: 32 * MiB,

  // errors
  /**
   * Characters of an error text that are stored and shown. A list of a thousand failed threads has a thousand of
   * them.
   */
  errorTextCharsMax: 8_192,
  /** Characters of an auth handler's refusal, which is sent once and not stored. */
  refusalTextCharsMax: 64 * KiB,
  errorNameCharsMax: 256,
  errorStackCharsMax: 16_384,

  // traces
  /** Spans that wait for the collector. While it does not respond, further ones are dropped. */
  spansQueuedMax: 2_048,
  /** Spans sent at once: a few milliseconds of the front thread. */
  spansPerExport: 256,
  /** Steps of runs that wait for the collector, and the memory of their values. */
  stepsQueuedMax: 8_192,
  stepsQueuedBytesMax: 16 * MiB,
  /** Steps sent at once, and the bytes of their values: a few milliseconds of the front thread. */
  stepsPerExport: 128,
  stepBytesPerExport: 256 * KiB,
  /** Steps are sent together, this long after the first of them has ended. */
  stepsDelayMs: 1_000,
  /** How long the server waits for the collector when it closes. */
  spansFlushMs: 2_000,
  /** Minimum interval of log lines about a collector that does not accept spans. */
  spanProblemIntervalMs: 60_000,

  /** Timeout of THREADMILL_ENCRYPTION_KEY_COMMAND, which may call a secret store. */
  encryptionKeyCommandMs: 30_000,

  // API keys
  /**
   * Interval at which the folder of keys is read in addition to the watch, which is unreliable on some file
   * systems. Also how late an expired key's streams end.
   */
  keysPollMs: 1_000,
  /** Minimum interval of writes of a key's last use. Users are interested in days. */
  keyUseIntervalMs: 60_000,
  keyNameCharsMax: 100,
  /** Running and waiting runs that `/server/queue` returns, each. */
  queueShownMax: 100,
  /** A key file has a few hundred bytes, or about two thousand with every scope. */
  keyFileBytesMax: 64 * KiB,
  /** Number of key files above which the API creates no more. The front thread reads all of them. */
  keysOverHttpMax: 500,
  /** Temporary files of this age are left over: no command runs that long. */
  keyTemporaryFileMs: 3_600_000,
  /** Minimum length of a key from the environment. People choose them, and shorter ones can be guessed. */
  envKeyCharsMin: 20,

  // sign-in
  /** How long a person has at the provider. */
  signInMs: 600_000,
  /** Timeout of one request to the provider. A sign-in takes up to three, and a fourth for its configuration. */
  signInRequestMs: 10_000,
  /** Configurations and sets of keys have some kilobytes. */
  signInResponseBytesMax: 1 * MiB,
  /** How long the configuration of the provider is used before it is asked again. */
  signInProviderMs: 600_000,
  signInsConcurrentMax: 64,
  /** Sign-ins that wait for the others. Further ones fail, and can be tried again. */
  signInsWaitingMax: 256,
  signInHeapMb: 128,
  /** The thread ends after this time without a sign-in. */
  signInIdleMs: 60_000,
  /** Finished sign-ins that are remembered, so that none is used twice. Without them, the provider refuses that. */
  signInsRememberedMax: 10_000,
  /** Of everybody. Beyond it, a new session ends the oldest one. */
  sessionsMax: 5_000,
  /** Of one person: browsers and devices. */
  sessionsPerPersonMax: 20,
  /** How late expired sessions are removed, and their streams end. */
  sessionsSweepMs: 1_000,
  /** Length of the path to return to after a sign-in. Browsers keep it in a cookie meanwhile. */
  signInPathCharsMax: 1_000,

  // audit log
  auditPage: 100,
  /** Entries that one request looks at. */
  auditScanMax: 5_000,
  /** Entries that one commit removes. */
  auditRemovedMax: 1_000,
  auditSweepMs: 60_000,
  /** A clock that jumps is noticed this much later. */
  backupWakeMs: 60_000,
  backupRetryMs: 600_000,
  auditSignInFailuresPerMinute: 60,

  // many at once
  /**
   * Runs of a batch that are created, and then scheduled, in one slice. A batch has at most 500, since it is one
   * commit.
   */
  batchSliceMax: 50,
  /** Runs that are read, and that are cancelled, in one slice of a request for many runs. */
  cancelScanMax: 5_000,
  cancelSliceMax: 50,
  /** Stored checkpoints of a run that may wait for their view, which is made from a chunk of LangGraph. */
  pendingViewsMax: 64,

  // streams
  /** Frames of one run kept in memory for readers. Older ones are read from the store or reported as a gap. */
  runTailBytesMax: 4 * MiB,
  /** A worker sends a batch at this size, or once per turn of its event loop. */
  batchBytesMax: 64 * KiB,
  /** Bytes of a run's messages that the front thread has not delivered or stored yet. Above it, the worker waits. */
  creditBytes: 8 * MiB,
  /** The front thread returns credit to a worker in steps of this size. */
  creditStepBytes: 1 * MiB,
  /** The same for the worker of another node, which keeps the messages of a run that do not count as finished yet. */
  linkCreditStepBytes: 64 * KiB,
  /** How long a new owner of a cluster waits for the nodes that execute runs, before it starts their next attempt. */
  runReturnMs: 10_000,
  /** How long a node goes on with the runs of an owner that it has lost. */
  runKeptMs: 60_000,
  /**
   * Bytes passed to the store that are not on disk yet. Above it, requests that would add more get 503. Running
   * runs are limited by `creditBytes` each.
   */
  pendingBytesMax: 256 * MiB,
  /** A worker handles chunks of a run for this long before other runs, batches and heartbeats. */
  chunkSliceMs: 10,
  /** Event ids reserved on disk in advance. A crash skips the rest of them. */
  seqBlock: 1_000_000,
  /** How long frames of a resumable run are kept after its end (RESUMABLE_STREAM_TTL_SECONDS). */
  resumableTtlMs: 120_000,
  /** How long a finished run's log stays in memory for late readers. */
  finishedLogTtlMs: 5_000,
  /** Readers of one thread's stream. Each has a cursor and a socket. */
  threadReadersMax: 1_000,
  /** Open WebSockets. Further ones are closed with code 4503. */
  socketsMax: 10_000,
  /** Bytes of all messages that arrive on WebSockets before their callers are authorized. */
  socketEarlyBytesMax: 64 * MiB,
  /** Subscriptions of one WebSocket. */
  socketSubscriptionsMax: 64,
  /** Bytes that a WebSocket client has not read yet. Above it, its events wait. */
  socketBufferedBytesMax: 256 * KiB,
  /** Seconds without traffic or replies to pings after which a WebSocket is closed. */
  socketIdleS: 60,
  /** Streams that wait for a thread that does not exist yet: of one caller, and of all callers. */
  threadWaitersPerCallerMax: 100,
  threadWaitersMax: 10_000,
  /** Checkpoints returned by one `state.listCheckpoints`. */
  checkpointsListedMax: 1_000,
  /** How long a thread's events are recorded after its last reader left, so that a client can reconnect. */
  threadFeedTtlMs: 30_000,
  /** Threads whose events are recorded without a reader. The one left first is dropped first. */
  threadFeedsIdleMax: 64,
  /** Newest runs of a thread that are searched for stored events. */
  threadRunsScanMax: 200,

  // workers
  /** Concurrent runs of one worker. Runs mostly wait for models, so many can share a thread. */
  runsPerWorkerMax: 512,
  /** Runs waiting for a worker, over all threads. Further ones get 503. */
  queuedRunsMax: 1_000_000,
  /** Workers that repeat runs whose worker was lost, one run each. */
  soloWorkersMax: 2,
  /** Threads that run the project's auth handlers. */
  authWorkers: 2,
  authHeapMb: 512,
  /** An auth worker whose event loop is blocked for this long is terminated. */
  authSilentMs: 1_000,
  /** Timeout of an auth handler's answer to a request. */
  authCallMs: 10_000,
  authCallsMax: 2_000,
  /**
   * Members of a request above this size are not passed to an access handler. A value above `handlerValueCharsMax` is
   * refused.
   */
  handlerMemberCharsMax: 16 * KiB,
  /** Larger metadata is not indexed by its leaves. */
  metadataIndexedBytesMax: 64 * KiB,
  handlerValueCharsMax: 256 * KiB,
  /** Total for a list whose elements are passed to a handler one by one. */
  handlerListCharsMax: MiB,
  /**
   * Threads for the project's other code. One is enough: calls are rare, and each thread loads the project's
   * packages.
   */
  userCodeThreads: 1,
  userCodeHeapMb: 1_024,
  /** A user-code thread whose event loop is blocked for this long is terminated. */
  userCodeSilentMs: 2_000,
  userCodeCallMs: 10_000,
  /** Maximum wait for a user-code thread to start or restart. */
  userCodeStartMs: 30_000,
  userCodeCallsMax: 1_000,
  /** The user-code thread and the thread that reads types end after this time without a call, and restart on demand. */
  userCodeIdleMs: 60_000,
  appHeapMb: 1_024,
  /** The HTTP app's thread is terminated when its event loop is blocked for this long. */
  appSilentMs: 5_000,
  appCallMs: 10_000,
  /** Maximum wait for that thread to start or restart. */
  appStartMs: 30_000,
  /** Concurrent requests to the HTTP app. Further ones get 503. */
  appRequestsMax: 1_000,
  /** Largest body passed to the HTTP app. A body that the app does not read may be larger. */
  appBodyBytesMax: 32 * MiB,
  /** Bytes of bodies that are read for the HTTP app at once. Further requests get 503. */
  appBodiesBytesMax: 256 * MiB,
  /** Names and values of a response's headers. Most clients and proxies accept a quarter of it. */
  appHeadersCharsMax: 64 * KiB,
  /** Bytes of a response that the HTTP app may send before the socket accepts them. */
  appBufferedBytesMax: MiB,
  /**
   * Longest result of a user-code thread: a drawing with thousands of nodes, a few milliseconds for the front
   * thread.
   */
  userCodeResultCharsMax: 2 * MiB,
  /** Drawings and schemas kept in memory, over all graphs and configurations. */
  graphFactsCharsMax: 32 * MiB,
  /** After a graph's code blocked the user-code thread, the same call is not repeated for this long. */
  graphFailureMs: 30_000,
  /** The compiler with LangGraph's types needs about 250 MB. */
  typesHeapMb: 1_024,
  typesCallsMax: 200,
  /** LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS. */
  schemaResolveMs: 30_000,
  workerHeartbeatMs: 50,
  /** Every thread measures its heap this often. */
  heapReadMs: 250,
  watchdogMs: 2_000,
  /**
   * Interval at which a worker with runs checks that its timers, promises, streams and ports work. Takes a
   * fraction of a millisecond.
   */
  probeIntervalMs: 2_000,
  /**
   * A worker is terminated after this many watchdog periods, counted in heartbeats, without a probe reply or a
   * message of a run.
   */
  probeTimeoutPeriods: 5,
  /** A worker without a heartbeat for this long gets no new runs. */
  workerSilentMs: 300,
  /** A worker that has not loaded its graphs by then is terminated. */
  workerLoadMs: 60_000,
  /** A graph whose modules load for longer is named in the log. */
  graphLoadSlowMs: 3_000,
  /** A changed graph that has not loaded by then is refused, unless loading took long at the start already. */
  graphReloadMs: 10_000,
  /** Delay before a pool that lost all its workers is restarted. */
  workerReopenMs: 1_000,
  workerHeapMb: 2_048,
  /** Idle timeout of a thread's connections to its own server: shorter than the 10 s of uWebSockets.js. */
  selfConnectionIdleMs: 4_000,
  /**
   * How long a thread's call waits for its own server to listen. Longer would deadlock a module that calls it
   * while loading.
   */
  selfCallWaitMs: 2_000,
  /**
   * Runs and uploads create much short-lived garbage. A larger young generation makes collections rarer
   * (bench/thread-runs).
   */
  workerYoungHeapMb: 64,
  /** A state change takes a few milliseconds. Graph code that takes this long does not return. */
  editMs: 30_000,
  /** How long a state change waits for a worker with free capacity. */
  editWaitMs: 10_000,
  /** Supersteps of one request, and updates over all of them: enough to import a long conversation. */
  superstepsMax: 1_000,
  updatesMax: 10_000,
  /** A thousand years. A larger value is a mistake. */
  ttlMinutesMax: 525_600_000,
  attemptsMax: 3,
  /**
   * All crons are in memory with their next times, about 300 bytes each. Lists in other orders than creation sort
   * them.
   */
  cronsMax: 50_000,
  cronsPerCallerMax: 10_000,
  /** Maximum interval of checking the clock, to notice that it was set or that the machine slept. */
  cronCheckMs: 30_000,
  /** A clock that goes back by less repeats no firing. If by more, it was wrong, and crons use the new time. */
  cronClockBackMs: 3 * 3_600_000,
  /** Crons that are due at once start in slices of this length, with other work in between. */
  cronSliceMs: 4,
  /** An older missed firing is skipped (THREADMILL_CRON_LATE_SECS). */
  cronLateMs: 86_400_000,
  /** BG_JOB_TIMEOUT_SECS. */
  runTimeoutMs: 3_600_000,
  /** How long runs may continue after SIGTERM before they return to the queue. */
  shutdownGraceMs: 10_000,

  // stored state
  /** Values up to this size are stored inside the checkpoint. Larger ones are content-addressed. */
  inlineValueBytesMax: 96,
  /**
   * The writes on a checkpoint are in its record up to this size of the record. Above about 2,000 bytes LMDB would give
   * it pages of its own.
   */
  checkpointWithWritesBytes: 1_500,
  /** List items up to this size are grouped into segments. */
  smallItemBytesMax: 64,
  /** Values outside of these bounds are not compressed: short ones gain too little, long ones take too long. */
  compressedBytesMin: 256,
  compressedBytesMax: 256 * KiB,
  /** Parameters of a run, which the front thread compresses. */
  compressedKwargsBytesMax: 16 * KiB,
  /** What is left of a value for it to be stored compressed. */
  compressedShareMax: 0.9,
  /** Up to this many entries of a list's index need no further level. */
  listFanout: 8,
  /** Content sent with a job. The worker requests the rest in batches of this size. */
  jobItemBytesMax: 4 * MiB,
  itemsPerRequestMax: 2_048,
  /** Threads whose newest state a worker caches, and the bytes of that cache. */
  warmThreadsMax: 256,
  warmBytesMax: 64 * MiB,
  metadataLeavesMax: 32,
  metadataValueBytesMax: 256,

  /**
   * Pages that start-up checks, in about 100 ms. Of a larger file it checks branch pages, and a thread checks all
   * pages while serving.
   */
  startPagesMax: 5_000,
  /** How long events of imported runs are kept. Their original time would be over. */
  importedEventsTtlMs: 120_000,
  /** Free disk space that start-up requires, for its own files and the first commits. */
  startFreeBytes: 256 * KiB,
  /** Interval of checking that the data file is still open, in addition to the check after every commit. */
  dataFileCheckMs: 1_000,
  /** Bytes and records of one block of a backup. The reading thread handles other work between blocks. */
  backupBlockBytes: 256 * KiB,
  backupBlockRecords: 1_000,
  /** Maximum length of a block of a backup. A block has at least one record, which cannot have 2 GiB. */
  backupBlockBytesMax: 1_024 * MiB,
  /** Records and bytes written to a new data file before waiting for the disk. */
  rewriteRecords: 5_000,
  rewriteBytes: 16 * MiB,

  // long-term memory
  /** Namespace and key of an item together. lmdb accepts 1978 bytes for a whole key, which also has the scope. */
  itemKeyBytesMax: 1_600,
  /** Every item has an index entry for its namespace and for each one above it. */
  itemLabelsMax: 32,
  /** Rows read by a list for a caller with a filter (agent-server.md, section 2). Others have `scanRowsMax`. */
  authorizedScanRowsMax: 10_000,
  /** Bytes of values that one list reads for its filter. */
  itemScanBytesMax: 256 * MiB,
  /** Names and elements of a filter, which are compared with every row. */
  itemFilterPartsMax: 1_000,
  itemFilterDepthMax: 16,
  /** How long a list of items works before other work runs. */
  itemSliceMs: 2,
  /** A read that would extend an item's expiry by less writes nothing, so that frequent reads cause few writes. */
  itemRefreshMs: 1_000,
  /** A hundred years. */
  itemTtlMinutesMax: 52_560_000,
  /** Default interval for removing expired items, unless langgraph.json sets one. */
  itemSweepMs: 300_000,
  /** Indexed texts of one item, each with a vector. */
  itemVectorsMax: 100,
  /** Characters of these texts together. Models accept less. */
  itemTextCharsMax: MiB,
  /** Dimensions of a vector, so that one has at most 64 KiB. */
  vectorDimsMax: 16_384,
  /** Texts per call of the embedding function, and their characters together if there are several. */
  embedTextsMax: 100,
  embedCharsMax: MiB,
  /** Timeout of such a call. A provider may take tens of seconds for a hundred long texts. */
  embedMs: 60_000,
  /** Timeout of an evaluator for one run. It may ask a model. */
  evaluatorMs: 120_000,
  /** Experiments that the server runs at the same time, and runs of each. */
  experimentsRunningMax: 20,
  experimentConcurrency: 4,
  experimentConcurrencyMax: 50,
  /** Runs of an experiment: examples times repetitions. */
  experimentRunsMax: 1_000_000,
  /** Examples that are read at once. */
  experimentExamplesPage: 100,
  /** A run of an experiment that could not start is tried again after this time. */
  experimentRetryMs: 1_000,
  /** Bytes of all results of an experiment, as JSON, for its summary evaluators. */
  summaryBytesMax: 64 * MiB,
  /** Runs that are added to a dataset at once, if the request sets no limit, and bytes of their inputs and outputs. */
  examplesOfRunsDefault: 100,
  examplesOfRunsBytesMax: 64 * MiB,
  /** Runs that rules act on: at the same time, and waiting. */
  ruleRunsMax: 2,
  ruleRunsWaitingMax: 1_000,
  /** Rules that are made over the API. */
  rulesMax: 200,
  ruleRunsPerHour: 1_000,
  /** After an action, the counts of a rule are stored within this time. */
  ruleCountsDelayMs: 2_000,
  ruleErrorCharsMax: 1_000,
  /** Feedback of a run among which a rule looks for a correction. */
  ruleCorrectionsMax: 1_000,
  /** Bytes of a trace that waits in memory for the scores of its run. */
  traceHeldBytesMax: 16 * MiB,
  /** Characters of the message of an evaluator that failed. */
  evaluatorErrorCharsMax: 1_000,
  /** Embedding stops until the next start after this many items failed in a row. */
  indexingFailuresMax: 20,
  /** Delay before items are retried after the function did not respond. */
  indexingRetryMs: 30_000,
  /** Items and vector numbers that one semantic search compares: some seconds of the search thread. */
  vectorSearchItemsMax: 250_000,
  vectorSearchNumbersMax: 250_000_000,
  vectorSearchHeapMb: 512,
  /** The search thread does not respond while it compares. */
  vectorSearchSilentMs: 20_000,
  vectorSearchCallMs: 30_000,
  vectorSearchCallsMax: 100,
  // webhooks
  /** Unfinished deliveries, and runs that will cause one. Further ones get 503. About 200 bytes of memory each. */
  webhooksMax: 100_000,
  /** The same for one host, so that a host that is down for days does not use up the total. */
  webhooksPerHostMax: 10_000,
  /** Concurrent deliveries. Each may hold a whole body in memory. */
  webhooksConcurrentMax: 64,
  webhooksConcurrentPerHostMax: 16,
  /**
   * Concurrent deliveries to hosts that did not respond last time or were never called, one each. Responsive
   * hosts get the rest.
   */
  webhooksUnprovenMax: 32,
  /** Timeout of one attempt, from the name look-up to the response headers. THREADMILL_WEBHOOK_TIMEOUT_SECS. */
  webhookAttemptMs: 10_000,
  /** Receivers rarely accept more. Values that do not fit are left out and named. */
  webhookBodyBytesMax: 4 * MiB,
  /** Bytes read of a response body, so that the connection can be reused. */
  webhookResponseBytesMax: 16 * KiB,
  webhookUrlCharsMax: 65_536,
  /** Maximum delay that a receiver can request with `retry-after`. */
  webhookRetryAfterMsMax: 3_600_000,
  /** Each delay is extended by up to this share, so that deliveries that failed together are not retried together. */
  webhookJitter: 0.2,
  /** How long the log of a finished delivery is kept. */
  webhookLogTtlMs: 7 * 24 * 3_600_000,
  /** More than a schedule can have (THREADMILL_WEBHOOK_RETRY_SECS), because failed deliveries can be sent again. */
  webhookAttemptsKept: 50,
  /** Deliveries of one answer, and those that it looks at to find what the caller sees. */
  deliveriesShownMax: 200,
  deliveriesReadMax: 10_000,
  webhookHeapMb: 512,
  /** The thread ends after this time without a delivery. Connections are kept as long. */
  webhookIdleMs: 30_000,

  // alerts
  /** Each is checked about once a minute, one after another. */
  alertsMax: 100,
  alertCheckMs: 60_000,
  /** A check that takes long is repeated after this many times its duration, so that reads of clients go on. */
  alertPauseFactor: 10,
  /** Changes of the state that are kept for each alert. */
  alertHistoryMax: 100,
  /** Webhooks of one alert that are not delivered yet. Further changes call none. */
  alertWebhooksMax: 20,

  // history of the server
  historySampleMs: 60_000,
  /** Then ten samples become one. */
  historyMinutesKeptMs: 24 * 3_600_000,
  /** Then six samples become one. With the minutes and the hours there are about 4,500 samples, in less than a MiB. */
  historyTenMinutesKeptMs: 7 * 24 * 3_600_000,
  historyHoursKeptMs: 90 * 24 * 3_600_000,
  /** Samples that one commit joins or removes: a server that was off for long catches up in some minutes. */
  historyThinnedMax: 240,
  /** Points of one answer. */
  historyPointsMax: 1_500,
  /** Compressed bundles of all code versions that are kept. */
  codeBytesMax: 64 * MiB,
  /** While a version is used, how often that is stored. */
  codeUsedMs: 3_600_000,

  // profile of the state
  /** Threads whose bytes are summed, and owners: the tables take up to 64 bytes for each while they grow. */
  profiledNamesMax: 1_000_000,
  /** The largest threads, which are listed and read in detail. */
  profiledThreadsMax: 100,
  /** Rows of the other lists of the profile. */
  profiledRowsMax: 50,
  /** A profile reads the whole data file. The first one of a day is made when the server has been up for so long. */
  stateProfileDelayMs: 300_000,
  stateProfileCheckMs: 60_000,
  stateProfileRetryMs: 3_600_000,
  stateProfileDaysKept: 400,
  /** Owners, graphs, channels and namespaces of a stored profile. With the threads it has about 10 KiB. */
  stateProfileRowsKept: 20,

  // budget of the state
  /** Threads whose bytes are remembered, about 100 bytes each. Others are measured again at their next run. */
  budgetedThreadsMax: 100_000,
  /** The time after a run in which a client usually continues with its thread, which thinning would block. */
  stateThinDelayMs: 1_000,
  stateBudgetLogMs: 60_000,

  // MCP and A2A
  /** Tools of one page. Each may need the schemas of a graph. */
  toolsPageMax: 50,
  /** How long a list of tools waits for one schema. Clients give up after a minute. */
  toolSchemaMs: 20_000,
  /**
   * Characters of an assistant's name in the name of its tool. With the id it stays below the 128 that clients
   * accept.
   */
  toolNameCharsMax: 64,
  /** Messages of one batch, which only an old version of the protocol has. */
  rpcBatchMax: 20,
  /** Messages of a task's history (agent-server.md, 20). */
  historyLengthMax: 10,
  /** Parts of one message. */
  messagePartsMax: 100,
  /** Tasks of one page. */
  tasksPageMax: 100,
  /** Newer states that are searched for the last state of a task. */
  taskStatesMax: 1_000,

  // evaluation results
  /**
   * Body of an upload of an experiment, runs or examples. The front thread only forwards it.
   * THREADMILL_MAX_UPLOAD_BYTES.
   */
  uploadBytesMax: 200 * MiB,
  /**
   * Bytes of bodies for the evaluation thread besides the leading one. Clients that would send more are paused. With
   * the largest body, this bounds the memory of uploads (bench/upload-memory).
   */
  uploadsWaitingBytes: 32 * MiB,
  /** A body that is not complete after this time does not stop others: its client is slow. */
  uploadSlowMs: 5_000,
  /** How long a client is paused before its upload gets 503. Most clients give up after a minute or more. */
  uploadWaitMs: 60_000,
  /** Bytes of all these bodies. A paused client may still send what its socket has buffered. Further ones get 503. */
  uploadsForwardedBytesMax: 512 * MiB,
  /** Rows of one upload. A large experiment has a hundred thousand; this many still fit into memory twice. */
  uploadRowsMax: 250_000,
  uploadScoresMax: 1_000,
  /** Concurrent queries and exports of the reading thread. */
  readingTasksMax: 64,
  /** Concurrent bodies of the intake thread. Each may hold a whole decompressed body while it waits for its dataset. */
  intakeTasksMax: 8,
  evaluationHeapMb: 4_096,
  /** Niceness of the intake thread when cores are scarce. With 5 it gets a third of a shared core. */
  intakeNice: 5,
  /**
   * In a server that has evaluation runs, an intake thread waits for uploads. It is replaced after bodies of so many
   * bytes, because it keeps the heap that they needed.
   */
  intakeBodyBytesMax: 8 * MiB,
  /** It starts this long after the server: clients that waited for the server come first. */
  intakeStartDelayMs: 2_000,
  /** The intake thread ends, or is replaced, after this time without a body. */
  intakeIdleMs: 2_000,
  /** The intake thread creates little garbage that lives for long. More would only be memory. */
  intakeYoungHeapMb: 24,
  /** Runs in a list of a project. A query reads a list as a whole, and few lists. */
  projectListRunsMax: 20_000,
  /** Points of a series of runs over time. */
  seriesPointsMax: 1_000,
  /** How long a series may be computed. The newest runs come first, so the oldest points may be missing. */
  seriesMs: 2_000,
  /** Rows of experiments and datasets cached by the evaluation thread: about 600 bytes each, with ids and positions. */
  cachedRowsMax: 500_000,
  /** Rows that no query has used for this time are dropped. Readers of a comparison mostly come back earlier. */
  cachedUnusedMs: 120_000,
  /** The thread looks for such rows this often, and collects garbage when it has dropped at least this many. */
  cacheCheckMs: 10_000,
  cacheCollectRowsMin: 20_000,
  /** Characters of a comment or label that statistics keep in memory and show. */
  keptTextChars: 500,
  /** Labels counted per feedback key. Free text is not a category. */
  labelsMax: 500,
  /** Scores of one comparison, the most frequent ones. Each has a column and a confidence interval. */
  comparedKeysMax: 50,
  /** Default number of rows per page. */
  pageRows: 100,
  /** Size of a page, which is built in memory on the evaluation thread. */
  pageBytesMax: 128 * MiB,
  /** Concurrent exports. A slow client occupies one task of the thread. */
  exportsMax: 16,
  /** Bytes that an export sends at once: a few milliseconds, after which other queries run. */
  exportPartBytes: 256 * KiB,
  /** How long an export works before other queries run. */
  exportSliceMs: 8,
  /** Columns of a CSV file. Spreadsheets open no more. */
  csvColumnsMax: 16_384,
  /** Recorded steps of one run. A trace with more cannot be read by people, and a loop must not fill the disk. */
  traceStepsMax: 10_000,
  /** Spans in one request of an OpenTelemetry exporter, whose batches have hundreds. */
  spansPerRequestMax: 50_000,
  /** A worker sends steps this often: most runs end before, and send each step once, complete. */
  spanDelayMs: 250,
  /** Steps are stored together, this long after the first of them arrived, or when there are so many bytes. */
  traceDelayMs: 250,
  traceBatchBytes: 512 * KiB,
  /** How often traces that are too old or too many are deleted. */
  traceSweepMs: 60_000,
  /** Steps that wait for the disk. Later ones are dropped: traces must not slow runs or fill the memory. */
  traceWaitingBytesMax: 64 * MiB,
  /** Threads that wait for an answer whose code is kept beyond `code_versions.keep`: some 20 ms to read. */
  parkedThreadsMax: 2_000,
  /** Size of the recording of a run, before it is compressed. */
  recordingBytesMax: 16 * MiB,
  /** The same for all runs of a graph worker that execute at one time. */
  recordingBytesPerThreadMax: 128 * MiB,
  /** Time to check the examples of one request against the schema of their dataset. A pattern can take very long. */
  datasetRulesMs: 5_000,
  /** Problems named in one refusal: enough to find the fault in a file, few enough to read. */
  problemsMax: 100,
  /** Names and elements of a value for which all validation errors are collected, because each is an object. */
  allErrorsMembersMax: 10_000,
  /** Names and elements in one free-form value. */
  jsonMembersMax: 1_000_000,
  /** Approximate size of a block of records: few puts, and a change rewrites no more than one block. */
  blockBytes: 32 * KiB,
  /** Bytes that the evaluation thread sends at once. The front thread stores them within a millisecond or two. */
  sliceBytes: 512 * KiB,
  slicePuts: 150,
  /**
   * Records of a thread that are read, and removed, before other work runs: a millisecond or two
   * (bench/checkpoints).
   */
  sliceReads: 500,
  sliceRemovals: 250,
  /** Leftovers removed concurrently, in slices. */
  leftoversConcurrentMax: 8,
  /** Bytes of an upload that are not on disk yet. Above it, the next slice waits. */
  stagedUnflushedBytes: 8 * MiB,
  /** Runs and feedback that the front thread merges in one slice. */
  sliceChangesMax: 200,
  /** Parts of one multipart body: enough for a hundred runs of seven parts and their feedback, many times over. */
  partsMax: 100_000,
  /**
   * One attachment of an example or run: a long recording, a large document. A request has at most
   * `uploadBytesMax`, which all its attachments share.
   */
  attachmentBytesMax: 50 * MiB,
  attachmentsPerRecordMax: 100,
  attachmentNameBytesMax: 256,
  /** Lifetime of a link to an attachment. An evaluation lists its examples first and may run for hours. */
  attachmentLinkTtlMs: 24 * 3_600_000,
  /** Items of one block. An id has one byte for the index of an item. */
  blockItemsMax: 64,
  /** Steps that share texts are in one block, which is then larger. Of more than this, each has texts of its own. */
  runGroupBytesMax: 512 * KiB,
  /** How long feedback tokens created by a run are valid. People respond with delay. */
  feedbackKeyTtlMs: 7 * 24 * 3_600_000,
  /** Default lifetime of requested feedback tokens, as in the clients; and the maximum, a year. */
  feedbackTokenTtlMs: 3 * 3_600_000,
  feedbackTokenTtlMsMax: 366 * 24 * 3_600_000,
  /** How long an expired token is answered with 410. Afterwards it counts as unknown. */
  feedbackTokenKeptMs: 7 * 24 * 3_600_000,
  /** Feedback tokens of one run. Listing them computes each again from its record, some milliseconds for all. */
  feedbackTokensPerRunMax: 500,
  /** Size of the thread metadata stored with feedback whose thread is not stored. */
  feedbackThreadMetadataBytesMax: 16 * KiB,

  // Cluster
  /** Time to open a connection to the database. */
  clusterConnectMs: 5_000,
  /** A query without an answer after this time breaks its connection. A synchronous standby may take seconds. */
  clusterQueryMs: 10_000,
  /** Wait before a query to a database that did not answer is repeated: doubles from the first to the second. */
  clusterRetryMinMs: 50,
  clusterRetryMaxMs: 2_000,
  /** Time that a node which ends gives to the commits that the database has not confirmed yet. */
  clusterCloseMs: 5_000,
  /** Time that an owner which ends gives to requests that it is answering. */
  clusterLeaveMs: 500,
  /** Interval at which a node shows that it lives. */
  clusterBeatMs: 1_000,
  /** Interval at which a node that is not the owner looks at the log and at the owner. */
  clusterPollMs: 300,
  /** An owner that ends refuses requests of other nodes for this time, in which they learn that it does not serve. */
  clusterRefuseMs: 800,
  /** A node takes over from an owner that it has not seen for this time. Failover must take less than 6 s in all. */
  clusterOwnerSilentMs: 3_500,
  /** An owner that has not shown for this time that it lives does not serve: less than `clusterOwnerSilentMs`. */
  clusterCertainMs: 3_000,
  /** The database is away for this time after it did not answer: longer than the next try takes. */
  clusterAwayMs: 8_000,
  /** Difference to the clock of the database with which a node does not become the owner. */
  clusterClockOffsetMs: 250,
  /** Nothing of the log is removed while a node loads a snapshot, if it was seen within this time. */
  clusterLoadingNodeMs: 30_000,
  /** The row of a node that was not seen for this time is removed. */
  clusterLostNodeMs: 3_600_000,
  /** A request to drain a node is removed after this time, if no node has the name any more. */
  clusterDrainKeptMs: 30 * 24 * 3_600_000,
  /** How often nodes show each other that a link between them works. */
  linkBeatMs: 1_000,
  /** A link over which nothing has arrived for this long is closed. */
  linkSilentMs: 3_500,
  /** Pause before a node connects to the owner again. */
  linkRetryMs: 250,
  /** How long a node holds a request while the cluster has no owner. */
  forwardHoldMs: 15_000,
  /** Time that an earlier owner has for its answers when another node has taken over. */
  forwardBreakMs: 500,
  /** Wait before a request that did not arrive is sent again. */
  forwardRetryMs: 50,
  /** Bytes of a body that may be on their way from one node to another before the receiver has taken them. */
  channelWindowBytes: 256 * KiB,
  /** Bytes of a request that are kept to send it again, and of a response that is passed on in one piece. */
  forwardKeptBytesMax: MiB,
  forwardKeptBytesOfAllMax: 128 * MiB,
  /** Time that a node which ends gives to requests that wait for the next owner. */
  forwardDrainMs: 10_000,
  /** Records of one entry of the log. A commit that is larger has an entry of its own. */
  logEntryBytesMax: 8 * MiB,
  /** Upper bounds for one read of the log. It returns at least one entry. */
  logReadBytes: 4 * MiB,
  logReadEntries: 1_000,
  /** Bytes of the newest entries that a node keeps as files beside its copy, without the file that it writes. */
  tailBytes: 64 * MiB,
  /** A file of them is followed by another one when it has this size. Each start of a node begins another one too. */
  tailFileBytes: 16 * MiB,
  tailFilesMax: 64,
  /** Piece of a snapshot, one row in the database. */
  snapshotChunkBytes: MiB,
  /** Bytes of the log after which a snapshot is due, at least. */
  snapshotLogBytes: 256 * MiB,
} as const;

assert(LIMITS.bodyCheckMs * 3 < 8_000, 'slow bodies are detected before uWebSockets.js closes the socket');
assert(LIMITS.batchBytesMax < LIMITS.creditBytes, 'a batch fits into the credit');
assert(LIMITS.creditStepBytes < LIMITS.creditBytes, 'a worker that waits for credit gets some');
assert(LIMITS.linkCreditStepBytes < LIMITS.creditBytes, 'a worker of another node that waits for credit gets some');
assert(
  LIMITS.workerHeartbeatMs * 4 < LIMITS.workerSilentMs,
  'a worker misses several heartbeats before it counts as silent',
);
assert(LIMITS.workerSilentMs < LIMITS.authSilentMs, 'an auth worker gets no new calls before it is terminated');
assert(
  LIMITS.workerSilentMs < LIMITS.userCodeSilentMs && LIMITS.userCodeSilentMs < LIMITS.userCodeCallMs,
  'a user-code thread gets no new calls, then is terminated, before its calls time out',
);
assert(LIMITS.workerSilentMs < LIMITS.watchdogMs, 'a worker gets no new runs before it is terminated');
assert(LIMITS.batchBytesMax <= LIMITS.runTailBytesMax, 'the tail holds at least one batch');
assert(
  LIMITS.webhooksUnprovenMax < LIMITS.webhooksConcurrentMax,
  'unresponsive receivers do not delay responsive ones',
);
assert(
  LIMITS.webhooksConcurrentMax * LIMITS.webhookBodyBytesMax <= LIMITS.webhookHeapMb * MiB,
  'the concurrent bodies fit into the heap of the webhook thread',
);
