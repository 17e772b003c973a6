import { ProtocolCommand, ProtocolSubscription, ThreadParams } from '../../../schemas/compiled/validators.js';
import { asObject, type JsonObject } from '../../base/json.js';
import { runCommand } from '../../services/protocol-commands.js';
import { protocolFilter } from '../../services/protocol-filter.js';
import { eventStream } from '../event-stream.js';

import { defineRoute, json, type Shown } from '../route.js';
import { originOf, RUN } from './runs.js';

/** A command starts a run: an access handler is shown that run. */
const COMMAND: Shown = {
  value({ params, query, body }) {
    return RUN.value({ params, query, body: asObject((body as JsonObject)['params']) });
  },
  back(body, changed) {
    return { ...body, params: RUN.back(asObject(body['params']), changed) };
  },
};

const command = defineRoute({
  method: 'post', path: '/threads/:thread_id/commands', action: 'threads:create_run', also: ['assistants:read'], shown: COMMAND,
  summary: 'A command of the second event protocol',
  params: ThreadParams, body: ProtocolCommand, largeBody: true, schemas: { params: 'ThreadParams', body: 'ProtocolCommand' },
  async handle({ params, body, caller, exchange }, services) {
    return json(await runCommand(services, caller, params.thread_id, { id: body.id, method: body.method, params: (body.params ?? {}) as JsonObject }, originOf(exchange, services)));
  },
});

const events = defineRoute({
  method: 'post', path: '/threads/:thread_id/stream/events', action: 'threads:read',
  summary: 'Events of a thread in the second event protocol; stays open over runs',
  params: ThreadParams, body: ProtocolSubscription, schemas: { params: 'ThreadParams', body: 'ProtocolSubscription' },
  async handle({ params, body, caller, exchange }, services) {
    const { following, leave } = await services.threadEvents.join(caller, params.thread_id, {
      lastEventId: body.since ?? -1, modes: [],
      wants: protocolFilter({ channels: body.channels, namespaces: body.namespaces ?? null, depth: body.depth ?? null }),
    });
    exchange.onOver(leave);
    // Clients of this protocol read the state again when they miss something; an error would end their stream.
    eventStream(exchange, { ...following, gap: (from, to) => `: events ${from} to ${to} are no longer kept\n\n` }, {});
    return null;
  },
});

export const protocolRoutes = [command, events];
