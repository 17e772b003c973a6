import type { Caller } from '../../domain/caller.js';
import { LIMITS } from '../../base/limits.js';
import { unpackBody, type Ref } from '../../wire/runs/state.js';
import { checkpointName } from './checkpoint-positions.js';
import type { CheckpointRecord, Checkpoints } from './checkpoints.js';
import { Commit, type Store } from '../store.js';
import { keys } from '../keys.js';
import { Lineage } from './lineage.js';
import type { ThreadRecord } from './threads.js';

/**
 * Prunes a thread to its newest states, in slices: `keep` states of the root, and as many of each subgraph that
 * is still used. The caller holds the thread's slot. Stopping early does no harm: what is then remaining over is
 * unreferenced, and the next pruning or the deletion of the thread removes it.
 */
export function* pruneInSlices(
  { checkpoints, store }: { checkpoints: Checkpoints; store: Store },
  caller: Caller,
  thread: ThreadRecord,
  keep: number,
): Generator<Commit> {
  let commit = new Commit();
  let reads = 0;
  const isFull = (): boolean => ++reads >= LIMITS.sliceReads || commit.operations.length >= LIMITS.sliceRemovals;
  const next = (): Commit => {
    const full = commit;
    commit = new Commit();
    reads = 0;
    return full;
  };

  const kept = new Set<string>();
  const sources = new Set<string>();
  const neededContent = new Set<string>();
  for (const ns of keptNamespaces(checkpoints, caller, thread, keep)) {
    const lineage = new Lineage();
    let position = 0;
    for (const record of checkpoints.listDuringRemoval(caller, thread, ns)) {
      if (position >= keep && lineage.isComplete) break;
      const survives = !record.isSource && ++position <= keep;
      if (!lineage.visit(record, survives).stays) continue;
      kept.add(checkpointName(record));
      if (!survives) sources.add(checkpointName(record));
      // The view of a source is removed.
      const refs = [
        ...refsOf(checkpoints, thread, record),
        ...(survives ? viewRefsOf(checkpoints, thread, record) : []),
      ];
      for (const _ of checkpoints.reachableContent(caller, thread, refs, neededContent)) if (isFull()) yield next();
      if (isFull()) yield next();
    }
  }
  // Checkpoints go before their content: a crash in between leaves content without references.
  const namespaces = new Set([...kept].map((position) => position.slice(0, position.indexOf('\u0000'))));
  for (const ns of checkpoints.namespaces(caller, thread)) {
    for (const record of checkpoints.listDuringRemoval(caller, thread, ns)) {
      if (kept.has(checkpointName(record))) {
        if (sources.has(checkpointName(record)) && !record.isSource) checkpoints.putSource(commit, thread.uid, record);
        if (isFull()) yield next();
        continue;
      }
      checkpoints.removeCheckpoint(commit, thread.uid, record);
      for (const key of store.keys({ prefix: keys.writes(thread.uid, ns, record.id) })) commit.remove(key);
      if (isFull()) yield next();
    }
    if (!namespaces.has(ns)) commit.remove(keys.namespace(thread.uid, ns));
  }
  yield next();
  for (const key of store.keysDuringRemoval(keys.contents(thread.uid), LIMITS.sliceReads)) {
    if (!neededContent.has(key[2] as string)) commit.remove(key);
    if (isFull()) yield next();
  }
  yield next();
}

/** The root, subgraphs that keep state between calls, and subgraphs that pending steps of the kept states are in. */
function keptNamespaces(checkpoints: Checkpoints, caller: Caller, thread: ThreadRecord, keep: number): string[] {
  const open: string[] = [];
  let remaining = keep;
  for (const record of checkpoints.list(caller, thread, '', null)) {
    if (remaining-- === 0) break;
    for (const { subgraph } of checkpoints.viewOf(thread, record)?.tasks ?? [])
      if (subgraph !== null) open.push(subgraph);
  }
  return checkpoints
    .namespaces(caller, thread)
    .filter((ns) => !ns.includes(':') || open.some((one) => ns === one || ns.startsWith(`${one}|`)));
}

/** References of a checkpoint and its writes. */
function refsOf(checkpoints: Checkpoints, thread: ThreadRecord, record: CheckpointRecord): Ref[] {
  const { base, channels } = unpackBody(record.body);
  return [base, ...channels.map(([, ref]) => ref), ...checkpoints.writes(thread, record).map(({ ref }) => ref)];
}

function viewRefsOf(checkpoints: Checkpoints, thread: ThreadRecord, record: CheckpointRecord): Ref[] {
  return (checkpoints.viewOf(thread, record)?.overrides ?? []).map(([, ref]) => ref);
}
