import { fail } from '../base/errors.js';
import type { Logger } from '../base/log/log.js';
import type { CreateExchange, PreHandler } from './pre-handler.js';
import type { Route } from './route.js';
import { sendError } from './send-error.js';
import type { HttpApp, RouteCallback } from './transport/http-app.js';

export type Method = Route['method'];

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** Collects the methods of every bound pattern, and answers everything else with 404 or 405. */
export class UnmatchedRoutes {
  /** In upper case, in the order in which they were bound. */
  readonly #methods = new Map<string, string[]>();
  readonly #createExchange: CreateExchange;
  readonly #preHandler: PreHandler;
  readonly #log: Logger;

  constructor(createExchange: CreateExchange, preHandler: PreHandler, log: Logger) {
    this.#createExchange = createExchange;
    this.#preHandler = preHandler;
    this.#log = log;
  }

  addBound(pattern: string, method: Method): void {
    const methods = this.#methods.get(pattern) ?? [];
    methods.push(...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    this.#methods.set(pattern, methods);
  }

  /** Call it after every route is bound. `notFound`: methods and patterns that get 404 although the pattern exists. */
  bind(app: HttpApp, notFound: readonly { method: Method; pattern: string }[]): void {
    for (const { method, pattern } of notFound) this.bindNotFound(app, method, pattern);
    const isNotFound = new Set(notFound.map(({ method, pattern }) => `${method} ${pattern}`));
    for (const [pattern, methods] of this.#methods) {
      const callback = this.#notAllowed(methods);
      // One by one: `any` is tried after every route of the method itself, and `GET /runs/wait` would be the run
      // "wait".
      for (const method of METHODS) {
        if (!methods.includes(method.toUpperCase()) && !isNotFound.has(`${method} ${pattern}`))
          app.route(method, pattern, callback);
      }
      app.route('any', pattern, callback);
    }
  }

  bindNotFound(app: HttpApp, method: Method, pattern: string): void {
    app.route(method, pattern, this.#notFound);
  }

  /** Call it last. */
  bindFallback(app: HttpApp): void {
    app.route('any', '/*', this.#notFound);
  }

  readonly #notFound: RouteCallback = (res, req) => {
    const exchange = this.#createExchange(res, req);
    const { path } = exchange;
    this.#preHandler(exchange, null, () =>
      sendError(exchange, fail('ROUTE_NOT_FOUND', { method: exchange.method.toUpperCase(), path }), this.#log),
    );
  };

  #notAllowed(methods: readonly string[]): RouteCallback {
    return (res, req) => {
      const exchange = this.#createExchange(res, req);
      const { path } = exchange;
      const allowed = methods.join(', ');
      this.#preHandler(exchange, null, () =>
        sendError(
          exchange,
          fail('METHOD_NOT_ALLOWED', { method: exchange.method.toUpperCase(), path, allowed }),
          this.#log,
        ),
      );
    };
  }
}
