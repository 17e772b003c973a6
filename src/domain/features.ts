/** What `http.disable_<name>` of langgraph.json takes away: routes, and with `webhooks` what runs would call. */
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

/** What a route belongs to. Evaluation results, and the answer to whoever watches over the process, have no switch. */
export type Group = Feature | 'evaluation' | 'health';
