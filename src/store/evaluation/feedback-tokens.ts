import { timingSafeEqual } from 'node:crypto';
import { canonicalUuid, contentHash, uuidOf } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { utf8, type JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import { EMPTY_VALUE, type Commit, type Store } from '../store.js';
import type { RunThread } from './feedback.js';
import { keys, type Key } from '../keys.js';
import type { Seal } from '../encryption/seal.js';

/** Allows feedback under one key on one run, until it expires. */
export interface FeedbackToken {
  runId: string;
  key: string;
  /** Feedback that is sent again replaces the first. */
  feedbackId: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** How scores of the key are shown, as JSON. */
  config: JsonBytes | null;
  /** For a graph run; null for an evaluation run. */
  thread: RunThread | null;
  /** The evaluation run existed when the token was made. Otherwise the token waits for the run. */
  known: boolean;
  /** Index in the run's `feedback_keys` when the run created it; null when a client requested it. */
  keyAt: number | null;
}

const FEEDBACK_USE = 'feedback id';
const TOKEN_USE = 'feedback token';

/**
 * Tokens of presigned feedback URLs. A token is a UUID, as the Python client expects: an HMAC of its content with the
 * seal key. A UUID has no space for the content, and tokens must be listed, so each has a record. The record is named
 * by a hash of the token. Neither record nor name reveals the token to somebody with the data file alone.
 */
export class FeedbackTokens {
  readonly #store: Store;
  readonly #seal: Seal;

  constructor(store: Store, seal: Seal) {
    this.#store = store;
    this.#seal = seal;
  }

  /** Always the same for a run and key, and unpredictable for others, so that nobody can use it first. */
  feedbackId(runId: string, key: string, thread: RunThread | null): string {
    return uuidOf(this.#seal.hmac(JSON.stringify([runId, key, thread?.threadId ?? null]), FEEDBACK_USE));
  }

  /** The token in its URL form. */
  tokenText({ runId, key, feedbackId, expiresAtMs, thread }: FeedbackToken): string {
    return uuidOf(
      this.#seal.hmac(JSON.stringify([runId, key, feedbackId, expiresAtMs, thread?.threadId ?? null]), TOKEN_USE),
    );
  }

  /** The token with this text. Undefined when this server did not create it, or no longer has it. */
  find(text: string): FeedbackToken | undefined {
    const id = canonicalUuid(text);
    const bytes = id === null ? undefined : this.#store.get(keys.feedbackToken(nameOf(id)));
    if (id === null || bytes === undefined) return undefined;
    const token = unpack<FeedbackToken>(bytes);
    return timingSafeEqual(utf8(this.tokenText(token)), utf8(id)) ? token : undefined;
  }

  /** Tokens of a run with their texts, in no order. */
  tokensOfRun(runId: string): { text: string; token: FeedbackToken }[] {
    const found: { text: string; token: FeedbackToken }[] = [];
    for (const key of this.#store.keys({
      prefix: keys.feedbackTokensOfRun(runId),
      limit: 2 * LIMITS.feedbackTokensPerRunMax,
    })) {
      const name = key[2] as string;
      const bytes = this.#store.get(keys.feedbackToken(name));
      if (bytes === undefined) continue;
      const token = unpack<FeedbackToken>(bytes);
      const text = this.tokenText(token);
      // Tokens made with another seal key are no longer valid.
      if (nameOf(text) === name) found.push({ text, token });
    }
    return found;
  }

  /** Number of tokens of a run, including expired ones that are not removed yet. */
  countOfRun(runId: string): number {
    return [...this.#store.keys({ prefix: keys.feedbackTokensOfRun(runId), limit: LIMITS.feedbackTokensPerRunMax })]
      .length;
  }

  put(commit: Commit, token: FeedbackToken): void {
    const name = nameOf(this.tokenText(token));
    commit.put(keys.feedbackToken(name), pack(token));
    commit.put(keys.feedbackTokenOfRun(token.runId, name), EMPTY_VALUE);
    commit.put(keys.feedbackTokenExpiry(token.expiresAtMs + LIMITS.feedbackTokenKeptMs, name), EMPTY_VALUE);
  }

  /** Removes a run's tokens together with the run, except tokens that were made to remain valid afterwards. */
  removeOfRun(commit: Commit, runId: string): void {
    for (const key of this.#store.keys({ prefix: keys.feedbackTokensOfRun(runId) })) {
      const name = key[2] as string;
      const bytes = this.#store.get(keys.feedbackToken(name));
      const token = bytes === undefined ? null : unpack<FeedbackToken>(bytes);
      if (token === null || token.thread === null || token.thread.metadata !== null) continue;
      for (const one of keysOf(name, token)) commit.remove(one);
    }
  }

  /** Keys of expired tokens whose records are no longer needed. */
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
  return contentHash(text).toString('base64url');
}

function keysOf(name: string, { runId, expiresAtMs }: FeedbackToken): Key[] {
  return [
    keys.feedbackToken(name),
    keys.feedbackTokenOfRun(runId, name),
    keys.feedbackTokenExpiry(expiresAtMs + LIMITS.feedbackTokenKeptMs, name),
  ];
}
