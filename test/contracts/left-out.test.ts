import t from 'tap';
import { readConfig, readProject } from '../../src/config/config.js';
import { projectOf } from '../helpers/project.js';
import { testServer } from '../helpers/server.js';

/**
 * What is not there, and how that is said: a test for each row of LEFT_OUT in test/compatibility/left-out.ts. Who
 * builds one of them takes its test and its row away, and adds a row with the new tests to test/compatibility/rows.ts.
 */
const server = await testServer(t);
const { client } = server;
const { thread_id: threadId } = await client.threads.create();
const detail = async (answer: Promise<Response>): Promise<unknown> => {
  const { status, text } = await answer.then(async (one) => ({ status: one.status, text: await one.text() }));
  return [status, (JSON.parse(text) as { detail: string }).detail];
};

t.test('answers unsupported commands as unsupported', async (t) => {
  for (const method of ['input.inject', 'subscription.reconnect']) {
    t.match(
      await (await server.post(`/threads/${threadId}/commands`, { id: 1, method })).json(),
      { type: 'error', id: 1, error: 'not_supported' },
      method,
    );
  }
});

t.test('refuses the stream mode lifecycle of runs', async (t) => {
  for (const path of ['/runs/stream', `/threads/${threadId}/runs`])
    t.match(
      await detail(server.post(path, { assistant_id: 'echo', stream_mode: ['lifecycle'] })),
      [422, /^body\.stream_mode\.0: must be one of/],
      path,
    );
});

t.test('returns 404 for the route that deletes everything', async (t) => {
  t.match(await detail(server.post('/internal/truncate', { threads: true, runs: true })), [404, /^There is no route/]);
  t.equal((await client.threads.get(threadId)).thread_id, threadId);
});

t.test('accepts checkpoint_id of a join without effect', async (t) => {
  await client.runs.wait(threadId, 'echo', { input: { text: 'x' } });
  const [run] = await client.runs.list(threadId);
  const [state] = await client.threads.getHistory(threadId, { limit: 1, metadata: { step: 0 } });
  const query = `?checkpoint_id=${state!.checkpoint.checkpoint_id!}`;
  t.strictSame(await (await server.get(`/threads/${threadId}/runs/${run!.run_id}/join${query}`)).json(), {
    text: 'x',
    steps: ['first x', 'second x'],
  });
  t.equal((await server.get(`/threads/${threadId}/runs/${run!.run_id}/stream${query}`)).status, 200);
});

t.test('accepts langsmith_tracer of a run and sends nothing', async (t) => {
  const run = await client.runs.create(threadId, 'echo', {
    input: { text: 'x' },
    _langsmithTracer: { projectName: 'p', exampleId: '00000000-0000-4000-8000-000000000000' } as never,
  });
  t.match(await client.runs.join(threadId, run.run_id), { text: 'x' });
  t.notOk('langsmith_session_name' in (await client.runs.get(threadId, run.run_id)));
});

t.test('offers no reconnect for a stateless run that keeps nothing', async (t) => {
  for (const path of ['/runs/stream', '/runs/wait']) {
    const answer = await server.post(path, { assistant_id: 'echo', input: { text: 'x' }, stream_resumable: true });
    t.equal(answer.headers.get('location'), null, path);
    t.match(answer.headers.get('content-location'), /^\/runs\/[0-9a-f-]{36}$/);
    await answer.text();
  }
});

t.test('refuses to start with a custom checkpointer', (t) => {
  t.throws(() => readConfig({ config: projectOf(t, ['echo'], { checkpointer: { path: './saver.ts:saver' } }) }, {}), {
    code: 'CONFIG_INVALID',
    message: /checkpointer\.path: is not supported/,
  });
  t.end();
});

t.test('refuses to start with an embedding named by provider', (t) => {
  t.throws(
    () =>
      readConfig(
        { config: projectOf(t, ['echo'], { store: { index: { dims: 3, embed: 'openai:text-embedding-3-small' } } }) },
        {},
      ),
    { code: 'CONFIG_INVALID', message: /store\.index\.embed/ },
  );
  t.end();
});

t.test('accepts keys of langgraph.json for images and Python without effect', (t) => {
  const others = {
    dependencies: ['.'],
    python_version: '3.12',
    pip_config_file: 'x',
    dockerfile_lines: [],
    docker_compose_file: 'x',
    base_image: 'x',
    image_distro: 'wolfi',
    api_version: '0.7',
    encryption: { path: 'x' },
    node_version: '20',
    keep_pkg_tools: true,
  };
  const read = (more: Record<string, unknown>): string =>
    JSON.stringify({ ...readProject(projectOf(t, ['echo'], more)), file: '', root: '', warnings: [] });
  t.equal(read(others), read({}));
  t.end();
});

t.test('reads numbers as doubles, as JavaScript graphs do', async (t) => {
  const put = (value: string): Promise<Response> =>
    server.post('/store/items', `{"namespace":["numbers"],"key":"n","value":{"n":${value}}}`, { method: 'PUT' });
  const text = async (path: string): Promise<string> => (await server.get(path)).text();
  for (const [sent, kept] of [
    ['9007199254740991', '9007199254740991'],
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.1'],
    ['"9007199254740993"', '"9007199254740993"'],
  ] as const) {
    t.equal((await put(sent)).status, 204);
    t.match(await text('/store/items?namespace=numbers&key=n'), `"value":{"n":${kept}}`, sent);
    const thread = await (await server.post('/threads', `{"metadata":{"n":${sent}}}`)).text();
    t.match(thread, `"metadata":{"n":${kept}}`, sent);
  }
});
