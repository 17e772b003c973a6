import type { ErrorRecord } from '../../base/errors.js';
import type { GraphSource } from '../user-code/graph-source.js';
import type { FrameBatch } from './frame.js';
import type { TraceJob } from './spans.js';
import type { NewContent, SavedCheckpoint, StoredContent, WriteBody } from './state.js';

/** Incremented when a field changes its meaning. Nodes of a cluster that differ in it run no graphs for each other. */
export const WIRE_VERSION = 6;

export type StreamMode =
  | 'values'
  | 'updates'
  | 'messages'
  | 'messages-tuple'
  | 'tasks'
  | 'checkpoints'
  | 'debug'
  | 'custom'
  | 'events'
  | 'tools'
  /** All events of the second protocol and none of the first. Only commands of that protocol select it. */
  | 'protocol';

export type Durability = 'sync' | 'async' | 'exit';

/**
 * How a run ended. `interrupted`: the run was cancelled. A graph that stopped at an interrupt ends with
 * `success`.
 */
export type EndStatus = 'success' | 'error' | 'interrupted';

/** Common to runs and edits: the thread, the configuration of the graph, and the state to start from. */
export interface ThreadJob {
  wireVersion: number;
  /** Id of the run or edit. Everything that it stores is tagged with this id. */
  runId: string;
  threadId: string;
  graphId: string;
  /** JSON: tags, recursion_limit, configurable, metadata and everything else that the client sent. */
  config: Uint8Array;
  /** JSON or null. */
  context: Uint8Array | null;
  /**
   * JSON: the values that a graph reads as `langgraph_auth_user` and related keys, and `traceparent` if tracing
   * is on.
   */
  user: Uint8Array;
  durability: Durability;

  /**
   * Newest checkpoint of the root namespace, its content within a size limit (see `packContentBlock`), and the existing
   * namespaces.
   */
  head: SavedCheckpoint | null;
  /** False if a crash or a cancellation came after the head checkpoint was stored and before its view was. */
  headShown: boolean;
  /** True if the worker is known to have the content of the head in memory. */
  warm: boolean;
  content: Uint8Array;
  namespaces: string[];
}

/** Input of a worker for one attempt of a run. */
export interface RunJob extends ThreadJob {
  assistantId: string;
  lease: number;
  attempt: number;
  /** False: no checkpointer; nothing is stored. */
  persistent: boolean;

  /** JSON. Null on attempts after the one that committed the input. */
  input: Uint8Array;
  /** JSON `{update, resume, goto}` or null. */
  command: Uint8Array | null;

  streamModes: StreamMode[];
  subgraphs: boolean;
  interruptBefore: string[] | '*' | null;
  interruptAfter: string[] | '*' | null;
  strictResume: boolean;
  /** True if a client waits for the final values: send them with the end of the run. */
  wantsResult: boolean;
  /** Id of the first event that the worker makes in this attempt. */
  seq: number;
  /** True if readers have got the `metadata` event of this attempt from the front thread. */
  announced: boolean;
  /**
   * For a retry that starts from a checkpoint of the same run: the next nodes there, and the nodes that led
   * there.
   */
  reached: { next: string[]; ran: string[] } | null;
  /** Null if the run is not recorded as a trace. */
  trace: TraceJob | null;
  /** An old version of the graph to run. Null, or absent from an older owner: the one that the worker has. */
  code?: GraphSource | null;
}

/** A state update requested by a client. */
export interface EditJob extends ThreadJob {
  /** JSON: `[{updates: [{values, command, as_node}]}]`. */
  supersteps: Uint8Array;
}

/**
 * Messages from the front thread to a worker, on the port of one run. A port belongs to one thread, run and
 * lease, so messages do not name them.
 */
export type ToWorker =
  | { type: 'run.cancel'; reason: string }
  /**
   * The front thread has finished messages of this many bytes: they are published and on disk. Slow readers do
   * not delay this.
   */
  | { type: 'run.credit'; bytes: number }
  | { type: 'reply'; requestId: number; ok: true; value: unknown }
  | { type: 'reply'; requestId: number; ok: false; error: ErrorRecord };

