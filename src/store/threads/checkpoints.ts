import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asText, isObject, parseJson } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { hashesIn, unpackContent } from '../../wire/runs/content.js';
import { packContentBlock } from '../../wire/runs/content-block.js';
import {
  directHashes,
  hashKey,
  unpackBody,
  unpackView,
  type Item,
  type NewContent,
  type Ref,
  type SavedCheckpoint,
  type CheckpointView,
  type WriteBody,
} from '../../wire/runs/state.js';
import { Commit, EMPTY_VALUE } from '../store.js';
import { keys, THREAD_CONTENT_PREFIXES, type Key } from '../keys.js';
import {
  filterWrites,
  mergeWrites,
  packCheckpoint,
  packTaskWrites,
  unpackCheckpoint,
  unpackTasks,
  unpackTaskWrites,
  type StoredCheckpoint,
  type StoredWrite,
  type TaskWrites,
} from './checkpoint-rows.js';
import { Lineage } from './lineage.js';
import { unpackUndo } from './undo-log.js';
import type { Reader } from '../reader.js';
import type { ThreadRecord } from './threads.js';

/**
 * A checkpoint as it is stored. For its view and its writes, which older records have in other places, use
 * `Checkpoints.viewOf` and `Checkpoints.writes`. A source is not a state of the thread, since its own ancestors may be
 * removed.
 */
export interface CheckpointRecord extends StoredCheckpoint {
  id: string;
  /** Its position in the order in which the thread's checkpoints were stored (checkpoint-positions.ts). */
  position: string;
  ns: string;
}

/** LangGraph's index of INTERRUPT, under which it stores the interrupts of a task. */
const INTERRUPT_IDX = -3;

export class Checkpoints {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** The checkpoint with this id, or the newest of the namespace, which is the one stored last. */
  get(_caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string | null): CheckpointRecord | undefined {
    const record = this.#find(thread, ns, id);
    return record === undefined || record.isSource ? undefined : record;
  }

