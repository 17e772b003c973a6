import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { bundleGraphs } from '../../src/pool/graphs/bundle.js';
import { EXAMPLES, temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const examples = await testServer(t, { config: EXAMPLES });

t.test('accepts a builder, a promise, a factory and JavaScript as graphs', async (t) => {
  const { client } = server;
  const said = async (graph: string, configurable: Record<string, unknown> = {}): Promise<unknown> =>
    ((await client.runs.wait(null, graph, { input: {}, config: { configurable } })) as { said: unknown }).said;
  t.equal(await said('builder'), 'builder');
  t.equal(await said('promised'), 'promised');
  t.equal(await said('plain'), 'plain.mjs', "import.meta.url is the source file's");
  t.equal(await said('factory'), 'factory plain');
  t.equal(
    await said('factory', { word: 'for this run' }),
    'factory for this run',
    'a factory is called for each run with its config',
  );
  t.equal(await said('factory', { word: 'for another' }), 'factory for another');
});

t.test('loads packages of the repository from the copies that the build has bundled', async (t) => {
  const { library, libraryVersion } = await bundleGraphs([], dirname(EXAMPLES), temporaryFolder(t));
  const module = readFileSync(fileURLToPath(library), 'utf8');
  t.match(module, '/dist/packages/node_modules/@langchain/langgraph/dist/index.js"');
  t.notMatch(module.replaceAll('/dist/packages/node_modules/', ''), '/node_modules/', 'one copy of each package');
  t.match(libraryVersion, /^\d+\.\d+\.\d+$/);
});

t.test('passes the environment of langgraph.json to graphs', async (t) => {
  const { client } = server;
  t.match(await client.runs.wait(null, 'trouble', { input: { do: 'env' } }), {
    done: ['from langgraph.json', 'after'],
  });
});

t.test('gives each graph the assistant id that every server gives it', async (t) => {
  const { client, dataFolder } = examples;
  const agent = await client.assistants.get('agent');
  // Vector of agent-server.md, 18.2.
  t.match(agent, {
    assistant_id: 'fe096781-5601-53d2-b2f6-0d3403f7e9ca',
    graph_id: 'agent',
    name: 'agent',
    metadata: { created_by: 'system' },
    version: 1,
    description: /agent with tools/,
  });
  t.strictSame(await client.assistants.get(agent.assistant_id), agent);
  t.strictSame(
    (await client.assistants.search({ sortBy: 'name', sortOrder: 'asc' })).map((one) => one.name),
    ['agent', 'echo', 'research'],
  );
  t.strictSame(
    (await client.assistants.search({ graphId: 'echo' })).map((one) => one.graph_id),
    ['echo'],
  );
  await t.rejects(client.assistants.get('nobody'), /Assistant not found/);
  t.ok(existsSync(join(dataFolder, 'data.mdb')));
});

t.test('streams tokens of the example agent, asks before a mail and continues with the answer', async (t) => {
  const { client } = examples;
  const { thread_id: threadId } = await client.threads.create();
  const words: string[] = [];
  for await (const { event, data } of client.runs.stream(threadId, 'agent', {
    input: { messages: [{ role: 'user', content: 'Send a mail, please' }] },
    streamMode: 'messages-tuple',
  })) {
    if (event === 'messages') words.push(String(data[0].content));
  }
  t.strictSame(
    words.filter((word) => word !== ''),
    ['Let ', 'me ', 'see.'],
  );
  t.equal((await client.threads.get(threadId)).status, 'interrupted');
  const values = (await client.runs.wait(threadId, 'agent', { command: { resume: { approved: true } } })) as {
    messages: { content: string }[];
  };
  t.equal(values.messages.at(-1)!.content, 'Done. Mail to ada@example.org was sent.');
});
