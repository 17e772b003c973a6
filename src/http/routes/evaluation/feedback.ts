import { FeedbackConfigListQuery, FeedbackListQuery, FeedbackParams } from '../../../../schemas/compiled/validators.js';
import { defineRoute } from '../../route.js';
import { runQuery } from './run-query.js';

export const listFeedbackRoute = defineRoute({
  method: 'get',
  path: '/feedback',
  action: 'feedback:search',
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'List feedback, newest first',
  query: FeedbackListQuery,
  schemas: { query: 'FeedbackListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'feedback.list', query),
});

export const getFeedbackRoute = defineRoute({
  method: 'get',
  path: '/feedback/:feedback_id',
  action: 'feedback:read',
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Get a feedback record',
  params: FeedbackParams,
  schemas: { params: 'FeedbackParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'feedback.get', params),
});

export const listFeedbackConfigsRoute = defineRoute({
  method: 'get',
  path: '/feedback-configs',
  action: 'feedback:search',
  errors: 'evaluation',
  summary: 'List how scores are shown and compared',
  query: FeedbackConfigListQuery,
  schemas: { query: 'FeedbackConfigListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'feedbackConfigs.list', query),
});

export const feedbackRoutes = [listFeedbackRoute, getFeedbackRoute, listFeedbackConfigsRoute];
