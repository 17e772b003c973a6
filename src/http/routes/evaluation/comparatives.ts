import {
  ComparativeCreate,
  ComparativeListQuery,
  ComparativeParams,
  DatasetParams,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import { createComparative, deleteComparative } from '../../../services/evaluation/comparatives.js';
import { defineRoute } from '../../route.js';
import { changeAndConfirm, changeAndRead } from './change.js';
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
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'comparatives.get', async () => ({
      comparative_experiment_id: await createComparative(
        services.evaluation,
        caller,
        readRequestObject(bytes, ComparativeCreate),
      ),
    })),
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
  handle: ({ params: { comparative_experiment_id: id }, caller }, services) =>
    changeAndConfirm(services, () => deleteComparative(services.evaluation, caller, canonicalUuid(id) ?? id)),
});

export const comparativeRoutes = [createComparativeRoute, listComparativesRoute, deleteComparativeRoute];
