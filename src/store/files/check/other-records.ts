import { brotliDecompressSync } from 'node:zlib';
import { parseJson } from '../../../base/json/json.js';
import { LIMITS } from '../../../base/limits.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { unpack } from '../../../wire/codec.js';
import { fixedLeaves, type AssistantRecord, type VersionRecord } from '../../assistants.js';
import type { CodeVersionRecord } from '../../code-versions.js';
import type { CronRecord } from '../../crons.js';
import type { SessionRecord } from '../../access/sessions.js';
import type { FeedbackToken } from '../../evaluation/feedback-tokens.js';
import { HISTORY_STEPS, unpackSample } from '../../history.js';
import type { ItemRecord } from '../../items/item-record.js';
import { itemIndexId, timeIndexKeys } from '../../items/items.js';
import { dayOf, unpackStateProfile } from '../../state-profiles.js';
import { keys, namespacePart, type Key } from '../../keys.js';
import { storedLeaves } from '../../metadata-index.js';
import type { Delivery, OutboxDelivery } from '../../webhooks.js';
import { checkIndexEntry, checkIndexed, isSameKey, type Check, type CheckContext } from './check-context.js';

// Sessions, the audit log, assistants, long-term memory, crons, code versions, webhooks, feedback tokens, history,
// profiles of the state (keys.ts).

/** Records from before versions existed have no index entries. */
function assistantEntries(record: AssistantRecord): Key[] {
  if ((record.lastVersion ?? 0) === 0) return [];
  return [...fixedLeaves(record), ...storedLeaves(record.metadata)].map((leaf) =>
    keys.assistantIndex(leaf, record.createdAtMs, record.assistantId),
  );
}

const assistant: Check = (key, value, context) => {
  const record = unpack<AssistantRecord>(value);
  if (record.assistantId !== key[1]) context.reportForm(`it is assistant ${record.assistantId}`);
  checkIndexed(context, assistantEntries(record));
};

const version: Check = (key, value, context) => {
  const record = unpack<VersionRecord>(value);
  if (record.assistantId !== key[1] || record.version !== key[2])
    context.reportForm(`it is version ${record.version} of ${record.assistantId}`);
  checkAssistantExists(key, context);
};

function checkAssistantExists(key: Key, { store, facts, reportMissing }: CheckContext): void {
  const assistantId = key[1] as string;
  if (!store.has(keys.assistant(assistantId)) && !facts.leftovers.has(`assistant ${assistantId}`))
    reportMissing(`assistant ${assistantId}`);
}

const item: Check = (key, value, context) => {
  const record = unpack<ItemRecord>(value);
  parseJson(record.value);
  const at = keys.item(key[1] as string, namespacePart(record.namespace), record.key);
  if (!isSameKey(at, key))
    context.reportForm(`it is the item ${JSON.stringify(record.namespace)} ${JSON.stringify(record.key)}`);
  else checkIndexed(context, itemEntries(at, record));
};

function itemEntries(at: Key, record: ItemRecord): Key[] {
  return [
    ...timeIndexKeys(at, record),
    ...(record.expiresAtMs === null ? [] : [keys.itemExpiry(record.expiresAtMs, at[1] as string, itemIndexId(at))]),
  ];
}

/** Checks an entry whose value is the key of its item. */
const itemEntry: Check = (key, value, context) => {
  const at = unpack<Key>(value);
  checkIndexEntry(context, key, at, (record: ItemRecord) => itemEntries(at, record));
};

const cron: Check = (key, value, context) => {
  const record = unpack<CronRecord>(value);
  if (record.cronId !== key[1]) context.reportForm(`it is cron ${record.cronId}`);
  checkIndexed(
    context,
    storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
  );
};

const token: Check = (key, value, context) => {
  const { runId, expiresAtMs } = unpack<FeedbackToken>(value);
  const name = key[1] as string;
  checkIndexed(context, [
    keys.feedbackTokenOfRun(runId, name),
    keys.feedbackTokenExpiry(expiresAtMs + LIMITS.feedbackTokenKeptMs, name),
  ]);
};

const delivery: Check = (key, value, context) => {
  const { runId } = unpack<Delivery | OutboxDelivery>(value);
  if (runId !== key[1]) context.reportForm(`it belongs to ${runId}`);
};

const session: Check = (key, value, context) => {
  const { sessionId } = unpack<SessionRecord>(value);
  if (sessionId !== key[1]) context.reportForm(`it is session ${sessionId}`);
};

const auditEntry: Check = (key, value, context) => {
  const { entryId } = unpack<AuditEntry>(value);
  if (entryId !== key[1]) context.reportForm(`it is entry ${entryId}`);
};

const codeVersion: Check = (key, value, context) => {
  const { hash } = unpack<CodeVersionRecord>(value);
  if (hash !== key[1]) context.reportForm(`it is code version ${hash}`);
  if (!context.store.has(keys.codeBundle(hash))) context.reportMissing('its bundle');
};

const codeBundle: Check = (key, value, { store, reportMissing }) => {
  brotliDecompressSync(value);
  if (!store.has(keys.codeVersion(key[1] as string))) reportMissing(`code version ${key[1]}`);
};

export const otherRecordChecks: Readonly<Record<string, Check>> = {
  se: session,
  au: auditEntry,
  a: assistant,
  av: version,
  ai: (key, _value, context) => checkIndexEntry(context, key, keys.assistant(key[3] as string), assistantEntries),
  ar: (key, _value, context) => {
    checkAssistantExists(key, context);
    if (
      !context.store.has(keys.run(key[2] as string)) &&
      context.facts.incompleteThreadUids.size + context.facts.leftovers.size === 0
    )
      context.reportIndex(`it refers to run ${key[2]}, which does not exist`);
  },
  mi: item,
  mu: itemEntry,
  mx: itemEntry,
  mv: (key, _value, context) => {
    if (!context.store.has(['mi', ...key.slice(1)])) context.reportMissing('its item');
  },
  m: () => undefined,
  cr: cron,
  cp: (key, value, context) => {
    parseJson(value);
    if (!context.store.has(keys.cron(key[1] as string))) context.reportMissing(`cron ${key[1]}`);
  },
  ci: (key, _value, context) =>
    checkIndexEntry(context, key, keys.cron(key[2] as string), (record: CronRecord) =>
      storedLeaves(record.metadata).map((leaf) => keys.cronLeaf(leaf, record.cronId)),
    ),
  cv: codeVersion,
  cb: codeBundle,
  wo: delivery,
  wm: delivery,
  wl: delivery,
  wx: () => undefined,
  hi: (key, value, context) => {
    const [, seconds, startMs] = key as [string, number, number];
    unpackSample(value);
    if (HISTORY_STEPS.every((step) => step.seconds !== seconds) || startMs % (seconds * 1_000) !== 0)
      context.reportForm('no sample of the history has this time');
  },
  sp: (key, value, context) => {
    if (dayOf(unpackStateProfile(value).atMs) !== key[1]) context.reportForm('it is of another day');
  },
  ft: token,
  fr: (key, _value, context) => {
    if (!context.store.has(keys.feedbackToken(key[2] as string)))
      context.reportIndex('it refers to a token that does not exist');
  },
  fx: () => undefined,
};
