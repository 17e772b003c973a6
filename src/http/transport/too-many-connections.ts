import { fail } from '../../base/errors.js';

/** Sent to a connection above the limit, before it sends a request. */
export const TOO_MANY_CONNECTIONS = {
  status: '503 Service Unavailable',
  headers: { 'retry-after': '1', 'content-type': 'application/json' },
  body: JSON.stringify({
    detail: fail('OVERLOADED', { what: 'the maximum number of connections is reached' }).message,
  }),
} as const;
