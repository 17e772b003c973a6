import { RunParams } from '../../../schemas/compiled/validators.js';
import { deliveryJson } from '../../services/webhooks/delivery.js';
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

export const webhookRoutes = [getDeliveryRoute];
