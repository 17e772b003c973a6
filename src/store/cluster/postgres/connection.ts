import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client, ClientConfig, QueryConfig } from 'pg';
import { fail } from '../../../base/errors.js';
import { LIMITS } from '../../../base/limits.js';

/** Rows of a query, and whether the server sent a notice or a warning with them. */
export interface QueryAnswer {
  rows: Record<string, unknown>[];
  count: number;
  notices: readonly string[];
}

/**
 * A statement that is executed often. PostgreSQL parses and plans it once for each connection. Its name is unique, so
 * that a connection which a pooler shares never executes another statement of that name.
 */
export class PreparedStatement {
  readonly text: string;
  readonly name: string;

  constructor(text: string) {
    this.text = text;
    this.name = `threadmill_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  }
}

/**
 * Errors of a statement that the connection does not know, or knows already: a pooler of transactions has changed the
 * connection behind this one. The statement was not executed.
 */
const NOT_PREPARED: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/**
 * One connection to PostgreSQL, which is opened when it is needed and again after it broke. One query at a time. A
 * query that is not answered in time breaks the connection; it is never canceled, because a canceled wait for a
 * synchronous standby looks like a success.
 */
export class PostgresConnection {
  readonly #options: ClientConfig;
  readonly #queryMs: number;
  #client: Client | null = null;
  #notices: string[] = [];
  /** False behind a pooler that does not keep prepared statements. */
  #canPrepare = true;

  constructor(url: string, { name, queryMs = LIMITS.clusterQueryMs }: { name: string; queryMs?: number }) {
    this.#options = {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: LIMITS.clusterConnectMs,
      keepAlive: true,
    };
    this.#queryMs = queryMs;
  }

  /** Runs one statement in a transaction of its own. Rejects with the error of PostgreSQL or of the connection. */
  async query(statement: string | PreparedStatement, values: unknown[] = []): Promise<QueryAnswer> {
    if (typeof statement === 'string') return this.#query({ text: statement, values });
    const { text, name } = statement;
    if (!this.#canPrepare) return this.#query({ text, values });
    try {
      return await this.#query({ text, name, values });
    } catch (error) {
      if (!NOT_PREPARED.has((error as { code?: string }).code)) throw error;
      this.#canPrepare = false;
      return this.#query({ text, values });
    }
  }

  async #query(query: QueryConfig): Promise<QueryAnswer> {
    const client = await this.#open();
    this.#notices = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await Promise.race([
        client.query(query),
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error(`no answer within ${this.#queryMs} ms`)), this.#queryMs);
        }),
      ]);
      return {
        rows: answer.rows as Record<string, unknown>[],
        count: answer.rowCount ?? 0,
        notices: this.#notices,
      };
    } catch (error) {
      // An error with a code is an answer of PostgreSQL, after which the connection can be used again.
      if ((error as { severity?: string }).severity !== 'ERROR') this.break();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Address of this machine in the network of the database; null while there is no connection. */
  get localAddress(): string | null {
    return (this.#client?.connection.stream as Socket | undefined)?.localAddress ?? null;
  }

  /** Ends the connection at once, whatever it does. The next query opens another one. */
  break(): void {
    const client = this.#client;
    this.#client = null;
    client?.connection.stream.destroy();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    // A server that does not answer must not delay the end.
    const timer = setTimeout(() => client.connection.stream.destroy(), LIMITS.clusterRetryMaxMs);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  async #open(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    // Loaded when it is needed: it would delay the start of every server, and reserves 10 GB of address space.
    const { Client: PostgresClient } = await import('pg');
    const client = new PostgresClient(this.#options);
    // A connection that breaks between two queries is opened again by the next one.
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    client.on('notice', (notice) => this.#notices.push(notice.message ?? ''));
    await client.connect();
    this.#client = client;
    return client;
  }
}

/** The error of a start that cannot use the database: names the database without its password. */
export function databaseError(url: string, error: unknown): Error {
  return fail('CLUSTER_DATABASE', { database: withoutPassword(url), problem: problemOf(error as Error) }, error);
}

/** A name with several addresses gives one error for each of them, in an error without a message. */
function problemOf(error: Error): string {
  const all = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return all.map(({ message }) => (message === 'timeout expired' ? NO_ANSWER : message)).join('; ');
}

const NO_ANSWER = `nothing answered within ${LIMITS.clusterConnectMs / 1_000} s`;

/** The address for messages. */
export function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.password = '';
    parsed.search = '';
    return parsed.href;
  } catch {
    return 'the database';
  }
}
