import { normalizeAddress } from '../../base/addresses.js';
import { ThreadmillError } from '../../base/errors.js';
import type { AuditEntry } from '../../domain/audit.js';
import type { Caller } from '../../domain/caller.js';
import { actorOf, type Audit, type Origin } from '../../services/access/audit.js';
import type { Reply, Route } from '../route.js';
import type { Exchange } from '../transport/exchange.js';

const FORWARDED_CHARS_MAX = 200;
/** Names of ids in the response to a request that created a record. */
const CREATED_IDS = ['key_id', 'assistant_id', 'cron_id', 'id'];
const CREATED_CHARS_MAX = 65_536;

/** From where a request came. Call it while the client is connected. */
export function originOf({ clientAddress, headers }: Exchange): Origin {
  return {
    address: normalizeAddress(clientAddress),
    forwardedFor: headers['x-forwarded-for']?.slice(0, FORWARDED_CHARS_MAX) ?? null,
  };
}

/** Runs the handler of a route, with an entry in the audit log that is on disk before. */
export async function handleAudited(
  audit: Audit,
  { route, exchange, caller }: { route: Route; exchange: Exchange; caller: Caller },
  handle: () => Promise<Reply | null> | Reply | null,
): Promise<Reply | null> {
  const ids = Object.values(exchange.params);
  const entry = await audit.begin({
    actor: actorOf(caller),
    action: route.action,
    request: `${route.method.toUpperCase()} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
    record: ids.length === 0 ? null : ids.join(' '),
    ...originOf(exchange),
  });
  let reply: Reply | null;
  try {
    reply = await handle();
  } catch (error) {
    await audit.end(entry, error instanceof ThreadmillError ? error.status : 500);
    throw error;
  }
  if (reply === null) endWithResponse(audit, exchange, entry);
  else await audit.end(entry, reply.status, entry.record ?? createdId(reply));
  return reply;
}

/** The handler writes the response itself, for example a backup. */
function endWithResponse(audit: Audit, exchange: Exchange, entry: AuditEntry): void {
  // What the client did not get entirely has no status.
  exchange.onFinished(() => {
    if (!exchange.aborted) audit.end(entry, exchange.status).catch(() => undefined);
  });
}

/** The id in a response, of a record that was created. */
function createdId({ body }: Reply): string | null {
  if (typeof body !== 'string' || body.length > CREATED_CHARS_MAX || !body.startsWith('{')) return null;
  const created = JSON.parse(body) as Record<string, unknown>;
  const name = CREATED_IDS.find((one) => typeof created[one] === 'string');
  return name === undefined ? null : String(created[name]);
}
