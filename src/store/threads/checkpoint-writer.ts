import { utf8 } from '../../base/json/json.js';
import type { WriteBody } from '../../wire/runs/state.js';
import { keys, nsPart, type Key, type WriteId } from '../keys.js';
import type { Reader } from '../reader.js';
import { EMPTY_VALUE, type Commit } from '../store.js';
import {
  mergeWrites,
  packCheckpoint,
  packTaskWrites,
  unpackCheckpoint,
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

/** How a record is stored. */
interface Codec<T> {
  pack(content: T): Uint8Array;
  unpack(key: Key, bytes: Uint8Array): T;
}

const CHECKPOINT: Codec<StoredCheckpoint> = { pack: packCheckpoint, unpack: (_key, bytes) => unpackCheckpoint(bytes) };
const TASK_WRITES: Codec<TaskWrites> = { pack: packTaskWrites, unpack: unpackTaskWrites };

/** A record that this writer has changed and that is not on disk yet. */
interface Draft<T> {
  key: Key;
  /** Null: the record is removed. */
  content: T | null;
  codec: Codec<T>;
  /** Changed since it was last passed to the store. */
  isDirty: boolean;
}

/**
 * Stores the checkpoints and writes of one dispatch of a run, and records what it changes, so that a rollback can undo
 * it. A view becomes part of its checkpoint's record, and all writes of a task on a checkpoint are one record. Changes
 * are therefore collected until `flush`, and later ones are made to what is not on disk yet.
 */
export class CheckpointWriter {
  readonly #reader: Reader;
  readonly #uid: string;
  readonly #tag: WriterTag;
  readonly #namespaces: Set<string>;
  readonly #undo: UndoLog;
  readonly #drafts = new Map<string, Draft<unknown>>();

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

  /** `view`: null if it follows later. A checkpoint that is stored again keeps the view that it has. */
  putCheckpoint(
    commit: Commit,
    { ns, id, position }: CheckpointPlace,
    { body, view }: { body: Uint8Array; view: Uint8Array | null },
  ): void {
    const moved = position === id ? null : id;
    this.#edit(keys.checkpoint(this.#uid, ns, position), CHECKPOINT, (current) => ({
      ...this.#tag,
      body,
      isSource: false,
      id: moved,
      view: view ?? current?.view ?? null,
    }));
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
    this.#edit(keys.checkpoint(this.#uid, ns, position), CHECKPOINT, (current) =>
      current === null ? null : { ...current, view },
    );
  }

  putWrites({ ns, id }: Omit<CheckpointPlace, 'position'>, writes: readonly WriteBody[]): void {
    for (const taskId of new Set(writes.map((write) => write.taskId))) {
      const own = writes.filter((write) => write.taskId === taskId);
      this.#edit(keys.taskWrites(this.#uid, ns, id, taskId), TASK_WRITES, (current) => {
        const added = own.map(({ idx, channel, ref }) => ({ ...this.#tag, idx, channel, ref }));
        return { taskId, taskPath: own[0]!.taskPath, writes: mergeWrites(current?.writes ?? [], added) };
      });
    }
  }

  removeWrite(commit: Commit, { ns, id }: Omit<CheckpointPlace, 'position'>, { taskId, idx }: WriteId): void {
    const key = keys.taskWrites(this.#uid, ns, id, taskId);
    this.#edit(key, TASK_WRITES, (current) => {
      const left = current?.writes.filter((write) => write.idx !== idx) ?? [];
      return current === null || left.length === 0 ? null : { ...current, writes: left };
    });
    const single: Key = [...key, idx];
    const before = this.#reader.getBeforeWrite(single);
    if (before === undefined) return;
    this.#undo.record(single, before);
    commit.remove(single);
  }

  /** Puts the changes into the commit that is written next, with the record that undoes them. */
  flush(commit: Commit): void {
    const flushed: [name: string, draft: Draft<unknown>][] = [];
    for (const [name, draft] of this.#drafts) {
      if (!draft.isDirty) continue;
      draft.isDirty = false;
      if (draft.content === null) commit.remove(draft.key);
      else commit.put(draft.key, draft.codec.pack(draft.content));
      flushed.push([name, draft]);
    }
    this.#undo.flush(commit);
    if (flushed.length === 0) return;
    commit.onDurable(() => {
      for (const [name, draft] of flushed)
        if (this.#drafts.get(name) === draft && !draft.isDirty) this.#drafts.delete(name);
    });
  }

  /** `change` gets the content as it will be on disk, and returns the new one; null stands for no record. */
  #edit<T>(key: Key, codec: Codec<T>, change: (current: T | null) => T | null): void {
    const name = key.join('\u0000');
    const draft = this.#drafts.get(name) as Draft<T> | undefined;
    if (draft !== undefined) {
      draft.content = change(draft.content);
      draft.isDirty = true;
      return;
    }
    const stored = this.#reader.getBeforeWrite(key);
    // A copy, because the bytes are valid only until the next write.
    const content = change(stored === undefined ? null : codec.unpack(key, Uint8Array.from(stored)));
    if (stored === undefined && content === null) return;
    this.#undo.record(key, stored ?? null);
    this.#drafts.set(name, { key, content, codec, isDirty: true } as Draft<unknown>);
  }
}
