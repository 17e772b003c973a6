import type { Clock } from '../../base/clock.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { RunThread } from '../../store/evaluation/feedback.js';
import type { FeedbackToken, FeedbackTokens } from '../../store/evaluation/feedback-tokens.js';
import type { LiveRun } from '../runs/live.js';

/** Path that accepts feedback tokens. */
export const TOKENS_PATH = '/api/v1/feedback/tokens';

/** The feedback URLs of a successful run, one for each of its `feedback_keys`. */
export interface RunFeedbackUrls {
  tokens: readonly FeedbackToken[];
  /** `{key: url}` as JSON. */
  json: string;
}

/**
 * Creates URLs that accept feedback without an API key. Their base comes from the configuration, never from a
 * request.
 */
export class FeedbackUrls {
  readonly #tokens: FeedbackTokens;
  readonly #clock: Clock;
  readonly #baseUrlReady: Promise<string>;
  #baseUrl: string | null;
  #resolveBaseUrl: (base: string) => void = () => undefined;

  /** With `base: null`, the server's own URL is used as soon as it listens. */
  constructor(tokens: FeedbackTokens, clock: Clock, base: string | null) {
    this.#tokens = tokens;
    this.#clock = clock;
    this.#baseUrl = base;
    this.#baseUrlReady =
      base === null
        ? new Promise((resolve) => {
            this.#resolveBaseUrl = resolve;
          })
        : Promise.resolve(base);
  }

  /** Sets the server's own URL. It applies only if none is configured. */
  setServerUrl(url: string): void {
    this.#baseUrl ??= url;
    this.#resolveBaseUrl(url);
  }

  /** Address of the server in links. It is known to requests, because they arrive only after the server listens. */
  get baseUrl(): string {
    return this.#baseUrl!;
  }

  urlOf(token: FeedbackToken, text = this.#tokens.tokenText(token)): string {
    return `${this.baseUrl}${TOKENS_PATH}/${text}`;
  }

  /**
   * The URLs for the end of a run. Null if the run requested none. After a restart, waits until the server
   * listens.
   */
  async createForRun({ record, kwargs, thread, alive }: LiveRun): Promise<RunFeedbackUrls | null> {
    if (kwargs.feedback_keys === null) return null;
    await this.#baseUrlReady;
    const now = this.#clock.nowMs();
    const { runId } = record;
    const metadata = alive === null ? record.metadata : thread.record!.temporary ? thread.record!.metadata : null;
    const runThread: RunThread = {
      threadId: record.threadId,
      metadata: metadata === null ? null : filterableMetadata(metadata),
    };
    const tokens = kwargs.feedback_keys.map((key, keyAt): FeedbackToken => ({
      runId,
      key,
      feedbackId: this.#tokens.feedbackId(runId, key, runThread),
      createdAtMs: now,
      expiresAtMs: now + LIMITS.feedbackKeyTtlMs,
      config: null,
      thread: runThread,
      known: true,
      keyAt,
    }));
    return { tokens, json: this.#toJson(tokens) };
  }

  /** The URLs of an ended run that have not expired, as JSON. Null if there are none. */
  urlsOfRun(runId: string): string | null {
    const now = this.#clock.nowMs();
    const tokens = this.#tokens
      .tokensOfRun(runId)
      .map(({ token }) => token)
      .filter(({ keyAt, expiresAtMs }) => keyAt !== null && expiresAtMs > now);
    return tokens.length === 0 ? null : this.#toJson(tokens.toSorted((a, b) => a.keyAt! - b.keyAt!));
  }

  #toJson(tokens: readonly FeedbackToken[]): string {
    return JSON.stringify(Object.fromEntries(tokens.map((token) => [token.key, this.urlOf(token)])));
  }
}

/**
 * The part of the metadata that is stored with each piece of feedback: the short members, which filters are
 * likely to use.
 */
export function filterableMetadata(metadata: JsonBytes): JsonBytes {
  if (metadata.byteLength <= LIMITS.feedbackThreadMetadataBytesMax) return metadata;
  const members = Object.entries(parseJson(metadata) as JsonObject).map((member) => ({
    member,
    bytes: jsonBytes(member).byteLength,
  }));
  let bytes = 0;
  return jsonBytes(
    Object.fromEntries(
      members
        .toSorted((a, b) => a.bytes - b.bytes)
        .filter((one) => (bytes += one.bytes) <= LIMITS.feedbackThreadMetadataBytesMax)
        .map(({ member }) => member),
    ),
  );
}
