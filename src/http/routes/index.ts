import type { Route } from '../route.js';
import { assistantRoutes } from './assistants.js';
import { evaluationRoutes } from './evaluation/index.js';
import { metaRoutes } from './meta.js';
import { runRoutes } from './runs.js';
import { manyRunsRoutes } from './runs-many.js';
import { threadRoutes } from './threads.js';
import { threadStreamRoutes } from './thread-stream.js';

/** The table of contents of the server. */
export const routes: readonly Route[] = [
  ...metaRoutes(() => routes),
  ...assistantRoutes,
  ...threadRoutes,
  ...threadStreamRoutes,
  ...runRoutes,
  ...manyRunsRoutes,
  ...evaluationRoutes,
];
