import { assert } from './assert.js';

/** Every bound of the server: its name says what it bounds and in which unit, the comment why it is what it is. */
export const KiB = 1024;
export const MiB = 1024 * KiB;

/** Seconds before each further attempt of a webhook: ten attempts in about a day. THREADMILL_WEBHOOK_RETRY_SECS. */
export const WEBHOOK_RETRY_SECS: readonly number[] = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200];

export const LIMITS = {
  // HTTP
  /**
   * A request of this size holds others up for a quarter of a second at most, whatever its shape (bench/large-bodies). The Agent
   * Server's own 300 MB would take seconds. HTTP_MAX_REQUEST_BODY_BYTES raises it.
   */
  bodyBytesMax: 32 * MiB,
  /** JSON that is longer is parsed in pieces of this size, and others are answered in between. The worst piece takes some 15 ms. */
  jsonPieceBytes: 64 * KiB,
  /** Names and elements of a body. An input goes to the worker as the bytes that came, where parsing and storing so many takes a second at worst; others are made JSON again on the front, some 1 µs each. */
  bodyMembersMax: 100_000,
  inputMembersMax: 500_000,
  /** A larger body is read when it is known who sends it. */
  unauthenticatedBodyBytesMax: 64 * KiB,
  /** Of one body, before other sockets have their turn. */
  bodyTurnBytes: MiB,
  /** A body that brings less than `bodyWindowBytes` in `bodyWindowMs`, and is not whole by then, is refused with 408: 1.6 KB/s is less than any line has, and a client that sends a byte now and then would hold its connection for ever. */
  bodyWindowMs: 10_000,
  bodyWindowBytes: 16 * KiB,
  /** How often the pace of bodies is looked at: often enough to be before the timer of uWebSockets.js, which comes after 8 s or more. */
  bodyLookMs: 2_000,
  /** Bodies that are gathered and parsed on the front, over all requests; more are refused with 503. Some sixteen of the largest. */
  bodiesBytesMax: 512 * MiB,
  /** Open connections; further ones get 503 and are closed at once. One that streams takes some 10 KB. THREADMILL_MAX_CONNECTIONS. */
  connectionsMax: 16_384,
  /** Of the files that the system lets the process open, what connections leave to everything else: were there none left, the server could not even refuse. */
  filesForOthers: 512,
  /** After so long uWebSockets.js closes a socket on which nothing happens; it looks every 4 s. */
  idleSocketMs: 10_000,
  /** Small JSON bodies of reads and searches: nothing legitimate is near it. */
  queryBodyBytesMax: 4 * MiB,
  /** uWebSockets.js counts the whole request head; its own 4 KiB cuts long tokens off. */
  headBytesMax: 32 * KiB,
  /** An origin that http.cors.allow_origin_regex is tried on: longer than any real one, for a host has at most 253 characters. */
  originCharsMax: 512,
  /** Deeper JSON overflows recursive code somewhere; nothing real is near it. */
  jsonDepthMax: 200,
  /** SSE comment lines; clients arm a watchdog on a steady pace (agent-server.md, 10.1). */
  heartbeatMs: 5_000,
  /** Newlines before the JSON of a wait, so that proxies keep the connection. */
  waitKeepAliveMs: 1_000,
  /** How long a wait answers with one write; after it, headers go out at once so that clients learn the run id. */
  waitHeadersAfterMs: 100,
  /** Largest single write to one socket: what a reader that stopped reading can hold in memory. */
  writeBytesMax: 64 * KiB,
  /** Log lines that wait for a slow disk or a reader of stderr; further ones are dropped and counted. */
  logBytesMax: 16 * MiB,
  /** A server that ends waits for a reader of its log that takes nothing for so long, and for one that is slow at most so long. */
  logQuietMs: 1_000,
  logLastMs: 5_000,
  /** Rows that one request may look at before it must come back with a narrower question. */
  scanRowsMax: 50_000,
  /** Runs and threads that go with a deleted assistant, ended in one turn: a few milliseconds. */
  goesWithMax: 50,
  /** Entries of the index that one request may go through, most of them without reading a record. */
  scanEntriesMax: 2_000_000,
  /** Records that a count may read where the index alone does not tell: a number has no cursor to go on with. */
  countRowsMax: 1_000_000,
  /** Of latest values that one search may go through. */
  searchedBytesMax: 64 * MiB,
  /** One value that a search parses, or takes a part out of, in a turn. */
  searchedValueBytesMax: 2 * MiB,
  /** Work on the front goes on for so long before others have their turn; less at first, as many requests may begin in one turn. */
  turnMs: 4,
  firstTurnMs: 1,
  /** Pieces of work that wait for their turn. */
  turnsQueuedMax: 1_024,
  /** Conditions of one search, and how deep they are nested. */
  conditionsMax: 100,
  conditionDepthMax: 8,
  /** How long it is remembered which threads changed, for whoever pages with a cursor, and how many. */
  cursorIdleMs: 600_000,
  cursorMovesMax: 100_000,
  /** Threads that came before a cursor and moved behind it: only where the clock was set back. */
  cursorPassedMax: 100,
  /** A state that is shown whole. */
  stateBytesMax: 256 * MiB,
  /** Content that the states of one answer share. */
  sharedContentCharsMax: 8 * MiB,
  /** Longest list of states or threads that one answer holds; a thousand long chats would be hundreds of megabytes. */
  answerBytesMax: 32 * MiB,

  // errors
  /** Of an error's text, what is stored and shown: a list of a thousand failed threads holds a thousand of them. */
  errorTextCharsMax: 8_192,
  /** Characters of what an auth handler answers a request with: it is sent once, and stored nowhere. */
  refusalTextCharsMax: 64 * KiB,
  errorNameCharsMax: 256,
  errorStackCharsMax: 16_384,

  // traces
  /** Spans that wait for the collector; while it does not answer, further ones are dropped. */
  spansQueuedMax: 2_048,
  /** Sent at once: a few milliseconds of the front's time. */
  spansPerExport: 256,
  /** How long the server waits for the collector when it closes. */
  spansLastMs: 2_000,
  /** How often it is said that the collector does not take spans. */
  spanProblemsEveryMs: 60_000,

  /** THREADMILL_ENCRYPTION_KEY_COMMAND, which may ask a secret store. */
  encryptionKeyCommandMs: 30_000,

  // API keys
  /** How often the folder of keys is read besides the watch, which some file systems do not tell everything; also how late the expiry of a key ends its streams. */
  keysPollMs: 1_000,
  /** When a key was last used is written down this often at most: whoever looks at it thinks in days. */
  keyUsedEveryMs: 60_000,
  keyNameCharsMax: 100,
  /** Runs that `/server/queue` shows of those that run, and of those that wait. */
  queueShownMax: 100,
  /** A key's file has a few hundred bytes; with every scope there is, some two thousand. */
  keyFileBytesMax: 64 * KiB,
  /** Files of keys, beyond which the API makes no further ones: all of them are read on the front. */
  keysOverHttpMax: 500,
  /** A temporary file of this age belongs to no command that is still at work. */
  keyLeftoverMs: 3_600_000,
  /** Of a key from the environment: someone made it up, and shorter ones can be guessed. */
  envKeyCharsMin: 20,

  // many at once
  /** New runs of a batch that one turn makes, and that one turn hands to the scheduler; a batch has 500 at most, for one commit is put in one turn. */
  batchTurnMax: 50,
  /** Runs that one turn looks at, and cancels, for a request that is about many. */
  cancelLookMax: 5_000,
  cancelTurnMax: 50,

  // streams
  /** Frames of one run kept in memory for readers; older ones come from the store or are a gap. */
  runTailBytesMax: 4 * MiB,
  /** A worker sends a batch when it is this large, or once per turn of its loop. */
  batchBytesMax: 64 * KiB,
  /** Bytes of a run's messages that the front has not finished with (told, or on disk); the worker waits above. */
  creditBytes: 8 * MiB,
  /** The front says that it is done with a run's messages in steps of this size. */
  creditStepBytes: 1 * MiB,
  /**
   * Bytes handed to the store that are not on disk yet. Above, requests that would add more get 503; runs under way are
   * held back by `creditBytes` each.
   */
  pendingBytesMax: 256 * MiB,
  /** A worker takes chunks of a run for so long before its loop turns: other runs, batches and beats have their turn. */
  chunkTurnMs: 10,
  /** Event ids reserved on disk ahead of use; after a crash this many are skipped. */
  seqBlock: 1_000_000,
  /** How long frames of a resumable run are kept after its end (RESUMABLE_STREAM_TTL_SECONDS). */
  resumableTtlMs: 120_000,
  /** How long the front remembers a finished run's log for late readers. */
  finishedLogTtlMs: 5_000,
  /** Readers of one thread's stream; each is a cursor and a socket. */
  threadReadersMax: 1_000,
  /** Open WebSockets; one more is closed with 4503. */
  socketsMax: 10_000,
  /** Subscriptions of one WebSocket. */
  socketSubscriptionsMax: 64,
  /** Bytes that a WebSocket's client has not taken yet, above which its events wait. */
  socketBufferedBytesMax: 256 * KiB,
  /** Silence, pings unanswered, after which a WebSocket is closed. */
  socketIdleS: 60,
  /** Streams that wait for a thread that is not there yet: of one caller, and of all. */
  threadWaitersPerCallerMax: 100,
  threadWaitersMax: 10_000,
  /** Checkpoints of one `state.listCheckpoints`. */
  checkpointsListedMax: 1_000,
  /** How long a thread's events are gathered on after its last reader has left: a client that lost its connection is back by then. */
  threadFeedTtlMs: 30_000,
  /** Threads whose events are gathered on although nobody reads; the longest left goes first. */
  threadFeedsIdleMax: 64,
  /** Newest runs of a thread that are looked at for events that are still stored. */
  threadRunsLookMax: 200,

  // workers
  /** Runs under way in one worker: runs mostly wait for models, so many share a thread. */
  runsPerWorkerMax: 512,
  /** Runs waiting for a worker over all threads; more are refused with 503. */
  queuedRunsMax: 1_000_000,
  /** Workers that repeat runs whose worker was lost, one run each. */
  soloWorkersMax: 2,
  /** Threads that run the developer's auth handlers. */
  gates: 2,
  gateHeapMb: 512,
  /** A gate whose loop stands still for so long is ended. */
  gateSilentMs: 1_000,
  /** A request waits so long for the auth handler's answer. */
  gateAskMs: 10_000,
  gateAsksMax: 2_000,
  /** A member of a request that is larger is not shown to an access handler; a value that is larger than all of it is refused. */
  shownMemberCharsMax: 16 * KiB,
  /** Metadata that is larger is not gone through for the index. */
  metadataIndexedBytesMax: 64 * KiB,
  shownCharsMax: 256 * KiB,
  /** Of a list that a handler is asked about element by element, all of them. */
  shownListCharsMax: MiB,
  /** Threads for the user's other code. One: what is asked there is rare, and each has the user's packages in memory. */
  desks: 1,
  deskHeapMb: 1_024,
  /** A desk whose loop stands still for so long is ended. */
  deskSilentMs: 2_000,
  deskAskMs: 10_000,
  /** Until a desk has started, or another in the place of one that was lost. */
  deskWaitMs: 30_000,
  deskAsksMax: 1_000,
  /** A desk, or the thread that reads types, ends after so long without an ask; the next one starts it again. */
  deskIdleMs: 60_000,
  appHeapMb: 1_024,
  /** The thread of the HTTP app is ended when its loop stands still for so long. */
  appSilentMs: 5_000,
  appAskMs: 10_000,
  /** Until its thread has started, or another in the place of one that was lost. */
  appWaitMs: 30_000,
  /** Requests that the HTTP app has not finished; more get 503. */
  appRequestsMax: 1_000,
  /** Longest body that is handed to the HTTP app; one that it does not read may be longer. */
  appBodyBytesMax: 32 * MiB,
  /** Bodies that are gathered for the HTTP app at once; more get 503. */
  appBodiesBytesMax: 256 * MiB,
  /** Names and values of one answer's headers: most clients and proxies take a quarter of it. */
  appHeadCharsMax: 64 * KiB,
  /** The HTTP app's thread sends so much of an answer before the socket has taken it. */
  appAheadBytes: MiB,
  /** Longest answer of a desk: a drawing of thousands of nodes, and a few milliseconds for the front. */
  deskAnswerCharsMax: 2 * MiB,
  /** Drawings and schemas that are remembered, over all graphs and configurations. */
  graphFactsCharsMax: 32 * MiB,
  /** A graph whose code held its desk up is not asked the same again for so long. */
  graphFailureMs: 30_000,
  /** The compiler with LangGraph's types needs some 250 MB. */
  typesHeapMb: 1_024,
  typesAsksMax: 200,
  /** LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS. */
  schemaResolveMs: 30_000,
  beatMs: 50,
  watchdogMs: 2_000,
  /** How often a worker with runs is asked whether timers, promises, streams and ports still work: a fraction of a millisecond. */
  probeEveryMs: 2_000,
  /** A worker that has answered no probe and told nothing of its runs for so many times the watchdog's time, in beats, is ended. */
  probePatience: 5,
  /** Above this a worker counts as silent and gets no new run. */
  silentMs: 300,
  /** A worker that has not loaded its graphs by then is ended. */
  workerLoadMs: 60_000,
  /** Pause before a pool that has lost all its workers is opened anew. */
  workerReopenMs: 1_000,
  workerHeapMb: 2_048,
  /** A connection that a thread keeps to its own server: shorter than the 10 s after which uWebSockets.js closes an idle one. */
  ownIdleMs: 4_000,
  /** A thread's call to a server that does not listen yet waits so long; a module that makes one while it is loaded would wait for itself. */
  ownWaitMs: 2_000,
  /** Runs and uploads make much short-lived garbage; with room for it the collector runs a fraction as often (bench/thread-runs). */
  workerYoungMb: 64,
  /** A change of state takes a few milliseconds; a graph's own code that takes this long is not coming back. */
  editMs: 30_000,
  /** A change of state waits so long for a worker that has room. */
  editWaitMs: 10_000,
  /** Supersteps of one request, updates of all of them together: a long conversation that is brought along. */
  superstepsMax: 1_000,
  updatesMax: 10_000,
  /** A thousand years: what is longer is a slip of the pen. */
  ttlMinutesMax: 525_600_000,
  attemptsMax: 3,
  /** All of them are in memory with their next times, some 300 bytes each, and a list in another order than that of creation sorts them. */
  cronsMax: 50_000,
  cronsPerCallerMax: 10_000,
  /** How often the clock is looked at when nothing is due sooner: so late is noticed that it was set, or that the machine slept. */
  cronLookMs: 30_000,
  /** A wall clock that goes back by less repeats no slot; by more it was wrong, and crons take their next slot from it. */
  cronClockBackMs: 3 * 3_600_000,
  /** Crons that are due at once begin in turns of this length: others are answered in between. */
  cronTurnMs: 4,
  /** A missed slot that is older is left out (THREADMILL_CRON_LATE_SECS). */
  cronLateMs: 86_400_000,
  /** BG_JOB_TIMEOUT_SECS. */
  runTimeoutMs: 3_600_000,
  /** How long runs may go on after SIGTERM before they go back to the queue. */
  shutdownGraceMs: 10_000,

  // stored state
  /** Values up to this size stand in the checkpoint itself; larger ones are content-addressed. */
  inlineValueBytesMax: 96,
  /** List items up to this size are grouped into segments. */
  smallItemBytesMax: 64,
  /** Entries of one level of a list's index that are not worth another level. */
  listFanout: 8,
  /** Content that travels with a job; the worker asks for the rest in batches of this size. */
  jobItemBytesMax: 4 * MiB,
  itemsPerRequestMax: 2_048,
  /** Threads whose head state one worker remembers, and the bytes it may hold for them. */
  warmThreadsMax: 256,
  warmBytesMax: 64 * MiB,
  metadataLeavesMax: 32,
  metadataValueBytesMax: 256,

  /** Pages that a start looks through, some 100 ms; of a larger file it looks at those that lead to the others, and a thread at all of them while it serves. */
  startPagesMax: 5_000,
  /** Events of imported runs are kept so long: theirs would have been over. */
  importedEventsTtlMs: 120_000,
  /** Room on the disk that a start asks for: for files of its own, and for the first commits. */
  startRoomBytes: 256 * KiB,
  /** How often it is looked whether the data file is still open, besides after every commit. */
  dataFileLookMs: 1_000,
  /** Records that a backup puts into one block, as far as these bytes go: the reading thread answers others in between. */
  backupBlockBytes: 256 * KiB,
  backupBlockRecords: 1_000,
  /** No block of a backup is longer: one record, and 2 GiB are more than it can have. */
  backupBlockBytesMax: 1_024 * MiB,
  /** Records that are written to a new data file before the disk is waited for. */
  rewriteRecords: 5_000,
  rewriteBytes: 16 * MiB,

  // long-term memory
  /** Namespace and key of an item together: lmdb takes 1978 bytes for a whole key, of which the scope has some. */
  itemKeyBytesMax: 1_600,
  /** An item stands in the index of its namespace and of each above it. */
  itemLabelsMax: 32,
  /** Rows that a list looks at for a caller with a filter (agent-server.md, section 2); scanRowsMax for others. */
  authorizedScanRowsMax: 10_000,
  /** Values that one list reads for its filter. */
  itemScanBytesMax: 256 * MiB,
  /** Names and elements of a filter: each row that is looked at pays for them. */
  itemFilterPartsMax: 1_000,
  itemFilterDepthMax: 16,
  /** How long a list of items works before others have their turn. */
  itemTurnMs: 2,
  /** A read that would put an item's end off by less changes nothing: many reads a second are one write. */
  itemRefreshMs: 1_000,
  /** A hundred years. */
  itemTtlMinutesMax: 52_560_000,
  /** How often items past their time are removed when langgraph.json does not say. */
  itemSweepMs: 300_000,
  /** Texts of one item that are found by their meaning, each with a vector. */
  itemVectorsMax: 100,
  /** And how long these are together: models take less. */
  itemTextCharsMax: MiB,
  /** Numbers of a vector: a vector is one value of 64 KiB at most. */
  vectorDimsMax: 16_384,
  /** Texts that the user's code is asked to embed at once, and how long they may be together unless there is one. */
  embedTextsMax: 100,
  embedCharsMax: MiB,
  /** How long that may take: a provider that is asked for a hundred long texts takes some tens of seconds. */
  embedMs: 60_000,
  /** Items in a row whose embedding fails before giving them vectors stops until the next start. */
  indexingFailuresMax: 20,
  /** When the function gave no answer, items are tried again after so long. */
  indexingRetryMs: 30_000,
  /** Items that one search by meaning compares, and the numbers in their vectors: some seconds of the search thread. */
  nearestItemsMax: 250_000,
  nearestNumbersMax: 250_000_000,
  nearestHeapMb: 512,
  /** The search thread says nothing while it compares. */
  nearestSilentMs: 20_000,
  nearestAskMs: 30_000,
  nearestAsksMax: 100,
  // webhooks
  /** Deliveries that are owed, and runs that will owe one; more are refused with 503. Some 200 bytes of memory each. */
  webhooksMax: 100_000,
  /** The same to one host: a receiver that is down for days must not use up what others need. */
  webhooksOfHostMax: 10_000,
  /** Under way at once: each may hold a whole body. */
  webhooksAtOnceMax: 64,
  webhooksToOneHostMax: 16,
  /** Under way at once to hosts that did not answer the last time or were not asked yet, one each: silent hosts leave the rest to those that answer. */
  webhooksUnprovenMax: 32,
  /** One attempt, from the look-up of the name to the head of the answer. THREADMILL_WEBHOOK_TIMEOUT_SECS. */
  webhookAttemptMs: 10_000,
  /** Receivers seldom take more; what does not fit is left out and named. */
  webhookBodyBytesMax: 4 * MiB,
  /** Of an answer's body, so that the connection can be used again. */
  webhookAnswerBytesMax: 16 * KiB,
  webhookUrlCharsMax: 65_536,
  /** What a receiver may ask for with `retry-after`. */
  webhookRetryAfterMsMax: 3_600_000,
  /** Each delay is made longer by up to this part of it, so that what failed together does not come back together. */
  webhookJitter: 0.2,
  /** How long it is told what became of a delivery. */
  webhookLogTtlMs: 7 * 24 * 3_600_000,
  webhookHeapMb: 512,
  /** After so long without a delivery the thread ends; connections are kept as long. */
  webhookIdleMs: 30_000,

  // MCP and A2A
  /** Tools of one page: each may have to ask for the schemas of a graph. */
  toolsPageMax: 50,
  /** A list of tools does not wait longer for the schema of one: clients give up after a minute. */
  toolSchemaMs: 20_000,
  /** Of an assistant's name in that of its tool; with its id it stays below the 128 that clients take. */
  toolNameCharsMax: 64,
  /** Messages of one list, which only an old version of the protocol has. */
  rpcBatchMax: 20,
  /** Messages of a task's history (agent-server.md, 20). */
  historyLengthMax: 10,
  /** Parts of one message. */
  messagePartsMax: 100,
  /** Tasks of one page. */
  tasksPageMax: 100,
  /** Newer states that are looked at for the last one of a task. */
  taskStatesMax: 1_000,

  // evaluation results
  /** Body of an upload, of runs or of examples. The front only passes it on. THREADMILL_MAX_UPLOAD_BYTES. */
  uploadBytesMax: 200 * MiB,
  /** Bodies under way to the evaluation thread over all requests; more are refused with 503. */
  uploadsUnderWayBytesMax: 512 * MiB,
  /** Rows of one upload: a hundred thousand are a large experiment; this many still fit into memory twice. */
  uploadRowsMax: 250_000,
  uploadScoresMax: 1_000,
  /** Questions and exports that the reading thread has under way. */
  readingTasksMax: 64,
  /** Bodies that the intake thread has under way: each may hold a whole decompressed body while it waits for its dataset. */
  intakeTasksMax: 8,
  evaluationHeapMb: 4_096,
  /** How far the intake thread stands behind the others when cores are short; 5 leaves it a third of one that it shares. */
  intakeNice: 5,
  /** After so long without a body the intake thread ends; the next one starts it again. */
  intakeIdleMs: 30_000,
  /** Rows of experiments, and of datasets, that the evaluation thread remembers: some 500 bytes each, ids and places included. */
  cachedRowsMax: 500_000,
  /** Of a comment or label, what statistics keep in memory and show. */
  keptTextChars: 500,
  /** Labels of one key that statistics count; free text is no category. */
  labelsMax: 500,
  /** Scores of one comparison, the most frequent ones: a column and an interval each. */
  comparedKeysMax: 50,
  /** Rows of a page when the client does not say. */
  pageRows: 100,
  /** A page is built in memory, on the evaluation thread. */
  pageBytesMax: 128 * MiB,
  /** Exports under way at once: a slow client keeps one of the thread's tasks. */
  exportsMax: 16,
  /** What an export sends at once: a few milliseconds of work, after which other questions have their turn. */
  exportPartBytes: 256 * KiB,
  /** How long an export works before other questions have their turn. */
  exportTurnMs: 8,
  /** Columns of a CSV file: more than this a spreadsheet does not open. */
  csvColumnsMax: 16_384,
  /** Places that one refusal names: enough to see what is wrong with a file, few enough to read. */
  problemsMax: 100,
  /** Names and elements in one free-form value. */
  jsonMembersMax: 1_000_000,
  /** Records of an upload are packed into blocks of about this size: few puts, and a change of one rewrites no more. */
  blockBytes: 32 * KiB,
  /** What the evaluation thread hands over at once: the front puts it within a millisecond or two, and others are answered in between. */
  sliceBytes: 512 * KiB,
  slicePuts: 150,
  /** Records that a walk through a thread looks at, and those that are removed, before others have their turn: a millisecond or two (bench/checkpoints). */
  sliceLooks: 500,
  sliceRemovals: 250,
  /** Leftovers that are removed at once, a slice of one at a time. */
  leftoversAtOnce: 8,
  /** Staged bytes on their way to the disk before the next slice waits for them. */
  stagedUnflushedBytes: 8 * MiB,
  /** Runs and feedback that the front merges in one turn. */
  sliceChangesMax: 200,
  /** Parts of one multipart body: a hundred runs of seven parts and their feedback, many times over. */
  partsMax: 100_000,
  /** Items of one block; a place's `at` has one byte in an id. */
  blockItemsMax: 64,
  /** How long the addresses that a run gives out are good: people answer a while after they were asked. */
  feedbackKeyTtlMs: 7 * 24 * 3_600_000,
  /** Of addresses that are asked for, when nothing is said, as the clients have it; and the longest: a year. */
  feedbackTokenTtlMs: 3 * 3_600_000,
  feedbackTokenTtlMsMax: 366 * 24 * 3_600_000,
  /** How long it is told of an address that it has expired (410); then it is as if there had been none. */
  feedbackTokenToldMs: 7 * 24 * 3_600_000,
  /** Addresses for feedback on one run that are there at a time: who lists them has each made anew from its row, some milliseconds for all. */
  feedbackTokensOfRunMax: 500,
  /** Of a thread's metadata, what goes with feedback whose thread is in no store. */
  feedbackStampBytesMax: 16 * KiB,
} as const;

