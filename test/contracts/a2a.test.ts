import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { projectOf } from '../helpers/project.js';
import {
  ROOT,
  temporaryFolder,
  testServer,
  withoutAddress,
  type TestServer,
  WITHOUT_TYPES,
} from '../helpers/server.js';

interface Answer {
  id: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with patterns, part by part
  result?: Record<string, any>;
  error?: { code: number; message: string };
}

const post = (
  server: TestServer,
  assistant: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${server.url}/a2a/${assistant}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'r1', method, params }),
  });

async function ask(
  server: TestServer,
  assistant: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await post(server, assistant, method, params, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function events(response: Response): Promise<Answer[]> {
  return (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Answer);
}

const newText = (text: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
});
const oldText = (text: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }], ...more },
});
const data = (value: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: value }], ...more },
});

const server = await testServer(t, { config: projectOf(t, ['chat', 'echo'], {}) });

t.test('version 1.0: continues a conversation of two tasks in one context', async (t) => {
  const { id, result } = await ask(server, 'chat', 'SendMessage', newText('hello'));
  t.equal(id, 'r1');
  const { task } = result!;
  t.match(task, {
    id: String,
    contextId: String,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: /^2.*Z|\+00:00$/ },
    artifacts: [{ artifactId: String, parts: [{ text: 'answer 1' }] }],
  });
  t.notOk(JSON.stringify(result).includes('"kind"'));
  const second = (
    await ask(server, 'chat', 'SendMessage', {
      ...newText('more', { contextId: task.contextId }),
      configuration: { historyLength: 10 },
    })
  ).result!['task'];
  t.equal(second.contextId, task.contextId);
  t.not(second.id, task.id);
  t.match(second, {
    artifacts: [{ parts: [{ text: 'answer 3' }] }],
    history: [
      { role: 'ROLE_USER', parts: [{ text: 'hello' }] },
      { role: 'ROLE_AGENT' },
      { role: 'ROLE_USER', parts: [{ text: 'more' }] },
      { role: 'ROLE_AGENT', parts: [{ text: 'answer 3' }] },
    ],
  });

  const first = (await ask(server, 'chat', 'GetTask', { id: task.id })).result!;
  t.match(
    first,
    { id: task.id, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'answer 1' }] }] },
    'an earlier task shows what it made itself',
  );
  const own = (
    await ask(
      server,
      'chat',
      'GetTask',
      { id: second.id, historyLength: 10 },
      { 'LangGraph-A2A-History-Scope': 'task' },
    )
  ).result!;
  t.equal(own['history'].length, 2);
  const listed = (await ask(server, 'chat', 'ListTasks', { contextId: task.contextId })).result!;
  t.strictSame(
    listed['tasks'].map((one: { id: string }) => one.id),
    [second.id, task.id],
  );
  const page = (await ask(server, 'chat', 'ListTasks', { contextId: task.contextId, pageSize: 1 })).result!;
  t.strictSame(
    (
      await ask(server, 'chat', 'ListTasks', {
        contextId: task.contextId,
        pageSize: 1,
        pageToken: page['nextPageToken'],
      })
    ).result!['tasks'][0].id,
    task.id,
  );
  t.match(await server.client.threads.get(task.contextId), { status: 'idle' }, 'the context is a thread');

  const elsewhere = (await ask(server, 'chat', 'SendMessage', newText('hi'))).result!['task'] as { id: string };
  const everywhere = (await ask(server, 'chat', 'ListTasks', {})).result!;
  t.strictSame(
    everywhere['tasks'].map((one: { id: string }) => one.id),
    [elsewhere.id, second.id, task.id],
    'of all contexts',
  );
  const ids: string[] = [];
  for (let token = ''; ;) {
    const { tasks, nextPageToken } = (await ask(server, 'chat', 'ListTasks', { pageSize: 1, pageToken: token }))
      .result as unknown as { tasks: { id: string }[]; nextPageToken: string };
    ids.push(...tasks.map(({ id }) => id));
    if ((token = nextPageToken) === '') break;
  }
  t.strictSame(ids, [elsewhere.id, second.id, task.id], 'page by page');
});

t.test('version 0.3: continues a conversation of two tasks in one context', async (t) => {
  const task = (await ask(server, 'chat', 'message/send', oldText('hello'))).result!;
  t.match(task, {
    kind: 'task',
    status: { state: 'completed' },
    artifacts: [{ parts: [{ kind: 'text', text: 'answer 1' }] }],
  });
  t.match((await ask(server, 'chat', 'tasks/get', { taskId: task['id'], historyLength: 1 })).result, {
    kind: 'task',
    id: task['id'],
    history: [{ kind: 'message', role: 'agent', parts: [{ kind: 'text' }] }],
  });
  const threaded = (
    await ask(server, 'chat', 'message/send', { ...oldText('more'), thread: { threadId: task['contextId'] } })
  ).result!;
  t.match(threaded, { contextId: task['contextId'], artifacts: [{ parts: [{ text: 'answer 3' }] }] });
});

