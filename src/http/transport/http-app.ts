/**
 * What the server needs of an HTTP server. uWebSockets.js is the model: its objects satisfy these interfaces, so the
 * fast transport costs nothing more. `node/` provides the same over node:http where uWebSockets.js has no binary
 * (docs/decisions/0050-transports.md).
 */

export const TRANSPORTS = ['uws', 'node'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** Valid only during the route's callback. */
export interface HttpRequest {
  /** Another node of the cluster passed the request on. Only the port between nodes sets this, never a client. */
  readonly isForwarded?: boolean;
  /** In lower case. */
  getMethod(): string;
  /** The path as it was sent, without the query. */
  getUrl(): string;
  /** Without the question mark; undefined without a query. */
  getQuery(): string | undefined;
  /** The part of the path that the pattern's parameter number `index` matched, as it was sent. */
  getParameter(index: number): string | undefined;
  /** Names are in lower case. A repeated header is passed several times. */
  forEach(callback: (name: string, value: string) => void): void;
}

/** Identifies a request that may become a WebSocket. */
export type UpgradeContext = object;

/**
 * The response to one request. Register `onAborted` before the route's callback returns. After it was called, nothing
 * else may be. Text is passed as bytes, because uWebSockets.js for Node 24 sends code points up to 255 as one byte
 * each; that of status and headers is ASCII.
 */
export interface HttpResponse {
  /** Of the client's connection, as ASCII. Not after `onAborted`. */
  getRemoteAddressAsText(): ArrayBuffer;
  writeStatus(status: string): HttpResponse;
  writeHeader(name: string, value: string): HttpResponse;
  /** Sends a piece of the body. Returns false when the socket is full; `onWritable` is called when it is not. */
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array, closeConnection?: boolean): HttpResponse;
  endWithoutBody(reportedContentLength?: number, closeConnection?: boolean): HttpResponse;
  /** What `callback` writes leaves in as few packets as possible. */
  cork(callback: () => void): HttpResponse;
  /** The client disconnected before the response was complete, or `close` was called. */
  onAborted(callback: () => void): HttpResponse;
  /** The body. `chunk` is valid only during the call. The last call has `isLast`, also without a body. */
  onData(callback: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse;
  onWritable(callback: (offset: number) => boolean): HttpResponse;
  /** Stops reading the body. */
  pause(): void;
  resume(): void;
  /** Ends the connection at once. */
  close(): HttpResponse;
  upgrade<T>(data: T, key: string, protocol: string, extensions: string, context: UpgradeContext): void;
}

/** Text is passed as bytes, as in responses. */
export interface WebSocket<T> {
  getUserData(): T;
  send(message: Uint8Array, isBinary: boolean): unknown;
  /** Bytes that the client has not received yet. */
  getBufferedAmount(): number;
  cork(callback: () => void): unknown;
  end(code: number, reason: Uint8Array): void;
}

export interface SocketBehavior<T> {
  /** Larger messages end the socket. */
  maxPayloadBytes: number;
  /** The client is pinged. A socket from which nothing came for so long is closed. */
  idleTimeoutS: number;
  /** Answers the upgrade request: by `upgrade` of the response, or as every other request. */
  upgrade(res: HttpResponse, req: HttpRequest, context: UpgradeContext): void;
  open(ws: WebSocket<T>): void;
  /** `message` is valid only during the call. */
  message(ws: WebSocket<T>, message: ArrayBuffer | Uint8Array, isBinary: boolean): void;
  drain(ws: WebSocket<T>): void;
  close(ws: WebSocket<T>): void;
}

export const ROUTE_METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
export type RouteMethod = (typeof ROUTE_METHODS)[number];
export type RouteCallback = (res: HttpResponse, req: HttpRequest) => void;

export interface Listener {
  port: number;
  /** Accepts no new connections. Open connections continue. */
  stopListening(): void;
}

/** Absolute paths of PEM files; checked by src/config/http.ts. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** Connection counts of a server. */
export interface Sockets {
  open: number;
  /** Connections refused because of the limit. */
  refused: number;
}

export interface HttpAppOptions {
  /** Null: plain HTTP. */
  tls: TlsFiles | null;
  /** Kept up to date by the app. */
  sockets: Sockets;
  /** A further connection gets 503 before it sends a request, and is closed; with TLS it is closed. */
  connectionsMax: number;
}

/**
 * An HTTP server. A pattern consists of segments: text, `:name` for one segment that is not empty, or a final `*` for
 * any rest. Text goes before parameters, and parameters before `*`. `any` is tried after all routes of the method.
 */
export interface HttpApp {
  readonly transport: TransportName;
  route(method: RouteMethod | 'any', pattern: string, callback: RouteCallback): void;
  sockets<T>(pattern: string, behavior: SocketBehavior<T>): void;
  /** Null when the port is in use, or the address is not of this machine. Another process cannot share the port. */
  listen(host: string, port: number): Promise<Listener | null>;
  /** Stops listening and ends all connections. */
  close(): void;
}
