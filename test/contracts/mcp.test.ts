import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import t, { type Test } from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { Empty } from '../helpers/empty.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, type TestServer, WITHOUT_TYPES } from '../helpers/server.js';

const BOTH = 'application/json, text/event-stream';

/** The official client, as it comes. */
async function mcpClient(t: Test, server: TestServer, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  t.teardown(() => client.close());
  return client;
}

const send = (server: TestServer, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const rpc = (method: string, params?: unknown, id: number | string = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const errorOf = async (answer: Promise<Response>): Promise<unknown> => {
  const response = await answer;
  return [response.status, ((await response.json()) as { error?: { code: number } }).error?.code];
};

const server = await testServer(t, { config: projectOf(t, ['echo'], {}), env: WITHOUT_TYPES });

t.test('serves initialize, ping, list and call of the official client', async (t) => {
  const graphs = Object.fromEntries(
    ['echo', 'chat', 'trouble', 'approval'].map((name) => [name, join(ROOT, 'test', 'graphs', `${name}.ts:graph`)]),
  );
  const asker = join(ROOT, 'test', 'schemas', 'project', 'zod.ts:graph');
  const server = await testServer(t, {
    config: projectOf(t, [], { graphs: { ...graphs, asker } }),
    env: WITHOUT_TYPES,
  });
  const own = await server.client.assistants.create({
    graphId: 'echo',
    name: 'My own Echo!',
    description: 'Says it again',
  });
  const client = await mcpClient(t, server);
  t.match(client.getServerVersion(), { name: 'threadmill', version: String });
  t.strictSame(await client.ping(), {});

  // Known from here on: a list of tools waits for schemas, but not for ever.
  const { input_schema: schema } = (await (await server.get('/assistants/asker/schemas')).json()) as {
    input_schema: object;
  };
  const { tools, nextCursor } = await client.listTools();
  t.equal(nextCursor, undefined);
  const ownName = `my_own_echo-${own.assistant_id}`;
  t.strictSame(
    tools.map(({ name }) => name).toSorted(),
    ['approval', 'asker', 'chat', 'echo', ownName, 'trouble'].toSorted(),
  );
  t.match(
    tools.find(({ name }) => name === ownName),
    { description: 'Says it again', title: 'My own Echo!', inputSchema: { type: 'object' } },
  );
  t.match(tools.find(({ name }) => name === 'asker')!.inputSchema, schema, 'what the graph takes');
  t.match(schema, { properties: { question: { type: 'string' } } });

  for (const name of ['echo', ownName]) {
    const called = await client.callTool({ name, arguments: { text: 'hi' } });
    t.strictSame(called['structuredContent'], { text: 'hi', steps: ['first hi', 'second hi'] });
    t.strictSame(JSON.parse((called.content as { text: string }[])[0]!.text), called['structuredContent']);
    t.equal(called.isError, false);
  }
  const chat = await client.callTool({ name: 'chat', arguments: { messages: [{ role: 'user', content: 'hello' }] } });
  t.match(chat['structuredContent'], {
    messages: [
      { type: 'human', content: 'hello' },
      { type: 'ai', content: 'answer 1' },
    ],
  });
  const failed = await client.callTool({ name: 'trouble', arguments: { do: 'throw' } });
  t.match(failed, { isError: true, content: [{ type: 'text', text: 'CustomError: Boo!' }] });
  await t.rejects(client.callTool({ name: 'nobody', arguments: {} }), {
    code: -32602,
    message: /Unknown tool: nobody/,
  });
  t.strictSame(await (await server.post('/threads/search', {})).json(), [], 'nothing is kept');
});

t.test('limits a page of tools and continues with a cursor', async (t) => {
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => server.client.assistants.create({ graphId: 'echo', name: `a${at}` })),
  );
  const client = await mcpClient(t, server);
  const first = await client.listTools();
  t.equal(first.tools.length, 50);
  const second = await client.listTools({ cursor: first.nextCursor });
  t.equal(second.nextCursor, undefined);
  t.equal(new Set([...first.tools, ...second.tools].map(({ name }) => name)).size, 51);
});

