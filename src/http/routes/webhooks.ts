import { asObject } from '../../base/json/json.js';
import { DeliveryQuery, RunParams } from '../../../schemas/compiled/validators.js';
import { deliveryJson, sendAgain } from '../../services/webhooks/delivery.js';
import { recentAlertDeliveries, recentDeliveries } from '../../services/webhooks/recent-deliveries.js';
import { defineRoute, jsonReply } from '../route.js';

export const getDeliveryRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs/:run_id/webhook',
  action: 'threads:read',
  summary: "Get the delivery status of a run's webhook",
  params: RunParams,
  schemas: { params: 'RunParams' },
  handle({ params, caller }, services) {
    return jsonReply(deliveryJson(services, caller, params.thread_id, params.run_id));
  },
});

const sendAgainRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/:run_id/webhook',
  action: 'threads:update',
  summary: 'Send a failed webhook of a run again',
  params: RunParams,
  schemas: { params: 'RunParams' },
  handle: async ({ params, caller }, services) =>
    jsonReply(await sendAgain(services, caller, params.thread_id, params.run_id)),
});

const listDeliveriesRoute = defineRoute({
  method: 'get',
  path: '/webhooks/deliveries',
  action: 'threads:search',
  summary: 'List the deliveries of webhooks of the last days, newest first',
  conditionalActions: ({ query }) => (asObject(query)['source'] === 'alerts' ? ['experiments:search'] : []),
  query: DeliveryQuery,
  schemas: { query: 'DeliveryQuery' },
  async handle({ query, caller, exchange }, services) {
    const filter = { status: query.status ?? null, limit: query.limit! };
    const steps =
      query.source === 'alerts'
        ? recentAlertDeliveries(services, caller, filter)
        : recentDeliveries(services, caller, filter);
    return jsonReply(await services.timeSlicer.run(steps, () => exchange.aborted));
  },
});

export const webhookRoutes = [getDeliveryRoute, sendAgainRoute, listDeliveriesRoute];
