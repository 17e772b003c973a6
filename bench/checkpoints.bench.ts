import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { jsonBytes } from '../src/base/json/json.js';
import { Commit } from '../src/store/store.js';
import { openStores } from '../src/store/stores.js';
import { keys } from '../src/store/keys.js';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { SqliteSaver } from './contenders/sqlite-saver.js';
import { sendJson } from './load.js';
import { median, quantile, format } from './measure.js';
import { question } from './graphs/prose.js';
import { StreamClient } from './stream-client.js';
import type { Workbench } from './workbench.js';

const HISTORY = 10;
const HOLD_MS_MAX = 5;
const RECORDS_PER_TURN = 100;
interface Figures {
  warm: number;
  cold: number;
  head: number;
  history: number;
  bytes: number;
}

export default defineBench({
  name: 'checkpoints',
  description:
    "The state of a long chat compared with LangGraph's SQLite checkpointer, and the event-loop delay of its deletion",
  smoke: { turns: 6, samples: 2, deletedTurns: 20 },
  real: { turns: 1_000, samples: 15, deletedTurns: 1_000 },
  async run(bench, { turns, samples, deletedTurns }) {
    const ours = await measureThreadmill(bench, turns, samples);
    const alone = await bench.startInProcess();
    const base = alone === null ? 0 : await measureBaseline(alone, turns, samples);
    const { figures: sqlite, problem } = await measureSqlite(bench, turns, samples);
    const n = turns.toLocaleString('en-US');
    const check =
      "Every turn's answer has the right number; the newest state has all messages, and the history all states.";
    const missing =
      problem === null ? '' : ` LangGraph's SQLite checkpointer could not be installed on this machine: ${problem}`;
    const row = (
      what: string,
      one: number,
      other: number | null,
      shown: (value: number) => string,
      method: string,
    ): Row => ({
      what,
      ours: shown(one),
      reference: other === null ? null : shown(other),
      ratio: format.ratio(other === null ? null : one / other),
      budget: 'none: side by side',
      missed: null,
      method: [method + missing, check],
    });
    const added =
      'The added time is the difference to the same turn in process, with a saver that only keeps the objects. ' +
      'Ours is called over HTTP, the other in process.';
    return [
      row(
        `a chat's ${n}th turn, added time, last worker or saver reused`,
        ours.warm - base,
        sqlite === null ? null : sqlite.warm - base,
        format.ms,
        `Median of ${samples} turns. ${added}`,
      ),
      row(
        'the same, in another worker, or through a saver that was just opened',
        ours.cold - base,
        sqlite === null ? null : sqlite.cold - base,
        format.ms,
        `Median of ${samples} turns; waiting runs occupy the worker of the last turn. ${added}`,
      ),
      row(
        `bytes on disk of ${n} turns`,
        ours.bytes,
        sqlite?.bytes ?? null,
        format.bytes,
        "Blocks of the data file, and of SQLite's file with its log.",
      ),
      row(
        'the state of the head',
        ours.head,
        sqlite?.head ?? null,
        format.ms,
        `Median of ${samples} reads of the whole state; ours is JSON over HTTP, the other live objects.`,
      ),
      row(
        `the history, ${HISTORY} states`,
        ours.history,
        sqlite?.history ?? null,
        format.ms,
        `Median of ${samples} reads; ours is JSON over HTTP, the other live objects.`,
      ),
      await measureDeletion(bench, deletedTurns),
    ];
  },
});

