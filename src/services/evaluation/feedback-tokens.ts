import type { FeedbackTokenCreate } from '../../../schemas/compiled/types.js';
import { filterOf, SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { fail, type Problem } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { jsonBytes, type JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { isoMicros, parseMicros } from '../../base/micros.js';
import { invalidRequest } from '../../base/request-problems.js';
import { Commit } from '../../store/store.js';
import { seesRunThread, type Feedback, type RunThread } from '../../store/evaluation/feedback.js';
import type { FeedbackToken } from '../../store/evaluation/feedback-tokens.js';
import { ORPHAN_LIST } from '../../store/evaluation/block-lists.js';
import type { FeedbackChange } from '../../wire/evaluation/ingest.js';
import type { Needs } from '../context.js';
import { putFeedback } from './ingest-runs.js';
import { ListChanges } from './list-changes.js';

/** Feedback that was sent to a token URL. Free-form values as JSON. */
export type TokenFeedback = Pick<FeedbackChange, 'score' | 'value' | 'comment' | 'correction' | 'source'>;

const DAY_MS = 24 * 3_600_000;

/**
 * Creates token URLs, in the given order. If one fails, none is created. Throws EVALUATION_RUN_NOT_FOUND,
 * INVALID_REQUEST.
 */
export async function createTokens(
  services: Needs<'clock' | 'evaluation' | 'feedback' | 'stores'>,
  caller: Caller,
  asked: readonly FeedbackTokenCreate[],
): Promise<string[]> {
  const { stores } = services;
  const commit = new Commit();
  const counts = new Map<string, number>();
  const tokens = asked.map((one, at) => newToken(services, caller, one, asked.length === 1 ? [] : [at]));
  for (const [at, token] of tokens.entries()) {
    const count = counts.get(token.runId) ?? stores.feedbackTokens.countOfRun(token.runId);
    if (count >= LIMITS.feedbackTokensPerRunMax)
      throw invalidRequest('body', [
        {
          loc: tokens.length === 1 ? ['run_id'] : [at, 'run_id'],
          msg: `already has ${LIMITS.feedbackTokensPerRunMax} feedback URLs`,
          type: 'too_many',
        },
      ]);
    counts.set(token.runId, count + 1);
    stores.feedbackTokens.put(commit, token);
  }
  await stores.store.write(commit);
  return tokens.map((token) => tokenJson(services, token));
}

/** Lists the valid token URLs of a run, starting with the last to expire. Throws EVALUATION_RUN_NOT_FOUND. */
export function listTokens(
  services: Needs<'clock' | 'evaluation' | 'feedback' | 'stores'>,
  caller: Caller,
  runId: string,
  page: { offset: number; limit: number },
): string[] {
  const { stores, clock } = services;
  const { known } = describeRun(services, caller, runId);
  const now = clock.nowMs();
  const found = stores.feedbackTokens
    .tokensOfRun(runId)
    .filter(({ token }) => token.expiresAtMs > now && canUseToken(services, caller, token, known))
    .toSorted((a, b) => b.token.expiresAtMs - a.token.expiresAtMs || (a.text < b.text ? -1 : 1));
  return found.slice(page.offset, page.offset + page.limit).map(({ text, token }) => tokenJson(services, token, text));
}

/** Finds a token by its text. Throws FEEDBACK_TOKEN_NOT_FOUND, FEEDBACK_TOKEN_EXPIRED. */
export function findToken(services: Needs<'clock' | 'evaluation' | 'stores'>, text: string): FeedbackToken {
  const token = services.stores.feedbackTokens.find(text);
  if (token === undefined || findPlace(services, new ListChanges(services.evaluation), token) === null)
    throw fail('FEEDBACK_TOKEN_NOT_FOUND', {});
  if (token.expiresAtMs <= services.clock.nowMs())
    throw fail('FEEDBACK_TOKEN_EXPIRED', { expiredAt: isoMicros(token.expiresAtMs * 1_000) });
  return token;
}

/** Stores feedback for a token. Later feedback for the same token replaces it. Throws the errors of `findToken`. */
export async function submitTokenFeedback(
  services: Needs<'clock' | 'evaluation' | 'stores'>,
  text: string,
  given: TokenFeedback,
): Promise<void> {
  const { evaluation } = services;
  const token = findToken(services, text);
  const changes = new ListChanges(evaluation);
  const place = findPlace(services, changes, token)!;
  putFeedback(evaluation, changes, {
    list: place.list,
    feedbackId: token.feedbackId,
    thread: token.thread,
    traceId: place.traceId,
    change: {
      ...given,
      feedbackId: token.feedbackId,
      runId: token.runId,
      traceId: null,
      sessionId: null,
      key: token.key,
      createdAtUs: null,
      modifiedAtUs: null,
      error: false,
      config: token.config,
      extra: null,
      groupId: null,
      comparativeId: null,
    },
  });
  await changes.commit();
}

/**
 * The list for a token's feedback. Null if its run no longer exists, or if the feedback id now belongs to
 * something else.
 */
function findPlace(
  { evaluation }: Needs<'evaluation'>,
  changes: ListChanges,
  { runId, feedbackId, thread, known }: FeedbackToken,
): { list: number; traceId: string | null } | null {
  const before = changes.feedback(feedbackId);
  if (before !== undefined && isOnSomethingElse(before.feedback, runId, thread)) return null;
  const run = thread === null || evaluation.graphRuns.feedbackFollowsTrace() ? changes.run(runId) : undefined;
  if (run !== undefined) return { list: run.list, traceId: run.run.traceId };
  const exists =
    thread === null ? !known : thread.metadata !== null || evaluation.graphRuns.threadOf(SERVER_CALLER, runId) !== null;
  return exists ? { list: ORPHAN_LIST, traceId: null } : null;
}

/** True if the id belongs to feedback on something else, which a token holder must not replace. */
function isOnSomethingElse(before: Feedback, runId: string, thread: RunThread | null): boolean {
  return before.runId !== runId || (before.thread?.threadId ?? null) !== (thread?.threadId ?? null);
}

function newToken(
  services: Needs<'clock' | 'evaluation' | 'stores'>,
  caller: Caller,
  asked: FeedbackTokenCreate,
  at: readonly number[],
): FeedbackToken {
  const { stores, evaluation, clock } = services;
  const problems: Problem[] = [];
  const uuid = (name: 'run_id' | 'id', text: string): string => {
    const id = canonicalUuid(text);
    if (id === null) problems.push({ loc: [...at, name], msg: 'must be a UUID', type: 'uuid_parsing' });
    return id ?? text;
  };
  const runId = uuid('run_id', asked.run_id);
  const ownId = asked.id == null ? null : uuid('id', asked.id);
  const createdAtMs = clock.nowMs();
  const expiresAtMs = parseExpiry(asked, createdAtMs, at, problems);
  if (problems.length > 0) throw invalidRequest('body', problems);
  const { thread, known } = describeRun(services, caller, runId);
  const feedbackId = ownId ?? stores.feedbackTokens.feedbackId(runId, asked.feedback_key, thread);
  const before = new ListChanges(evaluation).feedback(feedbackId);
  if (before !== undefined && isOnSomethingElse(before.feedback, runId, thread))
    throw invalidRequest('body', [{ loc: [...at, 'id'], msg: 'belongs to feedback on something else', type: 'taken' }]);
  const config: JsonBytes | null = asked.feedback_config == null ? null : jsonBytes(asked.feedback_config);
  return { runId, key: asked.feedback_key, feedbackId, createdAtMs, expiresAtMs, config, thread, known, keyAt: null };
}

/** The expiry time in milliseconds. Adds problems to `problems`. */
function parseExpiry(
  { expires_at: until, expires_in: after }: FeedbackTokenCreate,
  nowMs: number,
  at: readonly number[],
  problems: Problem[],
): number {
  if (until != null) {
    const us = parseMicros(until);
    const ms = us === null ? null : Math.floor(us / 1_000);
    if (ms !== null && ms > nowMs && ms - nowMs <= LIMITS.feedbackTokenTtlMsMax) return ms;
    problems.push({
      loc: [...at, 'expires_at'],
      msg:
        ms === null
          ? 'must be a date-time'
          : `must be in the future, and not more than ${LIMITS.feedbackTokenTtlMsMax / DAY_MS} days ahead`,
      type: 'datetime_parsing',
    });
    return nowMs;
  }
  if (after == null) return nowMs + LIMITS.feedbackTokenTtlMs;
  const ttlMs = Math.round(((after.days ?? 0) * 24 + (after.hours ?? 0)) * 3_600_000 + (after.minutes ?? 0) * 60_000);
  if (ttlMs <= 0 || ttlMs > LIMITS.feedbackTokenTtlMsMax)
    problems.push({
      loc: [...at, 'expires_in'],
      msg: `must be positive, and not more than ${LIMITS.feedbackTokenTtlMsMax / DAY_MS} days`,
      type: 'timedelta',
    });
  return nowMs + ttlMs;
}

/**
 * Looks up the run for a caller who wants to give feedback. Throws EVALUATION_RUN_NOT_FOUND: only callers
 * without a filter may refer to a run that does not exist yet.
 */
function describeRun(
  { evaluation }: Needs<'evaluation'>,
  caller: Caller,
  runId: string,
): { thread: RunThread | null; known: boolean } {
  const run = new ListChanges(evaluation).run(runId);
  if (run !== undefined && evaluation.experiments.ofList(caller, run.list) !== undefined)
    return { thread: null, known: true };
  const thread = evaluation.graphRuns.threadOf(caller, runId);
  if (thread !== null) return { thread, known: true };
  if (run !== undefined || filterOf(caller, 'experiments') !== null) throw fail('EVALUATION_RUN_NOT_FOUND', { runId });
  return { thread: null, known: false };
}

/** True if the caller may use this token itself. `known`: the caller sees a run with this id. */
function canUseToken(
  { evaluation }: Needs<'evaluation'>,
  caller: Caller,
  { runId, thread, known: wasKnown }: FeedbackToken,
  known: boolean,
): boolean {
  if (thread !== null) return seesRunThread(evaluation.latest, caller, runId, thread);
  return known || !wasKnown;
}

function tokenJson({ feedback }: Needs<'feedback'>, token: FeedbackToken, text?: string): string {
  const url = feedback.urlOf(token, text);
  return JSON.stringify({
    id: url.slice(url.lastIndexOf('/') + 1),
    url,
    expires_at: isoMicros(token.expiresAtMs * 1_000),
    feedback_key: token.key,
  });
}
