import type { ErrorRecord } from '../../base/errors.js';
import type { FrameBatch } from './frame.js';
import type { NewContent, SavedCheckpoint, StoredContent, WriteBody } from './state.js';

/** Raised when a field changes meaning; bytes of every released version stay in test/wire/saved/. */
export const WIRE_VERSION = 2;

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
  /** All of the second protocol, and nothing of the first; only its own commands ask for it. */
  | 'protocol';

export type Durability = 'sync' | 'async' | 'exit';

/** How a run ended. `interrupted` is a cancelled run; a graph that stopped at an interrupt ends with `success`. */
export type EndStatus = 'success' | 'error' | 'interrupted';

/** What a worker needs to work on a thread: who it is, how the graph is configured, and the state it starts from. */
export interface ThreadJob {
  wireVersion: number;
  /** The run, or the edit, that all it stores is tagged with. */
  runId: string;
  threadId: string;
  graphId: string;
  /** JSON: tags, recursion_limit, configurable, metadata and what else the client sent. */
  config: Uint8Array;
  /** JSON or null. */
  context: Uint8Array | null;
  /** What a graph reads as `graph_auth_user` and its siblings, and `traceparent` when somebody traces. JSON. */
  user: Uint8Array;
  durability: Durability;

  /** The head checkpoint of the root namespace, its content as far as it fits, and which namespaces exist. */
  head: SavedCheckpoint | null;
  /** False: the head was stored, and a crash came before what it shows was. */
  headShown: boolean;
  /** Set when the worker is known to remember the head's content. */
  warm: boolean;
  content: NewContent[];
  namespaces: string[];
}

/** What a worker needs to run one attempt. */
export interface RunJob extends ThreadJob {
  assistantId: string;
  lease: number;
  attempt: number;
  /** False: no checkpointer, nothing is kept. */
  persistent: boolean;

  /** JSON. `input` is null from the attempt on whose predecessor has committed it. */
  input: Uint8Array;
  /** JSON `{update, resume, goto}` or null. */
  command: Uint8Array | null;

  streamModes: StreamMode[];
  subgraphs: boolean;
  interruptBefore: string[] | '*' | null;
  interruptAfter: string[] | '*' | null;
  strictResume: boolean;
  /** Someone waits for the final values: send them with the end. */
  wantsResult: boolean;
  /** Id of the first event of this attempt. */
  seq: number;
  /** On a retry that starts from a checkpoint of the same run: what comes next there, and what ran to get there. */
  reached: { next: string[]; ran: string[] } | null;
}

/** A change of state that a client asks for. */
export interface EditJob extends ThreadJob {
  /** JSON: `[{updates: [{values, command, as_node}]}]`. */
  supersteps: Uint8Array;
}

/** Front to worker, on the run's own port. The port belongs to one thread, run and lease: no message names them. */
export type ToWorker =
  | { type: 'run.cancel'; reason: string }
  /** The front has taken this many bytes of frames; never a reader's pace. */
  /** The front is done with messages of so many bytes: told, and on disk. */
  | { type: 'run.credit'; bytes: number }
  | { type: 'reply'; requestId: number; ok: true; value: unknown }
  | { type: 'reply'; requestId: number; ok: false; error: ErrorRecord };

/** Worker to front, on the run's own port, handled in order. */
export type FromWorker =
  | { type: 'run.frames'; batch: FrameBatch }
  /** With a `requestId` the worker waits until the commit is on disk. */
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
  /** `asks`: it stopped at an interrupt. `refusal`: it did nothing, for its answers were for no interrupt that is open. */
  | {
      type: 'run.ended';
      status: EndStatus;
      error: ErrorRecord | null;
      lastSeq: number;
      result: Uint8Array;
      asks: boolean;
      refusal: Refusal | null;
    };

/** Why the library refused a strict resume, in its words: what was named and does not wait, and what does. */
export interface Refusal {
  reason: string;
  interruptIds: string[];
  pendingIds: string[];
}

/** A view as the front stores it unread, and how many next steps it shows. */
export interface PackedView {
  bytes: Uint8Array;
  next: number;
}

/** Replies by request: what `value` is. */
export interface ReplyValues {
  'checkpoint.put': null;
  'checkpoint.writes': null;
  'checkpoint.get': { saved: SavedCheckpoint | null; content: NewContent[] };
  'checkpoint.list': SavedCheckpoint[];
  'content.get': (Uint8Array | null)[];
  'memory.batch': MemoryResult[];
}

/** What of an item a semantic search looks at: the configured fields (null), these, or nothing (false). */
export type ItemIndex = false | string[] | null;

/** `*` in a path stands for any one label. */
export interface NamespaceMatch {
  type: 'prefix' | 'suffix';
  path: string[];
}

export type MemoryOperation =
  | { op: 'get'; namespace: string[]; key: string }
  /** `value` null removes it. Without `ttlMinutes` it lives as long as is configured; null is for ever. */
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
  /** JSON object */
  value: Uint8Array;
  createdAtMs: number;
  updatedAtMs: number;
  /** Of a search by meaning; else null. */
  score: number | null;
}

export type MemoryResult = MemoryItem | null | MemoryItem[] | string[][];

/** Tasks of a graph worker's Piscina queue. */
export type WorkerTask =
  /** `probe` is the worker's end of a port on which it answers probes. */
  | { type: 'load'; beat: SharedArrayBuffer; probe: unknown }
  /**
   * `signals` is shared memory (run-signals.ts). A node that blocks the loop is heard from the moment someone joins,
   * although it reads no messages.
   */
  | { type: 'run'; job: Uint8Array; port: unknown; signals: SharedArrayBuffer }
  /** Says what a run says, and with its end the JSON of the checkpoint that stands then. */
  | { type: 'edit'; job: Uint8Array; port: unknown };

/** What a worker found in the configured graphs. */
export interface LoadReport {
  ok: boolean;
  problems: { graphId: string; file: string; reason: string; stack: string }[];
}

export type { StoredContent };
