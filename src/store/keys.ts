/**
 * Every key of the store. Keys are arrays in lmdb's ordered-binary encoding: numbers sort before strings, and arrays
 * sort element by element. In an encrypted folder, leaves and names of the kinds in record-cipher.ts are replaced by a
 * keyed hash. `uid` is a thread's inner id. A thread that is deleted and created again under the same id gets a new
 * one, so it never reads old content that a background task may still be removing.
 *
 * | --- | --- | --- | --- |
 * | `['!', name]` | format, encryption, pruning, log, sealing key, last backup | store, threads, cluster | the same |
 * | `['ak', keyId]` | KeyRecord of an API key, in a cluster only | shared-keys | shared-keys |
 * | `['se', sessionId]` | SessionRecord of a person who signed in | sessions | sessions |
 * | `['au', entryId]` | AuditEntry | audit-log | audit-log |
 * | `['a', assistantId]` | AssistantRecord | assistants | assistants |
 * | `['av', assistantId, version]` | VersionRecord | assistants | assistants |
 * | `['ai', leaf, createdAtMs, assistantId]` | empty | assistants (metadata-index) | assistant lists |
 * | `['ar', assistantId, runId]` | uid of the thread; not for assistants of configured graphs | runs | remover |
 * | `['t', threadId]` | ThreadRecord | threads | threads |
 * | `['ti', leaf, updatedAtMs, threadId]` | empty | threads (metadata-index) | thread lists |
 * | `['tc', leaf, createdAtMs, threadId]` | empty | threads (metadata-index) | thread lists, counts |
 * | `['r', runId]` | RunRecord | runs | runs |
 * | `['rk', runId]` | kwargs, JSON, compressed if that is shorter | runs | runs, recovery |
 * | `['tr', uid, createdAtMs, runId]` | empty | runs | run lists |
 * | `['ra', runId]` | ActiveRunRecord with the sealed caller | runs | start-up |
 * | `['c', uid, ns, position]` | checkpoint (checkpoint-rows.ts) | checkpoint-writer | checkpoints |
 * | `['co', uid, ns, checkpointId]` | the position, unless it equals the id | checkpoint-writer | checkpoints |
 * | `['v', uid, ns, checkpointId]` | view of a checkpoint | formats 1 to 3 | checkpoints |
 * | `['w', uid, ns, checkpointId, taskId]` | writes of a task, if not in `c` | checkpoint-writer | checkpoints |
 * | `['w', uid, ns, checkpointId, taskId, idx]` | a pending write | formats 1 to 3 | checkpoints |
 * | `['n', uid, ns]` | empty, or the namespace when the key has its hash | checkpoint-writer | checkpoints |
 * | `['i', uid, hash]` | item, compressed if that is shorter, or chunk | checkpoints | checkpoints |
 * | `['u', runId, n]` | keys that a run changed, with their previous values | undo-log | rollback |
 * | `['e', runId, firstSeq]` | batch of frames of a resumable run | events | run hub |
 * | `['ex', expiresAtMs, runId]` | empty | events | sweeper |
 * | `['tx', expiresAtMs, threadId]` | empty: end of the thread's time to live | threads | sweeper |
 * | `['tu', changeId]` | ThreadChange: an unfinished edit, copy or rollback | thread-changes | start-up |
 * | `['mi', scope, namespace, key]` | ItemRecord of long-term memory | items | items, item-lists |
 * | `['mu', scope, namespace, updatedAtUs, id]` | key of an item in this namespace or below it | items | item-lists |
 * | `['mx', expiresAtMs, scope, id]` | key of the item that expires then | items | sweeper |
 * | `['mv', scope, namespace, key]` | vectors of an item (vectors.ts) | items | vector-search |
 * | `['m', scope, namespace, key]` | item of a release without index by time | 0.1 | start-up, which moves it |
 * | `['cr', cronId]` | CronRecord with the sealed caller | crons | crons, start-up |
 * | `['cp', cronId]` | payload, JSON | crons | crons |
 * | `['ci', leaf, cronId]` | empty | crons (metadata-index) | lists of crons |
 * | `['wo', runId]` | OutboxDelivery | webhooks | webhook thread, start-up |
 * | `['wm', messageId]` | MessageDelivery: not of a run | webhooks | webhook thread, start-up |
 * | `['wl', runId]` | Delivery: the log of a finished one | webhooks | webhooks |
 * | `['wx', expiresAtMs, runId]` | empty | webhooks | sweeper |
 * | `['cv', hash]` | CodeVersionRecord: code of graphs that was in use | code-versions | code-versions |
 * | `['cb', hash]` | its bundle, compressed with brotli | code-versions | code-versions |
 * | `['hi', seconds, startMs]` | HistorySample: the load of the server in this time | history | history |
 * | `['sp', dayMs]` | StateProfileRecord: bytes of state on this day | state-profiles | state-profiles |
 * | `['x', kind, id]` | leftovers: records to be removed in the background | remover | remover, start-up |
 *
 * Evaluation results. A *list* is a numbered sequence of blocks (store/evaluation/blocks.ts). An experiment has one
 * list for its runs and feedback; a project and a dataset have several, one after the other.
 *
 * | key | value | written by | read by |
 * | --- | --- | --- | --- |
 * | `['!', 'lists']` | next number of a list | block-lists | start-up |
 * | `['D', datasetId]` | DatasetRecord | datasets | datasets |
 * | `['DN', name]` | dataset id | datasets | datasets |
 * | `['DM', leaf, datasetId]` | empty | datasets (metadata-index) | lists of callers with a filter |
 * | `['E', list, first]` | block of example versions | examples | examples |
 * | `['EI', exampleId, versionUs]` | position in its list | examples | examples |
 * | `['EL', list]` | dataset id: the list is published | examples | examples |
 * | `['S', experimentId]` | ExperimentRecord | experiments | experiments |
 * | `['SN', name]` | experiment id | experiments | experiments |
 * | `['SM', leaf, experimentId]` | empty | experiments (metadata-index) | lists of callers with a filter |
 * | `['SL', list]` | experiment id | experiments | evaluation-runs |
 * | `['SD', datasetId, startUs, experimentId]` | empty | experiments | experiments of a dataset |
 * | `['SH', list]` | ListHead | block-lists | block-lists |
 * | `['SQ', list, seq]` | Change: work for the aggregator | block-lists | aggregator, caches |
 * | `['SS', list]` | statistics | aggregator | experiments |
 * | `['R', list, first]` | block of runs | evaluation-runs | evaluation-runs |
 * | `['RI', runId]` | position, unless it is in the id or in a TracePlace | evaluation-runs | evaluation-runs |
 * | `['RG', beginning of ids]` | TracePlace of a graph run | trace-places | evaluation-runs |
 * | `['RT', traceId]` | list of the trace, unless it has a TracePlace | evaluation-runs | run queries |
 * | `['F', list, first]` | block of feedback; for list 0 see block-lists | feedback | feedback |
 * | `['FI', feedbackId]` | position in its list, unless the id contains it | feedback | feedback |
 * | `['FO', runId, feedbackId]` | empty: the feedback is in list 0 | feedback | ingest, lists of feedback |
 * | `['FR', runId, feedbackId]` | empty: moves with its run to another list | feedback | ingest |
 * | `['B', group, at, n]` | chunk of an attachment (attachments.ts) | staging | attachments |
 * | `['J', experimentId]` | ExperimentJobRecord with the sealed caller | experiment-jobs | experiment-jobs, start-up |
 * | `['JR', experimentId, exampleId, repetition]` | one byte: 1 if the run failed | experiment-jobs | start-up |
 * | `['U', uploadId]` | lists and attachments of an unfinished upload | staging | start-up |
 * | `['P', comparativeId]` | ComparativeRecord | comparatives | comparatives |
 * | `['PD', datasetId, createdAtUs, comparativeId]` | empty | comparatives | comparatives of a dataset |
 * | `['ft', name]` | FeedbackToken; the name is a hash of the token | feedback-tokens | feedback-tokens |
 * | `['fr', runId, name]` | empty | feedback-tokens | tokens of a run |
 * | `['fx', forgetAtMs, name]` | empty | feedback-tokens | sweeper |
 * | `['sh', kind, subjectId]` | ShareRecord of a dataset or a trace | shares | shares |
 * | `['st', name]` | kind and id of what is shared; the name is a hash of the token | shares | shares |
 * | `['Q', queueId]` | QueueRecord | annotation-queues | annotation-queues |
 * | `['QE', queueId, addedAtUs, entryId]` | QueueEntry: a run in a queue | annotation-queues | annotation-queues |
 * | `['QI', entryId]` | key of the entry | annotation-queues | annotation-queues |
 * | `['QR', runId, queueId]` | id of the entry | annotation-queues | annotation-queues, remover |
 * | `['AL', alertId]` | AlertRecord with the sealed caller | alerts | alerts |
 * | `['AH', alertId]` | AlertChange[]: the newest changes of its state | alerts | alerts |
 * | `['RU', ruleId]` | RuleRecord with the sealed caller | rules | rules, start-up |
 * | `['FC', feedbackKey]` | FeedbackConfigRecord | feedback-configs | feedback-configs |
 */
