import type { Caller } from '../../domain/caller.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import { pack, unpack } from '../../wire/codec.js';
import { EMPTY_VALUE, type Commit, type Store } from '../store.js';
import { keys } from '../keys.js';

/** Frames of resumable runs, in batches in the order of their arrival. */
export class Events {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Batches with events above `afterSeq`, in order. The first batch may begin below it. */
  *read(_caller: Caller, runId: string, afterSeq: number): Generator<FrameBatch> {
    const prefix = keys.events(runId);
    let first: number | undefined;
    for (const key of this.#store.keys({ prefix, start: keys.event(runId, afterSeq + 1), reverse: true, limit: 1 }))
      first = key[2] as number;
    const start = first === undefined ? {} : { start: keys.event(runId, first) };
    for (const [, bytes] of this.#store.entries({ prefix, ...start })) {
      const batch = unpack<FrameBatch>(bytes);
      if (batch.lastSeq > afterSeq) yield batch;
    }
  }

  /** Id of the first stored event; null when there is none. */
  firstSeq(_caller: Caller, runId: string): number | null {
    for (const key of this.#store.keys({ prefix: keys.events(runId), limit: 1 })) return key[2] as number;
    return null;
  }

  /** Id of the last stored event; null when there is none. */
  lastSeq(_caller: Caller, runId: string): number | null {
    for (const [, bytes] of this.#store.entries({ prefix: keys.events(runId), reverse: true, limit: 1 }))
      return unpack<FrameBatch>(bytes).lastSeq;
    return null;
  }

  append(commit: Commit, runId: string, batch: FrameBatch): void {
    commit.put(keys.event(runId, batch.firstSeq), pack(batch));
  }

  expireAt(commit: Commit, runId: string, expiresAtMs: number): void {
    commit.put(keys.eventExpiry(expiresAtMs, runId), EMPTY_VALUE);
  }

  /** Runs with expired frames, and the keys of their expiry entries. */
  *expired(nowMs: number): Generator<{ runId: string; key: (string | number)[] }> {
    for (const key of this.#store.keys({ prefix: keys.eventExpiries() })) {
      if ((key[1] as number) > nowMs) return;
      yield { runId: key[2] as string, key };
    }
  }
}