t.test('streams a task in both versions', async (t) => {
  const response = await post(server, 'chat', 'SendStreamingMessage', newText('hello'), {
    accept: 'text/event-stream',
  });
  t.equal(response.headers.get('content-type'), 'text/event-stream');
  const found = (await events(response)).map(({ result }) => result!);
  t.match(found, [
    { task: { status: { state: 'TASK_STATE_SUBMITTED' } } },
    { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } },
    { artifactUpdate: { artifact: { parts: [{ text: 'answer 1' }] } } },
    { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
  ]);
  const old = (
    await events(await post(server, 'chat', 'message/stream', oldText('hello'), { accept: 'text/event-stream' }))
  ).map(({ result }) => result!);
  t.match(old, [
    { kind: 'task' },
    { kind: 'status-update', final: false },
    { kind: 'artifact-update' },
    { kind: 'status-update', final: true, status: { state: 'completed' } },
  ]);
  t.match(await (await post(server, 'chat', 'SendStreamingMessage', {}, { accept: 'text/event-stream' })).json(), {
    error: { code: -32602 },
  });
});

t.test('accepts the answer to a question only with the id of its task', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['approval'], {}), env: WITHOUT_TYPES });
  const asked = (await ask(server, 'approval', 'SendMessage', data({ trace: '' }))).result!['task'];
  t.match(asked, {
    status: {
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { role: 'ROLE_AGENT', parts: [{ text: 'first question' }] },
    },
  });
  const again = (await ask(server, 'approval', 'SendMessage', newText('yes', { taskId: asked.id }))).result!['task'];
  t.equal(again.contextId, asked.contextId);
  t.match(again, { status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'second question' }] } } });
  const ended = (
    await ask(server, 'approval', 'SendMessage', newText('no', { taskId: again.id, contextId: again.contextId }))
  ).result!['task'];
  t.match(ended, {
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ data: { answers: ['before', 'yes', 'no', 'after'] } }] }],
  });
  for (const taskId of [asked.id, again.id, ended.id])
    t.match((await ask(server, 'approval', 'SendMessage', newText('late', { taskId }))).error, { code: -32004 });
});

const failing = await testServer(t, { config: projectOf(t, ['trouble', 'ticker'], {}), env: WITHOUT_TYPES });

t.test('reports a run that fails as a failed task', async (t) => {
  const failed = (await ask(failing, 'trouble', 'SendMessage', data({ do: 'throw' }))).result!['task'];
  t.match(failed, { status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'CustomError: Boo!' }] } } });
});

t.test('returns a running task at once on request, and cancels it', async (t) => {
  const server = failing;
  const gate = join(temporaryFolder(t), 'gate');
  const begun = (
    await ask(server, 'ticker', 'SendMessage', { ...data({ gate }), configuration: { returnImmediately: true } })
  ).result!['task'];
  t.match(begun.status.state, /^TASK_STATE_(SUBMITTED|WORKING)$/);
  t.match((await ask(server, 'ticker', 'SendMessage', newText('x', { taskId: begun.id }))).error, { code: -32004 });
  t.match((await ask(server, 'ticker', 'CancelTask', { id: begun.id })).result, {
    status: { state: 'TASK_STATE_CANCELED' },
  });
  t.match((await ask(server, 'ticker', 'CancelTask', { id: begun.id })).error, { code: -32002 });
  t.match((await ask(server, 'ticker', 'tasks/get', { id: begun.id })).result, { status: { state: 'canceled' } });
  t.match((await ask(server, 'trouble', 'GetTask', { id: begun.id })).error, { code: -32001 }, 'of another assistant');
});

