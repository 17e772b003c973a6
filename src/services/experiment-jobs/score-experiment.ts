import type { JsonObject } from '../../base/json/json.js';
import { LIMITS, MiB } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import type { ExperimentJobRecord } from '../../store/evaluation/experiment-jobs.js';
import { callEvaluator, failedScore, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import { examplePages } from './examples.js';
import type { ExperimentJobParts } from './parts.js';

/** The scores of the summary evaluators, which get all runs of an experiment and their examples. */
export async function scoreExperiment(
  parts: ExperimentJobParts,
  caller: Caller,
  record: ExperimentJobRecord,
): Promise<EvaluatorResult[]> {
  const evaluators = record.evaluators.filter(({ isSummary }) => isSummary);
  if (evaluators.length === 0) return [];
  const results = await resultsOf(parts, caller, record);
  if (results === null) {
    const reason = `all results together are larger than ${LIMITS.summaryBytesMax / MiB} MiB`;
    return evaluators.map((evaluator) => failedScore(evaluator, reason));
  }
  const all = await Promise.all(
    evaluators.map((evaluator) => callEvaluator(parts.userCode, 'evaluate.summary', { evaluator, ...results })),
  );
  return all.flat();
}

/** Runs and their examples, side by side. Null if they are too large together. */
async function resultsOf(
  { services }: ExperimentJobParts,
  caller: Caller,
  { experimentId, ...record }: ExperimentJobRecord,
): Promise<{ runs: JsonObject[]; examples: JsonObject[] } | null> {
  const runs: JsonObject[] = [];
  const examples: JsonObject[] = [];
  let bytes = 0;
  for await (const page of examplePages(services, caller, record)) {
    if (page.length === 0) break;
    const { body } = await services.evaluation.pool.read('examples.runs', caller, {
      dataset_id: record.datasetId,
      session_ids: [experimentId],
      example_ids: page.map(({ id }) => id),
      limit: page.length,
    });
    bytes += body.length;
    if (bytes > LIMITS.summaryBytesMax) return null;
    const rows = JSON.parse(Buffer.from(body).toString()) as { id: string; runs: JsonObject[] }[];
    const byId = new Map(rows.map((row) => [row.id, row.runs]));
    for (const example of page)
      for (const run of byId.get(example.id) ?? []) {
        runs.push(run);
        examples.push(example);
      }
  }
  return { runs, examples };
}
