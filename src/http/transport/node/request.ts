import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../http-app.js';

/** A request of node:http. */
export class NodeRequest implements HttpRequest {
  readonly path: string;
  readonly isForwarded: boolean;
  readonly method: string;
  params: readonly string[] = [];
  readonly #message: IncomingMessage;
  readonly #query: string | undefined;

  constructor(message: IncomingMessage, isForwarded: boolean) {
    this.#message = message;
    this.isForwarded = isForwarded;
    this.method = (message.method ?? 'GET').toLowerCase();
    const target = originForm(message.url ?? '/');
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

  forEach(callback: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#message;
    for (let at = 0; at < rawHeaders.length; at += 2) callback(rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!);
  }
}

/** Proxies send the whole URL as the target of a request (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([/?].*)?$/i.exec(target)?.[1] ?? (target === '*' ? '/*' : '/');
  return path.startsWith('?') ? `/${path}` : path;
}
