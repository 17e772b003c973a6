import type { IncomingMessage } from 'node:http';
import { ParsedRequest } from '../parsed-request.js';

/** A request of node:http. */
export class NodeRequest extends ParsedRequest {
  readonly isForwarded: boolean;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, isForwarded: boolean) {
    super(message.method ?? 'GET', originForm(message.url ?? '/'));
    this.#message = message;
    this.isForwarded = isForwarded;
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