t.test('refuses invalid requests', async (t) => {
  t.equal((await post(server, 'nobody', 'GetTask', {})).status, 404);
  t.equal((await post(server, randomUUID(), 'GetTask', {})).status, 404);
  for (const accept of ['text/html', 'text/event-stream'])
    t.equal((await post(server, 'chat', 'GetTask', {}, { accept })).status, 400, accept);
  for (const accept of ['*/*', 'application/*'])
    t.equal((await post(server, 'chat', 'GetTask', {}, { accept })).status, 200, accept);
  t.equal((await post(server, 'chat', 'message/stream', {})).status, 400);
  for (const body of ['{', '[]', '{}', '{"jsonrpc":"2.0","method":"GetTask"}'])
    t.equal(
      (
        await fetch(`${server.url}/a2a/chat`, {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body,
        })
      ).status,
      400,
      body,
    );
  const code = async (method: string, params: unknown, assistant = 'chat'): Promise<number> =>
    (await ask(server, assistant, method, params)).error!.code;
  for (const method of ['SubscribeToTask', 'tasks/resubscribe', 'tasks/pushNotificationConfig/set', 'constructor'])
    t.equal(await code(method, {}), -32601, method);
  for (const id of ['x', randomUUID()]) t.equal(await code('GetTask', { id }), -32001);
  for (const params of [
    [],
    {},
    { message: 1 },
    newText('x', { role: 'agent' }),
    newText('x', { messageId: 7 }),
    newText('x', { parts: [] }),
    newText('x', { parts: [{}] }),
    newText('x', { parts: [null] }),
    newText('x', { contextId: 'mine' }),
    newText('x', { contextId: 7 }),
    newText('x', { taskId: {} }),
    { ...newText('x'), configuration: { blocking: 'no' } },
    { ...newText('x'), configuration: { historyLength: -1 } },
  ])
    t.equal(await code('SendMessage', params), -32602, JSON.stringify(params));
  t.match((await ask(server, 'chat', 'GetTask', { id: randomUUID(), historyLength: 11 })).error!.code, -32001);
  t.match((await ask(server, 'chat', 'SendMessage', { ...newText('x'), configuration: { historyLength: 11 } })).error, {
    code: -32602,
    message: 'historyLength cannot exceed 10',
  });
  t.equal(
    await code('SendMessage', { ...newText('x'), configuration: { pushNotificationConfig: { url: 'http://x' } } }),
    -32003,
  );
  t.equal(await code('SendMessage', newText('x'), 'echo'), -32602, 'a graph without messages takes no text');
  for (const params of [
    { contextId: 7 },
    { contextId: 'x' },
    { contextId: randomUUID(), pageSize: 0 },
    { contextId: randomUUID(), pageToken: 'x' },
  ])
    t.equal(await code('ListTasks', params), -32602);
  t.match((await ask(server, 'chat', 'ListTasks', { contextId: randomUUID() })).result, { tasks: Empty });
});

t.test('serves the cards of agents', async (t) => {
  const own = await server.client.assistants.create({
    graphId: 'chat',
    name: 'Talker',
    metadata: {
      a2a: {
        description: 'Talks',
        skills: [{ id: 's', name: 'S', description: 'd', tags: [] }],
        capabilities: { streaming: false },
      },
    },
  });
  const card = (await (
    await server.get(`/.well-known/agent-card.json?assistant_id=${own.assistant_id}`)
  ).json()) as Record<string, unknown>;
  t.match(withoutAddress(server, card), {
    name: 'Talker',
    description: 'Talks',
    version: String,
    skills: [{ id: 's' }],
    capabilities: { streaming: true, pushNotifications: false, extensions: Empty },
    supportedInterfaces: [
      { url: `/a2a/${own.assistant_id}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { protocolVersion: '0.3' },
    ],
  });
  for (const same of [
    await (await server.get(`/a2a/${own.assistant_id}/.well-known/agent-card.json`)).json(),
    (await ask(server, own.assistant_id, 'GetExtendedAgentCard', {})).result,
  ])
    t.strictSame(withoutAddress(server, same), withoutAddress(server, card));
  t.equal((await server.get('/.well-known/agent-card.json?assistant_id=nobody')).status, 404);
  t.equal((await server.get('/.well-known/agent-card.json')).status, 422);
});

t.test('shows users only their own tasks', async (t) => {
  const users = await testServer(t, {
    config: join(ROOT, 'test', 'access', 'project', 'langgraph.json'),
    env: WITHOUT_TYPES,
  });
  const as = (who: string): Record<string, string> => ({ authorization: `Bearer token-of-${who}` });
  const [graph] = (await (
    await fetch(`${users.url}/assistants/search`, {
      method: 'POST',
      headers: { ...as('alice'), 'content-type': 'application/json' },
      body: '{}',
    })
  ).json()) as { graph_id: string }[];
  const name = graph!.graph_id;
  const hers = (await ask(users, name, 'SendMessage', data({}), as('alice'))).result!['task'];
  t.equal((await ask(users, name, 'GetTask', { id: hers.id }, as('alice'))).result!['id'], hers.id);
  t.match((await ask(users, name, 'GetTask', { id: hers.id }, as('bob'))).error, { code: -32001 });
  t.match((await ask(users, name, 'CancelTask', { id: hers.id }, as('bob'))).error, { code: -32001 });
  t.match((await ask(users, name, 'SendMessage', data({}, { contextId: hers.contextId }), as('bob'))).error, {
    code: -32001,
  });
  t.match((await ask(users, name, 'ListTasks', { contextId: hers.contextId }, as('bob'))).result, { tasks: Empty });
  t.strictSame((await ask(users, name, 'ListTasks', {}, as('bob'))).result!['tasks'], []);
  t.match((await ask(users, name, 'ListTasks', {}, as('alice'))).result, { tasks: [{ id: hers.id }] });
  t.equal((await post(users, name, 'GetTask', {})).status, 401);
});

t.test('returns 404 with http.disable_a2a', async (t) => {
  const off = await testServer(t, { config: projectOf(t, ['chat'], { http: { disable_a2a: true } }) });
  t.equal((await post(off, 'chat', 'GetTask', {})).status, 404);
  t.equal((await off.get('/.well-known/agent-card.json?assistant_id=chat')).status, 404);
});
