import { pack, unpack } from '../../wire/codec.js';
import type { Ref } from '../../wire/runs/state.js';
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
}

/** Fields at the end that have their usual value are left out. */
type CheckpointRow = [
  runId: string,
  lease: number,
  body: Uint8Array,
  isSource?: boolean,
  id?: string | null,
  view?: Uint8Array,
];

export function packCheckpoint({ runId, lease, body, isSource, id, view }: StoredCheckpoint): Uint8Array {
  const row: CheckpointRow = [runId, lease, body];
  if (isSource || id !== null || view !== null) row.push(isSource);
  if (id !== null || view !== null) row.push(id);
  if (view !== null) row.push(view);
  return pack(row);
}

export function unpackCheckpoint(bytes: Uint8Array): StoredCheckpoint {
  const [runId, lease, body, isSource = false, id = null, view = null] = unpack<CheckpointRow>(bytes);
  return { runId, lease, body, isSource, id, view };
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

type TaskRow = [
  taskPath: string,
  writers: [runId: string, lease: number, writes: [idx: number, channel: string, ref: Ref][]][],
];
/** A single write, until format 3. Its key ends with its idx. */
type WriteRow = [runId: string, lease: number, taskPath: string, channel: string, ref: Ref];

/** Number of parts in the key of a task's writes. Until format 3 the idx came after them. */
const TASK_KEY_PARTS = 5;

/** True for the key of a single write, until format 3. */
export function isSingleWrite(key: Key): boolean {
  return key.length > TASK_KEY_PARTS;
}

export function packTaskWrites({ taskPath, writes }: TaskWrites): Uint8Array {
  const writers: TaskRow[1] = [];
  for (const { runId, lease, idx, channel, ref } of writes) {
    const own = writers.find((writer) => writer[0] === runId && writer[1] === lease);
    if (own === undefined) writers.push([runId, lease, [[idx, channel, ref]]]);
    else own[2].push([idx, channel, ref]);
  }
  return pack([taskPath, writers] satisfies TaskRow);
}

/** `key` starts with the kind and the thread's inner id, as in keys.ts. */
export function unpackTaskWrites(key: Key, bytes: Uint8Array): TaskWrites {
  const taskId = key[4] as string;
  if (isSingleWrite(key)) {
    const [runId, lease, taskPath, channel, ref] = unpack<WriteRow>(bytes);
    return { taskId, taskPath, writes: [{ runId, lease, idx: key[5] as number, channel, ref }] };
  }
  const [taskPath, writers] = unpack<TaskRow>(bytes);
  const writes = writers.flatMap(([runId, lease, own]) =>
    own.map(([idx, channel, ref]): StoredWrite => ({ runId, lease, idx, channel, ref })),
  );
  return { taskId, taskPath, writes: writers.length === 1 ? writes : mergeWrites(writes, []) };
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

/** The record of a checkpoint or a write with other run ids. */
export function withRunIds(key: Key, bytes: Uint8Array, runIds: ReadonlyMap<string, string>): Uint8Array {
  const isChanged = ({ runId }: WriterTag): boolean => runIds.has(runId);
  const renamed = <T extends WriterTag>(tagged: T): T => ({
    ...tagged,
    runId: runIds.get(tagged.runId) ?? tagged.runId,
  });
  if (key[0] === 'c') {
    const checkpoint = unpackCheckpoint(bytes);
    return isChanged(checkpoint) ? packCheckpoint(renamed(checkpoint)) : bytes;
  }
  const task = unpackTaskWrites(key, bytes);
  if (!task.writes.some(isChanged)) return bytes;
  const writes = task.writes.map(renamed);
  if (!isSingleWrite(key)) return packTaskWrites({ ...task, writes });
  const { runId, lease, channel, ref } = writes[0]!;
  return pack([runId, lease, task.taskPath, channel, ref] satisfies WriteRow);
}
