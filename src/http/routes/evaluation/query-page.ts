import Negotiator from 'negotiator';
import type { Caller } from '../../../domain/caller.js';
import type { Needs } from '../../../services/context.js';
import type { Reply } from '../../route.js';
import { SSE_HEADERS } from '../../streams/event-stream.js';
import type { Headers } from '../../transport/request-copy.js';
import { runQuery } from './run-query.js';

/**
 * Runs a query whose result is a page. A client that asks for an event stream gets the page as JSON Patch: one event
 * adds the whole document.
 */
export async function runPageQuery(
  services: Needs<'evaluation'>,
  { caller, headers }: { caller: Caller; headers: Headers },
  name: string,
  params: unknown,
): Promise<Reply> {
  const reply = await runQuery(services, caller, name, params);
  if (!prefersEventStream(headers['accept'])) return reply;
  const { 'content-type': contentType, ...rest } = SSE_HEADERS;
  return { ...reply, body: patchEvents(reply.body), contentType, headers: { ...reply.headers, ...rest } };
}

function prefersEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const [first] = new Negotiator({ headers: { accept } }).mediaTypes(['application/json', 'text/event-stream']);
  return first === 'text/event-stream';
}

function patchEvents(page: string | Uint8Array): string {
  const text = typeof page === 'string' ? page : Buffer.from(page).toString();
  // Stored JSON may contain line breaks between tokens. Each line of an event needs its own field.
  const data = `[{"op":"add","path":"","value":${text}}]`.replaceAll(/\r\n|\r|\n/g, '\ndata: ');
  return `event: data\ndata: ${data}\n\nevent: end\ndata: {}\n\n`;
}
