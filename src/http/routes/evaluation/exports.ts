import {
  DatasetExportQuery,
  DatasetFileQuery,
  DatasetParams,
  RunExportQuery,
  SessionExportQuery,
  SessionParams,
} from '../../../../schemas/compiled/validators.js';
import type { Needs } from '../../../services/context.js';
import { streamExport } from '../../streams/download.js';
import { defineRoute, type HandlerContext } from '../../route.js';

function sendExport(
  { evaluation }: Needs<'evaluation'>,
  {
    params,
    query,
    caller,
    exchange,
  }: Pick<HandlerContext<object, object, unknown>, 'params' | 'query' | 'caller' | 'exchange'>,
  name: string,
): Promise<null> {
  return streamExport(exchange, evaluation, evaluation.pool.openExport(name, caller, { ...query, ...params }));
}

export const exportExperimentRoute = defineRoute({
  method: 'get',
  path: '/sessions/:session_id/export',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Export an experiment with all rows and scores, as CSV or as JSON lines that upload-experiment accepts',
  params: SessionParams,
  query: SessionExportQuery,
  schemas: { params: 'SessionParams', query: 'SessionExportQuery' },
  handle: (context, services) => sendExport(services, context, 'experiments.export'),
});

export const exportRunsRoute = defineRoute({
  method: 'get',
  path: '/sessions/:session_id/runs',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Export the runs of a project with their feedback, as JSON lines that /runs/import accepts',
  params: SessionParams,
  query: RunExportQuery,
  schemas: { params: 'SessionParams', query: 'RunExportQuery' },
  handle: (context, services) => sendExport(services, context, 'runs.export'),
});

export const exportDatasetRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/export',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Export all examples of a dataset as JSON lines or CSV, optionally at a point in time',
  params: DatasetParams,
  query: DatasetExportQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetExportQuery' },
  handle: (context, services) => sendExport(services, context, 'datasets.export'),
});

export const exportJsonLinesRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/jsonl',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Export the inputs and outputs of all examples as JSON lines',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: (context, services) => sendExport(services, context, 'datasets.jsonl'),
});

export const exportCsvRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/csv',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Export all examples of a dataset as CSV',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: (context, services) => sendExport(services, context, 'datasets.csv'),
});

export const exportFineTuningRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/openai_ft',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Export the examples that are conversations, as JSON lines for fine-tuning',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: (context, services) => sendExport(services, context, 'datasets.openaiFt'),
});

export const exportRoutes = [
  exportExperimentRoute,
  exportRunsRoute,
  exportDatasetRoute,
  exportJsonLinesRoute,
  exportCsvRoute,
  exportFineTuningRoute,
];