  /**
   * The newest checkpoint whose view is stored. While a run executes, that of the newest one may still be missing, and
   * without it nothing is known of its values. If none of the last checkpoints has a view, the newest of all.
   */
  newestWithView(caller: Caller, thread: ThreadRecord, ns: string): CheckpointRecord | undefined {
    const newest = this.get(caller, thread, ns, null);
    if (newest !== undefined && this.#viewBytes(thread, newest) !== undefined) return newest;
    let looked = 0;
    for (const record of this.list(caller, thread, ns, null)) {
      if (this.#viewBytes(thread, record) !== undefined) return record;
      if (++looked === LIMITS.pendingViewsMax) break;
    }
    return newest;
  }

  /** The newest checkpoint of the root. A source is one, too. */
  newest(_caller: Caller, thread: Pick<ThreadRecord, 'uid'>): CheckpointRecord | undefined {
    return this.#find(thread, '', null);
  }

  #find(thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string | null): CheckpointRecord | undefined {
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
    _caller: Caller,
    thread: ThreadRecord,
    ns: string,
    before: CheckpointRecord | string | null,
  ): Generator<CheckpointRecord> {
    const position =
      typeof before === 'string' ? this.#positionInThread(thread.uid, ns, before) : (before?.position ?? null);
    for (const [at, bytes] of this.#listAll(thread, ns, position)) {
      const record = checkpointRecord(ns, at, bytes);
      if (!record.isSource) yield record;
    }
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
    { uid }: ThreadRecord,
    ns: string,
    beforePosition: string | null,
  ): Generator<[position: string, bytes: Uint8Array]> {
    const range = { prefix: keys.checkpoints(uid, ns), reverse: true };
    const start = beforePosition === null ? {} : { start: keys.checkpoint(uid, ns, beforePosition), after: true };
    for (const [key, bytes] of this.#store.entries({ ...range, ...start })) yield [key[3] as string, bytes];
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
  *listDuringRemoval(_caller: Caller, thread: ThreadRecord, ns: string): Generator<CheckpointRecord> {
    for (let before: string | null = null; ;) {
      const page: CheckpointRecord[] = [];
      for (const [position, bytes] of this.#listAll(thread, ns, before))
        if (page.push(checkpointRecord(ns, position, Uint8Array.from(bytes))) >= REMOVAL_PAGE) break;
      yield* page;
      if (page.length < REMOVAL_PAGE) return;
      before = page.at(-1)!.position;
    }
  }

  /** True when the root namespace has more checkpoints than this. */
  hasMoreThan({ uid }: ThreadRecord, than: number): boolean {
    return this.#store.count({ prefix: keys.checkpoints(uid, ''), limit: than + 1 }) > than;
  }

  /** The view of the checkpoint with this id. */
  view(caller: Caller, thread: Pick<ThreadRecord, 'uid'>, ns: string, id: string): CheckpointView | undefined {
    const record = this.get(caller, thread, ns, id);
    return record === undefined ? undefined : this.viewOf(thread, record);
  }

  /** Undefined until the view is stored, which may be later than the checkpoint. */
  viewOf(thread: Pick<ThreadRecord, 'uid'>, record: CheckpointRecord): CheckpointView | undefined {
    const bytes = this.#viewBytes(thread, record);
    return bytes === undefined ? undefined : unpackView(bytes);
  }

  /** Size of a checkpoint's view in bytes; 0 without one. */
  viewSize(thread: Pick<ThreadRecord, 'uid'>, record: CheckpointRecord): number {
    return this.#viewBytes(thread, record)?.byteLength ?? 0;
  }

  #viewBytes({ uid }: Pick<ThreadRecord, 'uid'>, { ns, id, view }: CheckpointRecord): Uint8Array | undefined {
    return view ?? this.#store.get(keys.view(uid, ns, id));
  }

  /** The writes on a checkpoint, by task and index. */
  writes(thread: Pick<ThreadRecord, 'uid'>, record: CheckpointRecord): WriteBody[] {
    return this.#tasks(thread, record).flatMap(({ taskId, taskPath, writes }) =>
      writes.map(({ idx, channel, ref }): WriteBody => ({ taskId, taskPath, idx, channel, ref })),
    );
  }

  #tasks(thread: Pick<ThreadRecord, 'uid'>, record: CheckpointRecord): TaskWrites[] {
    if (record.tasks !== null) return unpackTasks(record);
    const tasks: TaskWrites[] = [];
    for (const [key, bytes] of this.#store.entries({ prefix: keys.writes(thread.uid, record.ns, record.id) })) {
      const task = unpackTaskWrites(key, bytes);
      const last = tasks.at(-1);
      if (last?.taskId !== task.taskId) tasks.push(task);
      // Until format 3 each write had a record, which comes after that of the task's newer writes.
      else last.writes = mergeWrites(task.writes, last.writes);
    }
    return tasks;
  }

  /** Ids of the interrupts that a task has stored on a checkpoint. */
  interruptIds(thread: ThreadRecord, ns: string, id: string, taskId: string): string[] {
    const record = this.#find(thread, ns, id);
    const task = record === undefined ? undefined : this.#tasks(thread, record).find((one) => one.taskId === taskId);
    const interrupts = task?.writes.find(({ idx }) => idx === INTERRUPT_IDX);
    if (interrupts === undefined) return [];
    return this.#itemsOfValue(thread, interrupts.ref)
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
  loadSaved(_caller: Caller, thread: ThreadRecord, ns: string, id: string | null): SavedCheckpoint | undefined {
    const record = this.#find(thread, ns, id);
    return record === undefined ? undefined : this.toSaved(thread, record);
  }

  toSaved(thread: ThreadRecord, record: CheckpointRecord): SavedCheckpoint {
    const { ns, id, runId, body } = record;
    return { ns, id, runId, body, writes: this.writes(thread, record) };
  }

  /** Content that `saved` refers to, breadth first, up to about `bytesMax`. Workers request the rest by hash. */
  contentFor(caller: Caller, thread: ThreadRecord, saved: SavedCheckpoint, bytesMax: number): Uint8Array {
    const body = unpackBody(saved.body);
    const refs = [body.base, ...body.channels.map(([, ref]) => ref), ...saved.writes.map((write) => write.ref)];
    const found: NewContent[] = [];
    let bytes = 0;
    for (const one of this.reachableContent(caller, thread, refs)) {
      found.push(one);
      bytes += one[1].byteLength;
      if (bytes >= bytesMax) break;
    }
    return packContentBlock(found);
  }

  /** Content reachable from the references, breadth first, each once. `seen` holds visited keys, also across calls. */
  *reachableContent(
    _caller: Caller,
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
      const content = this.#store.get(keys.content(thread.uid, key));
      if (content === undefined) continue;
      yield [hash, content];
      const below = hashesIn(content);
      if (below !== null) queue.push(...below);
    }
  }

  putContent(commit: Commit, uid: string, content: readonly NewContent[]): void {
    for (const [hash, bytes] of content) commit.put(keys.content(uid, hashKey(hash)), bytes);
  }

  /** Keeps a checkpoint only as a source. It is no longer a state of the thread. */
  putSource(commit: Commit, uid: string, record: CheckpointRecord): void {
    if (record.view === null) commit.remove(keys.view(uid, record.ns, record.id));
    this.#put(commit, uid, { ...record, isSource: true, view: null });
  }

  #put(commit: Commit, uid: string, record: CheckpointRecord): void {
    const { ns, id, position } = record;
    commit.put(keys.checkpoint(uid, ns, position), packCheckpoint({ ...record, id: position === id ? null : id }));
  }

  /** Removes a checkpoint and its view. The caller removes its writes. */
  removeCheckpoint(commit: Commit, uid: string, { ns, id, position, view }: CheckpointRecord): void {
    commit.remove(keys.checkpoint(uid, ns, position));
    if (position !== id) commit.remove(keys.checkpointPosition(uid, ns, id));
    if (view === null) commit.remove(keys.view(uid, ns, id));
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
        const keeps = (write: StoredWrite): boolean => stays && (write.runId !== runId || sourceOf.has(write.channel));
        const left = filterWrites(record, keeps);
        if (!stays) this.removeCheckpoint(commit, thread.uid, record);
        else if (record.runId === runId && !record.isSource) this.putSource(commit, thread.uid, left);
        else if (left !== record) this.#put(commit, thread.uid, left);
        for (const [key, bytes] of this.#store.entries({ prefix: keys.writes(thread.uid, ns, record.id) })) {
          reads += 1;
          const task = unpackTaskWrites(key, bytes);
          const kept = task.writes.filter(keeps);
          if (kept.length === 0) commit.remove(key);
          else if (kept.length < task.writes.length) commit.put(key, packTaskWrites({ ...task, writes: kept }));
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
        for (const [changed, before] of unpackUndo(bytes).reverse()) {
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

/** Checkpoints read at a time: a fraction of a millisecond. */
const REMOVAL_PAGE = 50;

function checkpointRecord(ns: string, position: string, bytes: Uint8Array): CheckpointRecord {
  const { id, ...checkpoint } = unpackCheckpoint(bytes);
  return { ...checkpoint, id: id ?? position, position, ns };
}

function unpackItem(bytes: Uint8Array | undefined): Item | null {
  const stored = bytes === undefined ? null : unpackContent(bytes);
  return stored === null || stored[0] === 'chunk' ? null : stored;
}
