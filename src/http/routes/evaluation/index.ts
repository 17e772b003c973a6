import { mountedAt, type Route } from '../../route.js';
import { datasetRoutes } from './datasets.js';
import { exampleRoutes } from './examples.js';
import { exportRoutes } from './exports.js';
import { experimentRoutes } from './experiments.js';
import { feedbackRoutes } from './feedback.js';
import { evaluationRunRoutes } from './runs.js';

/** API A. Clients are given `http://host` or `http://host/api/v1` and append the same paths (evaluation-api.md, 0.1). */
export const evaluationRoutes: readonly Route[] = mountedAt(['/api/v1', ''], [
  ...datasetRoutes, ...exampleRoutes, ...experimentRoutes, ...evaluationRunRoutes, ...feedbackRoutes,
  ...exportRoutes,
]);
