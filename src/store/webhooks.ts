import { sees, type Caller } from '../domain/caller.js';
import { parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY_VALUE, type Commit } from './store.js';
import { keys, type Key } from './keys.js';
import type { Reader } from './reader.js';
import type { RunRecord, RunStatus } from './runs/runs.js';

export interface DeliveryAttempt {
  atMs: number;
  tookMs: number;
  /** HTTP status of the response; null when there was none. */
  status: number | null;
  /** Why the attempt does not count as delivered; null when it does. */
  error: string | null;
}

/** State of a delivery, kept in the outbox and for some time afterwards. */
export interface Delivery {
  /** Of the run, or of the message. */
  runId: string;
  /** Empty for a message. */
  threadId: string;
  url: string;
  /** Metadata of a thread that is deleted, for access checks. Null: whoever sees the thread sees the delivery. */
  metadata: JsonBytes | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  /** Time of the next attempt; null when there is none. */
  dueAtMs: number | null;
}

/** A finished delivery. Those of earlier releases have none of these members. */
export interface FinishedDelivery extends Delivery {
  /** Status of the run. */
  runStatus?: RunStatus;
  /** Inner id of the thread. */
  uid?: string;
  /** Of a message: the alert that sent it. */
  alertId?: string;
  /** Of a failed delivery of a run: what is needed to send it again. */
  failed?: { outbox: OutboxDelivery; keptUntilMs: number };
}

/** A delivery that is not finished, with the data from which its body is built. */
export interface OutboxDelivery extends Delivery {
  run: RunRecord;
  startedAtMs: number | null;
  endedAtMs: number;
  /** Inner id of the thread. */
  uid: string;
  /** The thread was deleted when the run ended. Its content is kept until the delivery ends. */
  held: boolean;
  /** Newest checkpoint of the thread when the run ended; null when there was none. */
  checkpointId: string | null;
}

/** A delivery that is not finished and belongs to no run. Its body is stored with it. */
export interface MessageDelivery extends Delivery {
  /** Sent in addition to those of langgraph.json. */
  headers: Readonly<Record<string, string>>;
  body: JsonBytes;
  /** The alert that sent it. Messages of earlier releases do not have it. */
  alertId?: string;
}

export type UnfinishedDelivery = OutboxDelivery | MessageDelivery;

export function isMessage(delivery: UnfinishedDelivery): delivery is MessageDelivery {
  return 'body' in delivery;
}

