import type { Logger } from '../../base/log/log.js';
import type { Services } from '../../services/context.js';
import type { Exchange } from './exchange.js';

/** The sending side of a WebSocket. After the socket closed, all methods do nothing. */
export interface Connection {
  /** False while the client is behind; wait for `drained`. */
  readonly isReady: boolean;
  /** Sends one message. Text is sent as UTF-8. */
  send(message: string | Uint8Array): void;
  /** Sends several messages in as few packets as possible. */
  batch(send: () => void): void;
  /**
   * Closes with code 4000 plus an HTTP status. Clients reconnect unless the status is a client error
   * (streaming-protocol-v2.md, section 4).
   */
  close(status: number, reason: string): void;
}

/** Handles the messages of an open WebSocket. Its methods never throw. */
export interface SocketHandler {
  /** Receives a message with a buffer of its own. */
  onMessage(bytes: Buffer): void;
  /** The client has received what was sent. */
  onDrain(): void;
  /** Nothing can be sent anymore. */
  onClose(): void;
}

export interface SocketOpening {
  params: Readonly<Record<string, string>>;
  /** The upgrade request. All messages are from its caller. */
  exchange: Exchange;
  connection: Connection;
  services: Services;
  log: Logger;
  /** Limit for messages that are waiting to be processed. */
  queuedBytesMax: number;
}

export type OpenSocket = (opening: SocketOpening) => SocketHandler;