import { contentHash } from '../base/ids.js';

/**
 * Increased when a stored layout changes, with a step in upgrade.ts. test/store/saved/ has a folder of every released
 * format, which a test opens.
 */
export const FORMAT_VERSION = 4;

export type KeyPart = string | number;
export type Key = KeyPart[];

/** lmdb refuses keys over 1978 bytes. A longer namespace (30 nested subgraphs) or name is replaced by its hash. */
const PART_BYTES_MAX = 1_000;
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const PART_LENGTH_SAFE = Math.floor(PART_BYTES_MAX / 3);

export function nsPart(ns: string): string {
  return ns.length <= PART_LENGTH_SAFE || Buffer.byteLength(ns) <= PART_BYTES_MAX
    ? ns
    : `#${contentHash(ns).toString('base64url')}`;
}

/** A name chosen by a user. Names with control characters, which are special in lmdb's encoding, are hashed. */
function namePart(name: string): string {
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]|^#/.test(name) ? `#${contentHash(name).toString('base64url')}` : nsPart(name);
}

/** Not allowed in key parts: lmdb's encoding escapes some control characters in short strings, none in long ones. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;
/** Separates labels. Sorts before every character of a label, so a namespace comes directly before those below it. */
const LABEL_END = '\u0005';
const ESCAPE = '\u0006';
const SCOPE_BYTES_MAX = 200;

