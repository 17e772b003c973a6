import { ThreadmillError } from '../../base/errors.js';
import { readCluster, readClusterUrl, type ClusterConfig } from '../../config/cluster.js';
import { databaseError, PostgresConnection, withoutPassword } from '../../store/cluster/postgres/connection.js';
import { CommandError, runCommand } from '../client.js';
import { translateStoreErrors } from '../data-folder/store-errors.js';

export interface ClusterFlags {
  cluster?: string;
  json?: boolean;
}

export interface MoveFlags extends ClusterFlags {
  data: string;
  encryptionKeyFile?: string;
}

export function requireCluster(flags: ClusterFlags): ClusterConfig {
  const config = readCluster(flags, process.env);
  if (config === null) throw missingUrl();
  return config;
}

export function requireClusterUrl(flags: ClusterFlags): string {
  const url = readClusterUrl(flags, process.env);
  if (url === null) throw missingUrl();
  return url;
}

function missingUrl(): Error {
  return new CommandError('Name the database with --cluster or THREADMILL_CLUSTER.');
}

export async function withConnection<T>(url: string, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const connection = new PostgresConnection(url, { name: 'threadmill command' });
  return fromDatabase(url, work(connection)).finally(() => connection.close());
}

/** Errors of the database name it; others stay as they are. */
export async function fromDatabase<T>(url: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ThreadmillError || error instanceof CommandError ? error : databaseError(url, error);
  }
}

export function runClusterCommand(flags: ClusterFlags, work: () => Promise<number | void>): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      try {
        return (await work()) ?? 0;
      } catch (error) {
        throw isMissingCluster(error) ? missingCluster(requireClusterUrl(flags)) : error;
      }
    }),
  );
}

function isMissingCluster(error: unknown): boolean {
  // PostgreSQL's code of a table that does not exist.
  return error instanceof ThreadmillError && (error.cause as { code?: string } | undefined)?.code === '42P01';
}

function missingCluster(url: string): Error {
  return new CommandError(
    `There is no cluster in ${withoutPassword(url)}. Create it with "threadmill cluster create".`,
  );
}
