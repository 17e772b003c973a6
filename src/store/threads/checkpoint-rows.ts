import { packId, unpackId, type PackedId } from '../../base/packed-ids.js';
import { packPooled, unpack } from '../../wire/codec.js';
import { unpackView, type CheckpointBody, type Ref } from '../../wire/runs/state.js';
import type { Key } from '../keys.js';

/**
 * Layouts of the records of a checkpoint and of the writes of a task (docs/decisions/0061-checkpoint-records.md).
 * Folders that an earlier release wrote keep their records, and both layouts are read: until format 3, a view had a
 * record of its own, and so had each write.
 */

/** The run and lease that wrote a checkpoint or a write. */
export interface WriterTag {
  runId: string;
  lease: number;
}

export interface StoredCheckpoint extends WriterTag {
  body: Uint8Array;
  /** True if it is kept only because newer checkpoints need its writes (lineage.ts). */
  isSource: boolean;
  /** Its id, if that is not its position. */
  id: string | null;
  /** The packed view; null if it has none, or one in a record of its own. */
  view: Uint8Array | null;
  /** The packed writes on it (`unpackTasks`); empty without writes. Null: they are in records of their own. */
  tasks: Uint8Array | null;
}

/** Fields at the end that have their usual value are left out. Until format 3 an id was text. */
type CheckpointRow = [
  runId: PackedId,
  lease: number,
  body: Uint8Array,
  isSource?: boolean,
  id?: PackedId | null,
  view?: Uint8Array | null,
  tasks?: Uint8Array,
];

export function packCheckpoint({ runId, lease, body, isSource, id, view, tasks }: StoredCheckpoint): Uint8Array {
  const row: CheckpointRow = [packId(runId), lease, body];
  if (isSource || id !== null || view !== null || tasks !== null) row.push(isSource);
  if (id !== null || view !== null || tasks !== null) row.push(id === null ? null : packId(id));
  if (view !== null || tasks !== null) row.push(view);
  if (tasks !== null) row.push(tasks);
  return packPooled(row);
}

export function unpackCheckpoint(bytes: Uint8Array): StoredCheckpoint {
  const [runId, lease, body, isSource = false, id = null, view = null, tasks = null] = unpack<CheckpointRow>(bytes);
  return { runId: unpackId(runId), lease, body, isSource, id: id === null ? null : unpackId(id), view, tasks };
}

/** Writes in the record of their checkpoint. `own`: those of the run and lease that wrote the checkpoint. */
type InnerTaskRow = [taskId: PackedId, taskPath: string, own: PackedWrite[], ...others: WriterRow[]];
type WriterRow = [runId: PackedId, lease: number, writes: PackedWrite[]];
type PackedWrite = [idx: number, channel: string, ref: Ref];

export const NO_TASKS = new Uint8Array(0);

/** The first argument is the writer of the checkpoint. */
export function packTasks({ runId, lease }: WriterTag, tasks: readonly TaskWrites[]): Uint8Array {
  if (tasks.length === 0) return NO_TASKS;
  const isOwn = (one: WriterTag): boolean => one.runId === runId && one.lease === lease;
  const rows = tasks.map(({ taskId, taskPath, writes }): InnerTaskRow => {
    const own = writes.filter(isOwn).map(({ idx, channel, ref }): PackedWrite => [idx, channel, ref]);
    const others = own.length === writes.length ? [] : writes.filter((write) => !isOwn(write));
    return [packId(taskId), taskPath, own, ...writerRows(others)];
  });
  return packPooled(rows);
}

/** The writes in the record of a checkpoint, in the order of their tasks' ids. */
export function unpackTasks({
  runId,
  lease,
  tasks,
}: Pick<StoredCheckpoint, 'runId' | 'lease' | 'tasks'>): TaskWrites[] {
  if (tasks === null || tasks.byteLength === 0) return [];
  return unpack<InnerTaskRow[]>(tasks).map(([taskId, taskPath, own, ...others]) => ({
    taskId: unpackId(taskId),
    taskPath,
    writes: storedWrites([[runId, lease, own], ...others]),
  }));
}

/** A write of a task. `idx` is its position among them; special channels of the library have negative ones. */
export interface StoredWrite extends WriterTag {
  idx: number;
  channel: string;
  ref: Ref;
}

/** The writes of a task on one checkpoint, by their `idx`. */
export interface TaskWrites {
  taskId: string;
  taskPath: string;
  writes: StoredWrite[];
}

type TaskRow = [taskPath: string, writers: WriterRow[]];
/** A single write, until format 3. Its key ends with its idx. */
type WriteRow = [runId: string, lease: number, taskPath: string, channel: string, ref: Ref];

/** Number of parts in the key of a task's writes. Until format 3 the idx came after them. */
const TASK_KEY_PARTS = 5;

/** True for the key of a single write, until format 3. */
export function isSingleWrite(key: Key): boolean {
  return key.length > TASK_KEY_PARTS;
}

export function packTaskWrites({ taskPath, writes }: TaskWrites): Uint8Array {
  return packPooled([taskPath, writerRows(writes)] satisfies TaskRow);
}