/** Webhook deliveries: the outbox of unfinished ones, and the log of finished ones. */
export class Webhooks {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** All unfinished deliveries, without access check; for start-up. */
  *outboxEntries(): Generator<UnfinishedDelivery> {
    for (const prefix of [keys.webhookOutbox(), keys.webhookMessages()])
      for (const [, bytes] of this.#store.entries({ prefix })) yield unpack<UnfinishedDelivery>(bytes);
  }

  /** The unfinished delivery of a run or a message, without access check: it was requested by who may see it. */
  outboxEntry(id: string): UnfinishedDelivery | undefined {
    const bytes = this.#store.get(keys.webhookOutboxEntry(id)) ?? this.#store.get(keys.webhookMessage(id));
    return bytes === undefined ? undefined : unpack<UnfinishedDelivery>(bytes);
  }

  /** Finished or not. The caller must see what the message is about. */
  message(messageId: string): Delivery | undefined {
    const bytes = this.#store.get(keys.webhookMessage(messageId)) ?? this.#store.get(keys.webhookLog(messageId));
    return bytes === undefined ? undefined : unpack<Delivery>(bytes);
  }

  /** Finished or not. If its thread still exists, the thread must have been read with the same caller. */
  get(caller: Caller, runId: string): FinishedDelivery | undefined {
    const bytes = this.#store.get(keys.webhookOutboxEntry(runId)) ?? this.#store.get(keys.webhookLog(runId));
    if (bytes === undefined) return undefined;
    const delivery = unpack<FinishedDelivery>(bytes);
    return seesDelivery(caller, delivery) ? delivery : undefined;
  }

  /** Deliveries of runs that are not finished, those of the newest runs first, without access check. */
  *unfinishedOfRuns(): Generator<OutboxDelivery> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.webhookOutbox(), reverse: true }))
      yield unpack<OutboxDelivery>(bytes);
  }

  /** Messages that are not finished, the newest first, without access check. */
  *unfinishedMessages(): Generator<MessageDelivery> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.webhookMessages(), reverse: true }))
      yield unpack<MessageDelivery>(bytes);
  }

  /** Finished deliveries of runs, or of messages, the newest first, without access check. */
  *finished(of: 'runs' | 'messages'): Generator<FinishedDelivery> {
    for (const key of this.#store.keys({ prefix: keys.webhookExpiries(), reverse: true })) {
      const bytes = this.#store.get(keys.webhookLog(key[2] as string));
      const delivery = bytes === undefined ? undefined : unpack<FinishedDelivery>(bytes);
      // A message has no thread, and the run may be deleted.
      if (delivery !== undefined && (delivery.threadId === '') === (of === 'messages')) yield delivery;
    }
  }

  put(commit: Commit, owed: UnfinishedDelivery): void {
    commit.put(outboxKey(owed), pack(owed));
  }

  /** Puts a failed delivery back into the outbox for one more attempt. What was deleted after it failed is not sent. */
  retry(commit: Commit, { attempts, failed }: FinishedDelivery, nowMs: number): OutboxDelivery {
    const { outbox, keptUntilMs } = failed!;
    const owed: OutboxDelivery = { ...outbox, attempts, state: 'pending', dueAtMs: nowMs, held: false };
    commit.remove(keys.webhookLog(owed.runId));
    commit.remove(keys.webhookExpiry(keptUntilMs, owed.runId));
    this.put(commit, owed);
    return owed;
  }

  /**
   * Takes the delivery out of the outbox, and keeps its log until `keepUntilMs` (null: no log). Content that was
   * held for the delivery is recorded for removal.
   */
  finish(commit: Commit, owed: UnfinishedDelivery, keepUntilMs: number | null): void {
    const { runId, threadId, url, metadata, state, attempts } = owed;
    commit.remove(outboxKey(owed));
    if (keepUntilMs !== null) {
      const finished: FinishedDelivery = {
        ...{ runId, threadId, url, metadata, state, attempts, dueAtMs: null },
        ...(isMessage(owed) && owed.alertId !== undefined ? { alertId: owed.alertId } : {}),
        ...(isMessage(owed) ? {} : { runStatus: owed.run.status, uid: owed.uid }),
        ...(isMessage(owed) || state !== 'failed'
          ? {}
          : { failed: { outbox: { ...owed, attempts: [] }, keptUntilMs: keepUntilMs } }),
      };
      commit.put(keys.webhookLog(runId), pack(finished));
      commit.put(keys.webhookExpiry(keepUntilMs, runId), EMPTY_VALUE);
    }
    if (isMessage(owed) || !owed.held) return;
    commit.put(keys.leftover('thread', owed.uid), EMPTY_VALUE);
    commit.put(keys.leftover('run', runId), EMPTY_VALUE);
  }

  /** Keys of expired logs and of their expiry entries. */
  expired(nowMs: number, limit: number): Key[] {
    const found: Key[] = [];
    for (const key of this.#store.keys({ prefix: keys.webhookExpiries(), limit })) {
      if ((key[1] as number) > nowMs) break;
      found.push(keys.webhookLog(key[2] as string), key);
    }
    return found;
  }
}

function outboxKey(owed: UnfinishedDelivery): Key {
  return isMessage(owed) ? keys.webhookMessage(owed.runId) : keys.webhookOutboxEntry(owed.runId);
}

/** True unless the thread is deleted and the caller could not see it. */
export function seesDelivery(caller: Caller, { metadata }: Delivery): boolean {
  return metadata === null || sees(caller, 'threads', () => parseJson(metadata) as JsonObject);
}
