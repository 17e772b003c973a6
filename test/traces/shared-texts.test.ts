import type { Client } from 'langsmith';
import t from 'tap';
import { keys } from '../../src/store/keys.js';
import { commonPartsOf } from '../../src/store/evaluation/blocks.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

// Most steps of a chat have all of its messages. Those that are stored together have each of them once.

process.env['LANGSMITH_TRACING'] = 'false';
const folder = temporaryFolder(t);
const config = projectOf(t, ['librarian', 'speaker'], { traces: true });
let server!: TestServer;

const contentOf = (chat: string, n: number): string => `${chat} ${n} `.padEnd(400, 'of something that was said ');
const chatOf = (chat: string): { role: string; content: string }[] =>
  Array.from({ length: 12 }, (_, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: contentOf(chat, n) }));

async function open(): Promise<Client> {
  server = await testServer(t, { dataFolder: folder, config });
  return (await langsmithOf(server)).clientOf();
}

/** Calls `read` with the stores of the folder, while no server has it open. */
async function withStores<T>(read: (stores: Stores) => T | Promise<T>): Promise<T> {
  await server.close();
  const stores = openStores(folder, undefined);
  try {
    await leftoversGone(stores);
    return await read(stores);
  } finally {
    await stores.store.close();
  }
}

/** How often the blocks of runs have the text. */
const countIn = ({ store }: Stores, text: string): number =>
  [...store.entries({ prefix: keys.blocksOfKind('R') })].reduce(
    (sum, [, block]) => sum + Buffer.from(block).toString('latin1').split(text).length - 1,
    0,
  );

let langsmith = await open();

async function run(graphId: string, chat: string, more = {}): Promise<{ runId: string; threadId: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const input = { messages: chatOf(chat), ...more };
  const { run_id: runId } = await server.client.runs.create(threadId, graphId, { input });
  await server.client.runs.join(threadId, runId);
  await until(
    () => all(langsmith.listRuns({ traceId: runId })),
    (steps) => steps.length > 2 && steps.every(({ end_time: end }) => end != null),
  );
  return { runId, threadId };
}

/** Texts of the messages in a value. */
const textsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"content":"(\w+ \d+ of [^"]*)"/g)].map(([, text]) => text!);

const whole = (chat: string): string[] => chatOf(chat).map(({ content }) => content);

t.test('a run that ends soon has each message twice: as it was given, and as a message', async (t) => {
  const { runId } = await run('librarian', 'quick', { streams: false });
  const steps = await all(langsmith.listRuns({ traceId: runId }));
  const withChat = steps.filter(
    ({ run_type: type, name }) => type === 'llm' || name === 'think' || name === 'librarian',
  );
  t.equal(withChat.length, 3);
  for (const { name, inputs } of withChat) t.strictSame(textsIn(inputs), whole('quick'), name);
  const root = await langsmith.readRun(runId);
  t.strictSame(textsIn(root.outputs), whole('quick'));
  t.strictSame(
    (await all(langsmith.listRuns({ traceId: runId, filter: 'search("quick 7 of")' }))).map(({ id }) => id).sort(),
    steps
      .filter(({ inputs }) => textsIn(inputs).length > 0)
      .map(({ id }) => id)
      .sort(),
  );
  t.equal(await withStores((stores) => countIn(stores, contentOf('quick', 7))), 2);
  langsmith = await open();
  t.strictSame(textsIn((await langsmith.readRun(runId)).inputs), whole('quick'), 'after a restart');
});

t.test('steps that are stored before they end keep their messages', async (t) => {
  const { runId, threadId } = await run('speaker', 'slow', { words: 4, pause: 300 });
  const steps = await all(langsmith.listRuns({ traceId: runId }));
  for (const { name, inputs } of steps.filter(({ name }) => ['speaker', 'first', 'second'].includes(name)))
    t.strictSame(textsIn(inputs), whole('slow'), name);
  t.strictSame(textsIn((await langsmith.readRun(runId)).outputs), whole('slow'));
  await server.close();
  t.equal((await cli(['doctor', '--store', '--data', folder])).code, 0);
  langsmith = await open();
  await server.client.threads.delete(threadId);
  await until(
    () => all(langsmith.listRuns({ traceId: runId })),
    (left) => left.length === 0,
  );
  t.equal(await withStores((stores) => countIn(stores, contentOf('slow', 3))), 0);
  langsmith = await open();
});

t.test('a client changes a step: the others keep their messages', async (t) => {
  const { runId } = await run('librarian', 'changed', { streams: false });
  const steps = await all(langsmith.listRuns({ traceId: runId }));
  const model = steps.find(({ run_type: type }) => type === 'llm')!;
  await langsmith.updateRun(model.id, { inputs: { changed: true } } as never);
  await until(
    () => langsmith.readRun(model.id),
    ({ inputs }) => (inputs as Record<string, unknown>)['changed'] === true,
  );
  t.strictSame(textsIn((await langsmith.readRun(runId)).inputs), whole('changed'));
  t.strictSame(
    textsIn((await langsmith.readRun(steps.find(({ name }) => name === 'think')!.id)).inputs),
    whole('changed'),
  );
});

t.test('`doctor` names a text that is missing', async (t) => {
  await withStores(async ({ store }) => {
    const [[key, block]] = [...store.entries({ prefix: keys.blocksOfKind('R') })].filter(
      ([, bytes]) => commonPartsOf(bytes).length > 0,
    ) as [[(string | number)[], Uint8Array]];
    const [part] = commonPartsOf(block) as [ReturnType<typeof commonPartsOf>[0]];
    const emptied = Buffer.from(block);
    // A list of no texts.
    const at = emptied.indexOf(part.bytes);
    emptied[at] = 0x90;
    const commit = new Commit();
    commit.put(key, emptied.subarray(0, at + 1));
    emptied.writeUInt32LE(1, at - 4);
    await store.write(commit);
  });
  const { code, stdout } = await cli(['doctor', '--store', '--data', folder, '--json']);
  t.equal(code, 1);
  t.match(stdout, /text 0 of its item \d+ is missing/);
});
