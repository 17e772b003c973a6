import { parseJson } from '../../../base/json/json.js';
import { unpack } from '../../../wire/codec.js';
import { decompress } from '../../../wire/compression.js';
import { unpackVersions } from '../../../wire/runs/channel-versions.js';
import type { FrameBatch } from '../../../wire/runs/frame.js';
import { unpackContent } from '../../../wire/runs/content.js';
import {
  directHashes,
  hashKey,
  splitHashes,
  unpackBody,
  unpackMetadata,
  unpackView,
  type Ref,
} from '../../../wire/runs/state.js';
import { keys, type Key } from '../../keys.js';
import { unpackRun, type ActiveRunRecord } from '../../runs/runs.js';
import { checkpointRefs, unpackCheckpoint, unpackTaskWrites } from '../../threads/checkpoint-rows.js';
import { expiryOf, indexEntries, type ThreadRecord } from '../../threads/threads.js';
import { checkIndexEntry, checkIndexed, valueText, type Check, type CheckContext } from './check-context.js';

// Threads, their runs and their content (keys.ts).

function threadEntries(record: ThreadRecord, { facts }: CheckContext): Key[] {
  const expiry = expiryOf(record);
  return [
    ...indexEntries(record, 'updated'),
    // Folders of early releases get the index by creation time when a server opens them.
    ...(facts.hasCreatedIndex && !facts.buildsCreatedIndex ? indexEntries(record, 'created') : []),
    ...(expiry === null ? [] : [keys.threadExpiry(expiry, record.threadId)]),
  ];
}

const thread: Check = (key, value, context) => {
  const record = unpack<ThreadRecord>(value);
  if (record.threadId !== key[1]) context.reportForm(`it is thread ${record.threadId}`);
  parseJson(record.config);
  checkIndexed(context, threadEntries(record, context));
};

const threadEntry: Check = (key, _value, context) =>
  checkIndexEntry(context, key, keys.thread(key.at(-1) as string), (record: ThreadRecord) => {
    const all = threadEntries(record, context);
    return context.facts.hasCreatedIndex ? all : [...all, key];
  });

const run: Check = (key, value, context) => {
  const record = unpackRun(value);
  const { runId, threadId, assistantId, createdAtMs, status } = record;
  if (runId !== key[1]) context.reportForm(`it is run ${runId}`);
  const owner = context.store.get(keys.thread(threadId));
  if (owner === undefined) {
    const goes =
      context.facts.leftovers.has(`assistant ${assistantId}`) ||
      [...context.facts.incompleteThreadUids].some((uid) => context.store.has(keys.threadRun(uid, createdAtMs, runId)));
    if (!goes) context.reportMissing(`thread ${threadId}`);
  } else
    checkIndexed(
      context,
      context.facts.leftovers.has(`assistant ${assistantId}`)
        ? []
        : [keys.threadRun(unpack<ThreadRecord>(owner).uid, createdAtMs, runId)],
    );
  if ((status === 'pending' || status === 'running') && !context.store.has(keys.activeRun(runId)))
    context.reportMissing(`the record that a ${status} run needs`);
};

const kwargs: Check = (key, value, context) => {
  parseJson(decompress(value));
  const runId = key[1] as string;
  const { store, facts } = context;
  if (
    !store.has(keys.run(runId)) &&
    !store.has(keys.webhookOutboxEntry(runId)) &&
    facts.leftovers.size === 0 &&
    facts.incompleteThreadUids.size === 0
  )
    context.reportMissing(`run ${runId}`);
};

const activeRun: Check = (key, value, context) => {
  const { runId } = unpack<ActiveRunRecord>(value);
  if (runId !== key[1]) context.reportForm(`it belongs to run ${runId}`);
  if (!context.store.has(keys.run(runId))) context.reportMissing(`run ${runId}`);
};

const threadRun: Check = (key, _value, context) => {
  const [, uid, , runId] = key as [string, string, number, string];
  if (isThreadComplete(uid, context) && !context.store.has(keys.run(runId)))
    context.reportIndex(`it refers to run ${runId}, which does not exist`);
};

