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
  type View,
  type WriteBody,
} from '../../wire/runs/state.js';
import { Commit, EMPTY } from '../env.js';
import { keys, nsPart, THREAD_CONTENT_PREFIXES, type Key } from '../keys.js';
import { Lineage } from './lineage.js';
import type { Reader } from '../reader.js';
import type { ThreadRecord } from './threads.js';

/** Who wrote a checkpoint, view or write. */
export interface WriterTag {
  runId: string;
  lease: number;
}

export interface CheckpointRecord extends WriterTag {
  id: string;
  /** Its place in the order in which the thread's checkpoints were stored (checkpoint-positions.ts). */
  position: string;
  ns: string;
  body: Uint8Array;
  /** Kept because newer ones are put together from its writes (lineage.ts): no state of the thread, for its own ancestors may be gone. */
  isSource: boolean;
}

/** [runId, lease, body, true when it is only a source, its id when its position is another]: namespace and position stand in the key. */
type CheckpointRow = [string, number, Uint8Array, boolean?, string?];
/** [runId, lease, task path, channel, value]: task and place stand in the key. */
type WriteRow = [string, number, string, string, Ref];

/** What a run put under `key`, and what stood there before; replayed backwards to undo the run. */
interface UndoRecord {
  changes: [key: Key, before: Uint8Array | null][];
}

export class Checkpoints {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** The checkpoint with this id, or the newest of the namespace: the one that was stored last. */
  get(caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string | null): CheckpointRecord | undefined {
    const record = this.#any(caller, thread, ns, id);
    return record === undefined || record.isSource ? undefined : record;
  }

