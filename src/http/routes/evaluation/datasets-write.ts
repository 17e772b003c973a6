import { DatasetCreate, DatasetParams, DatasetPatch, DatasetTagPut } from '../../../../schemas/compiled/validators.js';
import { createDataset, deleteDataset, patchDataset, tagDataset } from '../../../services/evaluation/datasets.js';
import { parseMicros } from '../../../base/micros.js';
import { defineRoute } from '../../route.js';
import { changeAndConfirm, changeAndRead } from './change.js';
import { runQuery } from './run-query.js';
import { readRequestObject } from './body.js';

export const createDatasetRoute = defineRoute({
  method: 'post',
  path: '/datasets',
  action: 'datasets:create',
  errors: 'evaluation',
  summary: 'Create a dataset',
  body: DatasetCreate,
  schemas: { body: 'DatasetCreate' },
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'datasets.get', async () => ({
      dataset_id: await createDataset(services.evaluation, caller, readRequestObject(bytes, DatasetCreate)),
    })),
});

export const updateDatasetRoute = defineRoute({
  method: 'patch',
  path: '/datasets/:dataset_id',
  action: 'datasets:update',
  errors: 'evaluation',
  summary: 'Update a dataset',
  params: DatasetParams,
  body: DatasetPatch,
  schemas: { params: 'DatasetParams', body: 'DatasetPatch' },
  async handle({ params, bytes, caller }, services) {
    const reply = await changeAndRead(services, caller, 'datasets.get', async () => {
      await patchDataset(services.evaluation, caller, params.dataset_id, readRequestObject(bytes, DatasetPatch));
      return params;
    });
    return { ...reply, headers: { 'x-updated-examples-count': '0' } };
  },
});

export const deleteDatasetRoute = defineRoute({
  method: 'delete',
  path: '/datasets/:dataset_id',
  action: 'datasets:delete',
  errors: 'evaluation',
  summary: 'Delete a dataset with its examples and experiments',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => deleteDataset(services.evaluation, caller, params.dataset_id)),
});

export const tagDatasetRoute = defineRoute({
  method: 'put',
  path: '/datasets/:dataset_id/tags',
  action: 'datasets:update',
  errors: 'evaluation',
  summary: 'Tag a version of a dataset',
  params: DatasetParams,
  body: DatasetTagPut,
  schemas: { params: 'DatasetParams', body: 'DatasetTagPut' },
  handle: ({ params, body, caller }, services) =>
    changeAndRead(services, caller, 'datasets.version', async () => {
      // Resolve the version at that time first, because tags point to versions.
      const found = await runQuery(services, caller, 'datasets.version', {
        ...params,
        ...(parseMicros(body.as_of) === null ? { tag: body.as_of } : { as_of: body.as_of }),
      });
      const { as_of: asOf } = JSON.parse(Buffer.from(found.body).toString()) as { as_of: string };
      const { tag } = body;
      await tagDataset(services.evaluation, caller, params.dataset_id, { tag, asOfUs: parseMicros(asOf)! });
      return { ...params, tag };
    }),
});

export const datasetWriteRoutes = [createDatasetRoute, updateDatasetRoute, deleteDatasetRoute, tagDatasetRoute];
