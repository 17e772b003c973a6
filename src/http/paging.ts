import { LIMITS } from '../base/limits.js';
import { answerTooLarge } from '../services/state/state.js';
import { jsonReply, type Reply } from './route.js';

/**
 * Returns a page of a list as JSON, with pagination headers (agent-server.md, 1.1). Throws INVALID_REQUEST when
 * the response would be too large.
 */
export function pageReply<T>(
  { limit, offset }: { limit: number; offset: number },
  { records, more }: { records: readonly T[]; more: boolean },
  view: (record: T) => string,
): Reply {
  const headers: Record<string, string> = { 'x-pagination-total': String(offset + records.length + (more ? 1 : 0)) };
  if (more) headers['x-pagination-next'] = String(offset + limit);
  const parts: string[] = [];
  let chars = 0;
  for (const record of records) {
    const part = view(record);
    chars += part.length;
    if (chars > LIMITS.responseBytesMax) throw answerTooLarge(parts.length);
    parts.push(part);
  }
  return jsonReply(`[${parts.join(',')}]`, headers);
}
