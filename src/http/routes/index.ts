import type { Route } from '../route.js';
import { assistantRoutes } from './assistants.js';
import { evaluationRoutes } from './evaluation/index.js';
import { graphRoutes } from './graphs.js';
import { metaRoutes } from './meta.js';
import { runRoutes } from './runs.js';
import { threadRoutes } from './threads.js';

/** The table of contents of the server. */
export const routes: readonly Route[] = [
  ...metaRoutes(() => routes),
  ...assistantRoutes,
  ...graphRoutes,
  ...threadRoutes,
  ...runRoutes,
  ...evaluationRoutes,
];
