import { utf8 } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { WriteBody } from '../../wire/runs/state.js';
import { keys, nsPart, type Key, type WriteId } from '../keys.js';
import type { Reader } from '../reader.js';
import { EMPTY_VALUE, type Commit } from '../store.js';
import { checkpointName } from './checkpoint-positions.js';
import {
  filterWrites,
  mergeTask,
  mergeWrites,
  NO_TASKS,
  packCheckpoint,
  packTasks,
  packTaskWrites,
  unpackCheckpoint,
  unpackTasks,
  unpackTaskWrites,
  type StoredCheckpoint,
  type TaskWrites,
  type WriterTag,
} from './checkpoint-rows.js';
import { UNDO_NUMBERS_PER_LEASE, UndoLog } from './undo-log.js';

/** Where a checkpoint is stored. */
interface CheckpointPlace {
  ns: string;
  id: string;
  position: string;
}

/** The checkpoint of a write. `position`: null if it is not stored. */
interface WritePlace extends Omit<CheckpointPlace, 'position'> {
  position: string | null;
}

/** How a record is stored. */
interface Codec<T> {
  pack(content: T): Uint8Array;
  unpack(key: Key, bytes: Uint8Array): T;
}

const CHECKPOINT: Codec<StoredCheckpoint> = { pack: packCheckpoint, unpack: (_key, bytes) => unpackCheckpoint(bytes) };
const TASK_WRITES: Codec<TaskWrites> = { pack: packTaskWrites, unpack: unpackTaskWrites };

/** A record that this writer changes. The writer keeps it from its first change until it is on disk. */
interface Draft<T> {
  key: Key;
  /** The parts of the key as text. */
  name: string;
  /** The record from before the change. */
  before: Uint8Array | null;
  /** Null: there is no record, or it is removed. */
  content: T | null;
  codec: Codec<T>;
  /** Changed since it was last passed to the store. */
  isDirty: boolean;
}

/**
 * Stores the checkpoints and writes of one dispatch of a run, and records what it changes, so that a rollback can undo
 * it. A view and the writes become part of their checkpoint's record. A record that would become large keeps only the
 * view, and the writes of each task get a record of their own: the tasks of a wide step end one after the other, and
 * each of them would write the whole record again. Changes are collected until `flush`, and later ones are made to what
 * is not on disk yet.
 */
export class CheckpointWriter {
  readonly #reader: Reader;
  readonly #uid: string;
  readonly #tag: WriterTag;
  readonly #namespaces: Set<string>;
  readonly #undo: UndoLog;
  readonly #drafts = new Map<string, Draft<unknown>>();
  /** Checkpoints with writes in records of their own: namespace and id. */
  readonly #withWriteRecords = new Set<string>();

  /** `namespaces`: those that the thread has already. */
  constructor(reader: Reader, uid: string, tag: WriterTag, namespaces: Iterable<string>) {
    this.#reader = reader;
    this.#uid = uid;
    this.#tag = tag;
    this.#namespaces = new Set(namespaces);
    this.#undo = new UndoLog(tag.runId, tag.lease * UNDO_NUMBERS_PER_LEASE);
  }

  /** Keys of the undo records. The last ones may not be on disk yet. */
  get undoKeys(): readonly Key[] {
    return this.#undo.keys;
  }

