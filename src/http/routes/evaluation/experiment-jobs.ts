import { ExperimentParams, ExperimentStart } from '../../../../schemas/compiled/validators.js';
import { isoTime } from '../../../base/clock.js';
import type { Action } from '../../../domain/actions.js';
import type { ExperimentJobRecord } from '../../../store/evaluation/experiment-jobs.js';
import { BUILT_IN_EVALUATORS } from '../../../wire/evaluation/evaluators.js';
import { defineRoute, jsonReply, type Reply } from '../../route.js';

/** An experiment reads a dataset and starts runs, so its creator needs the permissions for both. */
const START_ACTIONS: readonly Action[] = ['datasets:read', 'threads:create_run', 'assistants:read'];

export const startExperimentRoute = defineRoute({
  method: 'post',
  path: '/experiments',
  action: 'experiments:create',
  additionalActions: START_ACTIONS,
  errors: 'evaluation',
  summary: 'Run an assistant over a dataset, score the results, and store them as an experiment',
  body: ExperimentStart,
  schemas: { body: 'ExperimentStart' },
  handle: async ({ body, caller }, services) => jobReply(await services.experimentJobs.start(caller, body)),
});

export const getExperimentJobRoute = defineRoute({
  method: 'get',
  path: '/experiments/:experiment_id',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Get the progress of an experiment that the server runs',
  params: ExperimentParams,
  schemas: { params: 'ExperimentParams' },
  async handle({ params, caller }, services) {
    await services.stores.store.settled();
    return jobReply(services.experimentJobs.get(caller, params.experiment_id.toLowerCase()));
  },
});

export const cancelExperimentRoute = defineRoute({
  method: 'post',
  path: '/experiments/:experiment_id/cancel',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Cancel an experiment that the server runs; its stored runs stay',
  params: ExperimentParams,
  schemas: { params: 'ExperimentParams' },
  handle: async ({ params, caller }, services) =>
    jobReply(await services.experimentJobs.cancel(caller, params.experiment_id.toLowerCase())),
});

export const listEvaluatorsRoute = defineRoute({
  method: 'get',
  path: '/evaluators',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List the evaluators of langgraph.json and the built-in ones',
  handle: (_, services) =>
    jsonReply(
      JSON.stringify([
        ...services.experimentJobs.evaluators.map(({ name, isSummary }) => ({
          name,
          built_in: false,
          summary: isSummary,
        })),
        ...BUILT_IN_EVALUATORS.map((name) => ({ name, built_in: true, summary: false })),
      ]),
    ),
});

export const experimentJobRoutes = [
  startExperimentRoute,
  getExperimentJobRoute,
  cancelExperimentRoute,
  listEvaluatorsRoute,
];

function jobReply(job: ExperimentJobRecord): Reply {
  return jsonReply(
    JSON.stringify({
      experiment_id: job.experimentId,
      dataset_id: job.datasetId,
      assistant_id: job.assistantId,
      status: job.status,
      error: job.error,
      total: job.total,
      done: job.done,
      failed: job.failed,
      repetitions: job.repetitions,
      evaluators: job.evaluators.map(({ name, key }) => ({ name, key })),
      created_at: isoTime(job.createdAtMs),
      ended_at: job.endedAtMs === null ? null : isoTime(job.endedAtMs),
    }),
  );
}
