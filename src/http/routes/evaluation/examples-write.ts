import {
  DatasetParams,
  ExampleDeleteQuery,
  ExampleHardDelete,
  ExampleParams,
} from '../../../../schemas/compiled/validators.js';
import { ThreadmillError } from '../../../base/errors.js';
import { isoMicros } from '../../../base/micros.js';
import type { Services } from '../../../services/context.js';
import {
  deleteExamples,
  writeExamples,
  type ExamplesTalk,
  type Written,
} from '../../../services/evaluation/write-examples.js';
import type { ExampleWriteKind, ExampleWriteTarget } from '../../../wire/evaluation/example-writes.js';
import { defineRoute, json, type Reply, type RequestContext } from '../../route.js';
import { ask, withBody } from './ask.js';

const NO_TARGET: ExampleWriteTarget = { datasetId: null, exampleId: null };

type Context = Pick<RequestContext<unknown, unknown, unknown>, 'exchange' | 'caller' | 'bytes'>;

async function write(
  services: Services,
  { exchange, caller, bytes }: Context,
  kind: ExampleWriteKind,
  target: ExampleWriteTarget = NO_TARGET,
): Promise<Written> {
  services.scheduler.checkIntake();
  const task: ExamplesTalk = services.evaluation.pool.open('examples');
  task.talk.send({
    type: 'kind',
    kind,
    contentType: exchange.headers['content-type'] ?? '',
    encoding: exchange.headers['content-encoding'] ?? '',
    caller,
    ...target,
  });
  return withBody(services, exchange, bytes, task, () => writeExamples(services.evaluation, caller, task));
}

/** What was written, in the order of the body, as it reads back; its ids alone when that is more than one answer holds. */
async function shown(services: Services, { caller }: Context, written: Written): Promise<Reply> {
  const { datasetId, exampleIds } = written;
  try {
    return await ask(services, caller, 'examples.list', {
      dataset: datasetId,
      id: exampleIds,
      limit: Math.max(1, exampleIds.length),
    });
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'INVALID_REQUEST') return counted(written, 200);
    throw error;
  }
}

function counted({ exampleIds, versionUs }: Written, status: number): Reply {
  return json(
    JSON.stringify({ count: exampleIds.length, example_ids: exampleIds, as_of: isoMicros(versionUs) }),
    {},
    status,
  );
}

export const create = defineRoute({
  method: 'post',
  path: '/examples',
  action: 'examples:create',
  errors: 'evaluation',
  summary: 'Add an example to a dataset',
  takes: 'ExampleWrite',
  async handle(context, services) {
    const { exampleIds } = await write(services, context, 'create');
    return ask(services, context.caller, 'examples.get', { example_id: exampleIds[0]! });
  },
});

export const createMany = defineRoute({
  method: 'post',
  path: '/examples/bulk',
  action: 'examples:create',
  errors: 'evaluation',
  summary: 'Add a list of examples to a dataset: all of them or none',
  handle: async (context, services) => shown(services, context, await write(services, context, 'createMany')),
});

export const update = defineRoute({
  method: 'patch',
  path: '/examples/:example_id',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Change an example: a new version of it',
  params: ExampleParams,
  takes: 'ExampleWrite',
  schemas: { params: 'ExampleParams' },
  async handle(context, services) {
    const { example_id } = context.params;
    await write(services, context, 'update', { datasetId: null, exampleId: example_id });
    return ask(services, context.caller, 'examples.get', { example_id });
  },
});

export const updateMany = defineRoute({
  method: 'patch',
  path: '/examples/bulk',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Change a list of examples: all of them or none',
  handle: async (context, services) => counted(await write(services, context, 'updateMany'), 200),
});

