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
import { tooLarge } from '../../services/state/state.js';
import { cronJson } from '../../services/state/list-states.js';
import { defineRoute, json, type Asked, type Shown } from '../route.js';

const OF_PAYLOAD: ReadonlySet<string> = new Set(PAYLOAD_FIELDS);

function split(body: JsonObject): { payload: JsonObject; own: JsonObject } {
  const entries = Object.entries(body);
  return {
    payload: Object.fromEntries(entries.filter(([name]) => OF_PAYLOAD.has(name))),
    own: Object.fromEntries(entries.filter(([name]) => !OF_PAYLOAD.has(name))),
  };
}

/** What a new cron is to an access handler (agent-server.md, 17.3). */
const CRON: Shown = {
  value({ params, body }) {
    const { payload, own } = split(body as CronCreateBody);
    return { end_time: null, ...own, cron_id: null, thread_id: params['thread_id'] ?? null, user_id: null, payload };
  },
  // Which assistant and thread it is about was decided with the question.
  back(body, { payload, cron_id: _cron, thread_id: _thread, assistant_id: _assistant, user_id: _user, ...own }) {
    const kept = split(body);
    return { ...kept.own, ...own, ...(payload === undefined ? kept.payload : asObject(payload)) };
  },
};

/** It starts runs, so its maker must be one who may. */
const ALSO: readonly Action[] = ['threads:create_run', 'assistants:read'];

/** To say what runs are asked to do is more than to move a schedule. */
const needsOf = ({ body }: Asked): readonly Action[] =>
  Object.keys(asObject(body)).some((name) => OF_PAYLOAD.has(name)) ? ['threads:create_run'] : [];

export const create = defineRoute({
  method: 'post',
  path: '/runs/crons',
  action: 'crons:create',
  also: ALSO,
  shown: CRON,
  summary: 'Start runs without a thread by a schedule',
  body: CronCreate,
  schemas: { body: 'CronCreate' },
  async handle({ body, caller }, services) {
    return json(cronJson(services, caller, await createCron(services, caller, null, body)));
  },
});

export const createOnThread = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/crons',
  action: 'crons:create',
  also: ALSO,
  shown: CRON,
  summary: 'Start runs on a thread by a schedule',
  params: ThreadParams,
  body: CronCreate,
  schemas: { params: 'ThreadParams', body: 'CronCreate' },
  async handle({ params, body, caller }, services) {
    return json(cronJson(services, caller, await createCron(services, caller, params.thread_id, body)));
  },
});

export const search = defineRoute({
  method: 'post',
  path: '/runs/crons/search',
  action: 'crons:search',
  summary: 'Search crons',
  body: CronSearch,
  schemas: { body: 'CronSearch' },
  async handle({ body, caller }, services) {
    // What fired a moment ago is seen when it is on disk.
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
      if (bytes > LIMITS.answerBytesMax) throw tooLarge(parts.length);
      parts.push(part);
    }
    return json(`[${parts.join(',')}]`, headers);
  },
});

export const count = defineRoute({
  method: 'post',
  path: '/runs/crons/count',
  action: 'crons:search',
  summary: 'How many crons there are',
  body: CronCount,
  schemas: { body: 'CronCount' },
  async handle({ body, caller }, services) {
    await services.stores.store.settled();
    return json(String(countCrons(services, caller, queryOf(body))));
  },
});

export const get = defineRoute({
  method: 'get',
  path: '/runs/crons/:cron_id',
  action: 'crons:read',
  summary: 'One cron',
  params: CronParams,
  schemas: { params: 'CronParams' },
  async handle({ params, caller }, services) {
    await services.stores.store.settled();
    return json(cronJson(services, caller, getCron(services, caller, params.cron_id)));
  },
});

export const patch = defineRoute({
  method: 'patch',
  path: '/runs/crons/:cron_id',
  action: 'crons:update',
  needs: needsOf,
  summary: 'Change a cron',
  params: CronParams,
  body: CronPatch,
  schemas: { params: 'CronParams', body: 'CronPatch' },
  async handle({ params, body, caller }, services) {
    return json(cronJson(services, caller, await patchCron(services, caller, params.cron_id, body)));
  },
});

export const remove = defineRoute({
  method: 'delete',
  path: '/runs/crons/:cron_id',
  action: 'crons:delete',
  summary: 'Delete a cron; runs that it started go on',
  params: CronParams,
  schemas: { params: 'CronParams' },
  async handle({ params, caller }, services) {
    await deleteCron(services, caller, params.cron_id);
    return json('{}');
  },
});

export const cronRoutes = [create, createOnThread, search, count, get, patch, remove];

function queryOf(body: CronCountBody): CronQuery {
  return {
    assistantId: body.assistant_id ?? null,
    threadId: body.thread_id?.toLowerCase() ?? null,
    enabled: body.enabled ?? null,
    metadata: body.metadata ?? {},
  };
}
