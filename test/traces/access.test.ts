import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../helpers/langsmith.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'access', 'project');
const file = join(temporaryFolder(t), 'langgraph.json');
writeFileSync(
  file,
  JSON.stringify({
    graphs: { echo: join(ROOT, 'test', 'graphs', 'echo.ts:graph') },
    auth: { path: join(PROJECT, 'auth.ts:auth') },
    traces: true,
  }),
);
const server = await testServer(t, { config: file });

type Send = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

function user(name: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer token-of-${name}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
}

t.test('who is limited by a filter sees no traces, and still scores the own runs', async (t) => {
  const [alice, bob, carol] = [user('alice'), user('bob'), user('carol')];
  const { thread_id: threadId } = (await alice('POST', '/threads', {})).body as { thread_id: string };
  const { run_id: runId } = (
    await alice('POST', `/threads/${threadId}/runs`, { assistant_id: 'echo', input: { text: 'private words' } })
  ).body as { run_id: string };
  await alice('GET', `/threads/${threadId}/runs/${runId}/join`);
  const found = await until(
    () => carol('GET', `/api/v1/runs/${runId}`),
    ({ status }) => status === 200,
  );
  t.match(found.body, { inputs: { text: 'private words' } }, 'who sees everything sees the trace');
  t.notMatch(JSON.stringify(found.body), /planted-user-secret|langgraph_auth/, 'which says nothing of the user');
  const { session_id: projectId } = found.body as { session_id: string };

  for (const [name, send] of [
    ['alice', alice],
    ['bob', bob],
  ] as const) {
    t.equal((await send('GET', `/api/v1/runs/${runId}`)).status, 404, name);
    t.strictSame((await send('GET', '/api/v1/sessions?reference_free=true')).body, [], name);
    for (const query of [{ session: [projectId] }, { id: [runId] }, { trace: runId }])
      t.match((await send('POST', '/api/v1/runs/query', query)).body, { runs: { length: 0 } }, name);
    t.match(
      (await send('POST', '/api/v1/runs/query', { session: [projectId], filter: 'search("private")' })).body,
      { runs: { length: 0 } },
      'nor its text in a search',
    );
  }
  const score = { run_id: runId, key: 'liked', score: 1 };
  t.equal((await bob('POST', '/api/v1/feedback', score)).status, 404);
  t.equal((await alice('POST', '/api/v1/feedback', score)).status, 200);
  t.match((await alice('GET', `/api/v1/feedback?run=${runId}`)).body, [{ key: 'liked', score: 1 }]);
  t.strictSame((await bob('GET', `/api/v1/feedback?run=${runId}`)).body, []);
});

t.test('nobody takes the place of a project in advance', async (t) => {
  const [alice, carol] = [user('alice'), user('carol')];
  const [{ assistant_id: assistantId }] = (await alice('POST', '/assistants/search', { graph_id: 'echo' })).body as [
    { assistant_id: string },
  ];
  const made = await alice('POST', '/assistants', { graph_id: 'echo', name: 'wanted' });
  const { assistant_id: ownId } = made.body as { assistant_id: string };
  await alice('POST', '/api/v1/sessions', { name: 'wanted', id: ownId });
  await alice('POST', '/api/v1/sessions', { name: 'other', id: assistantId });
  const { thread_id: threadId } = (await alice('POST', '/threads', {})).body as { thread_id: string };
  await alice('POST', `/threads/${threadId}/runs/wait`, { assistant_id: ownId, input: { text: 'here' } });
  const named = await until(
    async () =>
      (await carol('GET', '/api/v1/sessions?reference_free=true&name_contains=wanted')).body as { id: string }[],
    (sessions) => sessions.length === 2,
  );
  const project = named.find(({ id }) => id !== ownId)!;
  t.match(project, { name: `wanted (${ownId})` });
  t.equal((await alice('GET', `/api/v1/sessions/${project.id}`)).status, 404);
});