async function measureThreadmill(bench: Workbench, turns: number, samples: number): Promise<Figures> {
  const folder = bench.createFolder();
  const before = async (): Promise<number> => {
    await (await bench.startServer({ workers: 2, dataFolder: folder })).close();
    return storedBytes(join(folder, 'data.mdb'));
  };
  const empty = await before();
  const first = await bench.startServer({ workers: 2, dataFolder: folder });
  const filler = new StreamClient(first.url);
  const long = randomUUID();
  for (let n = 0; n < turns; n += 1) await chatTurn(filler, long, n);
  filler.close();
  await first.close();
  const bytes = storedBytes(join(folder, 'data.mdb')) - empty;

  // One run per worker, so that a waiting run occupies a whole worker.
  const ours = await bench.startServer({ workers: 2, dataFolder: folder, env: { N_JOBS_PER_WORKER: '1' } });
  const client = new StreamClient(ours.url);
  bench.onClose(() => client.close());
  let n = turns;
  const warm: number[] = [];
  for (let i = 0; i < samples + 3; i += 1) warm.push(await chatTurn(client, long, n++));
  const head: number[] = [];
  const history: number[] = [];
  for (let i = 0; i < samples; i += 1) {
    head.push(
      await timeOf(async () => {
        const { values } = await sendJson<{ values: { messages: unknown[] } }>(
          ours.url,
          'GET',
          `/threads/${long}/state`,
        );
        verify(values.messages.length === 2 * n, `${2 * n} messages, found ${values.messages.length}`);
      }),
    );
    history.push(
      await timeOf(async () => {
        const states = await sendJson<unknown[]>(ours.url, 'GET', `/threads/${long}/history?limit=${HISTORY}`);
        verify(states.length === HISTORY, `${HISTORY} states, found ${states.length}`);
      }),
    );
  }

  // A thread returns to its last worker. While a holder occupies that worker, the chat runs its turn in the other one.
  const holders = [randomUUID(), randomUUID()];
  const release = await holdWorker(client, ours.url, holders[0]!);
  await (
    await holdWorker(client, ours.url, holders[1]!)
  )();
  await release();
  const cold: number[] = [];
  for (let i = 0; i < samples + 1; i += 1) {
    const done = await holdWorker(client, ours.url, holders[i % 2]!);
    const ms = await chatTurn(client, long, n++);
    // The first turn may have run in the worker that had the chat already.
    if (i > 0) cold.push(ms);
    await done();
  }
  return { warm: median(warm.slice(3)), cold: median(cold), head: median(head), history: median(history), bytes };
}

const HOLD_MS = 400;

/** Starts a run that occupies its worker. Resolves when it runs, with a function that waits for its end. */
async function holdWorker(client: StreamClient, url: string, threadId: string): Promise<() => Promise<void>> {
  const run = await sendJson<{ run_id: string }>(url, 'POST', `/threads/${threadId}/runs`, {
    assistant_id: 'pause',
    input: { ms: HOLD_MS },
    if_not_exists: 'create',
  });
  while (
    (await sendJson<{ status: string }>(url, 'GET', `/threads/${threadId}/runs/${run.run_id}`)).status === 'pending'
  )
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  return async () => {
    await client.read('GET', `/threads/${threadId}/runs/${run.run_id}/stream`, undefined);
  };
}

async function measureSqlite(
  bench: Workbench,
  turns: number,
  samples: number,
): Promise<{ figures: Figures | null; problem: string | null }> {
  if (bench.isSmoke) return { figures: null, problem: null };
  const file = join(bench.createFolder(), 'checkpoints.sqlite');
  let sqlite: SqliteSaver;
  try {
    sqlite = await SqliteSaver.start(file);
  } catch (error) {
    return { figures: null, problem: error instanceof Error ? error.message : String(error) };
  }
  bench.onClose(() => sqlite.close());
  let n = 0;
  for (; n < turns; n += 1) await sqlite.run({ type: 'turn', n, fresh: false });
  const bytes = storedBytes(file) + storedBytes(`${file}-wal`);
  const each = async (work: () => Promise<number>): Promise<number> => {
    const found: number[] = [];
    for (let i = 0; i < samples; i += 1) found.push(await work());
    return median(found);
  };
  const figures = {
    warm: await each(() => sqlite.run({ type: 'turn', n: n++, fresh: false })),
    cold: await each(() => sqlite.run({ type: 'turn', n: n++, fresh: true })),
    head: await each(() => sqlite.run({ type: 'head', messages: 2 * n })),
    history: await each(() => sqlite.run({ type: 'history', limit: HISTORY })),
    bytes,
  };
  return { figures, problem: null };
}

/** Time of the same turn without storage. */
async function measureBaseline(
  alone: NonNullable<Awaited<ReturnType<Workbench['startInProcess']>>>,
  turns: number,
  samples: number,
): Promise<number> {
  const found: number[] = [];
  for (let i = 1; i <= samples; i += 1)
    found.push((await alone.run({ type: 'chat', graphId: 'chat', chat: 'long', turn: turns + i, saver: 'kept' })).ms);
  return median(found);
}

