import {
  ComparativeCreate,
  ComparativeListQuery,
  ComparativeParams,
  DatasetParams,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import { createComparative, deleteComparative } from '../../../services/evaluation/comparatives.js';
import { defineRoute, json } from '../../route.js';
import { ask } from './ask.js';
import { readObject } from './body.js';

export const create = defineRoute({
  method: 'post',
  path: '/datasets/comparative',
  action: 'experiments:create',
  errors: 'evaluation',
  summary: 'Begin a pairwise comparison of experiments of a dataset',
  body: ComparativeCreate,
  schemas: { body: 'ComparativeCreate' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    const comparative_experiment_id = await createComparative(
      services.evaluation,
      caller,
      readObject(bytes, ComparativeCreate),
    );
    return ask(services, caller, 'comparatives.get', { comparative_experiment_id });
  },
});

export const list = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/comparative',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'Pairwise comparisons of a dataset with their scores, newest first',
  params: DatasetParams,
  query: ComparativeListQuery,
  schemas: { params: 'DatasetParams', query: 'ComparativeListQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'comparatives.list', { ...query, ...params }),
});

export const remove = defineRoute({
  method: 'delete',
  path: '/datasets/comparative/:comparative_experiment_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Forget a pairwise comparison; its scores stay with the runs',
  params: ComparativeParams,
  schemas: { params: 'ComparativeParams' },
  async handle({ params: { comparative_experiment_id: id }, caller }, services) {
    services.scheduler.checkIntake();
    await deleteComparative(services.evaluation, caller, canonicalUuid(id) ?? id);
    return json('{}');
  },
});

export const comparativeRoutes = [create, list, remove];
