import { RunBatch, RunCreate, RunsCancel, RunsCancelQuery } from '../../../schemas/compiled/validators.js';
import type { RunCreate as RunCreateBody, RunsCancel as RunsCancelBody } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { cancelByStatus, cancelNamed } from '../../services/runs/cancel-runs.js';
import { runJson } from '../../store/runs/run-json.js';
import { startBatch } from '../../services/runs/start-run.js';
import { ingestBatchRoute, isTraceBatch } from './evaluation/ingest.js';
import { defineRoute, jsonReply, type AuthView } from '../route.js';
import { runRequestContext } from '../run-request-context.js';
import { RUN_VIEW } from './runs.js';

/**
 * The view of a bulk cancel that an auth handler gets (agent-server.md, 17.3). Metadata set by the handler is
 * ignored, because it belongs to no run.
 */
const CANCEL_VIEW: AuthView = {
  buildValue({ query, body }) {
    const { status, thread_id, run_ids } = body as RunsCancelBody;
    return {
      thread_id: thread_id ?? null,
      action: (query as { action?: string }).action ?? 'interrupt',
      metadata: { run_ids: run_ids ?? null, status: status ?? null },
    };
  },
  applyChanges: (body) => body,
};

export const createRunBatchRoute = defineRoute({
  method: 'post',
  path: '/runs/batch',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  elementValidator: RunCreate,
  summary: 'Start stateless runs in the background: all of them or none',
  body: RunBatch,
  largeBody: true,
  schemas: { body: 'RunBatch' },
  alternative: { route: ingestBatchRoute, group: 'evaluation', matches: isTraceBatch },
  async handle({ body, caller, exchange }, services) {
    const views = await startBatch(
      services,
      { caller, bodies: body as unknown as RunCreateBody[], context: runRequestContext(exchange, services) },
      ({ record, kwargs }) => runJson(record, JSON.stringify(kwargs)),
    );
    return jsonReply(`[${views.join(',')}]`);
  },
});

export const cancelRunsRoute = defineRoute({
  method: 'post',
  path: '/runs/cancel',
  action: 'threads:update',
  authView: CANCEL_VIEW,
  summary: 'Cancel runs by status, or by thread and ids',
  query: RunsCancelQuery,
  body: RunsCancel,
  schemas: { query: 'RunsCancelQuery', body: 'RunsCancel' },
  async handle({ query, body, caller }, services) {
    const action = query.action ?? 'interrupt';
    const { status = null, thread_id: threadId = null, run_ids: runIds = null } = body;
    if (status !== null && threadId === null && runIds === null) await cancelByStatus(services, caller, status, action);
    else if (status === null && threadId !== null && runIds !== null)
      await cancelNamed(
        services,
        caller,
        { threadId: threadId.toLowerCase(), runIds: runIds.map((id) => id.toLowerCase()) },
        action,
      );
    else throw fail('INVALID_REQUEST', { problems: 'body: needs either status, or thread_id and run_ids' });
    return { status: 204, body: '' };
  },
});

export const manyRunsRoutes = [createRunBatchRoute, cancelRunsRoute];
