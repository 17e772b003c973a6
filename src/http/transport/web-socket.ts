import type { Logger } from '../../base/log/log.js';
import type { Services } from '../../services/context.js';
import type { Exchange } from './exchange.js';

/** The sending end of a WebSocket. After its end nothing is sent any more, and nothing is thrown. */
export interface Connection {
  /** False while the client has much to take: wait for `drained`. */
  readonly ready: boolean;
  /** One message, text in UTF-8. */
  send(message: string | Uint8Array): void;
  /** Several messages in as few packets as possible. */
  together(send: () => void): void;
  /** Closes with 4000 and an HTTP status: clients come back unless it is one of theirs (streaming-protocol-v2.md, section 4). */
  close(status: number, reason: string): void;
}

/** What speaks over an open WebSocket. None of it throws. */
export interface SocketTalk {
  /** A message, in memory of its own. */
  message(bytes: Buffer): void;
  /** The client has taken what was sent. */
  drained(): void;
  /** Nothing can be sent any more. */
  closed(): void;
}

export interface SocketOpening {
  params: Readonly<Record<string, string>>;
  /** The request that asked for the socket: whoever sends messages is still who sent that. */
  exchange: Exchange;
  connection: Connection;
  services: Services;
  log: Logger;
  /** Of messages that wait to be worked on. */
  queuedBytesMax: number;
}

export type OpenTalk = (opening: SocketOpening) => SocketTalk;
