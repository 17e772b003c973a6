import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteGraph } from '@langchain/langgraph/remote';
import t, { type Test } from 'tap';
import { readProject } from '../../src/config.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'desk', 'project', 'langgraph.json');
const open = (t: Test, env: Record<string, string> = {}): Promise<TestServer> => testServer(t, { config: PROJECT, env });

type Schema = { type?: string; properties?: Record<string, Schema & Record<string, unknown>>; required?: string[]; items?: Schema };
const names = (schema: unknown): string[] => Object.keys((schema as Schema).properties ?? {});

t.test('a graph is drawn, its subgraphs too when they are asked for, down to a depth', async (t) => {
  const { client, url } = await open(t);
  const plain = await client.assistants.getGraph('deep');
  t.strictSame(plain.nodes.map(({ id }) => id), ['__start__', 'sub', 'after', '__end__']);
  t.match(plain.edges, [{ source: '__start__', target: 'sub' }, {}, {}]);
  t.strictSame((await client.assistants.getGraph('deep', { xray: true })).nodes.map(({ id }) => id), ['__start__', 'sub:before', 'sub:below:first', 'sub:below:second', 'after', '__end__']);
  t.strictSame((await client.assistants.getGraph('deep', { xray: 1 })).nodes.map(({ id }) => id), ['__start__', 'sub:before', 'sub:below', 'after', '__end__']);

  const { assistant_id: id } = await client.assistants.get('deep');
  t.strictSame(await client.assistants.getGraph(id), plain, 'by the id of the assistant as by the name of the graph');
  const drawn = await new RemoteGraph({ graphId: 'deep', url }).getGraphAsync({ xray: true });
  t.strictSame(Object.keys(drawn.nodes), ['__start__', 'sub:before', 'sub:below:first', 'sub:below:second', 'after', '__end__']);
});

t.test('what is asked wrongly is named', async (t) => {
  const { get } = await open(t);
  const asked = async (path: string): Promise<[number, unknown]> => {
    const response = await get(`/assistants/${path}`);
    return [response.status, ((await response.json()) as { detail: unknown }).detail];
  };
  t.strictSame(await asked('nobody/graph'), [404, 'Assistant not found']);
  t.match(await asked('deep/graph?xray=0'), [422, /query.xray/]);
  t.match(await asked('deep/graph?xray=much'), [422, /query.xray/]);
  t.match(await asked('deep/subgraphs?recurse=much'), [422, /query.recurse/]);
  t.strictSame(await asked('none/graph'), [404, 'Failed to find root graph']);
  t.strictSame(await asked('none/schemas'), [404, 'Failed to find root graph']);
  t.match(await asked('throws/graph'), [422, /"throws" could not be read: the factory has no key/]);
});

t.test('schemas that the running code has need no types', async (t) => {
  // Nothing could be read out of types in a millisecond.
  const { client } = await open(t, { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '1' });
  const four = await client.assistants.getSchemas('zod');
  t.match(four, {
    graph_id: 'zod',
    state_schema: { properties: { question: { type: 'string', description: 'What is asked' }, words: { type: 'array' } }, required: ['question', 'words'] },
    input_schema: { properties: { words: { type: 'string' } } },
    output_schema: { properties: { words: { type: 'array' } } },
    config_schema: { properties: { model: { type: 'string' } } },
    context_schema: { properties: { model: { type: 'string' } } },
  });
  t.notOk((four.input_schema as Schema).required, 'no channel has to be given');
  t.match(await client.assistants.getSchemas('zod3'), { state_schema: { properties: { question: { type: 'string' }, count: { type: 'number' } }, required: ['question'] } });
  const odd = await client.assistants.getSchemas('odd');
  t.strictSame((odd.state_schema as Schema).properties, { when: {}, question: { type: 'string' } });
  t.match(await client.assistants.getSchemas('standard'), { state_schema: { properties: { messages: { langgraph_type: 'messages' }, count: { type: 'number' } }, required: ['count'] } });
  t.match(await client.assistants.getSchemas('agent'), { input_schema: { properties: { messages: { langgraph_type: 'messages' } } }, context_schema: { properties: { who: { type: 'string' } } } });
});

t.test('what only the types say is missing when they cannot be read in time', async (t) => {
  const { client } = await open(t, { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '1' });
  t.strictSame(await client.assistants.getSchemas('annotated'), { graph_id: 'annotated' });
  const mixed = await client.assistants.getSchemas('mixed');
  t.strictSame(Object.keys(mixed), ['graph_id', 'input_schema']);
  t.strictSame(await client.assistants.getSubgraphs('deep'), { sub: {} });
});

