import { randomUUID } from 'node:crypto';
import { fail, ThreadmillError } from '../base/errors.js';
import type { Logger } from '../base/log.js';

/** An error as API B sends it: status and `{"detail": text}` (agent-server.md, 1.3). */
export interface WireError {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** What is thrown on purpose goes out as it is; anything else is logged under a reference and says only that. */
export function wireError(thrown: unknown, log: Logger): WireError {
  const error = thrown instanceof ThreadmillError ? thrown : unexpected(thrown, log);
  if (error.status >= 500 && error !== thrown) return { status: error.status, body: JSON.stringify({ detail: error.message }), headers: {} };
  const headers: Record<string, string> = {};
  if (error.code === 'METHOD_NOT_ALLOWED') headers['allow'] = String(error.params['allowed']);
  if (error.status === 503) headers['retry-after'] = '1';
  return { status: error.status, body: JSON.stringify({ detail: error.message }), headers };
}

function unexpected(thrown: unknown, log: Logger): ThreadmillError {
  const reference = randomUUID();
  log.error({ err: thrown, reference }, 'a request failed unexpectedly');
  return fail('INTERNAL', { reference }, thrown);
}
