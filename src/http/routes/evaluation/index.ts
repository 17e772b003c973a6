import { mountedAt, type Route } from '../../route.js';
import { comparativeRoutes } from './comparatives.js';
import { datasetRoutes } from './datasets.js';
import { datasetWriteRoutes } from './datasets-write.js';
import { exampleRoutes } from './examples.js';
import { exampleWriteRoutes, platformRoutes } from './examples-write.js';
import { exportRoutes } from './exports.js';
import { experimentRoutes } from './experiments.js';
import { experimentWriteRoutes } from './experiments-write.js';
import { feedbackRoutes } from './feedback.js';
import { feedbackTokenRoutes } from './feedback-tokens.js';
import { feedbackWriteRoutes } from './feedback-write.js';
import { ingestBatch, ingestRun, ingestRoutes } from './ingest.js';
import { evaluationRunRoutes } from './runs.js';
import { workspaceRoutes } from './workspace.js';

/** API A. Clients are given `http://host` or `http://host/api/v1` and append the same paths (evaluation-api.md, 0.1). */
export const evaluationRoutes: readonly Route[] = [
  ...mountedAt(['/api/v1/platform', '/v1/platform'], platformRoutes),
  ...mountedAt(
    ['/api/v1', ''],
    [
      ...datasetRoutes,
      ...datasetWriteRoutes,
      ...exportRoutes,
      ...comparativeRoutes,
      ...workspaceRoutes,
      ...exampleRoutes,
      ...exampleWriteRoutes,
      ...experimentRoutes,
      ...experimentWriteRoutes,
      ...evaluationRunRoutes,
      ...ingestRoutes,
      ...feedbackTokenRoutes,
      ...feedbackRoutes,
      ...feedbackWriteRoutes,
      // Without a prefix these addresses are the other API's, which hands over what is ours (routes/runs.ts, routes/runs-many.ts).
    ],
  ).filter(
    ({ method, path }) => ![ingestRun, ingestBatch].some((ours) => method === ours.method && path === ours.path),
  ),
];
