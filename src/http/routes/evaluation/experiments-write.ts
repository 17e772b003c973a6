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
import { defineRoute } from '../../route.js';
import { changeAndConfirm, changeAndRead } from './change.js';
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
  handle: ({ query, bytes, caller }, services) =>
    changeAndRead(services, caller, 'experiments.plain', async () => ({
      session_id: await createExperiment(services.evaluation, caller, readRequestObject(bytes, SessionCreate), {
        upsert: query.upsert ?? false,
      }),
    })),
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
  handle: ({ params, bytes, caller }, services) =>
    changeAndRead(services, caller, 'experiments.plain', async () => {
      await patchExperiment(services.evaluation, caller, params.session_id, readRequestObject(bytes, SessionPatch));
      return params;
    }),
});

export const deleteExperimentRoute = defineRoute({
  method: 'delete',
  path: '/sessions/:session_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete an experiment with its runs and feedback',
  params: SessionParams,
  schemas: { params: 'SessionParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => deleteExperiments(services.evaluation, caller, [params.session_id])),
});

export const deleteExperimentsRoute = defineRoute({
  method: 'delete',
  path: '/sessions',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete experiments: all of them or none',
  query: SessionDeleteQuery,
  schemas: { query: 'SessionDeleteQuery' },
  handle: ({ query, caller }, services) =>
    changeAndConfirm(services, () =>
      deleteExperiments(
        services.evaluation,
        caller,
        query.session_ids.map((id, at) => canonicalUuid(id) ?? refuseUuid(at)),
      ),
    ),
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
