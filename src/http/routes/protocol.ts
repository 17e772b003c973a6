import { ProtocolCommand, ProtocolSubscription, ThreadParams } from '../../../schemas/compiled/validators.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import { runCommand } from '../../services/protocol/commands.js';
import { eventStream } from '../streams/event-stream.js';
import { ProtocolSocket } from '../streams/protocol-socket.js';
import { follow } from '../streams/protocol-subscription.js';
import { defineRoute, json, type Route, type Shown } from '../route.js';
import { originOf } from '../run-origin.js';
import { RUN } from './runs.js';

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
  method: 'post',
  path: '/threads/:thread_id/commands',
  action: 'threads:create_run',
  also: ['assistants:read'],
  shown: COMMAND,
  summary: 'A command of the second event protocol',
  params: ThreadParams,
  body: ProtocolCommand,
  largeBody: true,
  schemas: { params: 'ThreadParams', body: 'ProtocolCommand' },
  async handle({ params, body, caller, exchange }, services) {
    const sender = {
      services,
      caller,
      threadId: params.thread_id,
      origin: originOf(exchange, services),
      gone: () => exchange.aborted,
    };
    return json(
      await runCommand(sender, { id: body.id, method: body.method, params: (body.params ?? {}) as JsonObject }),
    );
  },
});

const events: Route = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/stream/events',
  action: 'threads:read',
  summary:
    'Events of a thread in the second event protocol; stays open over runs. A WebSocket at the same address takes commands too',
  params: ThreadParams,
  body: ProtocolSubscription,
  schemas: { params: 'ThreadParams', body: 'ProtocolSubscription' },
  socket: (opening) => new ProtocolSocket(opening, { command, events }),
  async handle({ params, body, caller, exchange }, services) {
    const { following, leave } = await follow(
      services,
      caller,
      params.thread_id,
      body,
      exchange.headers['user-agent'],
      () => exchange.terminate(),
    );
    exchange.onFinished(leave);
    // Clients of this protocol read the state again when they miss something; an error would end their stream.
    eventStream(
      exchange,
      {
        ...following,
        gap: (from, to, lost) =>
          `: events ${from} to ${to} ${lost ? 'were lost with their worker' : 'are no longer kept'}\n\n`,
      },
      {},
    );
    return null;
  },
});

export const protocolRoutes = [command, events];
