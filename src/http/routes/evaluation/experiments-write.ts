import {
  SessionCreate,
  SessionCreateQuery,
  SessionDeleteQuery,
  SessionParams,
  SessionPatch,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import { invalidRequest } from '../../../base/request-problems.js';
import { createExperiment, deleteExperiments, patchExperiment } from '../../../services/evaluation/experiments.js';
import { defineRoute, jsonReply } from '../../route.js';
import { runQuery } from './run-query.js';
import { readRequestObject } from './body.js';

export const createExperimentRoute = defineRoute({
  method: 'post',
  path: '/sessions',
  action: 'experiments:create',
  errors: 'evaluation',
  summary: 'Create an experiment on a dataset, or a tracing project',
  query: SessionCreateQuery,
  body: SessionCreate,
  schemas: { query: 'SessionCreateQuery', body: 'SessionCreate' },
  async handle({ query, bytes, caller }, services) {
    services.scheduler.checkIntake();
    const session_id = await createExperiment(services.evaluation, caller, readRequestObject(bytes, SessionCreate), {
      upsert: query.upsert ?? false,
    });
    return runQuery(services, caller, 'experiments.plain', { session_id });
  },
});

export const updateExperimentRoute = defineRoute({
  method: 'patch',
  path: '/sessions/:session_id',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Update an experiment; null leaves a field unchanged',
  params: SessionParams,
  body: SessionPatch,
  schemas: { params: 'SessionParams', body: 'SessionPatch' },
  async handle({ params, bytes, caller }, services) {
    services.scheduler.checkIntake();
    await patchExperiment(services.evaluation, caller, params.session_id, readRequestObject(bytes, SessionPatch));
    return runQuery(services, caller, 'experiments.plain', params);
  },
});

export const deleteExperimentRoute = defineRoute({
  method: 'delete',
  path: '/sessions/:session_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete an experiment with its runs and feedback',
  params: SessionParams,
  schemas: { params: 'SessionParams' },
  async handle({ params, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExperiments(services.evaluation, caller, [params.session_id]);
    return jsonReply('{}');
  },
});

export const deleteExperimentsRoute = defineRoute({
  method: 'delete',
  path: '/sessions',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete experiments: all of them or none',
  query: SessionDeleteQuery,
  schemas: { query: 'SessionDeleteQuery' },
  async handle({ query, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExperiments(
      services.evaluation,
      caller,
      query.session_ids.map((id, at) => canonicalUuid(id) ?? refuseUuid(at)),
    );
    return jsonReply('{}');
  },
});

function refuseUuid(at: number): never {
  throw invalidRequest('query', [{ loc: ['session_ids', at], msg: 'must be a UUID', type: 'uuid_parsing' }]);
}

export const experimentWriteRoutes = [
  createExperimentRoute,
  updateExperimentRoute,
  deleteExperimentRoute,
  deleteExperimentsRoute,
];
