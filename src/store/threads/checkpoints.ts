import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asText, isObject, parseJson, utf8 } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../../wire/codec.js';
import {
  directHashes,
  hashKey,
  splitHashes,
  unpackBody,
  unpackView,
  type Item,
  type NewContent,
  type Ref,
  type SavedCheckpoint,
  type StoredContent,
  type CheckpointView,
  type WriteBody,
} from '../../wire/runs/state.js';
import { Commit, EMPTY_VALUE } from '../store.js';
import { keys, nsPart, THREAD_CONTENT_PREFIXES, type Key } from '../keys.js';
import { Lineage } from './lineage.js';
import type { Reader } from '../reader.js';
import type { ThreadRecord } from './threads.js';

/** The run and lease that wrote a checkpoint, view or write. */
export interface WriterTag {
  runId: string;
  lease: number;
}

/** What a run needs to store checkpoints: its thread, its tag, and the log of what it changes. */
export interface CheckpointWriter {
  thread: ThreadRecord;
  tag: WriterTag;
  undo: UndoLog;
  /** Namespaces that the run has stored. */
  namespaces: Set<string>;
}

export interface CheckpointRecord extends WriterTag {
  id: string;
  /** Its position in the order in which the thread's checkpoints were stored (checkpoint-positions.ts). */
  position: string;
  ns: string;
  body: Uint8Array;
  /**
   * True if it is kept only because newer checkpoints need its writes (lineage.ts). It is then not a state of the
   * thread, since its own ancestors may be removed.
   */
  isSource: boolean;
}

/** [runId, lease, body, isSource, id unless it equals the position]. The key holds namespace and position. */
type CheckpointRow = [string, number, Uint8Array, boolean?, string?];
/** [runId, lease, task path, channel, value]. The key holds the task and the index. */
type WriteRow = [string, number, string, string, Ref];

/** LangGraph's index of INTERRUPT, under which it stores the interrupts of a task. */
const INTERRUPT_IDX = -3;

/** Keys that a run changed, with the values from before. Applied backwards to undo the run. */
interface UndoRecord {
  changes: [key: Key, before: Uint8Array | null][];
}

export class Checkpoints {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** The checkpoint with this id, or the newest of the namespace, which is the one stored last. */
  get(caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string | null): CheckpointRecord | undefined {
    const record = this.#find(caller, thread, ns, id);
    return record === undefined || record.isSource ? undefined : record;
  }

