import type { HttpRequest } from '../transport/http-app.js';
import { isHopHeader } from '../transport/hop-headers.js';

/** What is passed on of a request besides its body. */
export interface RequestHead {
  /** In upper case. */
  method: string;
  /** With the query, as the transport read it. */
  target: string;
  /** Without those about the connection. A repeated header has several values. */
  headers: Record<string, string | string[]>;
  hasBody: boolean;
}

const CHUNKED = 'transfer-encoding';

/** Call it in the route's callback. */
export function copyHead(req: HttpRequest): RequestHead {
  const headers: RequestHead['headers'] = {};
  let hasBody = false;
  req.forEach((name, value) => {
    hasBody ||= name === CHUNKED || (name === 'content-length' && value !== '0');
    // This node answers `expect` itself. Frames say where a body ends, but the owner asks whether its length is known.
    if (name === 'expect' || (isHopHeader(name) && name !== CHUNKED)) return;
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  });
  const query = req.getQuery();
  return {
    method: req.getMethod().toUpperCase(),
    target: query === undefined ? req.getUrl() : `${req.getUrl()}?${query}`,
    headers,
    hasBody,
  };
}
