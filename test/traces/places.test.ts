import type { Client, Run } from 'langsmith';
import t, { type Test } from 'tap';
import type { Key } from '../../src/store/keys.js';
import { openStores } from '../../src/store/stores.js';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { lowerLimit } from '../helpers/limits.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

// The runs of a trace that are stored together have one entry in the index. Each run is found by its id, even if the
// trace is in several blocks. It can be moved to another project, or deleted, like any other run.

const STEPS = 6;
const INPUT = { messages: [{ role: 'user', content: 'Which books?' }], streams: false };
const folder = temporaryFolder(t);
process.env['LANGSMITH_TRACING'] = 'false';

lowerLimit(t, 'blockItemsMax', 4);
let server!: TestServer;
let langsmith!: Client;

async function open(traces: unknown = true): Promise<void> {
  const config = projectOf(t, ['librarian'], { traces });
  server = await testServer(t, { dataFolder: folder, config, flags: { publicShares: true } });
  langsmith = (await langsmithOf(server)).clientOf();
}

await open();

interface Traced {
  threadId: string;
  /** The id of the run, then those of its steps. */
  ids: string[];
}

async function run(): Promise<Traced> {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'librarian', { input: INPUT });
  await server.client.runs.join(threadId, runId);
  const steps = await until(
    () => all(langsmith.listRuns({ traceId: runId })),
    (found) => found.length === STEPS && found.every(({ end_time: end }) => end != null),
  );
  return { threadId, ids: [runId, ...steps.map(idOf).filter((id) => id !== runId)] };
}

const idOf = ({ id }: Run): string => id;

/** The ids under which there is a run. */
async function found(ids: readonly string[]): Promise<string[]> {
  const read = await Promise.all(ids.map((id) => langsmith.readRun(id).then(idOf, () => null)));
  return read.filter((id) => id !== null);
}

/** Those of the blocks of runs, their index and that of traces, and of scores, queues and links. */
const PREFIXES = ['R', 'RG', 'RI', 'RT', 'FR', 'QR', 'sh', 'st'];

/** Number of entries in the indexes of runs, of a folder that no server has open. */
async function entries(t: Test): Promise<Record<string, number>> {
  const stores = openStores(folder, undefined);
  try {
    await leftoversGone(stores);
    const count = (prefix: Key): number => [...stores.store.keys({ prefix })].length;
    return Object.fromEntries(PREFIXES.map((prefix) => [prefix, count([prefix])]));
  } finally {
    await stores.store.close();
    t.equal((await cli(['doctor', '--store', '--data', folder])).code, 0, 'the check of the folder finds nothing');
  }
}

const traces: Traced[] = [];

t.test('each run of a trace is found by its id', async (t) => {
  for (let n = 0; n < 3; n += 1) traces.push(await run());
  for (const { ids } of traces) t.strictSame(await found(ids), ids);
  const [unknown] = traces[0]!.ids.map((id) => `${id.slice(0, 28)}ffffffff`);
  t.strictSame(await found([unknown!]), []);
  await server.close();
  t.match(await entries(t), { RG: 3, RI: 0, RT: 0 });
  await open();
  for (const { ids } of traces) t.strictSame(await found(ids), ids, 'after a restart');
});

t.test('a step is changed where it is', async (t) => {
  const [, step] = traces[0]!.ids;
  await langsmith.updateRun(step!, { outputs: { changed: true } });
  await until(
    () => langsmith.readRun(step!),
    ({ outputs }) => outputs?.['changed'] === true,
  );
  const steps = await all(langsmith.listRuns({ traceId: traces[0]!.ids[0]! }));
  t.equal(steps.length, STEPS);
});

t.test('a run that a client sends to another project goes there, and the others stay', async (t) => {
  const [root, ...steps] = traces[1]!.ids;
  const before = await langsmith.readRun(root!);
  const fields = {
    id: root!,
    trace_id: root!,
    name: 'moved',
    run_type: 'chain',
    inputs: {},
    project_name: 'elsewhere',
  };
  await langsmith.createRun({ ...fields, start_time: Date.parse(before.start_time as unknown as string) } as never);
  await until(
    () => langsmith.readRun(root!),
    ({ name }) => name === 'moved',
  );
  const { session_id: project } = await langsmith.readRun(root!);
  t.not(project, before.session_id);
  t.strictSame(await found(steps), steps);
  await server.close();
  t.match(await entries(t), { RG: 3, RI: 1, RT: 1 });
  await open();
  t.strictSame(await found([root!, ...steps]), [root!, ...steps]);
  t.equal((await langsmith.readRun(root!)).session_id, project);
});

t.test('a trace is deleted with its thread, and the entry with the trace', async (t) => {
  const [first, ...others] = traces;
  await server.client.threads.delete(first!.threadId);
  await until(
    () => found(first!.ids),
    (left) => left.length === 0,
  );
  for (const { ids } of others) t.strictSame(await found(ids), ids);
  await server.close();
  t.match(await entries(t), { RG: 2 });
  await open();
});

t.test('a surplus trace is deleted with all that refers to it, but not a run of it that is elsewhere', async (t) => {
  const [, moved, kept] = traces;
  const [step] = kept!.ids.slice(1);
  const { id: queueId } = await langsmith.createAnnotationQueue({ name: 'to review' });
  await langsmith.addRunsToAnnotationQueue(queueId, [step!]);
  await langsmith.shareRun(kept!.ids[0]!);
  await langsmith.createFeedback(step!, 'good', { score: 1 });
  await until(
    () => all(langsmith.listFeedback({ runIds: [step!] })),
    ({ length }) => length === 1,
  );
  await server.close();
  t.match(await entries(t), { RG: 2, RI: 1, RT: 1, FR: 1, QR: 1, sh: 1, st: 1 });

  lowerLimit(t, 'traceSweepMs', 50);
  await open({ keep_traces: 1 });
  const newest = await run();
  await until(
    () => found([...moved!.ids, ...kept!.ids]),
    ({ length }) => length === 1,
  );
  t.strictSame(await found([...moved!.ids, ...kept!.ids, ...newest.ids]), [moved!.ids[0], ...newest.ids]);
  t.strictSame((await all(langsmith.listRuns({ traceId: moved!.ids[0]! }))).map(idOf), [moved!.ids[0]]);
  await server.close();
  t.match(await entries(t), { RG: 1, RI: 1, RT: 1, FR: 0, QR: 0, sh: 0, st: 0 });
  await open();
});

t.test('a project is deleted with all of its entries', async (t) => {
  for await (const project of langsmith.listProjects()) await langsmith.deleteProject({ projectId: project.id });
  await server.close();
  t.strictSame(await entries(t), Object.fromEntries(PREFIXES.map((prefix) => [prefix, 0])));
});