t.test('the types say what the running code does not', async (t) => {
  const { client } = await open(t);
  const { state_schema: state, input_schema: input, output_schema: output, config_schema: config, context_schema: context } = await client.assistants.getSchemas('annotated') as unknown as Record<string, Schema>;
  t.strictSame(names(state), ['place', 'words', 'flag', 'messages'].filter((name) => names(state).includes(name)).length === 4 ? names(state) : []);
  t.strictSame(state!.required!.toSorted(), ['messages', 'place', 'words']);
  t.strictSame(state!.properties!['words'], { type: 'array', items: { type: 'string' } });
  t.strictSame(state!.properties!['flag'], { type: 'boolean' });
  t.match(state!.properties!['messages'], { type: 'array', langgraph_type: 'messages', items: { properties: { content: {} } } });
  t.strictSame(state!.properties!['place'], { $ref: '#/definitions/Place' });
  t.strictSame((state as unknown as { definitions: unknown }).definitions, {
    Place: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        zip: { type: 'number', description: 'As on a letter.' },
        kind: { anyOf: [{ enum: ['home', 'work'] }, { type: 'null' }] },
        near: { type: 'array', items: { $ref: '#/definitions/Place' } },
        since: { type: 'string', format: 'date-time' },
        tags: {},
      },
      required: ['city', 'kind', 'near', 'since', 'tags'],
    },
  });
  t.notOk(input!.required, 'no channel has to be given');
  t.strictSame(input!.properties!['words'], { type: 'string' }, 'what a node writes, not what the state holds');
  t.match(input!.properties!['messages'], { langgraph_type: 'messages' });
  t.strictSame(output, state);
  t.strictSame(config!.properties, { model: { enum: ['small', 'large'] } });
  t.strictSame(context, config);

  t.match(await client.assistants.getSchemas('mixed'), { state_schema: { properties: { a: { type: 'number' }, b: { type: 'string' } } }, input_schema: { properties: { a: { type: 'integer' } } } });
  t.strictSame(names((await client.assistants.getSchemas('untyped')).state_schema).toSorted(), ['heard', 'said']);
  const task = await client.assistants.getSchemas('task');
  t.match(task, { graph_id: 'task', input_schema: { properties: { count: { type: 'number' } } } });
  t.notOk(task.state_schema, 'a function has no state');
});

t.test('subgraphs have schemas, under both sets of names', async (t) => {
  const { client, get } = await open(t);
  const first = await client.assistants.getSubgraphs('deep') as unknown as Record<string, Record<string, Schema>>;
  t.strictSame(Object.keys(first), ['sub']);
  t.strictSame(names(first['sub']!['state']).toSorted(), ['middle', 'outer']);
  for (const kind of ['state', 'input', 'output']) t.strictSame(first['sub']![`${kind}_schema`], first['sub']![kind]);

  const all = await client.assistants.getSubgraphs('deep', { recurse: true }) as unknown as Record<string, Record<string, Schema>>;
  t.strictSame(Object.keys(all), ['sub', 'sub|below']);
  t.match(all['sub|below'], { state_schema: { properties: { middle: { type: 'number' }, inner: { type: 'array', items: { type: 'string' } } } } });
  t.strictSame(Object.keys(await client.assistants.getSubgraphs('deep', { namespace: 'sub' })), ['sub']);
  t.strictSame(Object.keys(await client.assistants.getSubgraphs('deep', { namespace: 'sub|below', recurse: true })), ['sub|below']);
  t.strictSame(Object.keys(await (await get('/assistants/deep/subgraphs/sub%7Cbelow?recurse=true')).json() as object), ['sub|below']);
  t.strictSame(await client.assistants.getSubgraphs('deep', { namespace: 'sub|below' }), {}, 'of a subgraph in a subgraph only with recurse');
  t.strictSame(await client.assistants.getSubgraphs('deep', { namespace: 'nobody' }), {});
  t.strictSame(await client.assistants.getSubgraphs('zod'), {});
});

t.test('a factory is called with the configuration of the assistant', async (t) => {
  const { client } = await open(t);
  t.strictSame(names((await client.assistants.getSchemas('factory')).state_schema), ['factory'], 'which has the name of the graph');
  t.strictSame((await client.assistants.getGraph('factory')).nodes.map(({ id }) => id), ['__start__', 'say factory', '__end__']);
});