/** True if the thread exists and is complete. Reports an inner id that belongs to no thread. */
function isThreadComplete(uid: string, { facts, reportMissing }: CheckContext): boolean {
  if (facts.threadUids.has(uid)) return true;
  if (!facts.incompleteThreadUids.has(uid)) reportMissing(`the thread with the inner id ${uid}`);
  return false;
}

function checkContentExists(uid: string, refs: readonly Ref[], context: CheckContext): void {
  for (const ref of refs)
    for (const hash of directHashes(ref))
      if (!context.store.has(keys.content(uid, hashKey(hash)))) context.reportMissing(`content ${hashKey(hash)}`);
}

const checkpoint: Check = (key, value, context) => {
  const stored = unpackCheckpoint(value);
  const { id } = stored;
  const body = unpackBody(stored.body);
  unpackVersions(body);
  unpackMetadata(body.metadata);
  const refs = checkpointRefs(stored, body);
  const [, uid, ns] = key as [string, string, string];
  if (!isThreadComplete(uid, context)) return;
  checkContentExists(uid, refs, context);
  if (!context.store.has(['n', uid, ns])) context.reportIndex('its namespace is missing');
  const position = key[3] as string;
  if (id === null) return;
  const place = context.store.get(['co', uid, ns, id]);
  if (place === undefined || valueText(place) !== position)
    context.reportIndex(`["co", …, "${id}"] does not name its position`);
};

const checkpointPosition: Check = (key, value, context) => {
  const [, uid, ns, id] = key as [string, string, string, string];
  if (!isThreadComplete(uid, context)) return;
  const stored = context.store.get(['c', uid, ns, valueText(value)]);
  if (stored === undefined || unpackCheckpoint(stored).id !== id)
    context.reportIndex(`the checkpoint at ${valueText(value)} does not have this id`);
};

/** Views have records of their own in folders that were made in format 1, 2 or 3. */
const view: Check = (key, value, context) => {
  const { overrides } = unpackView(value);
  const [, uid, ns, id] = key as [string, string, string, string];
  if (!isThreadComplete(uid, context)) return;
  checkContentExists(
    uid,
    overrides.map(([, ref]) => ref),
    context,
  );
  if (!context.store.has(['c', uid, ns, id]) && !context.store.has(['co', uid, ns, id]))
    context.reportMissing('its checkpoint');
};

const write: Check = (key, value, context) => {
  const { writes } = unpackTaskWrites(key, value);
  const uid = key[1] as string;
  if (!isThreadComplete(uid, context)) return;
  checkContentExists(
    uid,
    writes.map(({ ref }) => ref),
    context,
  );
};

const content: Check = (key, value, context) => {
  const stored = unpackContent(value);
  const uid = key[1] as string;
  if (!isThreadComplete(uid, context) || stored[0] !== 'chunk') return;
  for (const hash of splitHashes(stored[2]))
    if (!context.store.has(keys.content(uid, hashKey(hash)))) context.reportMissing(`content ${hashKey(hash)}`);
};

const events: Check = (key, value, context) => {
  const { firstSeq } = unpack<FrameBatch>(value);
  if (firstSeq !== key[2]) context.reportForm(`it begins with event ${firstSeq}`);
};

export const threadChecks: Readonly<Record<string, Check>> = {
  t: thread,
  ti: threadEntry,
  tc: threadEntry,
  tx: threadEntry,
  r: run,
  rk: kwargs,
  ra: activeRun,
  tr: threadRun,
  c: checkpoint,
  co: checkpointPosition,
  v: view,
  w: write,
  n: (key, _value, context) => {
    isThreadComplete(key[1] as string, context);
  },
  i: content,
  u: (_key, value) => {
    unpack(value);
  },
  e: events,
  ex: () => undefined,
  tu: (_key, value) => {
    unpack(value);
  },
};