/** Messages from a worker to the front thread, on the port of one run. They are handled in order. */
export type FromWorker =
  | { type: 'run.frames'; batch: FrameBatch }
  /** With a `requestId`, the worker waits until the commit is on disk. */
  | {
      type: 'checkpoint.put';
      requestId: number | null;
      ns: string;
      id: string;
      body: Uint8Array;
      view: PackedView | null;
      uses: Uint8Array;
      content: NewContent[];
    }
  | { type: 'checkpoint.view'; ns: string; id: string; view: PackedView; uses: Uint8Array; content: NewContent[] }
  | {
      type: 'checkpoint.writes';
      requestId: number | null;
      ns: string;
      id: string;
      writes: WriteBody[];
      uses: Uint8Array;
      content: NewContent[];
    }
  | { type: 'checkpoint.get'; requestId: number; ns: string; id: string | null }
  | { type: 'checkpoint.list'; requestId: number; ns: string; before: string | null; limit: number }
  | { type: 'content.get'; requestId: number; hashes: Uint8Array[] }
  | { type: 'memory.batch'; requestId: number; operations: MemoryOperation[] }
  /** `leftOut`: number of further steps that are not recorded, because the run has too many. */
  | { type: 'trace.steps'; steps: Uint8Array; leftOut: number }
  /** See recording.ts. It comes before `run.ended`. */
  | { type: 'trace.recording'; recording: Uint8Array }
  /**
   * `asks`: the run stopped at an interrupt. `questions`: its last events, which tell clients so. They are published
   * when the end is on disk: a client that answers at once must not be told that there is no question. `refusal`: the
   * run did nothing, because its answers match no open interrupt.
   */
  | {
      type: 'run.ended';
      status: EndStatus;
      error: ErrorRecord | null;
      lastSeq: number;
      result: Uint8Array;
      asks: boolean;
      questions?: FrameBatch | null;
      refusal: ResumeRefusal | null;
    };

/**
 * Reason of the library for refusing a strict resume, in its words. `interruptIds`: the named interrupts that
 * are not open; `pendingIds`: the open ones.
 */
export interface ResumeRefusal {
  reason: string;
  interruptIds: string[];
  pendingIds: string[];
}

/** A checkpoint view, which the front thread stores without unpacking, and its number of next steps. */
export interface PackedView {
  bytes: Uint8Array;
  next: number;
}

/** Type of `value` in the reply to each request. */
export interface ReplyValues {
  'checkpoint.put': null;
  'checkpoint.writes': null;
  'checkpoint.get': { saved: SavedCheckpoint | null; content: Uint8Array };
  'checkpoint.list': SavedCheckpoint[];
  'content.get': (Uint8Array | null)[];
  'memory.batch': MemoryResult[];
}

/** Fields of an item that semantic search uses: null means the configured fields, false means none. */
export type ItemIndex = false | string[] | null;

/** `*` in a path matches any single label. */
export interface NamespaceMatch {
  type: 'prefix' | 'suffix';
  path: string[];
}

export type MemoryOperation =
  | { op: 'get'; namespace: string[]; key: string }
  /** A null `value` deletes the item. Without `ttlMinutes`, the configured lifetime applies; null means forever. */
  | {
      op: 'put';
      namespace: string[];
      key: string;
      value: Uint8Array | null;
      index: ItemIndex;
      ttlMinutes?: number | null;
    }
  | { op: 'search'; prefix: string[]; filter: Uint8Array | null; query: string | null; limit: number; offset: number }
  | { op: 'namespaces'; matches: NamespaceMatch[]; maxDepth: number | null; limit: number; offset: number };

export interface MemoryItem {
  namespace: string[];
  key: string;
  /** JSON object. */
  value: Uint8Array;
  createdAtMs: number;
  updatedAtMs: number;
  /** Set by a semantic search, otherwise null. */
  score: number | null;
}

export type MemoryResult = MemoryItem | null | MemoryItem[] | string[][];

/** Tasks in the Piscina queue of a graph worker. */
export type WorkerTask =
  /**
   * `probe`: the worker's end of the port for health probes (workers/graph/probe.ts). `log`: takes the log lines of
   * user code (user-code/code-log.ts).
   */
  | { type: 'load'; beat: SharedArrayBuffer; probe: unknown; log: unknown }
  /**
   * `signals`: shared memory (run-signals.ts). It tells the worker that a client has joined even while a node
   * blocks the event loop and no messages are read.
   */
  | { type: 'run'; job: Uint8Array; port: unknown; signals: SharedArrayBuffer }
  /** Sends the same messages as a run. Its end carries the JSON of the new checkpoint. */
  | { type: 'edit'; job: Uint8Array; port: unknown };

/** Result of loading the configured graphs in a worker. */
export interface LoadReport {
  ok: boolean;
  /** `graphId` is null for the function of `traces.hide_with`. */
  problems: { graphId: string | null; file: string; reason: string; stack: string }[];
}

export type { StoredContent };