function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (char) => ESCAPE + String.fromCharCode(char.charCodeAt(0) + 0x40));
}

/** Key part for a scope of long-term memory, which is an identity of any length and content. */
export function scopePart(scope: string): string {
  const plain = !/^#|\p{Surrogate}|\p{Cc}/u.test(scope) && Buffer.byteLength(scope) <= SCOPE_BYTES_MAX;
  return plain ? scope : `#${contentHash(Buffer.from(scope, 'utf16le')).toString('base64url')}`;
}

export function namespacePart(labels: readonly string[]): string {
  return labels.map(escapeControls).join(LABEL_END);
}

/** The labels of a namespace key part. */
export function labelsOf(part: string): string[] {
  return part === ''
    ? []
    : part.split(LABEL_END).map((label) => {
        const [first, ...rest] = label.split(ESCAPE);
        return [first, ...rest.map((text) => String.fromCharCode(text.charCodeAt(0) - 0x40) + text.slice(1))].join('');
      });
}

/** Start of the range of namespaces below this one. Its end is `afterNamespaces`. */
export function belowNamespace(part: string): string {
  return part + LABEL_END;
}

export function afterNamespaces(part: string): string {
  return part + ESCAPE;
}

/** Bytes that an item's namespace and key take in a store key. */
export function itemKeyBytes(namespace: readonly string[], key: string): number {
  return Buffer.byteLength(namespacePart(namespace)) + Buffer.byteLength(escapeControls(key));
}

