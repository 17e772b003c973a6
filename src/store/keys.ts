/**
 * Every key of the store. Keys are arrays in lmdb's ordered-binary encoding: numbers sort before strings, arrays sort
 * element by element. `uid` is a thread's inner id: a thread deleted and made again under the same id never meets the
 * content of the first one, which a background task may still be removing.
 *
 * | key | value | written by | read by |
 * | --- | --- | --- | --- |
 * | `['!', name]` | format version, seal check | env | env |
 * | `['a', assistantId]` | AssistantRecord | assistants | assistants |
 * | `['t', threadId]` | ThreadRecord | threads | threads |
 * | `['ti', leaf, updatedAtMs, threadId]` | empty | threads (metadata-index) | thread lists |
 * | `['r', runId]` | RunRecord | runs | runs |
 * | `['rk', runId]` | kwargs, JSON | runs | runs, recovery |
 * | `['tr', uid, createdAtMs, runId]` | empty | runs | run lists |
 * | `['ra', runId]` | AliveRecord with the sealed caller | runs | start-up |
 * | `['c', uid, ns, checkpointId]` | checkpoint | checkpoints | checkpoints |
 * | `['v', uid, ns, checkpointId]` | view | checkpoints | checkpoints |
 * | `['w', uid, ns, checkpointId, taskId, idx]` | pending write | checkpoints | checkpoints |
 * | `['n', uid, ns]` | empty: the namespace has checkpoints | checkpoints | jobs |
 * | `['i', uid, hash]` | item or chunk | checkpoints | checkpoints |
 * | `['u', runId, n]` | what a run wrote, and what it overwrote | checkpoints | rollback |
 * | `['e', runId, firstSeq]` | batch of frames of a resumable run | events | run hub |
 * | `['ex', expiresAtMs, runId]` | empty | events | sweeper |
 * | `['m', scope, namespace, key]` | long-term item | items | items |
 * | `['x', kind, id]` | leftovers being removed | remover | remover, start-up |
 */
import { contentHash } from '../base/ids.js';

export type Part = string | number;
export type Key = Part[];

/** lmdb refuses keys over 1978 bytes; a namespace this long (30 nested subgraphs) is replaced by its hash. */
const NAMESPACE_CHARS_MAX = 1_000;

export function nsPart(ns: string): string {
  return ns.length <= NAMESPACE_CHARS_MAX ? ns : `#${contentHash([Buffer.from(ns)]).toString('base64url')}`;
}

export const keys = {
  meta: (name: string): Key => ['!', name],
  assistant: (assistantId: string): Key => ['a', assistantId],
  assistants: (): Key => ['a'],
  thread: (threadId: string): Key => ['t', threadId],
  threadIndex: (leaf: string, updatedAtMs: number, threadId: string): Key => ['ti', leaf, updatedAtMs, threadId],
  threadIndexLeaf: (leaf: string): Key => ['ti', leaf],
  run: (runId: string): Key => ['r', runId],
  runKwargs: (runId: string): Key => ['rk', runId],
  threadRun: (uid: string, createdAtMs: number, runId: string): Key => ['tr', uid, createdAtMs, runId],
  threadRuns: (uid: string): Key => ['tr', uid],
  alive: (runId: string): Key => ['ra', runId],
  alives: (): Key => ['ra'],
  checkpoint: (uid: string, ns: string, id: string): Key => ['c', uid, nsPart(ns), id],
  checkpoints: (uid: string, ns: string): Key => ['c', uid, nsPart(ns)],
  view: (uid: string, ns: string, id: string): Key => ['v', uid, nsPart(ns), id],
  write: (uid: string, ns: string, id: string, taskId: string, idx: number): Key => ['w', uid, nsPart(ns), id, taskId, idx],
  writes: (uid: string, ns: string, id: string): Key => ['w', uid, nsPart(ns), id],
  namespace: (uid: string, ns: string): Key => ['n', uid, nsPart(ns)],
  namespaces: (uid: string): Key => ['n', uid],
  content: (uid: string, hash: string): Key => ['i', uid, hash],
  undo: (runId: string, n: number): Key => ['u', runId, n],
  undos: (runId: string): Key => ['u', runId],
  event: (runId: string, firstSeq: number): Key => ['e', runId, firstSeq],
  events: (runId: string): Key => ['e', runId],
  eventExpiry: (expiresAtMs: number, runId: string): Key => ['ex', expiresAtMs, runId],
  eventExpiries: (): Key => ['ex'],
  item: (scope: string, namespace: string, key: string): Key => ['m', scope, namespace, key],
  itemScope: (scope: string): Key => ['m', scope],
  leftover: (kind: string, id: string): Key => ['x', kind, id],
  leftovers: (): Key => ['x'],
};

/** Everything that lies under a thread's inner id. */
export const THREAD_CONTENT_PREFIXES = ['tr', 'c', 'v', 'w', 'n', 'i'] as const;
