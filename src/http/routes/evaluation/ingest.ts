import { EvaluationRunParams, RunImportQuery } from '../../../../schemas/compiled/validators.js';
import { memberMap, wholeValue } from '../../../base/json/slices.js';
import type { Needs } from '../../../services/context.js';
import { ingestRuns, type IngestSession } from '../../../services/evaluation/ingest-runs.js';
import type { IngestKind, IngestTarget } from '../../../wire/evaluation/ingest.js';
import { defineRoute, type Reply } from '../../route.js';
import { bodyFormat, changeFromBody, type BodyRequest } from './change.js';

const ACCEPTED: Reply = { status: 202, body: '{"message":"accepted"}' };

const WHOLE_RUNS: IngestTarget = { runId: null, whole: true, project: null };

/** Stores runs. Responds as soon as they are stored; the clients wait for nothing else (evaluation-api.md, 4.3). */
async function ingest(
  services: Needs<'evaluation' | 'scheduler'>,
  request: BodyRequest,
  kind: IngestKind,
  target: IngestTarget = WHOLE_RUNS,
): Promise<Reply> {
  await changeFromBody(
    services,
    request,
    { task: 'ingest', firstMessage: { type: 'kind', kind, ...bodyFormat(request.exchange), ...target } },
    (session: IngestSession) => ingestRuns(services.evaluation, request.caller, session),
  );
  return ACCEPTED;
}

export const ingestRunRoute = defineRoute({
  method: 'post',
  path: '/runs',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  summary: 'Store a run of a trace',
  bodySchema: 'RunIngest',
  handle: (context, services) => ingest(services, context, 'run'),
});

export const patchTraceRunRoute = defineRoute({
  method: 'patch',
  path: '/runs/:run_id',
  action: 'evaluation_runs:update',
  errors: 'ingest',
  summary: 'Update a run of a trace; null leaves a field unchanged',
  params: EvaluationRunParams,
  bodySchema: 'RunIngest',
  schemas: { params: 'EvaluationRunParams' },
  handle: (context, services) =>
    ingest(services, context, 'run', { runId: context.params.run_id, whole: false, project: null }),
});

export const ingestBatchRoute = defineRoute({
  method: 'post',
  path: '/runs/batch',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  summary: 'Store and update runs of traces: {post, patch}',
  handle: (context, services) => ingest(services, context, 'batch'),
});

export const ingestMultipartRoute = defineRoute({
  method: 'post',
  path: '/runs/multipart',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Store and update runs of traces, and feedback, as multipart form data',
  handle: (context, services) => ingest(services, context, 'multipart'),
});

export const importRunsRoute = defineRoute({
  method: 'post',
  path: '/runs/import',
  action: 'evaluation_runs:create',
  errors: 'evaluation',
  bodyTypes: ['json-lines'],
  query: RunImportQuery,
  schemas: { query: 'RunImportQuery' },
  summary: 'Store the runs and feedback of an export, as JSON lines',
  handle: (context, services) =>
    ingest(services, context, 'lines', { ...WHOLE_RUNS, project: context.query.project ?? null }),
});

/**
 * Both APIs have `POST /runs` without a prefix. The body of a trace run contains a run type or a trace; the
 * body of a graph run names an assistant.
 */
export function isTraceRun(bytes: Uint8Array): boolean {
  try {
    const names = memberMap(bytes, wholeValue(bytes));
    return (
      !names.has('assistant_id') &&
      ['run_type', 'trace_id', 'dotted_order', 'session_name', 'session_id'].some((name) => names.has(name))
    );
  } catch {
    return false;
  }
}

/**
 * The same for `POST /runs/batch`: graph runs are a list, trace runs are in `post` and `patch` and often
 * compressed.
 */
export function isTraceBatch(bytes: Uint8Array): boolean {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (isGzip) return true;
  try {
    const names = memberMap(bytes, wholeValue(bytes));
    return names.has('post') || names.has('patch');
  } catch {
    return false;
  }
}

export const ingestRoutes = [
  ingestRunRoute,
  patchTraceRunRoute,
  ingestBatchRoute,
  ingestMultipartRoute,
  importRunsRoute,
];
