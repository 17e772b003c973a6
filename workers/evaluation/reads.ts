import type { ReadResponse, ReadRequest } from '../../src/wire/evaluation/evaluation.js';
import type { Caches } from './caches.js';
import { alertReads } from './reads-alerts.js';
import { comparativeReads } from './reads-comparatives.js';
import { comparisonReads } from './reads-comparison.js';
import { datasetReads } from './reads-datasets.js';
import { exampleReads } from './reads-examples.js';
import { exampleRunReads } from './reads-example-runs.js';
import { experimentReads } from './reads-experiments.js';
import { feedbackReads } from './reads-feedback.js';
import { queueItemReads } from './reads-queue-items.js';
import { queueReads } from './reads-queues.js';
import { publicReads } from './reads-public.js';
import { runMatchReads } from './reads-run-match.js';
import { runReads } from './reads-runs.js';
import { runGroupReads } from './reads-run-groups.js';
import { runSeriesReads } from './reads-run-series.js';
import { secondVersionReads } from './reads-v2.js';
import { traceReads } from './reads-traces.js';
import { conversationStatsReads } from './reads-conversation-stats.js';
import { workspaceReads } from './reads-workspace.js';
import type { QueryHandler } from './read.js';

/** All queries. The main thread has validated `params` against the route's schemas. */
const queries = new Map<string, QueryHandler<never>>(
  Object.entries({
    ...datasetReads,
    ...exampleReads,
    ...exampleRunReads,
    ...experimentReads,
    ...runMatchReads,
    ...runReads,
    ...feedbackReads,
    ...comparisonReads,
    ...comparativeReads,
    ...workspaceReads,
    ...runGroupReads,
    ...runSeriesReads,
    ...secondVersionReads,
    ...traceReads,
    ...conversationStatsReads,
    ...publicReads,
    ...queueReads,
    ...queueItemReads,
    ...alertReads,
  }),
);

export function runQuery(caches: Caches, { name, caller, params }: ReadRequest): ReadResponse {
  const read = queries.get(name);
  if (read === undefined) throw new Error(`unknown query: ${name}`);
  const answered = read(caches, caller, params as never);
  if (answered instanceof Uint8Array) return { body: answered, contentType: 'application/json', headers: {} };
  return { contentType: 'application/json', headers: {}, ...answered };
}
