import { parseJson } from '../../../base/json/json.js';
import { LIMITS } from '../../../base/limits.js';
import { unpack } from '../../../wire/codec.js';
import { ownLeaves, type AssistantRecord, type VersionRecord } from '../../assistants.js';
import type { CronRecord } from '../../crons.js';
import type { FeedbackToken } from '../../evaluation/feedback-tokens.js';
import type { ItemRecord } from '../../items/item-record.js';
import { idOf, placesOf } from '../../items/items.js';
import { keys, namespacePart, type Key } from '../../keys.js';
import { storedLeaves } from '../../metadata-index.js';
import type { Delivery, OwedDelivery } from '../../webhooks.js';
import { entryOf, indexed, same, type Check, type Ground } from './kinds.js';

// Assistants, long-term memory, crons, webhooks, feedback tokens (keys.ts).

/** Records from before versions existed have no index entries. */
function assistantEntries(record: AssistantRecord): Key[] {
  if ((record.lastVersion ?? 0) === 0) return [];
  return [...ownLeaves(record), ...storedLeaves(record.metadata)].map((leaf) =>
    keys.assistantIndex(leaf, record.createdAtMs, record.assistantId),
  );
}

const assistant: Check = (key, value, ground) => {
  const record = unpack<AssistantRecord>(value);
  if (record.assistantId !== key[1]) ground.form(`it is assistant ${record.assistantId}`);
  indexed(ground, assistantEntries(record));
};

const version: Check = (key, value, ground) => {
  const record = unpack<VersionRecord>(value);
  if (record.assistantId !== key[1] || record.version !== key[2])
    ground.form(`it is version ${record.version} of ${record.assistantId}`);
  ofAssistant(key, ground);
};

function ofAssistant(key: Key, { store, facts, missing }: Ground): void {
  const assistantId = key[1] as string;
  if (!store.has(keys.assistant(assistantId)) && !facts.leftovers.has(`assistant ${assistantId}`))
    missing(`assistant ${assistantId}`);
}

const item: Check = (key, value, ground) => {
  const record = unpack<ItemRecord>(value);
  parseJson(record.value);
  const at = keys.item(key[1] as string, namespacePart(record.namespace), record.key);
  if (!same(at, key)) ground.form(`it is the item ${JSON.stringify(record.namespace)} ${JSON.stringify(record.key)}`);
  else indexed(ground, itemEntries(at, record));
};

function itemEntries(at: Key, record: ItemRecord): Key[] {
  return [
    ...placesOf(at, record),
    ...(record.expiresAtMs === null ? [] : [keys.itemExpiry(record.expiresAtMs, at[1] as string, idOf(at))]),
  ];
}

/** Checks an entry whose value is the key of its item. */
const itemEntry: Check = (key, value, ground) => {
  const at = unpack<Key>(value);
  entryOf(ground, key, at, unpack<ItemRecord>, (record) => itemEntries(at, record));
};

const cron: Check = (key, value, ground) => {
  const record = unpack<CronRecord>(value);
  if (record.cronId !== key[1]) ground.form(`it is cron ${record.cronId}`);
  indexed(
    ground,
    storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
  );
};

const token: Check = (key, value, ground) => {
  const { runId, expiresAtMs } = unpack<FeedbackToken>(value);
  const name = key[1] as string;
  indexed(ground, [
    keys.feedbackTokenOfRun(runId, name),
    keys.feedbackTokenExpiry(expiresAtMs + LIMITS.feedbackTokenToldMs, name),
  ]);
};

const delivery: Check = (key, value, ground) => {
  const { runId } = unpack<Delivery | OwedDelivery>(value);
  if (runId !== key[1]) ground.form(`it belongs to run ${runId}`);
};

export const otherChecks: Readonly<Record<string, Check>> = {
  a: assistant,
  av: version,
  ai: (key, _value, ground) =>
    entryOf(ground, key, keys.assistant(key[3] as string), unpack<AssistantRecord>, assistantEntries),
  ar: (key, _value, ground) => {
    ofAssistant(key, ground);
    if (!ground.store.has(keys.run(key[2] as string)) && ground.facts.passing.size + ground.facts.leftovers.size === 0)
      ground.index(`it refers to run ${key[2]}, which does not exist`);
  },
  mi: item,
  mu: itemEntry,
  mx: itemEntry,
  mv: (key, _value, ground) => {
    if (!ground.store.has(['mi', ...key.slice(1)])) ground.missing('its item');
  },
  m: () => undefined,
  cr: cron,
  cp: (key, value, ground) => {
    parseJson(value);
    if (!ground.store.has(keys.cron(key[1] as string))) ground.missing(`cron ${key[1]}`);
  },
  ci: (key, _value, ground) =>
    entryOf(ground, key, keys.cron(key[2] as string), unpack<CronRecord>, (record) =>
      storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
    ),
  wo: delivery,
  wl: delivery,
  wx: () => undefined,
  ft: token,
  fr: (key, _value, ground) => {
    if (!ground.store.has(keys.feedbackToken(key[2] as string)))
      ground.index('it refers to a token that does not exist');
  },
  fx: () => undefined,
};
