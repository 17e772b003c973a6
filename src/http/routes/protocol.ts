import { ProtocolCommand, ProtocolSubscription, ThreadParams } from '../../../schemas/compiled/validators.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import { runCommand } from '../../services/protocol/commands.js';
import { streamEvents } from '../streams/event-stream.js';
import { ProtocolSocket } from '../streams/protocol-socket.js';
import { isPythonStreamRequest } from '../../services/protocol/filter.js';
import { subscribeToThread } from '../streams/protocol-subscription.js';
import { defineRoute, jsonReply, type Route, type AuthView } from '../route.js';
import { runRequestContext } from '../run-request-context.js';
import { RUN_VIEW } from './runs.js';

/** A command starts a run, so an auth handler sees it as a run. */
const COMMAND_VIEW: AuthView = {
  buildValue({ params, query, body }) {
    return RUN_VIEW.buildValue({ params, query, body: asObject((body as JsonObject)['params']) });
  },
  applyChanges(body, changed) {
    return { ...body, params: RUN_VIEW.applyChanges(asObject(body['params']), changed) };
  },
};

const sendCommandRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/commands',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: COMMAND_VIEW,
  summary: 'Send a command of the second event protocol',
  params: ThreadParams,
  body: ProtocolCommand,
  largeBody: true,
  schemas: { params: 'ThreadParams', body: 'ProtocolCommand' },
  async handle({ params, body, caller, exchange }, services) {
    const sender = {
      services,
      caller,
      threadId: params.thread_id,
      origin: runRequestContext(exchange, services),
      isAborted: () => exchange.aborted,
    };
    return jsonReply(
      await runCommand(sender, { id: body.id, method: body.method, params: (body.params ?? {}) as JsonObject }),
    );
  },
});

const streamEventsRoute: Route = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/stream/events',
  action: 'threads:read',
  summary:
    'Stream the events of a thread in the second event protocol, across runs. A WebSocket at the same address also accepts commands',
  params: ThreadParams,
  body: ProtocolSubscription,
  schemas: { params: 'ThreadParams', body: 'ProtocolSubscription' },
  openSocket: (opening) => new ProtocolSocket(opening, { command: sendCommandRoute, events: streamEventsRoute }),
  async handle({ params, body, caller, exchange }, services) {
    const { subscription, unsubscribe } = await subscribeToThread(services, caller, params.thread_id, {
      request: body,
      isPython: () => isPythonStreamRequest(exchange.headers),
      onHidden: () => exchange.terminate(),
    });
    exchange.onFinished(unsubscribe);
    // When events are missing, clients of this protocol read the state again. An error would end their stream.
    streamEvents(
      exchange,
      {
        ...subscription,
        gap: (from, to, lost) =>
          `: events ${from} to ${to} ${lost ? 'were lost with their worker' : 'are no longer kept'}\n`,
      },
      {},
    );
    return null;
  },
});

export const protocolRoutes = [sendCommandRoute, streamEventsRoute];
