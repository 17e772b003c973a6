import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { randomIds } from '../../base/ids.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { codeForStatus, ProtocolError } from '../../services/protocol/command-context.js';
import { commandErrorJson, runCommand, type Command } from '../../services/protocol/commands.js';
import { frameData } from '../../wire/runs/frame.js';
import { admit, type Admission } from '../access/admission.js';
import { validate, parseLargeBody } from '../validation.js';
import { toWireError } from '../errors.js';
import { EventReader, type EventSink } from './event-reader.js';
import { requestFacts } from '../access/request-facts.js';
import type { Route } from '../route.js';
import { runRequestContext } from '../run-request-context.js';
import { subscribeToThread } from './protocol-subscription.js';
import type { Connection, SocketOpening, SocketHandler } from '../transport/web-socket.js';

/**
 * The HTTP routes that correspond to messages. Messages are validated and authorized like requests to these
 * routes.
 */
export interface ProtocolRoutes {
  command: Route;
  events: Route;
}

interface Subscription {
  reader: EventReader;
  unsubscribe: () => void;
}

/**
 * The second event protocol over a WebSocket: commands with their responses, and the events of many
 * subscriptions (streaming-protocol-v2.md, section 4). Messages are processed one after the other. The response
 * to a subscription is sent before its replayed events.
 */
export class ProtocolSocket implements SocketHandler {
  readonly #opening: SocketOpening;
  readonly #routes: ProtocolRoutes;
  readonly #subscriptions = new Map<string, Subscription>();
  #queue: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  #messagesReceived = 0;
  #closed = false;

  constructor(opening: SocketOpening, routes: ProtocolRoutes) {
    this.#opening = opening;
    this.#routes = routes;
  }

  onMessage(bytes: Buffer): void {
    const { connection, queuedBytesMax } = this.#opening;
    this.#queuedBytes += bytes.byteLength;
    this.#messagesReceived += 1;
    const isFirst = this.#messagesReceived === 1;
    if (this.#queuedBytes > queuedBytesMax) {
      connection.close(429, 'too many commands are waiting on this connection');
      return;
    }
    this.#queue = this.#queue.then(async () => {
      const answer = this.#closed ? null : await this.#handle(bytes, isFirst);
      this.#queuedBytes -= bytes.byteLength;
      if (answer === null) return;
      connection.send(answer.text);
      answer.after?.();
    });
  }

  onDrain(): void {
    for (const { reader } of this.#subscriptions.values()) reader.pump();
  }

  onClose(): void {
    this.#closed = true;
    for (const id of [...this.#subscriptions.keys()]) this.#unsubscribe(id);
  }

  /** Never rejects. `after`: called once the response was sent. */
  async #handle(bytes: Buffer, isFirst: boolean): Promise<{ text: string; after?: () => void }> {
    let id: number | null = null;
    try {
      const message = await parseLargeBody(this.#opening.services, bytes, () => this.#closed, this.#routes.command);
      validate('body', this.#routes.command.body, message);
      const command = message as { id: number; method: string; params?: JsonObject };
      id = command.id;
      switch (command.method) {
        case 'subscription.subscribe':
          return await this.#subscribe(id, command.params ?? {}, isFirst);
        case 'subscription.unsubscribe': {
          const subscription = asObject(command.params)['subscription_id'];
          if (typeof subscription !== 'string' || !this.#unsubscribe(subscription))
            throw new ProtocolError(
              'no_such_subscription',
              `there is no subscription ${JSON.stringify(subscription)} on this connection`,
            );
          return { text: successMessage(id, {}) };
        }
        default:
          return { text: await this.#runCommand(command) };
      }
    } catch (error) {
      return { text: commandErrorJson(id, this.#toProtocolError(error)) };
    }
  }

  async #runCommand(command: { id: number; method: string; params?: JsonObject }): Promise<string> {
    const { services, params, exchange } = this.#opening;
    const { caller, body } = await this.#admit(this.#routes.command, command);
    const { id, method, params: given } = (body ?? command) as Partial<Command> & Pick<Command, 'id' | 'method'>;
    return runCommand(
      {
        services,
        caller,
        threadId: params['thread_id']!,
        origin: runRequestContext(exchange, services),
        isAborted: () => this.#closed,
      },
      { id, method, params: given ?? {} },
    );
  }

  async #subscribe(
    id: number,
    subscription: JsonObject,
    isFirst: boolean,
  ): Promise<{ text: string; after: () => void }> {
    const { services, params, connection } = this.#opening;
    if (this.#subscriptions.size >= LIMITS.socketSubscriptionsMax)
      throw new ProtocolError(
        'invalid_argument',
        `a connection can have at most ${LIMITS.socketSubscriptionsMax} subscriptions`,
      );
    validate('body', this.#routes.events.body, subscription);
    const { caller } = await this.#admit(this.#routes.events, subscription);
    const threadId = params['thread_id']!;
    const request = subscription as unknown as ProtocolSubscription;
    const { subscription: events, unsubscribe } = await subscribeToThread(services, caller, threadId, {
      request,
      // The Python client opens a socket for each subscription, which always includes lifecycles of all namespaces.
      isPython: () =>
        isFirst &&
        this.#messagesReceived === 1 &&
        request.channels.includes('lifecycle') &&
        (request.namespaces ?? null) === null,
      onHidden: () => connection.close(404, fail('THREAD_NOT_FOUND', { threadId }).message),
    });
    const subscriptionId = randomIds.next();
    const reader = new EventReader(events, new SocketSink(connection));
    this.#subscriptions.set(subscriptionId, { reader, unsubscribe });
    // The socket closed during the lookup.
    if (this.#closed) this.#unsubscribe(subscriptionId);
    return { text: successMessage(id, { subscription_id: subscriptionId }), after: () => reader.pump() };
  }

  #unsubscribe(id: string): boolean {
    const found = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    found?.reader.close();
    found?.unsubscribe();
    return found !== undefined;
  }

  async #admit(route: Route, body: unknown): Promise<Admission> {
    const { services, params, exchange } = this.#opening;
    const admission = await admit(services.access, route, requestFacts(exchange), { params, query: undefined, body });
    services.quotas.countRequest(admission.caller);
    return admission;
  }

  #toProtocolError(error: unknown): Pick<ProtocolError, 'code' | 'message'> {
    if (error instanceof ProtocolError) return error;
    const { exchange, log } = this.#opening;
    const { status, message } = toWireError(error, log, 'agent', exchange.requestId);
    return { code: codeForStatus(status), message };
  }
}

function successMessage(id: number, result: object): string {
  return JSON.stringify({ type: 'success', id, result });
}

/** Sends each event as a message with the data of its frame. */
class SocketSink implements EventSink {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isReady(): boolean {
    return this.#connection.isReady;
  }

  write(frames: Iterable<Uint8Array>): void {
    this.#connection.batch(() => {
      for (const bytes of frames) this.#connection.send(frameData({ bytes }));
    });
  }

  /** Uses a method that belongs to no channel, so that clients ignore the message and people can still see it. */
  writeGap(from: number, to: number): void {
    this.#connection.send(
      JSON.stringify({
        type: 'event',
        method: 'gap',
        params: { namespace: [], timestamp: Date.now(), data: { from, to } },
      }),
    );
  }

  /** The thread was deleted. */
  end(): void {
    this.#connection.close(410, 'the thread was deleted');
  }

  breakOff(): void {
    this.#connection.close(503, 'the server cannot continue this stream; connect again');
  }
}
