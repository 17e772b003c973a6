/**
 * Features that `http.disable_<name>` of langgraph.json turns off: their routes, and with `webhooks` the calls of
 * runs.
 */
export const FEATURES = [
  'assistants',
  'threads',
  'runs',
  'crons',
  'store',
  'mcp',
  'a2a',
  'meta',
  'ui',
  'webhooks',
  'console',
] as const;
export type Feature = (typeof FEATURES)[number];

/** Group of a route. Evaluation results and health checks cannot be disabled. */
export type RouteGroup = Feature | 'evaluation' | 'health';