export const remove = defineRoute({
  method: 'delete',
  path: '/examples/:example_id',
  action: 'examples:delete',
  errors: 'evaluation',
  summary: 'Remove an example; older versions of the dataset keep it',
  params: ExampleParams,
  schemas: { params: 'ExampleParams' },
  async handle({ params, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExamples(services.evaluation, caller, [params.example_id], false);
    return json('{}');
  },
});

export const removeMany = defineRoute({
  method: 'delete',
  path: '/examples',
  action: 'examples:delete',
  errors: 'evaluation',
  summary: 'Remove examples: all of them or none',
  query: ExampleDeleteQuery,
  schemas: { query: 'ExampleDeleteQuery' },
  async handle({ query, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExamples(services.evaluation, caller, query.example_ids, false);
    return json('{}');
  },
});

export const splits = defineRoute({
  method: 'put',
  path: '/datasets/:dataset_id/splits',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Put examples into a split, or take them out',
  params: DatasetParams,
  takes: 'DatasetSplitsPut',
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const { exampleIds } = await write(services, context, 'splits', {
      datasetId: context.params.dataset_id,
      exampleId: null,
    });
    return json(JSON.stringify(exampleIds));
  },
});

export const clone = defineRoute({
  method: 'post',
  path: '/datasets/clone',
  action: 'examples:create',
  also: ['datasets:read'],
  errors: 'evaluation',
  summary: 'Copy examples from one dataset to another',
  takes: 'DatasetClone',
  handle: async (context, services) => shown(services, context, await write(services, context, 'clone')),
});

export const importLines = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/import',
  action: 'examples:create',
  errors: 'evaluation',
  bodyTypes: ['json-lines', 'json', 'file'],
  crossSite: 'never',
  summary: 'Add examples from lines of JSON, as an export writes them',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    return counted(
      await write(services, context, 'lines', { datasetId: context.params.dataset_id, exampleId: null }),
      201,
    );
  },
});

export const uploadFile = defineRoute({
  method: 'post',
  path: '/datasets/upload',
  action: 'datasets:create',
  errors: 'evaluation',
  bodyTypes: ['form-data'],
  summary: 'Make a dataset of a CSV or JSON lines file, sent as a form',
  async handle(context, services) {
    const { datasetId } = await write(services, context, 'file');
    return ask(services, context.caller, 'datasets.get', { dataset_id: datasetId });
  },
});

export const exampleWriteRoutes = [
  uploadFile,
  createMany,
  create,
  updateMany,
  update,
  remove,
  removeMany,
  splits,
  clone,
  importLines,
];

const createParts = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/examples',
  action: 'examples:create',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Add examples as multipart form data',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    return counted(
      await write(services, context, 'createParts', { datasetId: context.params.dataset_id, exampleId: null }),
      201,
    );
  },
});

const updateParts = defineRoute({
  method: 'patch',
  path: '/datasets/:dataset_id/examples',
  action: 'examples:update',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Change examples as multipart form data',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    return counted(
      await write(services, context, 'updateParts', { datasetId: context.params.dataset_id, exampleId: null }),
      201,
    );
  },
});

const metadata = defineRoute({
  method: 'patch',
  path: '/datasets/:dataset_id/examples/metadata',
  action: 'examples:update',
  errors: 'ingest',
  summary: 'Change metadata of many examples',
  params: DatasetParams,
  takes: 'ExampleMetadataPatch',
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const { exampleIds, missing } = await write(services, context, 'metadata', {
      datasetId: context.params.dataset_id,
      exampleId: null,
    });
    return json(
      JSON.stringify({
        statuses: [
          ...exampleIds.map((id) => ({ id, status: 'UPDATED' })),
          ...missing.map((id) => ({ id, status: 'NOT_FOUND', description: 'Example not found' })),
        ],
      }),
      {},
      207,
    );
  },
});

const hardDelete = defineRoute({
  method: 'post',
  path: '/datasets/examples/delete',
  action: 'examples:delete',
  errors: 'ingest',
  summary: 'Remove examples, with hard_delete from all versions too',
  body: ExampleHardDelete,
  schemas: { body: 'ExampleHardDelete' },
  async handle({ body, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExamples(services.evaluation, caller, body.example_ids, body.hard_delete ?? false);
    return json(JSON.stringify({ count: body.example_ids.length, example_ids: body.example_ids }));
  },
});

/** Under `/v1/platform` and `/api/v1/platform` (evaluation-api.md, 0.1). */
export const platformRoutes = [createParts, updateParts, metadata, hardDelete];