  /**
   * `isNew`: it is known that nothing is stored at this position. `view`: null if it follows later. A checkpoint that
   * is stored again keeps the view that it has.
   */
  putCheckpoint(
    commit: Commit,
    { ns, id, position, isNew }: CheckpointPlace & { isNew?: boolean },
    { body, view }: { body: Uint8Array; view: Uint8Array | null },
  ): void {
    const moved = position === id ? null : id;
    const draft = this.#open(keys.checkpoint(this.#uid, ns, position), CHECKPOINT, isNew);
    const current = draft.content;
    const newTasks = this.#withWriteRecords.has(checkpointName({ ns, id })) ? null : NO_TASKS;
    this.#change(draft, {
      ...this.#tag,
      body,
      isSource: false,
      id: moved,
      view: view ?? current?.view ?? null,
      tasks: current === null ? newTasks : tasksBy(this.#tag, current),
    });
    if (moved !== null) {
      const place = keys.checkpointPosition(this.#uid, ns, id);
      this.#undo.record(place, this.#reader.getBeforeWrite(place) ?? null);
      commit.put(place, utf8(position));
    }
    if (this.#namespaces.has(ns)) return;
    this.#namespaces.add(ns);
    // The value holds the name when it is too long for a key.
    commit.put(keys.namespace(this.#uid, ns), nsPart(ns) === ns ? EMPTY_VALUE : utf8(ns));
  }

  /** Does nothing when no checkpoint is stored there. */
  putView({ ns, position }: Omit<CheckpointPlace, 'id'>, view: Uint8Array): void {
    const draft = this.#open(keys.checkpoint(this.#uid, ns, position), CHECKPOINT);
    if (draft.content !== null) this.#change(draft, { ...draft.content, view });
  }

  putWrites(place: WritePlace, writes: readonly WriteBody[]): void {
    for (const taskId of new Set(writes.map((write) => write.taskId))) {
      const own = writes.filter((write) => write.taskId === taskId);
      const added: TaskWrites = {
        taskId,
        taskPath: own[0]!.taskPath,
        writes: own.map(({ idx, channel, ref }) => ({ ...this.#tag, idx, channel, ref })),
      };
      const inner = this.#openInner(place);
      if (inner === null) this.#addToOwnRecord(place, added);
      else this.#change(inner.draft, withTask(inner.checkpoint, added));
    }
  }

  removeWrite(commit: Commit, place: WritePlace, { taskId, idx }: WriteId): void {
    const inner = this.#openInner(place);
    if (inner !== null) {
      const { draft, checkpoint } = inner;
      const left = filterWrites(checkpoint, (write, task) => task !== taskId || write.idx !== idx);
      if (left !== checkpoint) this.#change(draft, left);
      return;
    }
    const { ns, id } = place;
    const key = keys.taskWrites(this.#uid, ns, id, taskId);
    const draft = this.#open(key, TASK_WRITES);
    if (draft.content !== null) {
      const left = draft.content.writes.filter((write) => write.idx !== idx);
      this.#change(draft, left.length === 0 ? null : { ...draft.content, writes: left });
    }
    const single: Key = [...key, idx];
    const before = this.#reader.getBeforeWrite(single);
    if (before === undefined) return;
    this.#undo.record(single, before);
    commit.remove(single);
  }

  /** Puts the changes into the commit that is written next, with the record that undoes them. */
  flush(commit: Commit): void {
    const flushed: Draft<unknown>[] = [];
    // Drafts that are added in this loop are visited, too.
    for (const draft of this.#drafts.values()) {
      if (!draft.isDirty) continue;
      draft.isDirty = false;
      if (draft.content === null) commit.remove(draft.key);
      else commit.put(draft.key, this.#pack(draft));
      flushed.push(draft);
    }
    this.#undo.flush(commit);
    if (flushed.length === 0) return;
    commit.onDurable(() => {
      for (const draft of flushed)
        if (this.#drafts.get(draft.name) === draft && !draft.isDirty) this.#drafts.delete(draft.name);
    });
  }

  #pack(draft: Draft<unknown>): Uint8Array {
    const packed = draft.codec.pack(draft.content);
    if (packed.byteLength <= LIMITS.checkpointWithWritesBytes || draft.codec !== CHECKPOINT) return packed;
    const checkpoint = draft.content as StoredCheckpoint;
    if (checkpoint.tasks === null || checkpoint.tasks.byteLength === 0) return packed;
    const [, , ns, position] = draft.key as [string, string, string, string];
    for (const task of unpackTasks(checkpoint)) this.#addToOwnRecord({ ns, id: checkpoint.id ?? position }, task);
    draft.content = { ...checkpoint, tasks: null } satisfies StoredCheckpoint;
    return draft.codec.pack(draft.content);
  }

  /** The checkpoint of a write, if its writes are in its record. */
  #openInner({ ns, position }: WritePlace): { draft: Draft<StoredCheckpoint>; checkpoint: StoredCheckpoint } | null {
    if (position === null) return null;
    const draft = this.#open(keys.checkpoint(this.#uid, ns, position), CHECKPOINT);
    const checkpoint = draft.content;
    return checkpoint === null || checkpoint.tasks === null ? null : { draft, checkpoint };
  }

  #addToOwnRecord({ ns, id }: Omit<CheckpointPlace, 'position'>, added: TaskWrites): void {
    this.#withWriteRecords.add(checkpointName({ ns, id }));
    const draft = this.#open(keys.taskWrites(this.#uid, ns, id, added.taskId), TASK_WRITES);
    this.#change(draft, { ...added, writes: mergeWrites(draft.content?.writes ?? [], added.writes) });
  }

  /** The record with the content that it will have on disk. `isNew`: there is none. */
  #open<T>(key: Key, codec: Codec<T>, isNew = false): Draft<T> {
    const name = key.join('\u0000');
    const draft = this.#drafts.get(name) as Draft<T> | undefined;
    if (draft !== undefined) return draft;
    const stored = isNew ? undefined : this.#reader.getBeforeWrite(key);
    // A copy, because the bytes are valid only until the next write.
    const before = stored === undefined ? null : Uint8Array.from(stored);
    const content = before === null ? null : codec.unpack(key, before);
    return { key, name, before, content, codec, isDirty: false };
  }

  #change<T>(draft: Draft<T>, content: T | null): void {
    this.#undo.record(draft.key, draft.before);
    draft.content = content;
    draft.isDirty = true;
    this.#drafts.set(draft.name, draft as Draft<unknown>);
  }
}

/** The packed writes on a checkpoint that is stored again by this writer. */
function tasksBy(tag: WriterTag, checkpoint: StoredCheckpoint): Uint8Array | null {
  return checkpoint.tasks === null ? null : packTasks(tag, unpackTasks(checkpoint));
}

function withTask(checkpoint: StoredCheckpoint, added: TaskWrites): StoredCheckpoint {
  return { ...checkpoint, tasks: packTasks(checkpoint, mergeTask(unpackTasks(checkpoint), added)) };
}
