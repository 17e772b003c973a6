import type { Clock } from '../../base/clock.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { RunThread } from '../../store/evaluation/feedback.js';
import type { FeedbackToken, FeedbackTokens } from '../../store/evaluation/feedback-tokens.js';
import type { LiveRun } from '../runs/live.js';

/** Where tokens are taken, below the server's address. */
export const TOKENS_PATH = '/api/v1/feedback/tokens';

/** What a run that has succeeded gives out for its `feedback_keys`. */
export interface RunAddresses {
  tokens: readonly FeedbackToken[];
  /** `{key: address}` as JSON. */
  json: string;
}

/** Addresses that take feedback without a key. They begin with what the operator says, never with what a request says. */
export class FeedbackAddresses {
  readonly #tokens: FeedbackTokens;
  readonly #clock: Clock;
  readonly #base: Promise<string>;
  #known: string | null;
  #open: (base: string) => void = () => undefined;

  /** `base` null: the server's own address, which it has when it listens. */
  constructor(tokens: FeedbackTokens, clock: Clock, base: string | null) {
    this.#tokens = tokens;
    this.#clock = clock;
    this.#known = base;
    this.#base =
      base === null
        ? new Promise((resolve) => {
            this.#open = resolve;
          })
        : Promise.resolve(base);
  }

  /** The server's own address, which counts when none is configured. */
  listensAt(url: string): void {
    this.#known ??= url;
    this.#open(url);
  }

  /** Requests come when the server listens, so it is known then. */
  of(token: FeedbackToken, text = this.#tokens.text(token)): string {
    return `${this.#known}${TOKENS_PATH}/${text}`;
  }

  /** What a run's end gives out; null when it was asked for none. A run of an earlier start waits until the server listens. */
  async madeFor({ record, kwargs, thread, alive }: LiveRun): Promise<RunAddresses | null> {
    if (kwargs.feedback_keys === null) return null;
    await this.#base;
    const now = this.#clock.nowMs();
    const { runId } = record;
    const metadata = alive === null ? record.metadata : thread.record!.temporary ? thread.record!.metadata : null;
    const of: RunThread = { threadId: record.threadId, metadata: metadata === null ? null : stampOf(metadata) };
    const tokens = kwargs.feedback_keys.map((key, keyAt): FeedbackToken => ({
      runId,
      key,
      feedbackId: this.#tokens.feedbackId(runId, key, of),
      createdAtMs: now,
      expiresAtMs: now + LIMITS.feedbackKeyTtlMs,
      config: null,
      thread: of,
      known: true,
      keyAt,
    }));
    return { tokens, json: this.#jsonOf(tokens) };
  }

  /** What a run that has ended gave out, as far as it has not expired, as JSON; null when it gave out nothing. */
  givenBy(runId: string): string | null {
    const now = this.#clock.nowMs();
    const tokens = this.#tokens
      .ofRun(runId)
      .map(({ token }) => token)
      .filter(({ keyAt, expiresAtMs }) => keyAt !== null && expiresAtMs > now);
    return tokens.length === 0 ? null : this.#jsonOf(tokens.toSorted((a, b) => a.keyAt! - b.keyAt!));
  }

  #jsonOf(tokens: readonly FeedbackToken[]): string {
    return JSON.stringify(Object.fromEntries(tokens.map((token) => [token.key, this.of(token)])));
  }
}

/** Of metadata that goes with each piece of feedback, what filters are likely to look at: the short members. */
export function stampOf(metadata: JsonBytes): JsonBytes {
  if (metadata.byteLength <= LIMITS.feedbackStampBytesMax) return metadata;
  const members = Object.entries(parseJson(metadata) as JsonObject).map((member) => ({
    member,
    bytes: jsonBytes(member).byteLength,
  }));
  let bytes = 0;
  return jsonBytes(
    Object.fromEntries(
      members
        .toSorted((a, b) => a.bytes - b.bytes)
        .filter((one) => (bytes += one.bytes) <= LIMITS.feedbackStampBytesMax)
        .map(({ member }) => member),
    ),
  );
}
