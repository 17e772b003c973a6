import type { HttpRequest } from './http-app.js';

/** A request whose method and target are known as text: of every transport but uWebSockets.js. */
export abstract class ParsedRequest implements HttpRequest {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  /** Set by the router. */
  params: readonly string[] = [];
  abstract readonly isForwarded: boolean;
  readonly #query: string | undefined;

  /** `target`: the path with the query. */
  constructor(method: string, target: string) {
    this.method = method.toLowerCase();
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.#query = mark === -1 ? undefined : target.slice(mark + 1);
  }

  getMethod(): string {
    return this.method;
  }

  getUrl(): string {
    return this.path;
  }

  getQuery(): string | undefined {
    return this.#query;
  }

  getParameter(index: number): string | undefined {
    return this.params[index];
  }

  abstract forEach(callback: (name: string, value: string) => void): void;
}