/** Content of a block: example versions, evaluation runs or feedback. */
export type BlockKind = 'E' | 'R' | 'F';

/** What identifies a write of a checkpoint: its task, and its index among the task's writes. */
export interface WriteId {
  taskId: string;
  idx: number;
}

export const keys = {
  meta: (name: string): Key => ['!', name],
  apiKey: (keyId: string): Key => ['ak', keyId],
  apiKeys: (): Key => ['ak'],
  auditEntry: (entryId: string): Key => ['au', entryId],
  auditEntries: (): Key => ['au'],
  session: (sessionId: string): Key => ['se', sessionId],
  sessions: (): Key => ['se'],
  assistant: (assistantId: string): Key => ['a', assistantId],
  assistantVersion: (assistantId: string, version: number): Key => ['av', assistantId, version],
  assistantVersions: (assistantId: string): Key => ['av', assistantId],
  assistantIndex: (leaf: string, createdAtMs: number, assistantId: string): Key => [
    'ai',
    leaf,
    createdAtMs,
    assistantId,
  ],
  assistantIndexLeaf: (leaf: string): Key => ['ai', leaf],
  assistantRun: (assistantId: string, runId: string): Key => ['ar', assistantId, runId],
  assistantRuns: (assistantId: string): Key => ['ar', assistantId],
  thread: (threadId: string): Key => ['t', threadId],
  threads: (): Key => ['t'],
  threadIndex: (order: 'updated' | 'created', leaf: string, atMs: number, threadId: string): Key => [
    order === 'updated' ? 'ti' : 'tc',
    leaf,
    atMs,
    threadId,
  ],
  threadIndexLeaf: (order: 'updated' | 'created', leaf: string): Key => [order === 'updated' ? 'ti' : 'tc', leaf],
  threadChange: (changeId: string): Key => ['tu', changeId],
  threadChanges: (): Key => ['tu'],
  threadExpiry: (expiresAtMs: number, threadId: string): Key => ['tx', expiresAtMs, threadId],
  threadExpiries: (): Key => ['tx'],
  run: (runId: string): Key => ['r', runId],
  runKwargs: (runId: string): Key => ['rk', runId],
  threadRun: (uid: string, createdAtMs: number, runId: string): Key => ['tr', uid, createdAtMs, runId],
  threadRuns: (uid: string): Key => ['tr', uid],
  activeRun: (runId: string): Key => ['ra', runId],
  activeRuns: (): Key => ['ra'],
  checkpoint: (uid: string, ns: string, position: string): Key => ['c', uid, nsPart(ns), position],
  checkpointPosition: (uid: string, ns: string, id: string): Key => ['co', uid, nsPart(ns), id],
  checkpoints: (uid: string, ns: string): Key => ['c', uid, nsPart(ns)],
  view: (uid: string, ns: string, id: string): Key => ['v', uid, nsPart(ns), id],
  taskWrites: (uid: string, ns: string, id: string, taskId: string): Key => ['w', uid, nsPart(ns), id, taskId],
  writes: (uid: string, ns: string, id: string): Key => ['w', uid, nsPart(ns), id],
  namespace: (uid: string, ns: string): Key => ['n', uid, nsPart(ns)],
  namespaces: (uid: string): Key => ['n', uid],
  content: (uid: string, hash: string): Key => ['i', uid, hash],
  contents: (uid: string): Key => ['i', uid],
  undo: (runId: string, n: number): Key => ['u', runId, n],
  undos: (runId: string): Key => ['u', runId],
  event: (runId: string, firstSeq: number): Key => ['e', runId, firstSeq],
  events: (runId: string): Key => ['e', runId],
  eventExpiry: (expiresAtMs: number, runId: string): Key => ['ex', expiresAtMs, runId],
  eventExpiries: (): Key => ['ex'],
  // Scopes and namespaces as returned by `scopePart` and `namespacePart`.
  item: (scope: string, namespace: string, key: string): Key => ['mi', scope, namespace, escapeControls(key)],
  itemsInNamespace: (scope: string, namespace: string): Key => ['mi', scope, namespace],
  allItems: (): Key => ['mi'],
  itemsInScope: (scope: string): Key => ['mi', scope],
  itemByTime: (scope: string, namespace: string, updatedAtUs: number, id: string): Key => [
    'mu',
    scope,
    namespace,
    updatedAtUs,
    id,
  ],
  itemsByTime: (scope: string, namespace: string): Key => ['mu', scope, namespace],
  itemExpiry: (expiresAtMs: number, scope: string, id: string): Key => ['mx', expiresAtMs, scope, id],
  itemExpiries: (): Key => ['mx'],
  vectors: (scope: string, namespace: string, key: string): Key => ['mv', scope, namespace, escapeControls(key)],
  vectorsInNamespace: (scope: string, namespace: string): Key => ['mv', scope, namespace],
  vectorsInScope: (scope: string): Key => ['mv', scope],
  unindexedItems: (): Key => ['m'],
  cron: (cronId: string): Key => ['cr', cronId],
  crons: (): Key => ['cr'],
  cronPayload: (cronId: string): Key => ['cp', cronId],
  cronLeaf: (leaf: string, cronId: string): Key => ['ci', leaf, cronId],
  cronLeaves: (leaf: string): Key => ['ci', leaf],
  webhookOutboxEntry: (runId: string): Key => ['wo', runId],
  webhookOutbox: (): Key => ['wo'],
  webhookMessage: (messageId: string): Key => ['wm', messageId],
  webhookMessages: (): Key => ['wm'],
  webhookLog: (runId: string): Key => ['wl', runId],
  webhookExpiry: (expiresAtMs: number, runId: string): Key => ['wx', expiresAtMs, runId],
  webhookExpiries: (): Key => ['wx'],
  history: (seconds: number, startMs: number): Key => ['hi', seconds, startMs],
  historyOf: (seconds: number): Key => ['hi', seconds],
  codeVersion: (hash: string): Key => ['cv', hash],
  codeVersions: (): Key => ['cv'],
  codeBundle: (hash: string): Key => ['cb', hash],
  stateProfile: (dayMs: number): Key => ['sp', dayMs],
  stateProfiles: (): Key => ['sp'],
  dataset: (datasetId: string): Key => ['D', datasetId],
  datasets: (): Key => ['D'],
  datasetLeaf: (leaf: string, datasetId: string): Key => ['DM', leaf, datasetId],
  datasetLeaves: (leaf: string): Key => ['DM', leaf],
  datasetName: (name: string): Key => ['DN', namePart(name)],
  example: (exampleId: string, versionUs: number): Key => ['EI', exampleId, versionUs],
  exampleVersions: (exampleId: string): Key => ['EI', exampleId],
  exampleList: (list: number): Key => ['EL', list],
  exampleLists: (): Key => ['EL'],
  experiment: (experimentId: string): Key => ['S', experimentId],
  experiments: (): Key => ['S'],
  experimentLeaf: (leaf: string, experimentId: string): Key => ['SM', leaf, experimentId],
  experimentLeaves: (leaf: string): Key => ['SM', leaf],
  experimentName: (name: string): Key => ['SN', namePart(name)],
  experimentList: (list: number): Key => ['SL', list],
  experimentLists: (): Key => ['SL'],
  datasetExperiment: (datasetId: string, startUs: number, experimentId: string): Key => [
    'SD',
    datasetId,
    startUs,
    experimentId,
  ],
  datasetExperiments: (datasetId: string): Key => ['SD', datasetId],
  listHead: (list: number): Key => ['SH', list],
  change: (list: number, seq: number): Key => ['SQ', list, seq],
  changes: (list: number): Key => ['SQ', list],
  allChanges: (): Key => ['SQ'],
  statistics: (list: number): Key => ['SS', list],
  block: (kind: BlockKind, list: number, first: number): Key => [kind, list, first],
  /** Blocks of all lists of a kind. */
  blocksOfKind: (kind: BlockKind): Key => [kind],
  blocks: (kind: BlockKind, list: number): Key => [kind, list],
  evaluationRun: (runId: string): Key => ['RI', runId],
  evaluationRuns: (): Key => ['RI'],
  /** `beginning`: see `spanPrefix`. */
  tracePlace: (beginning: string): Key => ['RG', beginning],
  tracePlaces: (): Key => ['RG'],
  trace: (traceId: string): Key => ['RT', traceId],
  traces: (): Key => ['RT'],
  feedback: (feedbackId: string): Key => ['FI', feedbackId],
  orphanFeedback: (runId: string, feedbackId: string): Key => ['FO', runId, feedbackId],
  allOrphanFeedback: (): Key => ['FO'],
  orphanFeedbackOfRun: (runId: string): Key => ['FO', runId],
  runFeedback: (runId: string, feedbackId: string): Key => ['FR', runId, feedbackId],
  feedbackOfRun: (runId: string): Key => ['FR', runId],
  feedbackOfRuns: (): Key => ['FR'],
  feedbackToken: (name: string): Key => ['ft', name],
  feedbackTokenOfRun: (runId: string, name: string): Key => ['fr', runId, name],
  feedbackTokensOfRun: (runId: string): Key => ['fr', runId],
  feedbackTokenExpiry: (forgetAtMs: number, name: string): Key => ['fx', forgetAtMs, name],
  feedbackTokenExpiries: (): Key => ['fx'],
  feedbackConfig: (feedbackKey: string): Key => ['FC', namePart(feedbackKey)],
  feedbackConfigs: (): Key => ['FC'],
  queue: (queueId: string): Key => ['Q', queueId],
  queues: (): Key => ['Q'],
  queueEntry: (queueId: string, addedAtUs: number, entryId: string): Key => ['QE', queueId, addedAtUs, entryId],
  queueEntries: (queueId: string): Key => ['QE', queueId],
  queueEntryPlace: (entryId: string): Key => ['QI', entryId],
  queueOfRun: (runId: string, queueId: string): Key => ['QR', runId, queueId],
  queuesOfRun: (runId: string): Key => ['QR', runId],
  queuesOfRuns: (): Key => ['QR'],
  alert: (alertId: string): Key => ['AL', alertId],
  alerts: (): Key => ['AL'],
  alertHistory: (alertId: string): Key => ['AH', alertId],
  share: (kind: string, subjectId: string): Key => ['sh', kind, subjectId],
  shares: (kind: string): Key => ['sh', kind],
  shareToken: (name: string): Key => ['st', name],
  comparative: (comparativeId: string): Key => ['P', comparativeId],
  datasetComparative: (datasetId: string, createdAtUs: number, comparativeId: string): Key => [
    'PD',
    datasetId,
    createdAtUs,
    comparativeId,
  ],
  datasetComparatives: (datasetId: string): Key => ['PD', datasetId],
  attachmentChunk: (group: number, at: number, n: number): Key => ['B', group, at, n],
  attachmentChunks: (group: number, at: number): Key => ['B', group, at],
  attachmentGroup: (group: number): Key => ['B', group],
  attachments: (): Key => ['B'],
  experimentJob: (experimentId: string): Key => ['J', experimentId],
  experimentJobs: (): Key => ['J'],
  experimentResult: (experimentId: string, exampleId: string, repetition: number): Key => [
    'JR',
    experimentId,
    exampleId,
    repetition,
  ],
  experimentResults: (experimentId: string): Key => ['JR', experimentId],
  rule: (ruleId: string): Key => ['RU', ruleId],
  rules: (): Key => ['RU'],
  upload: (uploadId: string): Key => ['U', uploadId],
  uploads: (): Key => ['U'],
  leftover: (kind: string, id: string): Key => ['x', kind, id],
  leftovers: (): Key => ['x'],
};

/** First key parts of all records under a thread's inner id. */
export const THREAD_CONTENT_PREFIXES = ['tr', 'c', 'co', 'v', 'w', 'n', 'i'] as const;

/** Those of its state. Their bytes count for its budget. */
export const THREAD_STATE_PREFIXES = ['c', 'co', 'v', 'w', 'n', 'i'] as const;
