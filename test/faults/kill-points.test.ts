import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ThreadState } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { openStores } from '../../src/store/stores.js';
import { unpackBody, unpackMetadata } from '../../src/wire/runs/state.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { FAULTS_MS, KillPoints, killingServer, seeded, type Killed, type KillingServer } from './kill-points.js';

const config = configWith(t, 'approval');

interface Scenario {
  /** Brings the thread to where the killed run starts. */
  prepare(client: Client, threadId: string, trace: string): Promise<void>;
  /** The run that is killed between its commits. */
  body: (trace: string, state: ThreadState, history: ThreadState[]) => Record<string, unknown>;
  /** What must hold when the restarted server has nothing more to do. */
  check(t: Test, client: Client, threadId: string, lines: string[]): Promise<void>;
}

const settled = async (client: Client, threadId: string): Promise<string> => {
  for (;;) {
    const { status } = await client.threads.get(threadId);
    if (status !== 'busy') return status;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

const question = async (client: Client, threadId: string): Promise<unknown> => {
  const { tasks } = await client.threads.getState(threadId);
  return tasks.flatMap((task) => task.interrupts).map((one) => one.value);
};

const answers = async (client: Client, threadId: string): Promise<unknown> =>
  ((await client.threads.getState(threadId)).values as { answers?: string[] }).answers;

const toFirstQuestion = async (client: Client, threadId: string, trace: string): Promise<void> => {
  await client.runs.wait(threadId, 'approval', { input: { trace } });
};

async function answerTheRest(t: Test, client: Client, threadId: string): Promise<void> {
  t.strictSame(await question(client, threadId), ['second question'], 'one answer has answered one question');
  await client.runs.wait(threadId, 'approval', { command: { resume: 'B' } });
  t.strictSame(await answers(client, threadId), ['before', 'A', 'B', 'after']);
}

const scenarios: Record<string, Scenario> = {
  'an input is applied once': {
    prepare: async () => {},
    body: (trace) => ({ input: { trace } }),
    async check(t, client, threadId) {
      t.strictSame(await question(client, threadId), ['first question']);
      t.strictSame(await answers(client, threadId), ['before']);
      await client.runs.wait(threadId, 'approval', { command: { resume: 'A' } });
      await answerTheRest(t, client, threadId);
    },
  },
  'one answer answers one question': {
    prepare: toFirstQuestion,
    body: () => ({ command: { resume: 'A' } }),
    async check(t, client, threadId, lines) {
      t.notOk(lines.includes('second=A'), 'the answer was not given twice');
      await answerTheRest(t, client, threadId);
    },
  },
  'a map of answers answers what it names': {
    prepare: toFirstQuestion,
    body: (_trace, state) => ({
      command: {
        resume: Object.fromEntries(state.tasks.flatMap((task) => task.interrupts).map((one) => [one.id, 'A'])),
      },
    }),
    async check(t, client, threadId, lines) {
      t.notOk(lines.includes('second=A'), 'the answer was not given twice');
      await answerTheRest(t, client, threadId);
    },
  },
  'a fork goes on from itself': {
    prepare: async (client, threadId, trace) => {
      await toFirstQuestion(client, threadId, trace);
      await client.runs.wait(threadId, 'approval', { command: { resume: 'X' } });
      await client.runs.wait(threadId, 'approval', { command: { resume: 'Y' } });
    },
    body: (_trace, _state, history) => ({
      checkpointId: history.findLast((state) => state.next.includes('ask'))!.checkpoint.checkpoint_id,
      input: { answers: ['forked'] },
    }),
    async check(t, client, threadId) {
      t.strictSame(await question(client, threadId), ['first question']);
      t.strictSame(await answers(client, threadId), ['before', 'forked', 'before']);
    },
  },
  'an update is applied once': {
    prepare: toFirstQuestion,
    body: () => ({ command: { update: { answers: ['updated'] }, goto: 'after' } }),
    async check(t, client, threadId) {
      const said = (await answers(client, threadId)) as string[];
      t.strictSame(
        said.filter((one) => one === 'updated'),
        ['updated'],
      );
    },
  },
};

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
const count = (lines: string[], word: string): number => lines.filter((line) => line === word).length;

/** Step of the newest checkpoint that the killed server left on disk; -2 when there is none. */
async function stepsOnDisk(dataFolder: string, threadId: string): Promise<number> {
  const stores = openStores(dataFolder, undefined);
  try {
    const thread = stores.threads.get(LOCAL_CALLER, threadId)!;
    const head = stores.checkpoints.get(LOCAL_CALLER, thread, '', null);
    if (head === undefined) return -2;
    return unpackMetadata(unpackBody(head.body).metadata)['step'] as number;
  } finally {
    await stores.store.close();
  }
}

interface Prepared {
  dataFolder: string;
  trace: string;
  /** What the graph had noted by then. */
  noted: string[];
  threadId: string;
  state: ThreadState;
  history: ThreadState[];
}

/** Every scenario's thread, in one folder of which each round has a copy. */
async function prepareAll(): Promise<Map<string, Prepared>> {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { dataFolder, config });
  const prepared = new Map<string, Prepared>();
  for (const [name, scenario] of Object.entries(scenarios)) {
    const trace = join(temporaryFolder(t), 'trace');
    const { thread_id: threadId } = await first.client.threads.create();
    await scenario.prepare(first.client, threadId, trace);
    const state = await first.client.threads.getState(threadId);
    const history = await first.client.threads.getHistory(threadId, { limit: 100 });
    prepared.set(name, { dataFolder, trace, noted: linesOf(trace), threadId, state, history });
  }
  await first.close();
  return prepared;
}

async function round(t: Test, scenario: Scenario, prepared: Prepared, commit: number): Promise<Killed> {
  const { trace, noted, threadId, state, history } = prepared;
  const dataFolder = temporaryFolder(t);
  cpSync(prepared.dataFolder, dataFolder, { recursive: true });
  writeFileSync(trace, noted.join('\n'));
  const killed = await killingServer(t, { config, from: 'rk' }, dataFolder, commit);
  const outcome = await untilDeadOrDone(killed, threadId, scenario.body(trace, state, history));

  const committed = await stepsOnDisk(dataFolder, threadId);
  const beforeRestart = linesOf(trace);
  const second = await testServer(t, { dataFolder, config });
  t.not(await settled(second.client, threadId), 'error', `killed after commit ${commit}`);
  const lines = linesOf(trace);
  const forks = 'checkpointId' in scenario.body(trace, state, history);
  // Step 1 is the checkpoint after the node `before`: on disk, that node never runs again (P4).
  if (committed >= 1 && !forks)
    t.equal(count(lines, 'before'), count(beforeRestart, 'before'), 'a committed step was not repeated');
  await scenario.check(t, second.client, threadId, lines);
  for (const run of await second.client.runs.list(threadId))
    t.match(run.status, /success|interrupted/, 'no run is stuck');
  await second.close();
  return outcome;
}

async function untilDeadOrDone(
  server: KillingServer,
  threadId: string,
  body: Record<string, unknown>,
): Promise<Killed> {
  const done = (async () => {
    await server.client.runs.create(threadId, 'approval', body);
    await settled(server.client, threadId);
  })().catch(() => server.exited);
  await Promise.race([done, server.exited]);
  return server.stop();
}

// Dozens of servers are started and killed.
t.setTimeout(FAULTS_MS);

const prepared = await prepareAll();
const points = new KillPoints();

for (const [name, scenario] of Object.entries(scenarios)) {
  t.test(`${name}, wherever the server is killed (${seeded})`, async (t) => {
    const kills = await points.kill((commit) => round(t, scenario, prepared.get(name)!, commit));
    t.ok(kills > 0, `killed ${kills} times`);
  });
}

t.test(`a server was killed at every kind of commit (${seeded})`, (t) => {
  t.strictSame(points.missed, []);
  t.end();
});