  #find(
    _caller: Caller,
    thread: Pick<ThreadRecord, 'uid'>,
    ns: string,
    id: string | null,
  ): CheckpointRecord | undefined {
    if (id !== null) {
      const bytes = this.#store.get(keys.checkpoint(thread.uid, ns, id));
      if (bytes !== undefined) return checkpointRecord(ns, id, bytes);
      const position = this.#storedPosition(thread.uid, ns, id);
      const moved = position === undefined ? undefined : this.#store.get(keys.checkpoint(thread.uid, ns, position));
      return moved === undefined ? undefined : checkpointRecord(ns, position!, moved);
    }
    for (const [key, bytes] of this.#store.entries({
      prefix: keys.checkpoints(thread.uid, ns),
      reverse: true,
      limit: 1,
    })) {
      return checkpointRecord(ns, key[3] as string, bytes);
    }
    return undefined;
  }

  /**
   * Newest first. With `before`, only checkpoints strictly before it. `before` may be an id of another namespace; then
   * it selects what was stored earlier. An unknown id is compared as a position.
   */
  *list(
    caller: Caller,
    thread: ThreadRecord,
    ns: string,
    before: CheckpointRecord | string | null,
  ): Generator<CheckpointRecord> {
    const position =
      typeof before === 'string' ? this.#positionInThread(thread.uid, ns, before) : (before?.position ?? null);
    for (const record of this.#listAll(caller, thread, ns, position)) if (!record.isSource) yield record;
  }

  /** The first checkpoint of `list`. For readers that let other work run between two checkpoints. */
  newestBefore(
    caller: Caller,
    thread: ThreadRecord,
    ns: string,
    before: CheckpointRecord | string | null,
  ): CheckpointRecord | undefined {
    for (const record of this.list(caller, thread, ns, before)) return record;
    return undefined;
  }

  *#listAll(
    _caller: Caller,
    thread: ThreadRecord,
    ns: string,
    beforePosition: string | null,
  ): Generator<CheckpointRecord> {
    const range = { prefix: keys.checkpoints(thread.uid, ns), reverse: true };
    const start =
      beforePosition === null ? {} : { start: keys.checkpoint(thread.uid, ns, beforePosition), after: true };
    for (const [key, bytes] of this.#store.entries({ ...range, ...start }))
      yield checkpointRecord(ns, key[3] as string, bytes);
  }

  /** Position of the checkpoint stored last; null when the namespace has none. */
  newestPosition(uid: string, ns: string): string | null {
    for (const key of this.#store.keys({ prefix: keys.checkpoints(uid, ns), reverse: true, limit: 1 }))
      return key[3] as string;
    return null;
  }

  /** Position of the checkpoint with this id; null when there is none. */
  positionOf(uid: string, ns: string, id: string): string | null {
    return this.#store.has(keys.checkpoint(uid, ns, id)) ? id : (this.#storedPosition(uid, ns, id) ?? null);
  }

  #storedPosition(uid: string, ns: string, id: string): string | undefined {
    const bytes = this.#store.get(keys.checkpointPosition(uid, ns, id));
    return bytes === undefined ? undefined : asText(bytes);
  }

  #positionInThread(uid: string, ns: string, id: string): string {
    const own = this.positionOf(uid, ns, id);
    if (own !== null) return own;
    for (const part of this.namespaceParts(uid)) {
      const position = this.positionOf(uid, part, id);
      if (position !== null) return position;
    }
    return id;
  }

  /**
   * All checkpoints including sources, newest first. The caller may remove checkpoints that were returned (see
   * Reader.walk). The returned values stay valid.
   */
  *listDuringRemoval(caller: Caller, thread: ThreadRecord, ns: string): Generator<CheckpointRecord> {
    for (let before: string | null = null; ;) {
      const page: CheckpointRecord[] = [];
      for (const record of this.#listAll(caller, thread, ns, before))
        if (page.push({ ...record, body: Uint8Array.from(record.body) }) >= REMOVAL_PAGE) break;
      yield* page;
      if (page.length < REMOVAL_PAGE) return;
      before = page.at(-1)!.position;
    }
  }

  /** True when the root namespace has more checkpoints than this. */
  hasMoreThan({ uid }: ThreadRecord, than: number): boolean {
    return this.#store.count({ prefix: keys.checkpoints(uid, ''), limit: than + 1 }) > than;
  }

  view(_caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string): CheckpointView | undefined {
    const bytes = this.#store.get(keys.view(thread.uid, ns, id));
    return bytes === undefined ? undefined : unpackView(bytes);
  }

  /** Bytes of a checkpoint's view; 0 without one. */
  viewBytes(_caller: Caller, thread: ThreadRecord, ns: string, id: string): number {
    return this.#store.get(keys.view(thread.uid, ns, id))?.byteLength ?? 0;
  }

  writes(_caller: Caller, thread: ThreadRecord, ns: string, id: string): WriteBody[] {
    const found: WriteBody[] = [];
    for (const [key, bytes] of this.#store.entries({ prefix: keys.writes(thread.uid, ns, id) })) {
      const [, , taskPath, channel, ref] = unpack<WriteRow>(bytes);
      found.push({ taskId: key[4] as string, idx: key[5] as number, taskPath, channel, ref });
    }
    return found;
  }

  /** Ids of the interrupts that a task has stored on a checkpoint. */
  interruptIds(thread: ThreadRecord, ns: string, id: string, taskId: string): string[] {
    const bytes = this.#store.get(keys.write(thread.uid, ns, id, { taskId, idx: INTERRUPT_IDX }));
    if (bytes === undefined) return [];
    return this.#itemsOfValue(thread, unpack<WriteRow>(bytes)[4])
      .flatMap((one) => parseJson(one[1]))
      .flatMap((found) => (isObject(found) && typeof found['id'] === 'string' ? [found['id']] : []));
  }

  /** Items of a value. Of an object that is split into fields, only its `id`. */
  #itemsOfValue(thread: ThreadRecord, ref: Ref): Item[] {
    if (ref[0] === 0) return [ref[1]];
    if (ref[0] === 3) {
      const id = ref[1].find(([name]) => name === 'id')?.[1];
      return id?.[0] === 0 ? [['j', Buffer.from(`{"id":${asText(id[1][1])}}`), null, 1]] : [];
    }
    return directHashes(ref)
      .map((hash) => unpackItem(this.#store.get(keys.content(thread.uid, hashKey(hash)))))
      .filter((item) => item !== null);
  }

  /** Namespaces as in keys: a long name as its hash. All functions here accept either form. */
  namespaceParts(uid: string): string[] {
    return [...this.#store.keys({ prefix: keys.namespaces(uid) })].map((key) => key[2] as string);
  }

  namespaces(_caller: Caller, thread: ThreadRecord): string[] {
    return [...this.#store.entries({ prefix: keys.namespaces(thread.uid) })].map(([key, name]) =>
      name.byteLength > 0 ? asText(name) : (key[2] as string),
    );
  }

  content(_caller: Caller, thread: Pick<ThreadRecord, 'uid'>, hash: Uint8Array): Uint8Array | undefined {
    return this.#store.get(keys.content(thread.uid, hashKey(hash)));
  }

  /** Content that a record refers to. Throws STORE_DAMAGED when it is missing. */
  requireContent(caller: Caller, thread: Pick<ThreadRecord, 'uid' | 'threadId'>, hash: Uint8Array): Uint8Array {
    const bytes = this.content(caller, thread, hash);
    if (bytes === undefined)
      throw fail('STORE_DAMAGED', { key: `content ${hashKey(hash)} of thread ${thread.threadId}` });
    return bytes;
  }

  hasContent(thread: ThreadRecord, hash: string): boolean {
    return this.#store.has(keys.content(thread.uid, hash));
  }

  /** A checkpoint in the form that workers load, sources included. */
  loadSaved(caller: Caller, thread: ThreadRecord, ns: string, id: string | null): SavedCheckpoint | undefined {
    const record = this.#find(caller, thread, ns, id);
    if (record === undefined) return undefined;
    return this.toSaved(caller, thread, record);
  }

  toSaved(caller: Caller, thread: ThreadRecord, { ns, id, runId, body }: CheckpointRecord): SavedCheckpoint {
    return { ns, id, runId, body, writes: this.writes(caller, thread, ns, id) };
  }

  /** Content that `saved` refers to, breadth first, up to about `bytesMax`. Workers request the rest by hash. */
  contentFor(caller: Caller, thread: ThreadRecord, saved: SavedCheckpoint, bytesMax: number): NewContent[] {
    const body = unpackBody(saved.body);
    const refs = [body.base, ...body.channels.map(([, ref]) => ref), ...saved.writes.map((write) => write.ref)];
    const found: NewContent[] = [];
    let bytes = 0;
    for (const one of this.reachableContent(caller, thread, refs)) {
      found.push(one);
      bytes += one[1].byteLength;
      if (bytes >= bytesMax) break;
    }
    return found;
  }

  /** Content reachable from the references, breadth first, each once. `seen` holds visited keys, also across calls. */
  *reachableContent(
    caller: Caller,
    thread: ThreadRecord,
    refs: readonly Ref[],
    seen = new Set<string>(),
  ): Generator<NewContent> {
    const queue = refs.flatMap(directHashes);
    for (let at = 0; at < queue.length; at += 1) {
      const hash = queue[at]!;
      const key = hashKey(hash);
      if (seen.has(key)) continue;
      seen.add(key);
      const content = this.content(caller, thread, hash);
      if (content === undefined) continue;
      yield [hash, content];
      const stored = unpack<StoredContent>(content);
      if (stored[0] === 'chunk') queue.push(...splitHashes(stored[2]));
    }
  }

  putContent(commit: Commit, uid: string, content: readonly NewContent[]): void {
    for (const [hash, bytes] of content) commit.put(keys.content(uid, hashKey(hash)), bytes);
  }

  putCheckpoint(
    commit: Commit,
    { thread: { uid }, tag, undo, namespaces }: CheckpointWriter,
    { ns, id, position, body }: Pick<CheckpointRecord, 'ns' | 'id' | 'position' | 'body'>,
  ): void {
    const key = keys.checkpoint(uid, ns, position);
    undo.record(key, this.#store.getBeforeWrite(key) ?? null);
    commit.put(key, pack(rowOf({ ...tag, id, position, body, isSource: false })));
    if (position !== id) {
      const place = keys.checkpointPosition(uid, ns, id);
      undo.record(place, this.#store.getBeforeWrite(place) ?? null);
      commit.put(place, utf8(position));
    }
    if (namespaces.has(ns)) return;
    namespaces.add(ns);
    // The value holds the name when it is too long for a key.
    commit.put(keys.namespace(uid, ns), nsPart(ns) === ns ? EMPTY_VALUE : utf8(ns));
  }

  /** Stores the view of a checkpoint. */
  putView(
    commit: Commit,
    { thread, undo }: CheckpointWriter,
    { ns, id }: Pick<CheckpointRecord, 'ns' | 'id'>,
    view: Uint8Array,
  ): void {
    const key = keys.view(thread.uid, ns, id);
    undo.record(key, null);
    commit.put(key, view);
  }

  /**
   * Ordinary writes keep their first value, special ones (negative idx) are replaced. A task that runs again stores the
   * same writes under the same indexes.
   */
  putWrites(
    commit: Commit,
    { thread, tag, undo }: CheckpointWriter,
    { ns, id, writes }: { ns: string; id: string; writes: readonly WriteBody[] },
  ): void {
    for (const write of writes) {
      const key = keys.write(thread.uid, ns, id, write);
      const before = this.#store.getBeforeWrite(key) ?? null;
      if (write.idx >= 0 && before !== null) continue;
      undo.record(key, before);
      commit.put(key, pack([tag.runId, tag.lease, write.taskPath, write.channel, write.ref] satisfies WriteRow));
    }
  }

  /** Keeps a checkpoint only as a source. It is no longer a state of the thread. */
  putSource(commit: Commit, uid: string, record: CheckpointRecord): void {
    const { ns, id, position } = record;
    commit.put(keys.checkpoint(uid, ns, position), pack(rowOf({ ...record, isSource: true })));
    commit.remove(keys.view(uid, ns, id));
  }

  /** Removes a checkpoint and its view. The caller removes its writes. */
  removeCheckpoint(commit: Commit, uid: string, { ns, id, position }: CheckpointRecord): void {
    commit.remove(keys.checkpoint(uid, ns, position));
    if (position !== id) commit.remove(keys.checkpointPosition(uid, ns, id));
    commit.remove(keys.view(uid, ns, id));
  }

  /**
   * Copies the content of a thread, without its runs, to another inner id, in slices. Each slice is read when the
   * generator is advanced, so the thread must not change meanwhile.
   */
  *copyContent({ uid }: ThreadRecord, newUid: string): Generator<Commit> {
    for (const part of THREAD_CONTENT_PREFIXES) {
      if (part === 'tr') continue;
      let last: Key | null = null;
      for (;;) {
        const commit = new Commit();
        let bytes = 0;
        for (const [key, value] of this.#store.entries({
          prefix: [part, uid],
          ...(last === null ? {} : { start: last, after: true }),
        })) {
          commit.put([part, newUid, ...key.slice(2)], value);
          last = key;
          bytes += value.byteLength;
          if (commit.operations.length >= LIMITS.slicePuts || bytes >= LIMITS.sliceBytes) break;
        }
        if (commit.operations.length === 0) break;
        yield commit;
      }
    }
  }

  /**
   * Removes the undo records of an ended run, which can then no longer be rolled back. `known`: their keys, if the
   * caller knows all of them; otherwise they are read, and must be on disk. Returns true when there are so many that
   * the caller has to wake the remover.
   */
  removeUndo(commit: Commit, runId: string, known: readonly Key[] | null = null): boolean {
    const found = known ?? [...this.#store.keys({ prefix: keys.undos(runId), limit: LIMITS.sliceRemovals })];
    const isMuch = found.length >= LIMITS.sliceRemovals;
    if (isMuch) commit.put(keys.leftover('undo', runId), EMPTY_VALUE);
    else for (const key of found) commit.remove(key);
    return isMuch;
  }

  /**
   * Removes what an ended run stored, in slices, newest first. Reads the whole thread, which must not change meanwhile.
   * Checkpoints that later states need are kept as sources.
   */
  *removeRunWrites(caller: Caller, thread: ThreadRecord, runId: string): Generator<Commit> {
    let commit = new Commit();
    let reads = 0;
    for (const ns of this.namespaces(caller, thread)) {
      const lineage = new Lineage();
      for (const record of this.listDuringRemoval(caller, thread, ns)) {
        const { stays, sourceOf } = lineage.visit(record, record.runId !== runId && !record.isSource);
        if (!stays) this.removeCheckpoint(commit, thread.uid, record);
        else if (record.runId === runId && !record.isSource) this.putSource(commit, thread.uid, record);
        for (const [key, bytes] of this.#store.entries({ prefix: keys.writes(thread.uid, ns, record.id) })) {
          reads += 1;
          const [writer, , , channel] = unpack<WriteRow>(bytes);
          if (!stays || (writer === runId && !sourceOf.has(channel))) commit.remove(key);
        }
        reads += 1;
        if (reads < LIMITS.sliceReads && commit.operations.length < LIMITS.sliceRemovals) continue;
        yield commit;
        commit = new Commit();
        reads = 0;
      }
    }
    yield commit;
  }

  /**
   * Undoes everything a run wrote, newest change first, and restores overwritten values. Each slice must be on disk
   * before the generator is advanced. The last slice may be empty.
   */
  *undoRun(runId: string): Generator<{ commit: Commit; more: boolean }> {
    for (;;) {
      const commit = new Commit();
      let more = false;
      for (const [key, bytes] of this.#store.entries({ prefix: keys.undos(runId), reverse: true })) {
        for (const [changed, before] of unpack<UndoRecord>(bytes).changes.reverse()) {
          if (before === null) commit.remove(changed);
          else commit.put(changed, before);
        }
        commit.remove(key);
        more = commit.operations.length >= LIMITS.sliceRemovals;
        if (more) break;
      }
      yield { commit, more };
      if (!more) return;
    }
  }
}

/** Collects the changes of one message of a run for one undo record. */
export class UndoLog {
  readonly #runId: string;
  readonly #recorded = new Set<string>();
  #nextNumber: number;
  #changes: UndoRecord['changes'] = [];
  /** Keys of the records made so far. */
  readonly keys: Key[] = [];

  /** `n` begins above the numbers that earlier leases used. */
  constructor(runId: string, n: number) {
    this.#runId = runId;
    this.#nextNumber = n;
  }

  /** Records the value from before the run. Only the first change of a key counts. */
  record(key: Key, before: Uint8Array | null): void {
    const name = key.join('\u0000');
    if (this.#recorded.has(name)) return;
    this.#recorded.add(name);
    this.#changes.push([key, before === null ? null : Uint8Array.from(before)]);
  }

  flush(commit: Commit): void {
    if (this.#changes.length === 0) return;
    const key = keys.undo(this.#runId, this.#nextNumber++);
    this.keys.push(key);
    commit.put(key, pack({ changes: this.#changes } satisfies UndoRecord));
    this.#changes = [];
  }
}

/** Checkpoints read at a time: a fraction of a millisecond. */
const REMOVAL_PAGE = 50;

/** Undo numbers reserved for one lease. A run never uses them up. */
export const UNDO_NUMBERS_PER_LEASE = 2 ** 32;

function checkpointRecord(ns: string, position: string, bytes: Uint8Array): CheckpointRecord {
  const [runId, lease, body, isSource = false, id = position] = unpack<CheckpointRow>(bytes);
  return { id, position, ns, runId, lease, body, isSource };
}

function rowOf({ runId, lease, body, isSource, id, position }: Omit<CheckpointRecord, 'ns'>): CheckpointRow {
  if (position !== id) return [runId, lease, body, isSource, id];
  return isSource ? [runId, lease, body, true] : [runId, lease, body];
}

function unpackItem(bytes: Uint8Array | undefined): Item | null {
  const stored = bytes === undefined ? null : unpack<StoredContent>(bytes);
  return stored === null || stored[0] === 'chunk' ? null : stored;
}
