import {
  FeedbackGiven,
  FeedbackGivenQuery,
  FeedbackTokenCreate,
  FeedbackTokenListQuery,
  FeedbackTokenParams,
  FeedbackTokensCreate,
} from '../../../../schemas/compiled/validators.js';
import type { FeedbackTokenCreate as TokenCreate } from '../../../../schemas/compiled/types.js';
import { canonicalUuid } from '../../../base/ids.js';
import { jsonBytes, type JsonBytes } from '../../../base/json/json.js';
import { LIMITS } from '../../../base/limits.js';
import { invalidRequest } from '../../../base/request-problems.js';
import {
  createTokens,
  findToken,
  submitTokenFeedback,
  listTokens,
} from '../../../services/evaluation/feedback-tokens.js';
import { defineRoute, jsonReply } from '../../route.js';
import { readRequestObject } from './body.js';

/** A token lets others give feedback on a run, so the permissions to list tokens are those to give feedback. */
const LOOKS = ['threads:read'] as const;
/** A cached response must not be mistaken for recorded feedback. */
const DONE = jsonReply('{}', { 'cache-control': 'no-store' });

export const createFeedbackTokensRoute = defineRoute({
  method: 'post',
  path: '/feedback/tokens',
  action: 'feedback:create',
  relatedReads: LOOKS,
  errors: 'evaluation',
  elementValidator: FeedbackTokenCreate,
  summary: 'Create URLs that accept feedback on a run without a key',
  body: FeedbackTokensCreate,
  schemas: { body: 'FeedbackTokensCreate' },
  async handle({ body, caller }, services) {
    services.scheduler.checkIntake();
    const requested = body as unknown as TokenCreate | TokenCreate[];
    const tokens = await createTokens(services, caller, Array.isArray(requested) ? requested : [requested]);
    return jsonReply(Array.isArray(requested) ? `[${tokens.join()}]` : tokens[0]!);
  },
});

export const listFeedbackTokensRoute = defineRoute({
  method: 'get',
  path: '/feedback/tokens',
  action: 'feedback:create',
  relatedReads: LOOKS,
  errors: 'evaluation',
  summary: 'List the URLs that accept feedback on a run',
  query: FeedbackTokenListQuery,
  schemas: { query: 'FeedbackTokenListQuery' },
  handle({ query, caller }, services) {
    const runId = canonicalUuid(query.run_id);
    if (runId === null)
      throw invalidRequest('query', [{ loc: ['run_id'], msg: 'must be a UUID', type: 'uuid_parsing' }]);
    return jsonReply(
      `[${listTokens(services, caller, runId, { offset: query.offset ?? 0, limit: query.limit ?? LIMITS.pageRows }).join()}]`,
    );
  },
});

export const giveFeedbackRoute = defineRoute({
  // Pages of any origin may use it: the URL itself grants access, and cannot be guessed.
  method: 'post',
  path: '/feedback/tokens/:token',
  action: 'public',
  crossSite: 'always',
  errors: 'evaluation',
  summary: 'Give feedback through a URL',
  params: FeedbackTokenParams,
  body: FeedbackGiven,
  schemas: { params: 'FeedbackTokenParams', body: 'FeedbackGiven' },
  async handle({ params, bytes }, services) {
    services.scheduler.checkIntake();
    const read = readRequestObject(bytes, FeedbackGiven);
    const [score, value, comment, correction] = [
      read.freeForm('score'),
      read.freeForm('value'),
      read.freeForm('comment'),
      read.freeForm('correction'),
    ];
    const metadata = read.freeForm('metadata');
    read.finish();
    await submitTokenFeedback(services, params.token, {
      score,
      value,
      comment,
      correction,
      source: metadata === null ? null : jsonBytes({ type: 'api', metadata: read.values['metadata'] }),
    });
    return DONE;
  },
});

export const giveFeedbackByLinkRoute = defineRoute({
  method: 'get',
  path: '/feedback/tokens/:token',
  action: 'public',
  crossSite: 'always',
  errors: 'evaluation',
  summary: 'Give feedback by following a link, such as in an e-mail',
  params: FeedbackTokenParams,
  query: FeedbackGivenQuery,
  schemas: { params: 'FeedbackTokenParams', query: 'FeedbackGivenQuery' },
  async handle({ params, query, exchange }, services) {
    // Programs that only check links send HEAD.
    if (exchange.method === 'head') {
      findToken(services, params.token);
      return DONE;
    }
    services.scheduler.checkIntake();
    const { score, value, comment, correction } = query;
    await submitTokenFeedback(services, params.token, {
      score: toJson(score),
      value: toJson(value),
      comment: toJson(comment),
      correction: toJson(correction),
      source: null,
    });
    return DONE;
  },
});

function toJson(value: string | number | boolean | undefined): JsonBytes | null {
  return value === undefined ? null : jsonBytes(value);
}

export const feedbackTokenRoutes = [
  createFeedbackTokensRoute,
  listFeedbackTokensRoute,
  giveFeedbackRoute,
  giveFeedbackByLinkRoute,
];
