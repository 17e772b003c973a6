import {
  ComparativeCreate,
  ComparativeListQuery,
  ComparativeParams,
  DatasetParams,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import { createComparative, deleteComparative } from '../../../services/evaluation/comparatives.js';
import { defineRoute, jsonReply } from '../../route.js';
import { runQuery } from './run-query.js';
import { readRequestObject } from './body.js';

export const createComparativeRoute = defineRoute({
  method: 'post',
  path: '/datasets/comparative',
  action: 'experiments:create',
  errors: 'evaluation',
  summary: "Create a pairwise comparison of a dataset's experiments",
  body: ComparativeCreate,
  schemas: { body: 'ComparativeCreate' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    const comparative_experiment_id = await createComparative(
      services.evaluation,
      caller,
      readRequestObject(bytes, ComparativeCreate),
    );
    return runQuery(services, caller, 'comparatives.get', { comparative_experiment_id });
  },
});

export const listComparativesRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/comparative',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List the pairwise comparisons of a dataset with their scores, newest first',
  params: DatasetParams,
  query: ComparativeListQuery,
  schemas: { params: 'DatasetParams', query: 'ComparativeListQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'comparatives.list', { ...query, ...params }),
});

export const deleteComparativeRoute = defineRoute({
  method: 'delete',
  path: '/datasets/comparative/:comparative_experiment_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete a pairwise comparison; the runs keep its scores',
  params: ComparativeParams,
  schemas: { params: 'ComparativeParams' },
  async handle({ params: { comparative_experiment_id: id }, caller }, services) {
    services.scheduler.checkIntake();
    await deleteComparative(services.evaluation, caller, canonicalUuid(id) ?? id);
    return jsonReply('{}');
  },
});

export const comparativeRoutes = [createComparativeRoute, listComparativesRoute, deleteComparativeRoute];
