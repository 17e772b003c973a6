import { join } from 'node:path';
import { RemoteGraph } from '@langchain/langgraph/remote';
import t from 'tap';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'schemas', 'project', 'langgraph.json');
/** One server for all of them. */
const opened = testServer(t, { config: PROJECT });

t.test('draws a graph, with its subgraphs down to a depth on request', async (t) => {
  const { client, url } = await opened;
  const plain = await client.assistants.getGraph('deep');
  t.strictSame(
    plain.nodes.map(({ id }) => id),
    ['__start__', 'sub', 'after', '__end__'],
  );
  t.match(plain.edges, [{ source: '__start__', target: 'sub' }, {}, {}]);
  t.strictSame(
    (await client.assistants.getGraph('deep', { xray: true })).nodes.map(({ id }) => id),
    ['__start__', 'sub:before', 'sub:below:first', 'sub:below:second', 'after', '__end__'],
  );
  t.strictSame(
    (await client.assistants.getGraph('deep', { xray: 1 })).nodes.map(({ id }) => id),
    ['__start__', 'sub:before', 'sub:below', 'after', '__end__'],
  );

  const { assistant_id: id } = await client.assistants.get('deep');
  t.strictSame(await client.assistants.getGraph(id), plain, 'by the id of the assistant as by the name of the graph');
  const drawn = await new RemoteGraph({ graphId: 'deep', url }).getGraphAsync({ xray: true });
  t.strictSame(Object.keys(drawn.nodes), [
    '__start__',
    'sub:before',
    'sub:below:first',
    'sub:below:second',
    'after',
    '__end__',
  ]);
});

t.test('names invalid arguments', async (t) => {
  const { get } = await opened;
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

t.test('calls a factory with the configuration of the assistant', async (t) => {
  const { client } = await opened;
  t.strictSame(
    Object.keys((await client.assistants.getSchemas('factory')).state_schema!.properties as object),
    ['factory'],
    'which has the name of the graph',
  );
  t.strictSame(
    (await client.assistants.getGraph('factory')).nodes.map(({ id }) => id),
    ['__start__', 'say factory', '__end__'],
  );
});

t.test('answers others while a graph that cannot be drawn blocks', async (t) => {
  const { client, get } = await opened;
  const burns = get('/assistants/burns/graph');
  const waits = get('/assistants/waits/graph');
  // Asked together with the one that never gives the thread back: they are asked again on another.
  const drawn = await Promise.all(Array.from({ length: 5 }, () => client.assistants.getGraph('deep', { xray: true })));
  t.strictSame(new Set(drawn.map(({ nodes }) => nodes.length)), new Set([6]));
  t.match(await client.runs.wait(null, 'burns', { input: {} }), { said: 'hello' }, 'it runs as any other');

  const burnt = await burns;
  t.equal(burnt.status, 422);
  t.match(await burnt.json(), { detail: /"burns" could not be read: its event loop was blocked for/ });
  const again = await get('/assistants/burns/graph');
  t.match(
    await again.json(),
    { detail: /event loop was blocked/ },
    'told again for a while, without another thread ended',
  );
  const silent = await waits;
  t.equal(silent.status, 422);
  t.match(await silent.json(), { detail: /"waits" could not be read: it did not answer within/ });
  t.match(
    await client.assistants.getSchemas('burns'),
    { state_schema: { properties: { said: { type: 'string' } } } },
    'its schemas need no drawing',
  );
});

t.test('shows the assistant of a removed graph without its drawing', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config: PROJECT, dataFolder });
  const { assistant_id: id } = await first.client.assistants.get('zod');
  await first.close();
  const { client } = await testServer(t, { dataFolder });
  await t.rejects(client.assistants.getGraph(id), /Graph \\?"zod\\?" not found/);
  await t.rejects(client.assistants.getSchemas('zod'), /Assistant not found/);
});
