/** Prints how much a cluster writes to PostgreSQL: `node dist/bench/cluster-size.js`. See docs/cluster.md. */
import type { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { startTestCluster, until } from '../test/helpers/cluster.js';
import { lowerLimit } from '../test/helpers/limits.js';
import { TestPostgres } from '../test/helpers/postgres.js';
import { EXAMPLES } from '../test/helpers/server.js';

const RUNS = 200;
const IDLE_S = 20;

interface Sizes {
  entries: number;
  bodyBytes: number;
  walBytes: number;
}

const INPUT = { messages: [{ role: 'user', content: 'hello' }] };

/** What one run of each kind does. */
const KINDS: Record<string, (client: Client) => Promise<unknown>> = {
  'echo run on a new thread': async (client) => {
    const { thread_id: threadId } = await client.threads.create();
    await client.runs.wait(threadId, 'echo', { input: INPUT });
  },
  'resumable stream of the agent example, on a new thread': async (client) => {
    const { thread_id: threadId } = await client.threads.create();
    const input = { messages: [{ role: 'user', content: 'What is the weather in Berlin?' }] };
    const streamMode = ['messages-tuple', 'values'] as const;
    const options = { input, streamMode: [...streamMode], streamResumable: true };
    for await (const event of client.runs.stream(threadId, 'agent', options)) void event;
  },
  'stateless echo run': (client) => client.runs.wait(null, 'echo', { input: INPUT }),
};

async function main(): Promise<void> {
  const teardowns: (() => unknown)[] = [];
  const scope = { teardown: (callback: () => unknown) => void teardowns.push(callback) };
  try {
    const postgres = await TestPostgres.start(scope);
    const url = await postgres.createDatabase();
    const nodes = await startTestCluster(scope, 3, { config: EXAMPLES, url });
    const read = (): Promise<Sizes> => readSizes(postgres, url);

    const resting = await read();
    await new Promise((resolve) => setTimeout(resolve, IDLE_S * 1_000));
    const rested = await read();
    const idleBytesPerSecond = (rested.walBytes - resting.walBytes) / IDLE_S;
    print('three nodes at rest', `${Math.round(idleBytesPerSecond)} bytes of WAL a second`);
    const { rows } = await postgres.query(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'threadmill%'",
    );
    print('connections of three nodes', String(rows[0]!['count']));

    const { client } = nodes[0]!;
    for (const [name, run] of Object.entries(KINDS)) {
      await run(client);
      await postgres.query('CHECKPOINT');
      const before = await read();
      const beganMs = performance.now();
      for (let count = 0; count < RUNS; count += 1) await run(client);
      await settle(read);
      const after = await read();
      const idleBytes = (idleBytesPerSecond * (performance.now() - beganMs)) / 1_000;
      const perRun = (key: keyof Sizes, less = 0): number => (after[key] - before[key] - less) / RUNS;
      print(
        name,
        `${perRun('entries').toFixed(1)} entries, ${kilobytes(perRun('bodyBytes'))} KB of log, ` +
          `${kilobytes(perRun('walBytes', idleBytes))} KB of WAL`,
      );
    }

    const before = await read();
    lowerLimit(scope, 'snapshotLogBytes', 1);
    let snapshot: Record<string, unknown> | undefined;
    await until(async () => {
      [snapshot] = (await postgres.query('SELECT bytes FROM threadmill.snapshot', url)).rows;
      return snapshot;
    });
    const walBytes = (await read()).walBytes - before.walBytes;
    print(
      `snapshot after ${before.entries} entries with ${kilobytes(before.bodyBytes)} KB`,
      `${kilobytes(Number(snapshot!['bytes']))} KB, ${kilobytes(walBytes)} KB of WAL`,
    );
  } finally {
    for (const teardown of teardowns.reverse()) await teardown();
  }
}

/** Waits until nothing is appended any more. */
async function settle(read: () => Promise<Sizes>): Promise<void> {
  let last = -1;
  await until(async () => {
    const { entries } = await read();
    const isSettled = entries === last;
    last = entries;
    if (!isSettled) await new Promise((resolve) => setTimeout(resolve, 500));
    return isSettled;
  });
}

async function readSizes(postgres: TestPostgres, url: string): Promise<Sizes> {
  const { rows } = await postgres.query(
    `SELECT max(index) AS entries, sum(length(body)) AS body_bytes, pg_current_wal_lsn() - '0/0' AS wal_bytes
     FROM threadmill.log`,
    url,
  );
  const row = rows[0]!;
  return {
    entries: Number(row['entries']),
    bodyBytes: Number(row['body_bytes']),
    walBytes: Number(row['wal_bytes']),
  };
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(bytes < 100_000 ? 1 : 0);
}

function print(what: string, value: string): void {
  process.stdout.write(`${what}: ${value}\n`);
}

// The helpers of the tests load tap, which would end the process after 30 s.
t.setTimeout(0);
await main();