assert(LIMITS.bodyLookMs * 3 < 8_000, 'the pace of a body is looked at before uWebSockets.js cuts it off');
assert(LIMITS.batchBytesMax < LIMITS.creditBytes, 'a batch fits into the credit');
assert(LIMITS.creditStepBytes < LIMITS.creditBytes, 'a worker that waits for credit gets some');
assert(LIMITS.beatMs * 4 < LIMITS.silentMs, 'a worker misses several beats before it counts as silent');
assert(LIMITS.silentMs < LIMITS.gateSilentMs, 'a gate is avoided before it is ended');
assert(
  LIMITS.silentMs < LIMITS.deskSilentMs && LIMITS.deskSilentMs < LIMITS.deskAskMs,
  'a desk is avoided, then ended, and who waits is told of it',
);
assert(LIMITS.silentMs < LIMITS.watchdogMs, 'a worker is avoided before it is ended');
assert(LIMITS.batchBytesMax <= LIMITS.runTailBytesMax, 'the tail holds at least one batch');
assert(
  LIMITS.webhooksUnprovenMax < LIMITS.webhooksAtOnceMax,
  'receivers that answer are not held up by those that do not',
);
assert(
  LIMITS.webhooksAtOnceMax * LIMITS.webhookBodyBytesMax <= LIMITS.webhookHeapMb * MiB,
  'the bodies under way fit into the thread',
);
