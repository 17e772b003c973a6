import {
  ComparisonQuery,
  DatasetDiffQuery,
  DatasetListQuery,
  DatasetParams,
  DatasetSplitsQuery,
  DatasetVersionQuery,
  DatasetVersionsQuery,
  ExampleRunsQuery,
  RunsDeltaQuery,
} from '../../../../schemas/compiled/validators.js';
import { uploadExperiment, type UploadSession } from '../../../services/evaluation/upload-experiment.js';
import { defineRoute, jsonReply } from '../../route.js';
import { bodyFormat, changeFromBody } from './change.js';
import { runQuery } from './run-query.js';

/** One JSON value per line. */
const JSON_LINES = /^application\/(x-)?(ndjson|jsonl|jsonlines)\b/i;

export const uploadExperimentRoute = defineRoute({
  method: 'post',
  path: '/datasets/upload-experiment',
  action: 'experiments:create',
  errors: 'evaluation',
  bodyTypes: ['json', 'json-lines'],
  summary: 'Upload an experiment that was run elsewhere',
  bodySchema: 'UploadExperiment',
  async handle(context, services) {
    const { contentType, encoding } = bodyFormat(context.exchange);
    const response = await changeFromBody(
      services,
      context,
      { task: 'upload', firstMessage: { type: 'form', lines: JSON_LINES.test(contentType), encoding } },
      (session: UploadSession) => uploadExperiment(services.evaluation, context.caller, session),
    );
    return jsonReply(response);
  },
});

export const listDatasetsRoute = defineRoute({
  method: 'get',
  path: '/datasets',
  action: 'datasets:search',
  errors: 'evaluation',
  summary: 'List datasets',
  query: DatasetListQuery,
  schemas: { query: 'DatasetListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'datasets.list', query),
});

export const getDatasetRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Get a dataset',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'datasets.get', params),
});

export const listDatasetVersionsRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/versions',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'List the versions of a dataset',
  params: DatasetParams,
  query: DatasetVersionsQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetVersionsQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'datasets.versions', { ...query, ...params }),
});

export const getDatasetVersionRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/version',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Get the version of a dataset at a time or with a tag',
  params: DatasetParams,
  query: DatasetVersionQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetVersionQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'datasets.version', { ...query, ...params }),
});

export const diffDatasetVersionsRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/versions/diff',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Compare two versions of a dataset by their examples',
  params: DatasetParams,
  query: DatasetDiffQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetDiffQuery' },
  handle: ({ params, query, caller }, services) => runQuery(services, caller, 'datasets.diff', { ...query, ...params }),
});

export const listDatasetSplitsRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/splits',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: "List the names of a dataset's splits",
  params: DatasetParams,
  query: DatasetSplitsQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetSplitsQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'datasets.splits', { ...query, ...params }),
});

export const listExampleRunsRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/runs',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'List examples with their runs in several experiments',
  params: DatasetParams,
  body: ExampleRunsQuery,
  schemas: { params: 'DatasetParams', body: 'ExampleRunsQuery' },
  handle: ({ params, body, caller }, services) => runQuery(services, caller, 'examples.runs', { ...body, ...params }),
});

export const listRunDeltasRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/runs/delta',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'List the examples on which experiments did better or worse than a baseline',
  params: DatasetParams,
  body: RunsDeltaQuery,
  schemas: { params: 'DatasetParams', body: 'RunsDeltaQuery' },
  handle: ({ params, body, caller }, services) => runQuery(services, caller, 'examples.delta', { ...body, ...params }),
});

export const compareExperimentsRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/comparison',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Compare experiments with a baseline: differences, intervals, verdicts, and the examples behind them',
  params: DatasetParams,
  body: ComparisonQuery,
  schemas: { params: 'DatasetParams', body: 'ComparisonQuery' },
  handle: ({ params, body, caller }, services) =>
    runQuery(services, caller, 'datasets.compare', { ...body, ...params }),
});

export const datasetRoutes = [
  uploadExperimentRoute,
  listDatasetsRoute,
  getDatasetRoute,
  listDatasetVersionsRoute,
  getDatasetVersionRoute,
  diffDatasetVersionsRoute,
  listDatasetSplitsRoute,
  listExampleRunsRoute,
  listRunDeltasRoute,
  compareExperimentsRoute,
];
