import {
  DatasetExportQuery,
  DatasetFileQuery,
  DatasetParams,
  SessionExportQuery,
  SessionParams,
} from '../../../../schemas/compiled/validators.js';
import type { Caller } from '../../../domain/caller.js';
import type { Services } from '../../../services/context.js';
import { download } from '../../streams/download.js';
import type { Exchange } from '../../transport/exchange.js';
import { defineRoute } from '../../route.js';

function send(
  { evaluation }: Services,
  exchange: Exchange,
  caller: Caller,
  name: string,
  params: unknown,
): Promise<null> {
  return download(exchange, evaluation, evaluation.pool.openExport(name, caller, params));
}

export const experiment = defineRoute({
  method: 'get',
  path: '/sessions/:session_id/export',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'An experiment with all its rows and scores, as JSON lines that upload-experiment takes, or as CSV',
  params: SessionParams,
  query: SessionExportQuery,
  schemas: { params: 'SessionParams', query: 'SessionExportQuery' },
  handle: ({ params, query, caller, exchange }, services) =>
    send(services, exchange, caller, 'experiments.export', { ...query, ...params }),
});

export const dataset = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/export',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'All examples of a dataset, also as it was at a time, as JSON lines or CSV',
  params: DatasetParams,
  query: DatasetExportQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetExportQuery' },
  handle: ({ params, query, caller, exchange }, services) =>
    send(services, exchange, caller, 'datasets.export', { ...query, ...params }),
});

export const jsonLines = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/jsonl',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Inputs and outputs of all examples, as JSON lines',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: ({ params, query, caller, exchange }, services) =>
    send(services, exchange, caller, 'datasets.jsonl', { ...query, ...params }),
});

export const csv = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/csv',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'All examples of a dataset as CSV',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: ({ params, query, caller, exchange }, services) =>
    send(services, exchange, caller, 'datasets.csv', { ...query, ...params }),
});

export const openaiFineTuning = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/openai_ft',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Examples that are conversations, as JSON lines for fine-tuning',
  params: DatasetParams,
  query: DatasetFileQuery,
  schemas: { params: 'DatasetParams', query: 'DatasetFileQuery' },
  handle: ({ params, query, caller, exchange }, services) =>
    send(services, exchange, caller, 'datasets.openaiFt', { ...query, ...params }),
});

export const exportRoutes = [experiment, dataset, jsonLines, csv, openaiFineTuning];