t.test('returns the HTTP statuses and error codes of the protocol', async (t) => {
  for (const accept of [
    'application/json',
    'text/event-stream',
    'text/html, */*;q=0',
    'application/jsonp, text/event-stream',
  ])
    t.equal((await send(server, rpc('ping'), { accept })).status, 400, accept);
  for (const accept of ['*/*', 'application/*, text/event-stream;q=0.5', 'text/html, */*;q=0.1'])
    t.equal((await send(server, rpc('ping'), { accept })).status, 200, accept);
  for (const path of ['/mcp', '/mcp/']) {
    t.equal((await fetch(server.url + path)).status, 405);
    t.equal((await fetch(server.url + path, { method: 'DELETE' })).status, 404);
    t.equal(
      (await fetch(server.url + path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' }))
        .status,
      405,
    );
    t.equal((await server.post(path, rpc('ping'), { headers: { accept: BOTH } })).status, 200);
  }
  const pong = await send(server, rpc('ping', undefined, 'seven'));
  t.equal(pong.headers.get('content-type'), 'application/json');
  t.strictSame(await pong.json(), { jsonrpc: '2.0', id: 'seven', result: {} });

  for (const body of [
    '{',
    '[]',
    '7',
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
  ]) {
    t.equal((await send(server, body)).status, 400, JSON.stringify(body));
  }
  for (const note of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'what' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const answer = await send(server, note);
    t.strictSame([answer.status, await answer.text()], [202, '']);
  }
  t.strictSame(await errorOf(send(server, rpc('resources/list'))), [200, -32601]);
  t.strictSame(await errorOf(send(server, rpc('ping', [1]))), [200, -32602]);
  t.strictSame(await errorOf(send(server, rpc('initialize', {}))), [200, -32602]);
  for (const cursor of ['x', '-1', '1e9', 1.5, {}, '99999999999'])
    t.strictSame(await errorOf(send(server, rpc('tools/list', { cursor }))), [200, -32602], String(cursor));
  for (const params of [
    {},
    { name: 7 },
    { name: 'echo', arguments: [1] },
    { name: 'echo', arguments: 'x' },
    { name: '__proto__' },
  ])
    t.strictSame(await errorOf(send(server, rpc('tools/call', params))), [200, -32602], JSON.stringify(params));

  const greet = async (protocolVersion: string): Promise<unknown> =>
    (
      (await (await send(server, rpc('initialize', { protocolVersion }))).json()) as {
        result: { protocolVersion: string };
      }
    ).result.protocolVersion;
  t.equal(await greet('2025-06-18'), '2025-06-18');
  t.equal(await greet('1999-01-01'), '2025-11-25');
  t.equal((await send(server, rpc('ping'), { 'mcp-protocol-version': '1999-01-01' })).status, 400);
});

t.test('accepts message batches in protocol versions that have them', async (t) => {
  const call = rpc('tools/call', { name: 'echo', arguments: { text: 'b' } }, 2);
  const answer = (await (
    await send(server, [rpc('ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, call, rpc('what', {}, 3)])
  ).json()) as Record<string, unknown>[];
  t.match(answer, [
    { id: 1, result: Empty },
    { id: 2, result: { structuredContent: { text: 'b' } } },
    { id: 3, error: { code: -32601 } },
  ]);
  t.equal((await send(server, [{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status, 202);
  t.equal((await send(server, [rpc('ping')], { 'mcp-protocol-version': '2025-06-18' })).status, 400);
  t.equal((await send(server, [call, call])).status, 400, 'an access handler is shown one run');
  t.equal(
    (
      await send(
        server,
        Array.from({ length: 21 }, () => rpc('ping')),
      )
    ).status,
    400,
  );
});

t.test('cancels the run when the client of a call disconnects', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['ticker'], {}), env: WITHOUT_TYPES });
  const gate = join(temporaryFolder(t), 'gate');
  const leaving = new AbortController();
  const client = await mcpClient(t, server);
  const call = fetch(`${server.url}/mcp`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'content-type': 'application/json', accept: BOTH },
    body: JSON.stringify(rpc('tools/call', { name: 'ticker', arguments: { gate } })),
  });
  // Its head comes when the run has been under way for a moment.
  await call;
  leaving.abort();
  // With one worker: this one is only answered when that one is over.
  const openGate = join(temporaryFolder(t), 'open');
  writeFileSync(openGate, '');
  const other = await client.callTool({ name: 'ticker', arguments: { gate: openGate } });
  t.match(other['structuredContent'], { ticks: 0 });
});

t.test('limits a key to its scopes', async (t) => {
  const folder = temporaryFolder(t);
  const runner = createKey(folder, { name: 'runner', scopes: ['threads:create_run', 'assistants:read'] }).text;
  const reader = createKey(folder, { name: 'reader', scopes: ['read'] }).text;
  const server = await testServer(t, { config: projectOf(t, ['echo'], {}), dataFolder: folder, env: WITHOUT_TYPES });
  const status = async (key: string, body: unknown): Promise<number> =>
    (await send(server, body, key === '' ? {} : { 'x-api-key': key })).status;
  const call = rpc('tools/call', { name: 'echo', arguments: { text: 'k' } });
  t.equal(await status('', rpc('ping')), 401);
  t.equal(await status(reader, rpc('ping')), 403);
  t.equal(await status(runner, call), 200);
  t.equal(await status(runner, rpc('tools/list')), 403);
});

t.test('shows users only their own assistants as tools', async (t) => {
  const users = await testServer(t, {
    config: join(ROOT, 'test', 'access', 'project', 'langgraph.json'),
    env: WITHOUT_TYPES,
  });
  const as = (who: string): Record<string, string> => ({ authorization: `Bearer token-of-${who}` });
  const json = { ...as('alice'), 'content-type': 'application/json' };
  const graphs = (await (
    await fetch(`${users.url}/assistants/search`, { method: 'POST', headers: json, body: '{}' })
  ).json()) as { graph_id: string }[];
  const made = (await (
    await fetch(`${users.url}/assistants`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ graph_id: graphs[0]!.graph_id, name: 'hers' }),
    })
  ).json()) as { assistant_id: string };
  const alice = await mcpClient(t, users, as('alice'));
  const bob = await mcpClient(t, users, as('bob'));
  const name = `hers-${made.assistant_id}`;
  t.ok((await alice.listTools()).tools.some((tool) => tool.name === name));
  t.notOk((await bob.listTools()).tools.some((tool) => tool.name === name));
  await t.rejects(bob.callTool({ name, arguments: {} }), { code: -32602 });
});

t.test('serves nothing with http.disable_mcp', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { disable_mcp: true } }) });
  t.equal((await send(server, rpc('ping'))).status, 404);
  t.match(await (await server.get('/info')).json(), { flags: { mcp: false } });
});
