import { Client, CommandError, runCommand, type Connection } from './client.js';
import { formatTable } from './output/table.js';
import { wholeNumber } from './whole-number.js';

export interface AuditFlags extends Connection {
  json?: boolean;
  export?: boolean;
  action?: string;
  actor?: string;
  record?: string;
  since?: string;
  until?: string;
  failed?: boolean;
  limit: string;
}

interface ListedEntry {
  at: string;
  actor: { kind: string; id: string; name: string };
  request: string;
  action: string;
  record: string | null;
  status: number | null;
  reason: string | null;
  address: string;
}

const PAGE = 1_000;

/** Prints entries of the audit log. */
export function listAudit(flags: AuditFlags): Promise<void> {
  return runCommand(1, async () => {
    const client = new Client(flags);
    const limit = flags.export === true ? Infinity : wholeNumber('--limit', flags.limit)!;
    const found: ListedEntry[] = [];
    for await (const entries of readPages(client, filterOf(flags), limit)) {
      if (flags.export === true) for (const entry of entries) process.stdout.write(`${JSON.stringify(entry)}\n`);
      else found.push(...entries);
    }
    if (flags.export === true) return 0;
    if (flags.json === true) process.stdout.write(`${JSON.stringify(found)}\n`);
    else if (found.length === 0) process.stderr.write('No entry matches.\n');
    else process.stdout.write(`${auditTable(found)}\n`);
    return 0;
  });
}

async function* readPages(client: Client, filter: URLSearchParams, limit: number): AsyncGenerator<ListedEntry[]> {
  let left = limit;
  let after: string | null = null;
  do {
    const query = new URLSearchParams(filter);
    query.set('limit', String(Math.min(left, PAGE)));
    if (after !== null) query.set('after', after);
    const page = JSON.parse(await client.get(`/server/audit?${query.toString()}`)) as {
      entries: ListedEntry[];
      next: string | null;
    };
    yield page.entries;
    left -= page.entries.length;
    after = page.next;
  } while (after !== null && left > 0);
}

/** Throws CommandError. */
function filterOf({ action, actor, record, since, until, failed }: AuditFlags): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ action, actor, record }))
    if (value !== undefined) query.set(name, value);
  for (const [name, value] of Object.entries({ since, until })) {
    if (value === undefined) continue;
    const timeMs = Date.parse(value);
    if (Number.isNaN(timeMs)) throw new CommandError(`--${name}: "${value}" is not a time, such as 2027-01-31`);
    query.set(name, new Date(timeMs).toISOString());
  }
  if (failed === true) query.set('failed', 'true');
  return query;
}

function auditTable(entries: readonly ListedEntry[]): string {
  return formatTable(
    ['time', 'who', 'request', 'record', 'result', 'address'],
    entries.map(({ at, actor, request, action, record, status, reason, address }) => [
      at,
      actor.kind === 'anyone' ? 'anyone' : `${actor.kind} ${actor.name}`,
      action === 'sign-in' ? 'sign-in' : request,
      record ?? '-',
      [status ?? 'unknown', reason ?? []].flat().join(' '),
      address,
    ]),
  );
}
