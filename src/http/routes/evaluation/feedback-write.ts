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
import { defineRoute } from '../../route.js';
import { changeAndConfirm, changeAndRead } from './change.js';
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
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'feedback.get', async () => ({
      feedback_id: await createFeedback(services.evaluation, caller, bytes),
    })),
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
  handle: ({ params, bytes, caller }, services) =>
    changeAndRead(services, caller, 'feedback.get', async () => {
      await patchFeedback(services.evaluation, caller, params.feedback_id, readRequestObject(bytes, FeedbackPatch));
      return params;
    }),
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
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => deleteFeedback(services.evaluation, caller, params.feedback_id)),
});

export const createFeedbackConfigRoute = defineRoute({
  method: 'post',
  path: '/feedback-configs',
  action: 'feedback:create',
  errors: 'evaluation',
  summary: 'Configure how scores of a feedback key are shown and compared',
  body: FeedbackConfigCreate,
  schemas: { body: 'FeedbackConfigCreate' },
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'feedbackConfigs.get', async () => ({
      feedback_key: await createFeedbackConfig(services.evaluation, readRequestObject(bytes, FeedbackConfigCreate)),
    })),
});

export const updateFeedbackConfigRoute = defineRoute({
  method: 'patch',
  path: '/feedback-configs',
  action: 'feedback:update',
  errors: 'evaluation',
  summary: 'Update how scores of a feedback key are shown and compared',
  body: FeedbackConfigPatch,
  schemas: { body: 'FeedbackConfigPatch' },
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'feedbackConfigs.get', async () => ({
      feedback_key: await patchFeedbackConfig(
        services.evaluation,
        caller,
        readRequestObject(bytes, FeedbackConfigPatch),
      ),
    })),
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
