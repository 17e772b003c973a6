/**
 * Work of the graphs' libraries that graph workers save (docs/decisions/0054-library-optimizations.md). Each can be
 * disabled by its name.
 */
export const OPTIMIZATIONS = [
  'callback-calls',
  'callback-copies',
  'callback-scopes',
  'component-json',
  'environment',
  'idle-run-tree',
  'message-json',
  'random-values',
  'sequences',
  'store-polling',
] as const;

export type Optimization = (typeof OPTIMIZATIONS)[number];
