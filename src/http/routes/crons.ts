import {
  CronCount,
  CronCreate,
  CronParams,
  CronPatch,
  CronSearch,
  ThreadParams,
} from '../../../schemas/compiled/validators.js';
import type { CronCreate as CronCreateBody, CronCount as CronCountBody } from '../../../schemas/compiled/types.js';
import type { Action } from '../../domain/actions.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import {
  countCrons,
  createCron,
  deleteCron,
  getCron,
  patchCron,
  PAYLOAD_FIELDS,
  searchCrons,
  type CronQuery,
} from '../../services/crons/crons.js';
import { answerTooLarge } from '../../services/state/state.js';
import { cronJson } from '../../services/state/resource-json.js';
import { defineRoute, jsonReply, type ParsedRequest, type AuthView } from '../route.js';

const PAYLOAD_NAMES: ReadonlySet<string> = new Set(PAYLOAD_FIELDS);

function splitPayload(body: JsonObject): { payload: JsonObject; own: JsonObject } {
  const entries = Object.entries(body);
  return {
    payload: Object.fromEntries(entries.filter(([name]) => PAYLOAD_NAMES.has(name))),
    own: Object.fromEntries(entries.filter(([name]) => !PAYLOAD_NAMES.has(name))),
  };
}

/** The view of a new cron that an auth handler gets (agent-server.md, 17.3). */
const CRON_VIEW: AuthView = {
  buildValue({ params, body }) {
    const { payload, own } = splitPayload(body as CronCreateBody);
    return { end_time: null, ...own, cron_id: null, thread_id: params['thread_id'] ?? null, user_id: null, payload };
  },
  // The handler cannot change the assistant and the thread, because the request was authorized for them.
  applyChanges(
    body,
    { payload, cron_id: _cron, thread_id: _thread, assistant_id: _assistant, user_id: _user, ...own },
  ) {
    const kept = splitPayload(body);
    return { ...kept.own, ...own, ...(payload === undefined ? kept.payload : asObject(payload)) };
  },
};

/** A cron starts runs, so its creator needs the permissions for them. */
const RUN_ACTIONS: readonly Action[] = ['threads:create_run', 'assistants:read'];

/** Changing the input of the runs needs more permissions than changing the schedule. */
const payloadActions = ({ body }: ParsedRequest): readonly Action[] =>
  Object.keys(asObject(body)).some((name) => PAYLOAD_NAMES.has(name)) ? ['threads:create_run'] : [];

export const createCronRoute = defineRoute({
  method: 'post',
  path: '/runs/crons',
  action: 'crons:create',
  additionalActions: RUN_ACTIONS,
  authView: CRON_VIEW,
  summary: 'Create a cron that starts stateless runs',
  body: CronCreate,
  schemas: { body: 'CronCreate' },
  async handle({ body, caller }, services) {
    return jsonReply(cronJson(services, caller, await createCron(services, caller, null, body)));
  },
});

export const createThreadCronRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/crons',
  action: 'crons:create',
  additionalActions: RUN_ACTIONS,
  authView: CRON_VIEW,
  summary: 'Create a cron that starts runs on a thread',
  params: ThreadParams,
  body: CronCreate,
  schemas: { params: 'ThreadParams', body: 'CronCreate' },
  async handle({ params, body, caller }, services) {
    return jsonReply(cronJson(services, caller, await createCron(services, caller, params.thread_id, body)));
  },
});

export const searchCronsRoute = defineRoute({
  method: 'post',
  path: '/runs/crons/search',
  action: 'crons:search',
  summary: 'Search crons',
  body: CronSearch,
  schemas: { body: 'CronSearch' },
  async handle({ body, caller }, services) {
    // Wait for the disk, so that the result includes crons that fired just now.
    await services.stores.store.settled();
    const limit = body.limit ?? 10;
    const offset = body.offset ?? 0;
    const select = body.select && body.select.length > 0 ? new Set<string>(body.select) : null;
    const { records, more } = searchCrons(services, caller, queryOf(body), {
      sortBy: body.sort_by ?? 'created_at',
      descending: (body.sort_order ?? 'desc') === 'desc',
      limit,
      offset,
    });
    const headers: Record<string, string> = { 'x-pagination-total': String(offset + records.length + (more ? 1 : 0)) };
    if (more) headers['x-pagination-next'] = String(offset + limit);
    const parts: string[] = [];
    let bytes = 0;
    for (const record of records) {
      const part = cronJson(services, caller, record, select);
      bytes += part.length;
      if (bytes > LIMITS.responseBytesMax) throw answerTooLarge(parts.length);
      parts.push(part);
    }
    return jsonReply(`[${parts.join(',')}]`, headers);
  },
});

export const countCronsRoute = defineRoute({
  method: 'post',
  path: '/runs/crons/count',
  action: 'crons:search',
  summary: 'Count crons',
  body: CronCount,
  schemas: { body: 'CronCount' },
  async handle({ body, caller }, services) {
    await services.stores.store.settled();
    return jsonReply(String(countCrons(services, caller, queryOf(body))));
  },
});

export const getCronRoute = defineRoute({
  method: 'get',
  path: '/runs/crons/:cron_id',
  action: 'crons:read',
  summary: 'Get a cron',
  params: CronParams,
  schemas: { params: 'CronParams' },
  async handle({ params, caller }, services) {
    await services.stores.store.settled();
    return jsonReply(cronJson(services, caller, getCron(services, caller, params.cron_id)));
  },
});

export const updateCronRoute = defineRoute({
  method: 'patch',
  path: '/runs/crons/:cron_id',
  action: 'crons:update',
  conditionalActions: payloadActions,
  summary: 'Update a cron',
  params: CronParams,
  body: CronPatch,
  schemas: { params: 'CronParams', body: 'CronPatch' },
  async handle({ params, body, caller }, services) {
    return jsonReply(cronJson(services, caller, await patchCron(services, caller, params.cron_id, body)));
  },
});

export const deleteCronRoute = defineRoute({
  method: 'delete',
  path: '/runs/crons/:cron_id',
  action: 'crons:delete',
  summary: 'Delete a cron; the runs it started continue',
  params: CronParams,
  schemas: { params: 'CronParams' },
  async handle({ params, caller }, services) {
    await deleteCron(services, caller, params.cron_id);
    return jsonReply('{}');
  },
});

export const cronRoutes = [
  createCronRoute,
  createThreadCronRoute,
  searchCronsRoute,
  countCronsRoute,
  getCronRoute,
  updateCronRoute,
  deleteCronRoute,
];

function queryOf(body: CronCountBody): CronQuery {
  return {
    assistantId: body.assistant_id ?? null,
    threadId: body.thread_id?.toLowerCase() ?? null,
    enabled: body.enabled ?? null,
    metadata: body.metadata ?? {},
  };
}