t.test('a graph that cannot be drawn holds up nobody', async (t) => {
  const { client, get } = await open(t);
  const burns = get('/assistants/burns/graph');
  const waits = get('/assistants/waits/graph');
  // Asked together with the one that never gives the thread back: they are asked again on another.
  const drawn = await Promise.all(Array.from({ length: 5 }, () => client.assistants.getGraph('deep', { xray: true })));
  t.strictSame(new Set(drawn.map(({ nodes }) => nodes.length)), new Set([6]));
  t.match(await client.runs.wait(null, 'burns', { input: {} }), { said: 'hello' }, 'it runs as any other');

  const burnt = await burns;
  t.equal(burnt.status, 422);
  t.match(await burnt.json(), { detail: /"burns" could not be read: it stood still for/ });
  const again = await get('/assistants/burns/graph');
  t.match(await again.json(), { detail: /stood still/ }, 'told again for a while, without another thread ended');
  const silent = await waits;
  t.equal(silent.status, 422);
  t.match(await silent.json(), { detail: /"waits" could not be read: it did not answer within/ });
  t.match(await client.assistants.getSchemas('burns'), { state_schema: { properties: { said: { type: 'string' } } } }, 'its schemas need no drawing');
});

t.test('other code has other schemas, and types that no bundle has count too', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(join(ROOT, 'test', 'desk', 'project'), folder, { recursive: true });
  const config = join(folder, 'langgraph.json');
  const { client, reload } = await testServer(t, { config });
  const state = async (graph: string): Promise<Schema> => (await client.assistants.getSchemas(graph)).state_schema as Schema;
  t.ok((await state('annotated')).properties!['words'], 'a project without packages of its own gets ours');
  t.strictSame(names(await state('zod')), ['question', 'words']);

  writeFileSync(join(folder, 'place.ts'), readFileSync(join(folder, 'place.ts'), 'utf8').replace('city: string', 'town: number'));
  writeFileSync(join(folder, 'zod.ts'), readFileSync(join(folder, 'zod.ts'), 'utf8').replace('question: z.string()', 'riddle: z.string()'));
  await reload(readProject(config));
  t.match((await state('annotated') as { definitions?: unknown }).definitions, { Place: { properties: { town: { type: 'number' } } } });
  t.strictSame(names(await state('zod')), ['riddle', 'words']);
});

t.test('what was read out of types is kept in the data folder, as long as no file changes', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config: PROJECT, dataFolder });
  const schemas = await first.client.assistants.getSchemas('untyped');
  await first.close();
  const cache = join(dataFolder, 'cache');
  const [kept] = readdirSync(cache).filter((name) => name.startsWith('types-'));
  const entry = JSON.parse(readFileSync(join(cache, kept!), 'utf8')) as { files: Record<string, string>; schemas: Record<string, Record<string, unknown>> };
  t.strictSame(entry.schemas['']!['state'], schemas.state_schema);
  t.ok(Object.keys(entry.files).some((file) => file.endsWith('untyped.mjs')));
  t.ok(Object.keys(entry.files).some((file) => file.endsWith('node_modules/@langchain/langgraph/package.json')), 'a package is told by its version');
  t.notOk(Object.keys(entry.files).some((file) => file.endsWith('.d.ts')));

  entry.schemas['']!['state'] = { type: 'object', title: 'kept' };
  writeFileSync(join(cache, kept!), JSON.stringify(entry));
  const second = await testServer(t, { config: PROJECT, dataFolder });
  t.match(await second.client.assistants.getSchemas('untyped'), { state_schema: { title: 'kept' } });
  await second.close();

  entry.files[Object.keys(entry.files).find((file) => file.endsWith('untyped.mjs'))!] = 'another hash';
  writeFileSync(join(cache, kept!), JSON.stringify(entry));
  const third = await testServer(t, { config: PROJECT, dataFolder });
  t.strictSame(await third.client.assistants.getSchemas('untyped'), schemas);
});

t.test('an assistant of a graph that is not configured any more is known, its graph is not', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config: PROJECT, dataFolder });
  const { assistant_id: id } = await first.client.assistants.get('zod');
  await first.close();
  const { client } = await testServer(t, { dataFolder });
  await t.rejects(client.assistants.getGraph(id), /Graph \\?"zod\\?" not found/);
  await t.rejects(client.assistants.getSchemas('zod'), /Assistant not found/);
});
