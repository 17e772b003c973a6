import type { Route } from '../route.js';
import { assistantRoutes } from './assistants.js';
import { cronRoutes } from './crons.js';
import { evaluationRoutes } from './evaluation/index.js';
import { metaRoutes } from './meta.js';
import { runRoutes } from './runs.js';
import { threadChangeRoutes } from './thread-changes.js';
import { storeRoutes } from './store.js';
import { threadRoutes } from './threads.js';
import { webhookRoutes } from './webhooks.js';

/** The table of contents of the server. */
export const routes: readonly Route[] = [
  ...metaRoutes(() => routes),
  ...assistantRoutes,
  ...threadRoutes,
  ...threadChangeRoutes,
  ...runRoutes,
  ...storeRoutes,
  ...cronRoutes,
  ...webhookRoutes,
  ...evaluationRoutes,
];