/** The writes by the run and lease that made them. */
function writerRows(writes: readonly StoredWrite[]): WriterRow[] {
  const groups: (WriterTag & { own: PackedWrite[] })[] = [];
  for (const { runId, lease, idx, channel, ref } of writes) {
    const group = groups.find((one) => one.runId === runId && one.lease === lease);
    if (group === undefined) groups.push({ runId, lease, own: [[idx, channel, ref]] });
    else group.own.push([idx, channel, ref]);
  }
  return groups.map(({ runId, lease, own }) => [packId(runId), lease, own]);
}

function storedWrites(rows: readonly WriterRow[]): StoredWrite[] {
  const writes = rows.flatMap(([packed, lease, own]) => {
    const runId = unpackId(packed);
    return own.map(([idx, channel, ref]): StoredWrite => ({ runId, lease, idx, channel, ref }));
  });
  return rows.length === 1 ? writes : mergeWrites(writes, []);
}

/** `key` starts with the kind and the thread's inner id, as in keys.ts. */
export function unpackTaskWrites(key: Key, bytes: Uint8Array): TaskWrites {
  const taskId = key[4] as string;
  if (isSingleWrite(key)) {
    const [runId, lease, taskPath, channel, ref] = unpack<WriteRow>(bytes);
    return { taskId, taskPath, writes: [{ runId, lease, idx: key[5] as number, channel, ref }] };
  }
  const [taskPath, writers] = unpack<TaskRow>(bytes);
  return { taskId, taskPath, writes: storedWrites(writers) };
}

/**
 * Earlier and later writes of a task, by their idx. An ordinary one keeps its first value, because a task that runs
 * again stores the same under the same idx; a special one, with a negative idx, is replaced.
 */
export function mergeWrites(earlier: readonly StoredWrite[], later: readonly StoredWrite[]): StoredWrite[] {
  const byIdx = new Map(earlier.map((write) => [write.idx, write]));
  for (const write of later) if (write.idx < 0 || !byIdx.has(write.idx)) byIdx.set(write.idx, write);
  return [...byIdx.values()].sort((a, b) => a.idx - b.idx);
}

/** The writes of the tasks, with these added to those of one task. */
export function mergeTask(tasks: readonly TaskWrites[], added: TaskWrites): TaskWrites[] {
  const earlier = tasks.find(({ taskId }) => taskId === added.taskId)?.writes ?? [];
  const merged = { ...added, writes: mergeWrites(earlier, added.writes) };
  const others = tasks.filter(({ taskId }) => taskId !== added.taskId);
  return [...others, merged].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
}

/** Where the content is that the record of a checkpoint refers to: its state, view and writes. */
export function checkpointRefs(checkpoint: StoredCheckpoint, { base, channels }: CheckpointBody): Ref[] {
  const overrides = checkpoint.view === null ? [] : unpackView(checkpoint.view).overrides;
  const writes = unpackTasks(checkpoint).flatMap((task) => task.writes);
  return [base, ...[...channels, ...overrides].map(([, ref]) => ref), ...writes.map(({ ref }) => ref)];
}

/** The checkpoint with those of its writes that `keeps` accepts. The same object if it accepts all. */
export function filterWrites<T extends StoredCheckpoint>(
  checkpoint: T,
  keeps: (write: StoredWrite, taskId: string) => boolean,
): T {
  let isSame = true;
  const kept: TaskWrites[] = [];
  for (const task of unpackTasks(checkpoint)) {
    const writes = task.writes.filter((write) => keeps(write, task.taskId));
    isSame &&= writes.length === task.writes.length;
    if (writes.length > 0) kept.push({ ...task, writes });
  }
  return isSame ? checkpoint : { ...checkpoint, tasks: packTasks(checkpoint, kept) };
}

/** The record of a checkpoint or a write with other run ids. */
export function withRunIds(key: Key, bytes: Uint8Array, runIds: ReadonlyMap<string, string>): Uint8Array {
  const isChanged = ({ runId }: WriterTag): boolean => runIds.has(runId);
  const renamed = <T extends WriterTag>(tagged: T): T => ({
    ...tagged,
    runId: runIds.get(tagged.runId) ?? tagged.runId,
  });
  const renamedTask = (task: TaskWrites): TaskWrites => ({ ...task, writes: task.writes.map(renamed) });
  if (key[0] === 'c') {
    const checkpoint = unpackCheckpoint(bytes);
    const tasks = unpackTasks(checkpoint);
    if (!isChanged(checkpoint) && !tasks.some(({ writes }) => writes.some(isChanged))) return bytes;
    const named = renamed(checkpoint);
    return packCheckpoint(
      checkpoint.tasks === null ? named : { ...named, tasks: packTasks(named, tasks.map(renamedTask)) },
    );
  }
  const task = unpackTaskWrites(key, bytes);
  if (!task.writes.some(isChanged)) return bytes;
  if (!isSingleWrite(key)) return packTaskWrites(renamedTask(task));
  const { runId, lease, channel, ref } = renamed(task.writes[0]!);
  return packPooled([runId, lease, task.taskPath, channel, ref] satisfies WriteRow);
}