  #any(
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
   * Newest first, strictly before the checkpoint `before` when given. An id may be of another namespace: what was stored
   * earlier in this one; one that is not there counts by its own order.
   */
  *list(
    caller: Caller,
    thread: ThreadRecord,
    ns: string,
    before: CheckpointRecord | string | null,
  ): Generator<CheckpointRecord> {
    const position =
      typeof before === 'string' ? this.#positionInThread(thread.uid, ns, before) : (before?.position ?? null);
    for (const record of this.#every(caller, thread, ns, position)) if (!record.isSource) yield record;
  }

  *#every(
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

  /** The position of the checkpoint that was stored last; null when the namespace has none. */
  newestPosition(uid: string, ns: string): string | null {
    for (const key of this.#store.keys({ prefix: keys.checkpoints(uid, ns), reverse: true, limit: 1 }))
      return key[3] as string;
    return null;
  }

  /** The position of the checkpoint with this id; null when there is none. */
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

  /** Sources too, for a walk during which what it has passed is removed (Reader, `walk`); what it gives stays fit to be used. */
  *walk(caller: Caller, thread: ThreadRecord, ns: string): Generator<CheckpointRecord> {
    for (let before: string | null = null; ;) {
      const page: CheckpointRecord[] = [];
      for (const record of this.#every(caller, thread, ns, before))
        if (page.push({ ...record, body: Uint8Array.from(record.body) }) >= WALK_PAGE) break;
      yield* page;
      if (page.length < WALK_PAGE) return;
      before = page.at(-1)!.position;
    }
  }

  /** True when the root has more checkpoints than this. */
  hasMore({ uid }: ThreadRecord, than: number): boolean {
    return this.#store.count({ prefix: keys.checkpoints(uid, ''), limit: than + 1 }) > than;
  }

  view(_caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string): View | undefined {
    const bytes = this.#store.get(keys.view(thread.uid, ns, id));
    return bytes === undefined ? undefined : unpackView(bytes);
  }

  /** How large the view of a checkpoint is; 0 without one. */
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
  interruptIds(thread: ThreadRecord, ns: string, id: string, taskId: string, idx: number): string[] {
    const bytes = this.#store.get(keys.write(thread.uid, ns, id, taskId, idx));
    if (bytes === undefined) return [];
    return this.#items(thread, unpack<WriteRow>(bytes)[4])
      .flatMap((one) => parseJson(one[1]))
      .flatMap((found) => (isObject(found) && typeof found['id'] === 'string' ? [found['id']] : []));
  }

  /** The items of a value, of an object in fields its `id`. */
  #items(thread: ThreadRecord, ref: Ref): Item[] {
    if (ref[0] === 0) return [ref[1]];
    if (ref[0] === 3) {
      const id = ref[1].find(([name]) => name === 'id')?.[1];
      return id?.[0] === 0 ? [['j', Buffer.from(`{"id":${asText(id[1][1])}}`), null, 1]] : [];
    }
    return directHashes(ref)
      .map((hash) => unpackItem(this.#store.get(keys.content(thread.uid, hashKey(hash)))))
      .filter((item) => item !== null);
  }

  /** The namespaces as they stand in keys: that of a name which is too long is its hash, and stands for it in any of these functions. */
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

  /** The same of content that is referred to. Throws STORE_DAMAGED when it is not there. */
  neededContent(caller: Caller, thread: Pick<ThreadRecord, 'uid' | 'threadId'>, hash: Uint8Array): Uint8Array {
    const bytes = this.content(caller, thread, hash);
    if (bytes === undefined)
      throw fail('STORE_DAMAGED', { key: `content ${hashKey(hash)} of thread ${thread.threadId}` });
    return bytes;
  }

  hasContent(thread: ThreadRecord, hash: string): boolean {
    return this.#store.has(keys.content(thread.uid, hash));
  }

  /** The form a worker loads, also of sources. */
  saved(caller: Caller, thread: ThreadRecord, ns: string, id: string | null): SavedCheckpoint | undefined {
    const record = this.#any(caller, thread, ns, id);
    if (record === undefined) return undefined;
    return this.savedForm(caller, thread, record);
  }

  savedForm(caller: Caller, thread: ThreadRecord, { ns, id, runId, body }: CheckpointRecord): SavedCheckpoint {
    return { ns, id, runId, body, writes: this.writes(caller, thread, ns, id) };
  }

  /** Everything that `saved` refers to, breadth first, until `bytesMax` is reached; the rest is asked for by hash. */
  contentOf(caller: Caller, thread: ThreadRecord, saved: SavedCheckpoint, bytesMax: number): NewContent[] {
    const body = unpackBody(saved.body);
    const refs = [body.base, ...body.channels.map(([, ref]) => ref), ...saved.writes.map((write) => write.ref)];
    const found: NewContent[] = [];
    let bytes = 0;
    for (const one of this.reachable(caller, thread, refs)) {
      found.push(one);
      bytes += one[1].byteLength;
      if (bytes >= bytesMax) break;
    }
    return found;
  }

  /** Content that the references lead to, breadth first, each once. `seen` has the keys of what was looked at, also over several calls. */
  *reachable(
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
    uid: string,
    tag: WriterTag,
    undo: UndoLog,
    { ns, id, position, body }: Pick<CheckpointRecord, 'ns' | 'id' | 'position' | 'body'>,
  ): void {
    const key = keys.checkpoint(uid, ns, position);
    undo.note(key, this.#store.before(key) ?? null);
    commit.put(key, pack(rowOf({ ...tag, id, position, body, isSource: false })));
    if (position !== id) {
      const place = keys.checkpointPosition(uid, ns, id);
      undo.note(place, this.#store.before(place) ?? null);
      commit.put(place, utf8(position));
    }
    // A name that is too long for a key stands there as a hash.
    commit.put(keys.namespace(uid, ns), nsPart(ns) === ns ? EMPTY : utf8(ns));
  }

  putView(commit: Commit, uid: string, undo: UndoLog, ns: string, id: string, view: Uint8Array): void {
    const key = keys.view(uid, ns, id);
    undo.note(key, null);
    commit.put(key, view);
  }

  /**
   * Ordinary writes are kept as they were first stored, special ones (negative idx) are replaced: a task that runs again
   * stores the same writes under the same places.
   */
  putWrites(
    commit: Commit,
    uid: string,
    tag: WriterTag,
    undo: UndoLog,
    ns: string,
    id: string,
    writes: readonly WriteBody[],
  ): void {
    for (const write of writes) {
      const key = keys.write(uid, ns, id, write.taskId, write.idx);
      const before = this.#store.before(key) ?? null;
      if (write.idx >= 0 && before !== null) continue;
      undo.note(key, before);
      commit.put(key, pack([tag.runId, tag.lease, write.taskPath, write.channel, write.ref] satisfies WriteRow));
    }
  }

  /** From now on it is no state of the thread. */
  putSource(commit: Commit, uid: string, record: CheckpointRecord): void {
    const { ns, id, position } = record;
    commit.put(keys.checkpoint(uid, ns, position), pack(rowOf({ ...record, isSource: true })));
    commit.remove(keys.view(uid, ns, id));
  }

  /** Takes a checkpoint away with what it shows; its writes are taken away apart. */
  removeCheckpoint(commit: Commit, uid: string, { ns, id, position }: CheckpointRecord): void {
    commit.remove(keys.checkpoint(uid, ns, position));
    if (position !== id) commit.remove(keys.checkpointPosition(uid, ns, id));
    commit.remove(keys.view(uid, ns, id));
  }

  /**
   * All that lies under the thread except its runs, put once more under another inner id, slice by slice. The next slice is
   * read when it is asked for: the thread must not change meanwhile.
   */
  *copied({ uid }: ThreadRecord, newUid: string): Generator<Commit> {
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

  /** A run has ended: it can no longer be rolled back, only deleted. True: there is so much that the remover has to be woken for it. */
  forgetUndo(commit: Commit, runId: string): boolean {
    const found = [...this.#store.keys({ prefix: keys.undos(runId), limit: LIMITS.sliceRemovals })];
    const isMuch = found.length === LIMITS.sliceRemovals;
    if (isMuch) commit.put(keys.leftover('undo', runId), EMPTY);
    else for (const key of found) commit.remove(key);
    return isMuch;
  }

  /**
   * Removes what an ended run stored, slice by slice, the newest first; looks through all of its thread, which must not change
   * meanwhile. What later states are put together from stays, and is no state any more.
   */
  *removedOf(caller: Caller, thread: ThreadRecord, runId: string): Generator<Commit> {
    let commit = new Commit();
    let looked = 0;
    for (const ns of this.namespaces(caller, thread)) {
      const lineage = new Lineage();
      for (const record of this.walk(caller, thread, ns)) {
        const { stays, sourceOf } = lineage.take(record, record.runId !== runId && !record.isSource);
        if (!stays) this.removeCheckpoint(commit, thread.uid, record);
        else if (record.runId === runId && !record.isSource) this.putSource(commit, thread.uid, record);
        for (const [key, bytes] of this.#store.entries({ prefix: keys.writes(thread.uid, ns, record.id) })) {
          looked += 1;
          const [writer, , , channel] = unpack<WriteRow>(bytes);
          if (!stays || (writer === runId && !sourceOf.has(channel))) commit.remove(key);
        }
        looked += 1;
        if (looked < LIMITS.sliceLooks && commit.operations.length < LIMITS.sliceRemovals) continue;
        yield commit;
        commit = new Commit();
        looked = 0;
      }
    }
    yield commit;
  }

  /**
   * Undoes all that a run wrote, newest change first; what it overwrote on older checkpoints stands again. A slice has to be on
   * disk before the next one is asked for; the last one may be empty.
   */
  *undone(runId: string): Generator<{ commit: Commit; more: boolean }> {
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

/** Collects what one message of a run changes; one record per message. */
export class UndoLog {
  readonly #runId: string;
  readonly #noted = new Set<string>();
  #n: number;
  #changes: UndoRecord['changes'] = [];

  /** `n` starts past what earlier leases have written. */
  constructor(runId: string, n: number) {
    this.#runId = runId;
    this.#n = n;
  }

  /** Only the first change of a key counts: before it is what was there before the run. */
  note(key: Key, before: Uint8Array | null): void {
    const name = key.join('\u0000');
    if (this.#noted.has(name)) return;
    this.#noted.add(name);
    this.#changes.push([key, before === null ? null : Uint8Array.from(before)]);
  }

  flush(commit: Commit): void {
    if (this.#changes.length === 0) return;
    commit.put(keys.undo(this.#runId, this.#n++), pack({ changes: this.#changes } satisfies UndoRecord));
    this.#changes = [];
  }
}

/** Checkpoints of one page: a part of a millisecond. */
const WALK_PAGE = 50;

/** Room in the undo keys for one lease; a run never gets there. */
export const UNDO_PER_LEASE = 2 ** 32;

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
