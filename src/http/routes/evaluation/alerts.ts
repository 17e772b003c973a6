import {
  AlertCondition,
  AlertCreate,
  AlertListQuery,
  AlertParams,
  AlertPatch,
  AlertTest,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import type { JsonObject } from '../../../base/json/json.js';
import type { Action } from '../../../domain/actions.js';
import type { Caller } from '../../../domain/caller.js';
import type { AlertTestResult } from '../../../services/alerts/alerts.js';
import type { Needs } from '../../../services/context.js';
import { defineRoute, jsonReply, type Reply } from '../../route.js';
import { readRequestObject } from './body.js';
import { changeAndConfirm } from './change.js';

/** Alerts have the actions of experiments, as queues do. Who makes one also needs to read the runs that it watches. */
const READS_RUNS: readonly Action[] = ['evaluation_runs:search'];

export const createAlertRoute = defineRoute({
  method: 'post',
  path: '/alerts',
  action: 'experiments:create',
  additionalActions: READS_RUNS,
  errors: 'evaluation',
  summary: 'Create an alert',
  body: AlertCreate,
  schemas: { body: 'AlertCreate' },
  async handle({ bytes, caller }, services) {
    services.scheduler.checkIntake();
    return alertReply(services, caller, await services.alerts.create(caller, readRequestObject(bytes, AlertCreate)));
  },
});

export const listAlertsRoute = defineRoute({
  method: 'get',
  path: '/alerts',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List alerts with their states',
  query: AlertListQuery,
  schemas: { query: 'AlertListQuery' },
  handle: ({ query, caller }, services) =>
    readAlerts(services, () =>
      services.alerts.list(caller, {
        state: query.state ?? null,
        projectId: query.project_id === undefined ? null : (canonicalUuid(query.project_id) ?? query.project_id),
      }),
    ),
});

export const getAlertRoute = defineRoute({
  method: 'get',
  path: '/alerts/:alert_id',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Get an alert with its state',
  params: AlertParams,
  schemas: { params: 'AlertParams' },
  handle: ({ params, caller }, services) => alertReply(services, caller, params.alert_id.toLowerCase()),
});

export const getAlertHistoryRoute = defineRoute({
  method: 'get',
  path: '/alerts/:alert_id/history',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'List the last changes of the state of an alert, newest first',
  params: AlertParams,
  schemas: { params: 'AlertParams' },
  handle: ({ params, caller }, services) =>
    readAlerts(services, () => services.alerts.history(caller, params.alert_id.toLowerCase())),
});

export const updateAlertRoute = defineRoute({
  method: 'patch',
  path: '/alerts/:alert_id',
  action: 'experiments:update',
  additionalActions: READS_RUNS,
  errors: 'evaluation',
  summary: 'Update an alert',
  params: AlertParams,
  body: AlertPatch,
  schemas: { params: 'AlertParams', body: 'AlertPatch' },
  async handle({ params, bytes, caller }, services) {
    services.scheduler.checkIntake();
    const alertId = params.alert_id.toLowerCase();
    await services.alerts.patch(caller, alertId, readRequestObject(bytes, AlertPatch));
    return alertReply(services, caller, alertId);
  },
});

export const deleteAlertRoute = defineRoute({
  method: 'delete',
  path: '/alerts/:alert_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete an alert with its history',
  params: AlertParams,
  schemas: { params: 'AlertParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => services.alerts.delete(caller, params.alert_id.toLowerCase())),
});

export const testConditionRoute = defineRoute({
  method: 'post',
  path: '/alerts/test',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Get the present value of a condition',
  body: AlertCondition,
  schemas: { body: 'AlertCondition' },
  handle: async ({ bytes, caller }, { alerts }) =>
    testReply(await alerts.tryCondition(caller, readRequestObject(bytes, AlertCondition))),
});

export const testAlertRoute = defineRoute({
  method: 'post',
  path: '/alerts/:alert_id/test',
  action: 'experiments:update',
  additionalActions: READS_RUNS,
  errors: 'evaluation',
  summary: 'Get the present value of an alert, and call its webhook if asked to; its state stays',
  params: AlertParams,
  body: AlertTest,
  schemas: { params: 'AlertParams', body: 'AlertTest' },
  async handle({ params, body, caller }, services) {
    const sendsWebhook = body.send_webhook === true;
    if (sendsWebhook) services.scheduler.checkIntake();
    return testReply(await services.alerts.test(caller, params.alert_id.toLowerCase(), sendsWebhook));
  },
});

export const alertRoutes = [
  createAlertRoute,
  listAlertsRoute,
  testConditionRoute,
  getAlertRoute,
  getAlertHistoryRoute,
  updateAlertRoute,
  deleteAlertRoute,
  testAlertRoute,
];

/** Nothing is shown before it is on disk. */
async function readAlerts({ stores }: Needs<'stores'>, read: () => JsonObject | readonly JsonObject[]): Promise<Reply> {
  await stores.store.settled();
  return jsonReply(JSON.stringify(read()));
}

function alertReply(services: Needs<'alerts' | 'stores'>, caller: Caller, alertId: string): Promise<Reply> {
  return readAlerts(services, () => services.alerts.get(caller, alertId));
}

function testReply({ value, runCount, state, messageId }: AlertTestResult): Reply {
  return jsonReply(JSON.stringify({ value, run_count: runCount, state, webhook_id: messageId }));
}
