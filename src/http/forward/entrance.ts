import type {
  HttpApp,
  HttpRequest,
  HttpResponse,
  Listener,
  RouteCallback,
  RouteMethod,
  SocketBehavior,
  TransportName,
  UpgradeContext,
  WebSocket,
} from '../transport/http-app.js';

const READS: ReadonlySet<string> = new Set(['get', 'head']);

/** Takes the requests that this node does not answer itself. */
export interface ForwardTarget {
  request(res: HttpResponse, req: HttpRequest): void;
  /** A request for a WebSocket. */
  upgrade(res: HttpResponse, req: HttpRequest, context: UpgradeContext): void;
  /** Of the WebSockets that `upgrade` accepted. */
  readonly socketBehavior: Omit<SocketBehavior<unknown>, 'upgrade'>;
  isForwarded(ws: WebSocket<unknown>): boolean;
}

export interface EntranceOptions {
  target: ForwardTarget;
  /** Patterns of the routes that have WebSockets. */
  socketPatterns: readonly string[];
  /** While it returns false, requests are passed on. */
  isServing: () => boolean;
  /** Handles reads that this node answers itself while it does not serve; null for all others. */
  findOwn: (req: HttpRequest) => RouteCallback | null;
}

/**
 * The public port of a node in a cluster. It listens from the start. While this node does not serve, requests are
 * passed on, and their connections stay open.
 */
export class Entrance implements HttpApp {
  readonly #app: HttpApp;
  readonly #options: EntranceOptions;
  readonly #sockets = new Map<string, SocketBehavior<unknown>>();
  readonly #behaviors = new WeakMap<WebSocket<unknown>, Omit<SocketBehavior<unknown>, 'upgrade'>>();
  /** Methods and patterns that the transport knows. It keeps them for good. */
  readonly #bound = new Set<string>();
  readonly #callbacks = new Map<string, RouteCallback>();
  /** Handles the requests that no route matches; null while there are no routes. */
  #fallback: RouteCallback | null = null;

  constructor(app: HttpApp, options: EntranceOptions) {
    this.#app = app;
    this.#options = options;
    for (const pattern of options.socketPatterns) this.#bindSockets(pattern);
    app.route('any', '/*', (res, req) => this.#handleUnmatched(res, req));
  }

  get transport(): TransportName {
    return this.#app.transport;
  }

  route(method: RouteMethod | 'any', pattern: string, callback: RouteCallback): void {
    if (method === 'any' && pattern === '/*') {
      this.#fallback = callback;
      return;
    }
    const key = `${method} ${pattern}`;
    // Of two handlers for the same requests, transports call the first.
    if (!this.#callbacks.has(key)) this.#callbacks.set(key, callback);
    if (this.#bound.has(key)) return;
    this.#bound.add(key);
    this.#app.route(method, pattern, (res, req) => {
      const bound = this.#options.isServing() ? this.#callbacks.get(key) : undefined;
      if (bound === undefined) this.#passOn(res, req);
      else bound(res, req);
    });
  }

  /** `pattern` is one of `socketPatterns`. */
  sockets<T>(pattern: string, behavior: SocketBehavior<T>): void {
    this.#sockets.set(pattern, behavior as SocketBehavior<unknown>);
  }

  /** Forgets all routes, so that others can be bound. WebSockets that are open stay with those that served them. */
  clear(): void {
    this.#callbacks.clear();
    this.#sockets.clear();
    this.#fallback = null;
  }

  listen(host: string, port: number): Promise<Listener | null> {
    return this.#app.listen(host, port);
  }

  close(): void {
    this.#app.close();
  }

  #handleUnmatched(res: HttpResponse, req: HttpRequest): void {
    if (this.#fallback !== null && this.#options.isServing()) this.#fallback(res, req);
    else this.#passOn(res, req);
  }

  #passOn(res: HttpResponse, req: HttpRequest): void {
    const { findOwn, target } = this.#options;
    const own = READS.has(req.getMethod()) ? findOwn(req) : null;
    if (own === null) target.request(res, req);
    else own(res, req);
  }

  #bindSockets(pattern: string): void {
    const { target, isServing } = this.#options;
    const { socketBehavior } = target;
    const of = (ws: WebSocket<unknown>): Omit<SocketBehavior<unknown>, 'upgrade'> => this.#behaviors.get(ws)!;
    this.#app.sockets<unknown>(pattern, {
      maxPayloadBytes: socketBehavior.maxPayloadBytes,
      idleTimeoutS: socketBehavior.idleTimeoutS,
      upgrade: (res, req, context) => {
        const served = isServing() ? this.#sockets.get(pattern) : undefined;
        if (served === undefined) target.upgrade(res, req, context);
        else served.upgrade(res, req, context);
      },
      open: (ws) => {
        const behavior = target.isForwarded(ws) ? socketBehavior : this.#sockets.get(pattern)!;
        this.#behaviors.set(ws, behavior);
        behavior.open(ws);
      },
      message: (ws, message, isBinary) => of(ws).message(ws, message, isBinary),
      drain: (ws) => of(ws).drain(ws),
      close: (ws) => of(ws).close(ws),
    });
  }
}
