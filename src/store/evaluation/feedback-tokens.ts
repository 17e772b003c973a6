import { timingSafeEqual } from 'node:crypto';
import { canonicalUuid, contentHash, uuidOf } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { utf8, type JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import { EMPTY, type Commit, type Store } from '../env.js';
import type { RunThread } from './feedback.js';
import { keys, type Key } from '../keys.js';
import type { Seal } from '../encryption/checksum.js';

/** What whoever has a token may do: give feedback under one key to one run, until it expires. */
export interface FeedbackToken {
  runId: string;
  key: string;
  /** What is sent twice stands in the place of the first. */
  feedbackId: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** How scores of the key are shown, JSON. */
  config: JsonBytes | null;
  /** Of a graph's run; null of a run of a trace. */
  thread: RunThread | null;
  /** The trace's run was there: a token for one that is still to come waits for it. */
  known: boolean;
  /** The run itself gave it out, for this one of its `feedback_keys`; null when somebody asked for it. */
  keyAt: number | null;
}

const FEEDBACK_USE = 'feedback id';
const TOKEN_USE = 'feedback token';

/**
 * Tokens of presigned addresses. What stands in an address is a UUID, as the Python client wants one: a mark of the sealing
 * key over what the token is about. The store has a row for each, because a UUID has no room for that, and so that they can
 * be listed. The row is named by a hash, and neither row nor name tells the token to whoever has the data file alone.
 */
export class FeedbackTokens {
  readonly #store: Store;
  readonly #seal: Seal;

  constructor(store: Store, seal: Seal) {
    this.#store = store;
    this.#seal = seal;
  }

  /** The same for the same run and key, and for others not to be guessed: nobody can take it first. */
  feedbackId(runId: string, key: string, thread: RunThread | null): string {
    return uuidOf(this.#seal.mark(JSON.stringify([runId, key, thread?.threadId ?? null]), FEEDBACK_USE));
  }

  /** What stands in the address. */
  text({ runId, key, feedbackId, expiresAtMs, thread }: FeedbackToken): string {
    return uuidOf(
      this.#seal.mark(JSON.stringify([runId, key, feedbackId, expiresAtMs, thread?.threadId ?? null]), TOKEN_USE),
    );
  }

  /** The token of an address; undefined when we did not make it, or have forgotten it. */
  find(text: string): FeedbackToken | undefined {
    const id = canonicalUuid(text);
    const bytes = id === null ? undefined : this.#store.get(keys.feedbackToken(nameOf(id)));
    if (id === null || bytes === undefined) return undefined;
    const token = unpack<FeedbackToken>(bytes);
    return timingSafeEqual(utf8(this.text(token)), utf8(id)) ? token : undefined;
  }

  /** Tokens of a run with the text of each, in no order. */
  ofRun(runId: string): { text: string; token: FeedbackToken }[] {
    const found: { text: string; token: FeedbackToken }[] = [];
    for (const key of this.#store.keys({
      prefix: keys.feedbackTokensOfRun(runId),
      limit: 2 * LIMITS.feedbackTokensOfRunMax,
    })) {
      const name = key[2] as string;
      const bytes = this.#store.get(keys.feedbackToken(name));
      if (bytes === undefined) continue;
      const token = unpack<FeedbackToken>(bytes);
      const text = this.text(token);
      // The sealing key was another one when this was made: its address is none any more.
      if (nameOf(text) === name) found.push({ text, token });
    }
    return found;
  }

  /** How many a run has, those included that have expired and are not forgotten yet. */
  countOf(runId: string): number {
    return [...this.#store.keys({ prefix: keys.feedbackTokensOfRun(runId), limit: LIMITS.feedbackTokensOfRunMax })]
      .length;
  }

  put(commit: Commit, token: FeedbackToken): void {
    const name = nameOf(this.text(token));
    commit.put(keys.feedbackToken(name), pack(token));
    commit.put(keys.feedbackTokenOfRun(token.runId, name), EMPTY);
    commit.put(keys.feedbackTokenExpiry(token.expiresAtMs + LIMITS.feedbackTokenToldMs, name), EMPTY);
  }

  /** What is known of a run's tokens goes with the run, unless they were made to outlive it. */
  removeOf(commit: Commit, runId: string): void {
    for (const key of this.#store.keys({ prefix: keys.feedbackTokensOfRun(runId) })) {
      const name = key[2] as string;
      const bytes = this.#store.get(keys.feedbackToken(name));
      const token = bytes === undefined ? null : unpack<FeedbackToken>(bytes);
      if (token === null || token.thread === null || token.thread.metadata !== null) continue;
      for (const one of keysOf(name, token)) commit.remove(one);
    }
  }

  /** Keys of tokens that nothing is told of any more. */
  expired(nowMs: number, limit: number): Key[] {
    const found: Key[] = [];
    for (const key of this.#store.keys({ prefix: keys.feedbackTokenExpiries(), limit })) {
      if ((key[1] as number) > nowMs) break;
      const name = key[2] as string;
      const bytes = this.#store.get(keys.feedbackToken(name));
      found.push(...(bytes === undefined ? [key] : keysOf(name, unpack<FeedbackToken>(bytes))));
    }
    return found;
  }
}

function nameOf(text: string): string {
  return contentHash([utf8(text)]).toString('base64url');
}

function keysOf(name: string, { runId, expiresAtMs }: FeedbackToken): Key[] {
  return [
    keys.feedbackToken(name),
    keys.feedbackTokenOfRun(runId, name),
    keys.feedbackTokenExpiry(expiresAtMs + LIMITS.feedbackTokenToldMs, name),
  ];
}