/** Deletes a thread with a hundred records per turn in this process, and measures how long it blocks the event loop. */
async function measureDeletion(bench: Workbench, turns: number): Promise<Row> {
  const stores = openStores(bench.createFolder(), undefined);
  bench.onClose(() => stores.store.close());
  const uid = 'chat';
  const thread = {
    threadId: uid,
    uid,
    createdAtMs: 1,
    updatedAtMs: 1,
    stateUpdatedAtMs: 1,
    status: 'idle',
    metadata: jsonBytes({}),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: 0,
    temporary: false,
  } as const;
  const named = new Commit();
  stores.threads.put(named, thread, undefined);
  await stores.store.write(named);
  for (let turn = 0; turn < turns; turn += 1) {
    const commit = new Commit();
    commit.put(keys.threadRun(uid, turn, `run-${turn}`), randomBytes(1));
    for (let n = 0; n < 3; n += 1) {
      commit.put(keys.checkpoint(uid, '', `${turn}-${n}`), randomBytes(600));
      commit.put(keys.view(uid, '', `${turn}-${n}`), randomBytes(150));
    }
    while (commit.operations.length < RECORDS_PER_TURN)
      commit.put(keys.content(uid, randomBytes(16).toString('base64url')), randomBytes(700));
    await stores.store.write(commit);
  }
  const gone = new Commit();
  stores.threads.remove(gone, thread);
  await stores.store.write(gone);
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  // Garbage from filling the store must not count for the deletion.
  await sleep(200);
  const begun = performance.now();
  const busy = await lateness(() => stores.remover.removeNow(keys.leftover('thread', uid)));
  const ms = performance.now() - begun;
  const idle = await lateness(() => sleep(Math.max(100, ms)));
  await stores.store.flushed();
  verify(
    stores.store.count({ prefix: keys.contents(uid) }) === 0 && stores.store.count({ prefix: ['c', uid] }) === 0,
    'nothing is left',
  );
  return {
    what:
      `deleting a thread of ${turns.toLocaleString('en-US')} turns, ` +
      `${(turns * RECORDS_PER_TURN).toLocaleString('en-US')} records: how long it blocks the event loop`,
    ours: formatLateness(busy),
    reference: `${formatLateness(idle)}, the same loop when idle`,
    ratio: null,
    budget: `99th at most ${HOLD_MS_MAX} ms`,
    missed: turns < 100 ? null : atMost(busy.p99, HOLD_MS_MAX),
    method: [
      "CPU time of the loop's thread between two firings of a 1 ms timer, in the process that deletes; then for " +
        'the same time when idle.',
      'Nothing is left under the thread.',
    ],
    evidence: `${format.ms(ms)} in all`,
  };
}

interface Lateness {
  p99: number;
  longest: number;
}

/**
 * Measures the CPU time of the event-loop thread between two firings of a 1 ms timer during `work`. Unlike delays it
 * hardly depends on other load. On systems without /proc it measures the time between the firings.
 */
async function lateness(work: () => Promise<void>): Promise<Lateness> {
  const schedule = `/proc/self/task/${process.pid}/schedstat`;
  const hasSchedule = existsSync(schedule);
  const nowMs = (): number =>
    hasSchedule ? Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6 : performance.now();
  const found: number[] = [];
  let last = nowMs();
  const timer = setInterval(() => {
    const now = nowMs();
    found.push(now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(timer);
  return { p99: quantile(found, 0.99), longest: Math.max(0, ...found) };
}

function formatLateness({ p99, longest }: Lateness): string {
  return `${format.ms(p99)} (99th), ${format.ms(longest)} longest`;
}

/** Runs turn `n` (from 0) and checks the answer. Returns the time in ms from the request to the end of the stream. */
async function chatTurn(client: StreamClient, threadId: string, n: number): Promise<number> {
  const result = await client.read('POST', `/threads/${threadId}/runs/stream`, {
    assistant_id: 'chat',
    stream_mode: 'updates',
    if_not_exists: 'create',
    input: { messages: [{ role: 'user', content: question(n), id: `u${n}` }] },
  });
  verify(
    result.events === 2 && result.lastData.includes(`"${2 * n + 1}: `),
    `turn ${n}: ${result.events} events, the last ${result.lastData.slice(0, 200)}`,
  );
  return result.totalMs;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Bytes on disk of a file; 0 if it does not exist. */
function storedBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.blocks === undefined ? 0 : statSync(file).blocks * 512;
}
