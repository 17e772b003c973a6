import { EvaluationRunParams } from '../../../../schemas/compiled/validators.js';
import type { Caller } from '../../../domain/caller.js';
import { memberMap, wholeValue } from '../../../base/json/slices.js';
import type { Services } from '../../../services/context.js';
import { ingestRuns, type IngestTalk } from '../../../services/evaluation/ingest-runs.js';
import type { IngestKind } from '../../../wire/evaluation/ingest.js';
import type { Exchange } from '../../transport/exchange.js';
import { defineRoute, type Reply } from '../../route.js';
import { withBody } from './ask.js';

const ACCEPTED: Reply = { status: 202, body: '{"message":"accepted"}' };

interface Taken {
  exchange: Exchange;
  caller: Caller;
  /** The body, when it has been read already. */
  bytes: Uint8Array;
}

/** Runs are kept when this is answered; the clients wait for no more than that (evaluation-api.md, 4.3). */
async function take(
  services: Services,
  { exchange, caller, bytes }: Taken,
  kind: IngestKind,
  run: { runId: string | null; whole: boolean } = { runId: null, whole: true },
): Promise<Reply> {
  services.scheduler.checkIntake();
  const task: IngestTalk = services.evaluation.pool.open('ingest');
  task.talk.send({
    type: 'kind',
    kind,
    contentType: exchange.headers['content-type'] ?? '',
    encoding: exchange.headers['content-encoding'] ?? '',
    ...run,
  });
  await withBody(services, exchange, bytes, task, () => ingestRuns(services.evaluation, caller, task));
  return ACCEPTED;
}

export const ingestRun = defineRoute({
  method: 'post',
  path: '/runs',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  summary: 'Take in one run of a trace',
  takes: 'RunIngest',
  handle: (context, services) => take(services, context, 'run'),
});

export const patchRun = defineRoute({
  method: 'patch',
  path: '/runs/:run_id',
  action: 'evaluation_runs:update',
  errors: 'ingest',
  summary: 'Take in more of a run; null leaves a field as it is',
  params: EvaluationRunParams,
  takes: 'RunIngest',
  schemas: { params: 'EvaluationRunParams' },
  handle: (context, services) => take(services, context, 'run', { runId: context.params.run_id, whole: false }),
});

export const ingestBatch = defineRoute({
  method: 'post',
  path: '/runs/batch',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  summary: 'Take in runs and parts of runs: {post, patch}',
  handle: (context, services) => take(services, context, 'batch'),
});

export const multipart = defineRoute({
  method: 'post',
  path: '/runs/multipart',
  action: 'evaluation_runs:create',
  errors: 'ingest',
  bodyTypes: ['form-data'],
  summary: 'Take in runs, parts of runs and feedback as multipart form data',
  handle: (context, services) => take(services, context, 'multipart'),
});

/** `POST /runs` without a prefix is both APIs': a run of a trace says of which type or trace it is, a run of a graph names an assistant. */
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

/** `POST /runs/batch` without a prefix too: runs of graphs are a list, runs of traces stand in `post` and `patch`, often compressed. */
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

export const ingestRoutes = [ingestRun, patchRun, ingestBatch, multipart];
