import type { HttpRequest } from '../transport/http-app.js';
import { isHopHeader } from '../transport/hop-headers.js';

/** What is passed on of a request besides its body. */
export interface RequestHead {
  /** In upper case. */
  method: string;
  /** With the query, in ASCII. */
  target: string;
  /** Without those about the connection. A repeated header has several values. */
  headers: Record<string, string | string[]>;
}

/** Call it in the route's callback. */
export function copyHead(req: HttpRequest): RequestHead {
  const headers: RequestHead['headers'] = {};
  req.forEach((name, value) => {
    // This node answers `expect` itself.
    if (isHopHeader(name) || name === 'expect') return;
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  });
  const query = req.getQuery();
  return {
    method: req.getMethod().toUpperCase(),
    target: toAscii(query === undefined ? req.getUrl() : `${req.getUrl()}?${query}`),
    headers,
  };
}

/** The transport decodes bytes that should have been escaped, and node:http sends none. */
function toAscii(target: string): string {
  return target.replace(/[^!-~]+/gu, (text) => encodeURIComponent(text.toWellFormed()));
}
