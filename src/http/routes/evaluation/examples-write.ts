import {
  DatasetExampleParams,
  DatasetParams,
  ExampleDeleteQuery,
  ExampleHardDelete,
  ExampleParams,
} from '../../../../schemas/compiled/validators.js';
import { ThreadmillError } from '../../../base/errors.js';
import { isoMicros } from '../../../base/micros.js';
import type { Needs } from '../../../services/context.js';
import {
  deleteExampleOf,
  deleteExamples,
  writeExamples,
  type ExampleWriteSession,
  type ExampleWriteReport,
} from '../../../services/evaluation/write-examples.js';
import type { ExampleWriteKind, ExampleWriteTarget } from '../../../wire/evaluation/example-writes.js';
import { defineRoute, jsonReply, type Reply } from '../../route.js';
import { bodyFormat, changeAndConfirm, changeFromBody, type BodyRequest } from './change.js';
import { runQuery } from './run-query.js';

const NO_TARGET: ExampleWriteTarget = { datasetId: null, exampleId: null };

function writeToDataset(
  services: Needs<'evaluation' | 'scheduler'>,
  request: BodyRequest,
  kind: ExampleWriteKind,
  target: ExampleWriteTarget = NO_TARGET,
): Promise<ExampleWriteReport> {
  const { exchange, caller } = request;
  return changeFromBody(
    services,
    request,
    { task: 'examples', firstMessage: { type: 'kind', kind, ...bodyFormat(exchange), caller, ...target } },
    (session: ExampleWriteSession) => writeExamples(services.evaluation, caller, session),
  );
}

/**
 * Returns the written examples in the order of the body, as they read back. Returns only their ids when the
 * examples exceed the size limit of a response.
 */
async function examplesReply(
  services: Needs<'evaluation'>,
  { caller }: BodyRequest,
  written: ExampleWriteReport,
): Promise<Reply> {
  const { datasetId, exampleIds } = written;
  try {
    return await runQuery(services, caller, 'examples.list', {
      dataset: datasetId,
      id: exampleIds,
      limit: Math.max(1, exampleIds.length),
    });
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'INVALID_REQUEST') return countReply(written, 200);
    throw error;
  }
}

function countReply({ exampleIds, versionUs }: ExampleWriteReport, status: number): Reply {
  return jsonReply(
    JSON.stringify({ count: exampleIds.length, example_ids: exampleIds, as_of: isoMicros(versionUs) }),
    {},
    status,
  );
}

export const createExampleRoute = defineRoute({
  method: 'post',
  path: '/examples',
  action: 'examples:create',
  errors: 'evaluation',
  summary: 'Add an example to a dataset',
  bodySchema: 'ExampleWrite',
  async handle(context, services) {
    const { exampleIds } = await writeToDataset(services, context, 'create');
    return runQuery(services, context.caller, 'examples.get', { example_id: exampleIds[0]! });
  },
});

export const createExamplesRoute = defineRoute({
  method: 'post',
  path: '/examples/bulk',
  action: 'examples:create',
  errors: 'evaluation',
  summary: 'Add a list of examples to a dataset: all of them or none',
  handle: async (context, services) =>
    examplesReply(services, context, await writeToDataset(services, context, 'createMany')),
});

export const updateExampleRoute = defineRoute({
  method: 'patch',
  path: '/examples/:example_id',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Update an example, which creates a new version',
  params: ExampleParams,
  bodySchema: 'ExampleWrite',
  schemas: { params: 'ExampleParams' },
  async handle(context, services) {
    const { example_id } = context.params;
    await writeToDataset(services, context, 'update', { datasetId: null, exampleId: example_id });
    return runQuery(services, context.caller, 'examples.get', { example_id });
  },
});

export const updateExamplesRoute = defineRoute({
  method: 'patch',
  path: '/examples/bulk',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Update a list of examples: all of them or none',
  handle: async (context, services) => countReply(await writeToDataset(services, context, 'updateMany'), 200),
});

export const deleteExampleRoute = defineRoute({
  method: 'delete',
  path: '/examples/:example_id',
  action: 'examples:delete',
  errors: 'evaluation',
  summary: 'Delete an example; older versions of the dataset keep it',
  params: ExampleParams,
  schemas: { params: 'ExampleParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => deleteExamples(services.evaluation, caller, [params.example_id], false)),
});

export const deleteExamplesRoute = defineRoute({
  method: 'delete',
  path: '/examples',
  action: 'examples:delete',
  errors: 'evaluation',
  summary: 'Delete examples: all of them or none',
  query: ExampleDeleteQuery,
  schemas: { query: 'ExampleDeleteQuery' },
  handle: ({ query, caller }, services) =>
    changeAndConfirm(services, () => deleteExamples(services.evaluation, caller, query.example_ids, false)),
});

export const updateSplitsRoute = defineRoute({
  method: 'put',
  path: '/datasets/:dataset_id/splits',
  action: 'examples:update',
  errors: 'evaluation',
  summary: 'Add examples to a split, or remove them from it',
  params: DatasetParams,
  bodySchema: 'DatasetSplitsPut',
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const { exampleIds } = await writeToDataset(services, context, 'splits', {
      datasetId: context.params.dataset_id,
      exampleId: null,
    });
    return jsonReply(JSON.stringify(exampleIds));
  },
});

