import {
  FeedbackConfigCreate,
  FeedbackConfigDeleteQuery,
  FeedbackConfigPatch,
  FeedbackCreate,
  FeedbackParams,
  FeedbackPatch,
} from '../../../../schemas/compiled/validators.js';
import {
  createFeedback,
  createFeedbackConfig,
  deleteFeedback,
  deleteFeedbackConfig,
  patchFeedback,
  patchFeedbackConfig,
} from '../../../services/evaluation/feedback.js';
import { defineRoute, jsonReply } from '../../route.js';
import { runQuery } from './run-query.js';
import { readRequestObject } from './body.js';

export const createFeedbackRoute = defineRoute({
  method: 'post',
  path: '/feedback',
  action: 'feedback:create',
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Add a score or comment to a run or an experiment; the run may arrive later',
  body: FeedbackCreate,
  schemas: { body: 'FeedbackCreate' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    const feedback_id = await createFeedback(services.evaluation, caller, bytes);
    return runQuery(services, caller, 'feedback.get', { feedback_id });
  },
});

export const updateFeedbackRoute = defineRoute({
  method: 'patch',
  path: '/feedback/:feedback_id',
  action: 'feedback:update',
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Update feedback; null clears a field',
  params: FeedbackParams,
  body: FeedbackPatch,
  schemas: { params: 'FeedbackParams', body: 'FeedbackPatch' },
  async handle({ params, bytes, caller }, services) {
    services.scheduler.checkIntake();
    await patchFeedback(services.evaluation, caller, params.feedback_id, readRequestObject(bytes, FeedbackPatch));
    return runQuery(services, caller, 'feedback.get', params);
  },
});

export const deleteFeedbackRoute = defineRoute({
  method: 'delete',
  path: '/feedback/:feedback_id',
  action: 'feedback:delete',
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Delete feedback',
  params: FeedbackParams,
  schemas: { params: 'FeedbackParams' },
  async handle({ params, caller }, services) {
    services.scheduler.checkIntake();
    await deleteFeedback(services.evaluation, caller, params.feedback_id);
    return jsonReply('{}');
  },
});

export const createFeedbackConfigRoute = defineRoute({
  method: 'post',
  path: '/feedback-configs',
  action: 'feedback:create',
  errors: 'evaluation',
  summary: 'Configure how scores of a feedback key are shown and compared',
  body: FeedbackConfigCreate,
  schemas: { body: 'FeedbackConfigCreate' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    const feedback_key = await createFeedbackConfig(
      services.evaluation,
      readRequestObject(bytes, FeedbackConfigCreate),
    );
    return runQuery(services, caller, 'feedbackConfigs.get', { feedback_key });
  },
});

export const updateFeedbackConfigRoute = defineRoute({
  method: 'patch',
  path: '/feedback-configs',
  action: 'feedback:update',
  errors: 'evaluation',
  summary: 'Update how scores of a feedback key are shown and compared',
  body: FeedbackConfigPatch,
  schemas: { body: 'FeedbackConfigPatch' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    const feedback_key = await patchFeedbackConfig(
      services.evaluation,
      caller,
      readRequestObject(bytes, FeedbackConfigPatch),
    );
    return runQuery(services, caller, 'feedbackConfigs.get', { feedback_key });
  },
});

export const deleteFeedbackConfigRoute = defineRoute({
  method: 'delete',
  path: '/feedback-configs',
  action: 'feedback:delete',
  errors: 'evaluation',
  summary: 'Delete the configuration of a feedback key',
  query: FeedbackConfigDeleteQuery,
  schemas: { query: 'FeedbackConfigDeleteQuery' },
  async handle({ query, caller }, services) {
    services.scheduler.checkIntake();
    await deleteFeedbackConfig(services.evaluation, caller, query.feedback_key);
    return { status: 204, body: '' };
  },
});

export const feedbackWriteRoutes = [
  createFeedbackRoute,
  updateFeedbackRoute,
  deleteFeedbackRoute,
  createFeedbackConfigRoute,
  updateFeedbackConfigRoute,
  deleteFeedbackConfigRoute,
];
