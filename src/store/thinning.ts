import type { Caller } from '../base/caller.js';
import { asObject, parseJson } from '../base/json.js';
import { unpackBody, type Ref } from '../wire/state.js';
import type { CheckpointRecord, Checkpoints } from './checkpoints.js';
import { Commit, type Store } from './env.js';
import { keys } from './keys.js';
import type { ThreadRecord } from './threads.js';

/** Keys looked at for one slice: a few milliseconds. */
const LOOKED_AT_MAX = 2_000;
/** Keys removed in one slice. */
const REMOVED_MAX = 500;

/**
 * What takes a thread down to its newest state, slice by slice; the caller holds the thread's slot. Stops anywhere without
 * harm: what is left over is needed by nothing and goes with the next time, or with the thread.
 */
export function* thinned(checkpoints: Checkpoints, store: Store, caller: Caller, thread: ThreadRecord): Generator<Commit> {
  const kept = new Map<string, CheckpointRecord>();
  for (const ns of keptNamespaces(checkpoints, caller, thread)) {
    const newest = checkpoints.get(caller, thread, ns, null);
    if (newest !== undefined) for (const record of withSources(checkpoints, caller, thread, newest)) kept.set(placeOf(record), record);
  }

  let commit = new Commit();
  let looked = 0;
  const isFull = (): boolean => ++looked >= LOOKED_AT_MAX || commit.operations.length >= REMOVED_MAX;
  const next = (): Commit => {
    const full = commit;
    commit = new Commit();
    looked = 0;
    return full;
  };

  const wanted = new Set<string>();
  for (const record of kept.values()) {
    for (const _ of checkpoints.reachable(caller, thread, refsOf(checkpoints, caller, thread, record), wanted)) if (isFull()) yield next();
  }
  // Checkpoints before their content: a crash in between leaves content that nothing refers to.
  const namespaces = new Set([...kept.values()].map(({ ns }) => ns));
  for (const ns of checkpoints.namespaces(caller, thread)) {
    for (const record of checkpoints.list(caller, thread, ns, null)) {
      if (kept.has(placeOf(record))) continue;
      commit.remove(keys.checkpoint(thread.uid, ns, record.id));
      commit.remove(keys.view(thread.uid, ns, record.id));
      for (const key of store.keys({ prefix: keys.writes(thread.uid, ns, record.id) })) commit.remove(key);
      if (isFull()) yield next();
    }
    if (!namespaces.has(ns)) commit.remove(keys.namespace(thread.uid, ns));
  }
  yield next();
  for (const key of store.keys({ prefix: keys.contents(thread.uid) })) {
    if (!wanted.has(key[2] as string)) commit.remove(key);
    if (isFull()) yield next();
  }
  yield next();
}

/** The root; subgraphs that remember from call to call; and those that the head's own steps are in. */
function keptNamespaces(checkpoints: Checkpoints, caller: Caller, thread: ThreadRecord): string[] {
  const head = checkpoints.get(caller, thread, '', null);
  const open = head === undefined ? [] : (checkpoints.view(caller, thread, '', head.id)?.tasks ?? []).flatMap(({ subgraph }) => (subgraph === null ? [] : [subgraph]));
  return checkpoints.namespaces(caller, thread).filter((ns) => !ns.includes(':') || open.some((one) => ns === one || ns.startsWith(`${one}|`)));
}

/**
 * A checkpoint with the older ones that it is put together from: a delta channel's value stands in the pending writes of
 * ancestors, back to one that has a snapshot (langgraph-checkpoint, getDeltaChannelHistory).
 */
function withSources(checkpoints: Checkpoints, caller: Caller, thread: ThreadRecord, newest: CheckpointRecord): CheckpointRecord[] {
  const found = [newest];
  const body = unpackBody(newest.body);
  const counted = asObject((parseJson(body.metadata) as { counters_since_delta_snapshot?: unknown }).counters_since_delta_snapshot);
  const stored = new Set(body.channels.map(([name]) => name));
  const missing = new Set(Object.keys(counted).filter((name) => !stored.has(name)));
  for (let { parentId } = body; parentId !== null && missing.size > 0;) {
    const ancestor = checkpoints.get(caller, thread, newest.ns, parentId);
    if (ancestor === undefined) break;
    found.push(ancestor);
    const above = unpackBody(ancestor.body);
    for (const [name] of above.channels) missing.delete(name);
    ({ parentId } = above);
  }
  return found;
}

function refsOf(checkpoints: Checkpoints, caller: Caller, thread: ThreadRecord, { ns, id, body }: CheckpointRecord): Ref[] {
  const { base, channels } = unpackBody(body);
  const overrides = checkpoints.view(caller, thread, ns, id)?.overrides ?? [];
  return [base, ...[...channels, ...overrides].map(([, ref]) => ref), ...checkpoints.writes(caller, thread, ns, id).map(({ ref }) => ref)];
}

function placeOf({ ns, id }: CheckpointRecord): string {
  return `${ns}\u0000${id}`;
}