export const cloneExamplesRoute = defineRoute({
  method: 'post',
  path: '/datasets/clone',
  action: 'examples:create',
  additionalActions: ['datasets:read'],
  errors: 'evaluation',
  summary: 'Copy examples from one dataset to another',
  bodySchema: 'DatasetClone',
  handle: async (context, services) =>
    examplesReply(services, context, await writeToDataset(services, context, 'clone')),
});

export const importExamplesRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/import',
  action: 'examples:create',
  errors: 'evaluation',
  bodyTypes: ['json-lines', 'json', 'file', 'form-data'],
  crossSite: 'never',
  summary: 'Add examples from JSON lines in the format of an export, or from a file in a form',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const isForm = bodyFormat(context.exchange).contentType.startsWith('multipart/');
    return countReply(
      await writeToDataset(services, context, isForm ? 'fileInto' : 'lines', {
        datasetId: context.params.dataset_id,
        exampleId: null,
      }),
      201,
    );
  },
});

export const addRunsRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/add-runs',
  action: 'examples:create',
  additionalActions: ['evaluation_runs:search'],
  errors: 'evaluation',
  summary: 'Add runs of traces as examples: named ones, those of threads, or those that a filter finds',
  params: DatasetParams,
  bodySchema: 'ExamplesFromRuns',
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const { exampleIds, versionUs, skipped } = await writeToDataset(services, context, 'runs', {
      datasetId: context.params.dataset_id,
      exampleId: null,
    });
    return jsonReply(
      JSON.stringify({
        count: exampleIds.length,
        example_ids: exampleIds,
        as_of: exampleIds.length === 0 ? null : isoMicros(versionUs),
        skipped: skipped.map(({ runId, reason }) => ({ run_id: runId, reason })),
      }),
    );
  },
});

export const uploadDatasetFileRoute = defineRoute({
  method: 'post',
  path: '/datasets/upload',
  action: 'datasets:create',
  errors: 'evaluation',
  bodyTypes: ['form-data'],
  summary: 'Create a dataset from a CSV or JSON lines file, sent as a form',
  async handle(context, services) {
    const { datasetId } = await writeToDataset(services, context, 'file');
    return runQuery(services, context.caller, 'datasets.get', { dataset_id: datasetId });
  },
});

export const exampleWriteRoutes = [
  uploadDatasetFileRoute,
  createExamplesRoute,
  createExampleRoute,
  updateExamplesRoute,
  updateExampleRoute,
  deleteExampleRoute,
  deleteExamplesRoute,
  updateSplitsRoute,
  cloneExamplesRoute,
  importExamplesRoute,
  addRunsRoute,
];

const createExamplesMultipartRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/examples',
  action: 'examples:create',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Add examples as multipart form data',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    return countReply(
      await writeToDataset(services, context, 'createParts', { datasetId: context.params.dataset_id, exampleId: null }),
      201,
    );
  },
});

const updateExamplesMultipartRoute = defineRoute({
  method: 'patch',
  path: '/datasets/:dataset_id/examples',
  action: 'examples:update',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Update examples as multipart form data',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    return countReply(
      await writeToDataset(services, context, 'updateParts', { datasetId: context.params.dataset_id, exampleId: null }),
      201,
    );
  },
});

const updateExamplesMetadataRoute = defineRoute({
  method: 'patch',
  path: '/datasets/:dataset_id/examples/metadata',
  action: 'examples:update',
  errors: 'ingest',
  summary: 'Update the metadata of many examples',
  params: DatasetParams,
  bodySchema: 'ExampleMetadataPatch',
  schemas: { params: 'DatasetParams' },
  async handle(context, services) {
    const { exampleIds, missing } = await writeToDataset(services, context, 'metadata', {
      datasetId: context.params.dataset_id,
      exampleId: null,
    });
    return jsonReply(
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

const hardDeleteExamplesRoute = defineRoute({
  method: 'post',
  path: '/datasets/examples/delete',
  action: 'examples:delete',
  errors: 'ingest',
  summary: 'Delete examples; with hard_delete, from all versions too',
  body: ExampleHardDelete,
  schemas: { body: 'ExampleHardDelete' },
  async handle({ body, caller }, services) {
    services.scheduler.checkIntake();
    await deleteExamples(services.evaluation, caller, body.example_ids, body.hard_delete ?? false);
    return jsonReply(JSON.stringify({ count: body.example_ids.length, example_ids: body.example_ids }));
  },
});

const deleteDatasetExampleRoute = defineRoute({
  method: 'delete',
  path: '/datasets/:dataset_id/examples/:example_id',
  action: 'examples:delete',
  errors: 'ingest',
  summary: 'Delete an example of a dataset, also if it is already deleted; older versions keep it',
  params: DatasetExampleParams,
  schemas: { params: 'DatasetExampleParams' },
  async handle({ params, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    await deleteExampleOf(evaluation, caller, { datasetId: params.dataset_id, exampleId: params.example_id });
    return { status: 204, body: '' };
  },
});

/** Mounted under `/v1/platform` and `/api/v1/platform` (evaluation-api.md, 0.1). */
export const platformRoutes = [
  createExamplesMultipartRoute,
  updateExamplesMultipartRoute,
  updateExamplesMetadataRoute,
  hardDeleteExamplesRoute,
  deleteDatasetExampleRoute,
];
