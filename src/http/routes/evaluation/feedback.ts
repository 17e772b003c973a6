import { FeedbackConfigListQuery, FeedbackListQuery, FeedbackParams } from '../../../../schemas/compiled/validators.js';
import { defineRoute } from '../../route.js';
import { ask } from './ask.js';

export const list = defineRoute({
  method: 'get',
  path: '/feedback',
  action: 'feedback:search',
  looks: ['threads:read'],
  errors: 'evaluation',
  summary: 'List feedback, newest first',
  query: FeedbackListQuery,
  schemas: { query: 'FeedbackListQuery' },
  handle: ({ query, caller }, services) => ask(services, caller, 'feedback.list', query),
});

export const get = defineRoute({
  method: 'get',
  path: '/feedback/:feedback_id',
  action: 'feedback:read',
  looks: ['threads:read'],
  errors: 'evaluation',
  summary: 'One piece of feedback',
  params: FeedbackParams,
  schemas: { params: 'FeedbackParams' },
  handle: ({ params, caller }, services) => ask(services, caller, 'feedback.get', params),
});

export const listConfigs = defineRoute({
  method: 'get',
  path: '/feedback-configs',
  action: 'feedback:search',
  errors: 'evaluation',
  summary: 'How scores are shown and compared',
  query: FeedbackConfigListQuery,
  schemas: { query: 'FeedbackConfigListQuery' },
  handle: ({ query, caller }, services) => ask(services, caller, 'feedbackConfigs.list', query),
});

export const feedbackRoutes = [list, get, listConfigs];
