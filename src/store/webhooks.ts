import { sees, type Caller } from '../domain/caller.js';
import { parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY, type Commit } from './env.js';
import { keys, type Key } from './keys.js';
import type { Reader } from './reader.js';
import type { RunRecord } from './runs/runs.js';

export interface DeliveryAttempt {
  atMs: number;
  tookMs: number;
  /** Of the answer; null when there was none. */
  status: number | null;
  /** Why it does not count as delivered; null when it does. */
  error: string | null;
}

/** What is told of a delivery, while it is owed and for a while after. */
export interface Delivery {
  runId: string;
  threadId: string;
  url: string;
  /** Its thread is in no store any more: what says who may see the delivery. Null: whoever sees the thread. */
  metadata: JsonBytes | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  /** When the next attempt is due; null when there is none. */
  dueAtMs: number | null;
}

/** A delivery that is owed, with what its body is made of when it is sent. */
export interface OwedDelivery extends Delivery {
  run: RunRecord;
  startedAtMs: number | null;
  endedAtMs: number;
  /** Inner id of the thread. */
  uid: string;
  /** The thread was removed with the run's end, but not what lies under it: that goes with the delivery. */
  held: boolean;
  /** Head of the thread at the run's end; null when there was none. */
  checkpointId: string | null;
}

/** Deliveries of webhooks: what is owed (the outbox), and for a while what became of it. */
export class Webhooks {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Everything that is owed. The server itself asks, at start-up. */
  *all(): Generator<OwedDelivery> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.webhooksOwed() })) yield unpack<OwedDelivery>(bytes);
  }

  /** What is owed for a run. Who may see it is no question: it was asked for with the run. */
  owed(runId: string): OwedDelivery | undefined {
    const bytes = this.#store.get(keys.webhookOwed(runId));
    return bytes === undefined ? undefined : unpack<OwedDelivery>(bytes);
  }

  /** Owed or done with. Where its thread still is, that has been read with the same caller. */
  get(caller: Caller, runId: string): Delivery | undefined {
    const bytes = this.#store.get(keys.webhookOwed(runId)) ?? this.#store.get(keys.webhookLog(runId));
    if (bytes === undefined) return undefined;
    const delivery = unpack<Delivery>(bytes);
    const { metadata } = delivery;
    return metadata === null || sees(caller, 'threads', () => parseJson(metadata) as JsonObject) ? delivery : undefined;
  }

  put(commit: Commit, owed: OwedDelivery): void {
    commit.put(keys.webhookOwed(owed.runId), pack(owed));
  }

  /** It is owed no more; what became of it is kept until then. Null: not at all. What was held for it goes. */
  end(commit: Commit, owed: OwedDelivery, keepUntilMs: number | null): void {
    const { runId, threadId, url, metadata, state, attempts } = owed;
    commit.remove(keys.webhookOwed(runId));
    if (keepUntilMs !== null) {
      commit.put(
        keys.webhookLog(runId),
        pack({ runId, threadId, url, metadata, state, attempts, dueAtMs: null } satisfies Delivery),
      );
      commit.put(keys.webhookExpiry(keepUntilMs, runId), EMPTY);
    }
    if (!owed.held) return;
    commit.put(keys.leftover('thread', owed.uid), EMPTY);
    commit.put(keys.leftover('run', runId), EMPTY);
  }

  /** Logs that have outlived their time, and the keys that said so. */
  expired(nowMs: number, limit: number): Key[] {
    const found: Key[] = [];
    for (const key of this.#store.keys({ prefix: keys.webhookExpiries(), limit })) {
      if ((key[1] as number) > nowMs) break;
      found.push(keys.webhookLog(key[2] as string), key);
    }
    return found;
  }
}
