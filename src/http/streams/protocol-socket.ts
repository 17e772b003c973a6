import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { randomIds } from '../../base/ids.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { codeForStatus, ProtocolError } from '../../services/protocol/command-context.js';
import { commandErrorJson, runCommand, type Command } from '../../services/protocol/commands.js';
import type { Subscription } from '../../services/runs/subscription.js';
import { countKeptEvents } from '../../services/threads/count-kept-events.js';
import { frameData } from '../../wire/runs/frame.js';
import { admit, type Admission } from '../access/admission.js';
import { validate, parseLargeBody } from '../validation.js';
import { toWireError } from '../errors.js';
import type { EventSink } from './event-reader.js';
import { MergedSubscriptions } from './merged-subscriptions.js';
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

/**
 * The second event protocol over a WebSocket: commands with their responses, and the events of many
 * subscriptions (streaming-protocol-v2.md, section 4). Messages are processed one after the other. The response
 * to a subscription is sent before its replayed events. Subscriptions that arrive together, as after a reconnect, are
 * replayed together.
 */
export class ProtocolSocket implements SocketHandler {
  readonly #opening: SocketOpening;
  readonly #routes: ProtocolRoutes;
  readonly #events: MergedSubscriptions;
  /** Ends of all subscriptions, by id. */
  readonly #unsubscribes = new Map<string, () => void>();
  /** Subscriptions with a response whose replay has not started. */
  #accepted = new Map<string, Subscription>();
  #queue: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  #messagesReceived = 0;
  #closed = false;

  constructor(opening: SocketOpening, routes: ProtocolRoutes) {
    this.#opening = opening;
    this.#routes = routes;
    this.#events = new MergedSubscriptions(new SocketSink(opening.connection));
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
      // Others of the same packet are received in this turn, and tell which client it is.
      if (isFirst) await nextTurn();
      const response = this.#closed ? null : await this.#handle(bytes, isFirst);
      this.#queuedBytes -= bytes.byteLength;
      if (response === null) return;
      connection.send(response);
      if (this.#accepted.size > 0) setImmediate(() => this.#startReplay());
    });
  }

  onDrain(): void {
    this.#events.pump();
  }

  onClose(): void {
    this.#closed = true;
    this.#accepted.clear();
    this.#events.close();
    for (const id of [...this.#unsubscribes.keys()]) this.#unsubscribe(id);
  }

  /** Starts the accepted subscriptions, unless messages wait that may be subscriptions too. */
  #startReplay(): void {
    if (this.#queuedBytes > 0 || this.#accepted.size === 0) return;
    const accepted = this.#accepted;
    this.#accepted = new Map();
    this.#events.add(accepted);
  }

  /** Returns the response. Never rejects. */
  async #handle(bytes: Buffer, isFirst: boolean): Promise<string> {
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
          return successMessage(id, {});
        }
        default:
          return await this.#runCommand(command);
      }
    } catch (error) {
      return commandErrorJson(id, this.#toProtocolError(error));
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

  async #subscribe(id: number, request: JsonObject, isFirst: boolean): Promise<string> {
    const { services, params, connection } = this.#opening;
    if (this.#unsubscribes.size >= LIMITS.socketSubscriptionsMax)
      throw new ProtocolError(
        'invalid_argument',
        `a connection can have at most ${LIMITS.socketSubscriptionsMax} subscriptions`,
      );
    validate('body', this.#routes.events.body, request);
    const { caller } = await this.#admit(this.#routes.events, request);
    const threadId = params['thread_id']!;
    const wanted = request as unknown as ProtocolSubscription;
    const { subscription, unsubscribe } = await subscribeToThread(services, caller, threadId, {
      request: wanted,
      // The Python client opens a socket for each subscription, which always includes lifecycles of all namespaces.
      isPython: () =>
        isFirst &&
        this.#messagesReceived === 1 &&
        wanted.channels.includes('lifecycle') &&
        (wanted.namespaces ?? null) === null,
      onHidden: () => connection.close(404, fail('THREAD_NOT_FOUND', { threadId }).message),
    });
    const subscriptionId = randomIds.next();
    this.#unsubscribes.set(subscriptionId, unsubscribe);
    const replayedEvents = await countKeptEvents(subscription);
    this.#accepted.set(subscriptionId, subscription);
    // The socket closed meanwhile.
    if (this.#closed) this.#unsubscribe(subscriptionId);
    return successMessage(id, { subscription_id: subscriptionId, replayed_events: replayedEvents });
  }

  #unsubscribe(id: string): boolean {
    this.#accepted.delete(id);
    this.#events.remove(id);
    this.#unsubscribes.get(id)?.();
    return this.#unsubscribes.delete(id);
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
