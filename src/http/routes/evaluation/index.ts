import { allowReviews, auditChanges, mountRoutes, type Route } from '../../route.js';
import { alertRoutes } from './alerts.js';
import { getAttachmentRoute } from './attachments.js';
import { annotationQueueRoutes } from './annotation-queues.js';
import { comparativeRoutes } from './comparatives.js';
import { datasetRoutes } from './datasets.js';
import { datasetWriteRoutes } from './datasets-write.js';
import { exampleRoutes } from './examples.js';
import { exampleWriteRoutes, platformRoutes } from './examples-write.js';
import { exportRoutes } from './exports.js';
import { experimentJobRoutes } from './experiment-jobs.js';
import { experimentRoutes } from './experiments.js';
import { experimentWriteRoutes } from './experiments-write.js';
import { feedbackRoutes } from './feedback.js';
import { feedbackTokenRoutes } from './feedback-tokens.js';
import { feedbackWriteRoutes } from './feedback-write.js';
import { ingestBatchRoute, ingestRunRoute, ingestRoutes } from './ingest.js';
import { receiveSpansRoute } from './otlp.js';
import { queueItemRoutes } from './queue-items.js';
import { ruleRoutes } from './rules.js';
import { evaluationRunRoutes } from './runs.js';
import { secondVersionRoutes } from './second-version.js';
import { shareRoutes, shareV2Routes } from './shares.js';
import { workspaceRoutes } from './workspace.js';

/**
 * API A. Clients use `http://host` or `http://host/api/v1` as their base URL and append the same paths
 * (evaluation-api.md, 0.1).
 */
export const evaluationRoutes: readonly Route[] = [
  // The second and the third address are those of LangSmith's exporters.
  ...mountRoutes(['', '/otel', '/api/v1/otel'], [receiveSpansRoute]),
  ...mountRoutes(['/api/v1/platform', '/v1/platform'], [...platformRoutes, ...allowReviews(queueItemRoutes)]),
  ...mountRoutes(['/api/v2', '/v2'], [...secondVersionRoutes, ...shareV2Routes]),
  ...mountRoutes(
    ['/api/v1', ''],
    [
      ...datasetRoutes,
      ...auditChanges(datasetWriteRoutes, ['datasets:delete']),
      ...exportRoutes,
      ...comparativeRoutes,
      ...workspaceRoutes,
      ...shareRoutes,
      ...auditChanges(alertRoutes),
      ...allowReviews(annotationQueueRoutes),
      ...exampleRoutes,
      ...exampleWriteRoutes,
      ...experimentRoutes,
      ...experimentJobRoutes,
      ...experimentWriteRoutes,
      ...auditChanges(ruleRoutes),
      ...evaluationRunRoutes,
      getAttachmentRoute,
      ...ingestRoutes,
      ...feedbackTokenRoutes,
      ...feedbackRoutes,
      ...allowReviews(feedbackWriteRoutes),
      // Without a prefix, these two paths belong to the other API, which passes trace bodies on to these routes
      // (routes/runs.ts, routes/runs-many.ts).
    ],
  ).filter(
    ({ method, path }) =>
      ![ingestRunRoute, ingestBatchRoute].some((ours) => method === ours.method && path === ours.path),
  ),
];
