import type { HttpResponse } from './http-app.js';

/** `set-cookie` may have several values. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface ResponseHead {
  status: number;
  headers: ResponseHeaders;
}

const STATUS_LINES: Record<number, string> = {
  101: '101 Switching Protocols',
  200: '200 OK',
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
  207: '207 Multi-Status',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  409: '409 Conflict',
  410: '410 Gone',
  412: '412 Precondition Failed',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  422: '422 Unprocessable Entity',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
};

export function writeStatus(res: HttpResponse, status: number): void {
  res.writeStatus(STATUS_LINES[status] ?? String(status));
}

export function writeHeaders(res: HttpResponse, headers: ResponseHeaders): void {
  for (const name in headers) {
    const value = headers[name]!;
    if (typeof value === 'string') res.writeHeader(name, sanitized(value));
    else for (const one of value) res.writeHeader(name, sanitized(one));
  }
}

const UNSAFE = /[^\t -~]/;

/**
 * uWS writes values unchecked, so a line break in one would start a header or a response of the client's choosing.
 * Control characters are removed. Characters outside ASCII are percent-encoded, because readers disagree on their
 * encoding.
 */
function sanitized(value: string): string {
  if (!UNSAFE.test(value)) return value;
  return value.replace(/[^\t -~]/gu, (char) =>
    char < ' ' || char === '\x7f' ? '' : Buffer.from(char).toString('hex').replace(/../g, '%$&'),
  );
}
