import { parseJson } from '../../../base/json/json.js';
import { LIMITS } from '../../../base/limits.js';
import { unpack } from '../../../wire/codec.js';
import { fixedLeaves, type AssistantRecord, type VersionRecord } from '../../assistants.js';
import type { CronRecord } from '../../crons.js';
import type { FeedbackToken } from '../../evaluation/feedback-tokens.js';
import type { ItemRecord } from '../../items/item-record.js';
import { itemIndexId, timeIndexKeys } from '../../items/items.js';
import { keys, namespacePart, type Key } from '../../keys.js';
import { storedLeaves } from '../../metadata-index.js';
import type { Delivery, OutboxDelivery } from '../../webhooks.js';
import { checkIndexEntry, checkIndexed, isSameKey, type Check, type CheckContext } from './check-context.js';

// Assistants, long-term memory, crons, webhooks, feedback tokens (keys.ts).

/** Records from before versions existed have no index entries. */
function assistantEntries(record: AssistantRecord): Key[] {
  if ((record.lastVersion ?? 0) === 0) return [];
  return [...fixedLeaves(record), ...storedLeaves(record.metadata)].map((leaf) =>
    keys.assistantIndex(leaf, record.createdAtMs, record.assistantId),
  );
}

const assistant: Check = (key, value, ground) => {
  const record = unpack<AssistantRecord>(value);
  if (record.assistantId !== key[1]) ground.reportForm(`it is assistant ${record.assistantId}`);
  checkIndexed(ground, assistantEntries(record));
};

const version: Check = (key, value, ground) => {
  const record = unpack<VersionRecord>(value);
  if (record.assistantId !== key[1] || record.version !== key[2])
    ground.reportForm(`it is version ${record.version} of ${record.assistantId}`);
  checkAssistantExists(key, ground);
};

function checkAssistantExists(key: Key, { store, facts, reportMissing }: CheckContext): void {
  const assistantId = key[1] as string;
  if (!store.has(keys.assistant(assistantId)) && !facts.leftovers.has(`assistant ${assistantId}`))
    reportMissing(`assistant ${assistantId}`);
}

const item: Check = (key, value, ground) => {
  const record = unpack<ItemRecord>(value);
  parseJson(record.value);
  const at = keys.item(key[1] as string, namespacePart(record.namespace), record.key);
  if (!isSameKey(at, key))
    ground.reportForm(`it is the item ${JSON.stringify(record.namespace)} ${JSON.stringify(record.key)}`);
  else checkIndexed(ground, itemEntries(at, record));
};

function itemEntries(at: Key, record: ItemRecord): Key[] {
  return [
    ...timeIndexKeys(at, record),
    ...(record.expiresAtMs === null ? [] : [keys.itemExpiry(record.expiresAtMs, at[1] as string, itemIndexId(at))]),
  ];
}

/** Checks an entry whose value is the key of its item. */
const itemEntry: Check = (key, value, ground) => {
  const at = unpack<Key>(value);
  checkIndexEntry(ground, key, at, unpack<ItemRecord>, (record) => itemEntries(at, record));
};

const cron: Check = (key, value, ground) => {
  const record = unpack<CronRecord>(value);
  if (record.cronId !== key[1]) ground.reportForm(`it is cron ${record.cronId}`);
  checkIndexed(
    ground,
    storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
  );
};

const token: Check = (key, value, ground) => {
  const { runId, expiresAtMs } = unpack<FeedbackToken>(value);
  const name = key[1] as string;
  checkIndexed(ground, [
    keys.feedbackTokenOfRun(runId, name),
    keys.feedbackTokenExpiry(expiresAtMs + LIMITS.feedbackTokenKeptMs, name),
  ]);
};

const delivery: Check = (key, value, ground) => {
  const { runId } = unpack<Delivery | OutboxDelivery>(value);
  if (runId !== key[1]) ground.reportForm(`it belongs to run ${runId}`);
};

export const otherRecordChecks: Readonly<Record<string, Check>> = {
  a: assistant,
  av: version,
  ai: (key, _value, ground) =>
    checkIndexEntry(ground, key, keys.assistant(key[3] as string), unpack<AssistantRecord>, assistantEntries),
  ar: (key, _value, ground) => {
    checkAssistantExists(key, ground);
    if (
      !ground.store.has(keys.run(key[2] as string)) &&
      ground.facts.incompleteThreadUids.size + ground.facts.leftovers.size === 0
    )
      ground.reportIndex(`it refers to run ${key[2]}, which does not exist`);
  },
  mi: item,
  mu: itemEntry,
  mx: itemEntry,
  mv: (key, _value, ground) => {
    if (!ground.store.has(['mi', ...key.slice(1)])) ground.reportMissing('its item');
  },
  m: () => undefined,
  cr: cron,
  cp: (key, value, ground) => {
    parseJson(value);
    if (!ground.store.has(keys.cron(key[1] as string))) ground.reportMissing(`cron ${key[1]}`);
  },
  ci: (key, _value, ground) =>
    checkIndexEntry(ground, key, keys.cron(key[2] as string), unpack<CronRecord>, (record) =>
      storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
    ),
  wo: delivery,
  wl: delivery,
  wx: () => undefined,
  ft: token,
  fr: (key, _value, ground) => {
    if (!ground.store.has(keys.feedbackToken(key[2] as string)))
      ground.reportIndex('it refers to a token that does not exist');
  },
  fx: () => undefined,
};
