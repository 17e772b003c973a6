import { DeliveryQuery, RunParams } from '../../../schemas/compiled/validators.js';
import { deliveryJson, sendAgain } from '../../services/webhooks/delivery.js';
import { recentDeliveries } from '../../services/webhooks/recent-deliveries.js';
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
  query: DeliveryQuery,
  schemas: { query: 'DeliveryQuery' },
  handle: async ({ query, caller, exchange }, services) =>
    jsonReply(
      await services.timeSlicer.run(
        recentDeliveries(services, caller, { status: query.status ?? null, limit: query.limit! }),
        () => exchange.aborted,
      ),
    ),
});

export const webhookRoutes = [getDeliveryRoute, sendAgainRoute, listDeliveriesRoute];
