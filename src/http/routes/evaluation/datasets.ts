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
import { uploadExperiment, type UploadTalk } from '../../../services/evaluation/upload-experiment.js';
import { defineRoute, json } from '../../route.js';
import { ask, withBody } from './ask.js';

/** One JSON value a line. */
const JSON_LINES = /^application\/(x-)?(ndjson|jsonl|jsonlines)\b/i;

export const upload = defineRoute({
  method: 'post',
  path: '/datasets/upload-experiment',
  action: 'experiments:create',
  errors: 'evaluation',
  bodyTypes: ['json', 'json-lines'],
  summary: 'Keep an experiment that was run elsewhere',
  takes: 'UploadExperiment',
  async handle({ exchange, caller, bytes, headers }, services) {
    services.scheduler.checkIntake();
    const task: UploadTalk = services.evaluation.pool.open('upload');
    task.talk.send({
      type: 'form',
      lines: JSON_LINES.test(headers['content-type'] ?? ''),
      encoding: headers['content-encoding'] ?? '',
    });
    return json(
      await withBody(services, exchange, bytes, task, () => uploadExperiment(services.evaluation, caller, task)),
    );
  },
});

export const list = defineRoute({
  method: 'get',
  path: '/datasets',
  action: 'datasets:search',
  errors: 'evaluation',
  summary: 'List datasets',
  query: DatasetListQuery,
  schemas: { query: 'DatasetListQuery' },
  handle: ({ query, caller }, services) => ask(services, caller, 'datasets.list', query),
});

export const get = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'One dataset',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  handle: ({ params, caller }, services) => ask(services, caller, 'datasets.get', params),
});

export const versions = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/versions',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'When the examples of a dataset changed',
  params: DatasetParams,
  query: DatasetVersionsQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetVersionsQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'datasets.versions', { ...query, ...params }),
});

export const version = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/version',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'The version of a dataset at a time or under a tag',
  params: DatasetParams,
  query: DatasetVersionQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetVersionQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'datasets.version', { ...query, ...params }),
});

export const diff = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/versions/diff',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Which examples changed between two versions',
  params: DatasetParams,
  query: DatasetDiffQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetDiffQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'datasets.diff', { ...query, ...params }),
});

export const splits = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/splits',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Names of the splits of a dataset',
  params: DatasetParams,
  query: DatasetSplitsQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetSplitsQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'datasets.splits', { ...query, ...params }),
});

export const exampleRuns = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/runs',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Examples with their runs in several experiments',
  params: DatasetParams,
  body: ExampleRunsQuery,
  schemas: { params: 'DatasetParams', body: 'ExampleRunsQuery' },
  handle: ({ params, body, caller }, services) => ask(services, caller, 'examples.runs', { ...body, ...params }),
});

export const runsDelta = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/runs/delta',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Which examples experiments did better or worse than a baseline',
  params: DatasetParams,
  body: RunsDeltaQuery,
  schemas: { params: 'DatasetParams', body: 'RunsDeltaQuery' },
  handle: ({ params, body, caller }, services) => ask(services, caller, 'examples.delta', { ...body, ...params }),
});

export const compare = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/comparison',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Compare experiments with a baseline: differences, intervals, verdicts, and the examples behind them',
  params: DatasetParams,
  body: ComparisonQuery,
  schemas: { params: 'DatasetParams', body: 'ComparisonQuery' },
  handle: ({ params, body, caller }, services) => ask(services, caller, 'datasets.compare', { ...body, ...params }),
});

export const datasetRoutes = [upload, list, get, versions, version, diff, splits, exampleRuns, runsDelta, compare];
