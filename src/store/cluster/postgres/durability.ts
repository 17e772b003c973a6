import type { PostgresConnection } from './connection.js';

/** What the settings of the database mean for acknowledged changes. */
export interface Durability {
  /** Of PostgreSQL, for people. */
  version: string;
  /** An acknowledged change is on this many machines at least, so far as the settings say. */
  machines: 1 | 2;
  /** Settings with which acknowledged changes can be lost although no machine is. Empty when there are none. */
  problems: string[];
}

const SETTINGS = `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_standby_names') AS standbys`;

/** Reads the settings. The log sets `synchronous_commit` itself, so its value in the database does not matter. */
export async function readDurability(connection: PostgresConnection): Promise<Durability> {
  const { rows } = await connection.query(SETTINGS);
  const row = rows[0] as Record<'version' | 'fsync' | 'full_page_writes' | 'standbys', string>;
  const problems: string[] = [];
  if (row.fsync === 'off')
    problems.push('fsync is off: when the machine of the database fails, acknowledged changes can be lost');
  if (row.full_page_writes === 'off')
    problems.push('full_page_writes is off: when the machine of the database fails, its files can be damaged');
  return { version: row.version, machines: row.standbys === '' ? 1 : 2, problems };
}

/** One sentence for people. */
export function describeDurability({ machines }: Durability): string {
  return machines === 2
    ? 'Acknowledged changes are on two machines: synchronous_standby_names is set.'
    : "Acknowledged changes survive the loss of any node, but not of the database's machine: synchronous_standby_names is empty.";
}
