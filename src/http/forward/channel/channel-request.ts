import type { HttpRequest } from '../../transport/http-app.js';
import type { Fields, RequestHeaders } from './frames.js';

/** A request that another node has passed on over a channel. */
export class ChannelRequest implements HttpRequest {
  readonly isForwarded = true;
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  params: readonly string[] = [];
  readonly #query: string | undefined;
  readonly #fields: Fields;

  constructor([method, target, fields]: RequestHeaders) {
    this.method = method.toLowerCase();
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.#query = mark === -1 ? undefined : target.slice(mark + 1);
    this.#fields = fields;
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

  forEach(callback: (name: string, value: string) => void): void {
    for (let at = 0; at < this.#fields.length; at += 2) callback(this.#fields[at]!, this.#fields[at + 1]!);
  }
}
