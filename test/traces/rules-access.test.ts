import { join } from 'node:path';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { until } from '../helpers/langsmith.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';
import { projectWithUsers, sender, userOf, type Answer, type Send } from '../helpers/users.js';

const server = await testServer(t, {
  config: projectWithUsers(t, {
    evaluators: { correct: join(ROOT, 'test', 'graphs', 'evaluators.ts:correct') },
    traces: { evaluate: [{ evaluators: ['correct'], sample_rate: 0 }] },
  }),
});
const user = (name: string): Send => userOf(server.url, name);
const [alice, bob, carol] = [user('alice'), user('bob'), user('carol')];
const idOf = async (made: Promise<Answer>): Promise<string> => (await made).body['id'] as string;
const counted = (send: Send, path: string, acted: number): Promise<Answer> =>
  until(
    () => send('GET', path),
    ({ body }) => body['acted_count'] === acted,
  );
const queue = (send: Send): Promise<string> => idOf(send('POST', '/api/v1/annotation-queues', { name: 'mine' }));
const rule = (send: Send, body: object): Promise<string> =>
  idOf(send('POST', '/api/v1/runs/rules', { display_name: 'mine', ...body }));

async function run(send: Send): Promise<string> {
  const { thread_id: threadId } = (await send('POST', '/threads', {})).body;
  const { run_id: runId } = (
    await send('POST', `/threads/${String(threadId)}/runs`, { assistant_id: 'echo', input: { text: 'private words' } })
  ).body;
  await send('GET', `/threads/${String(threadId)}/runs/${String(runId)}/join`);
  await until(
    () => carol('GET', `/api/v1/runs/${String(runId)}`),
    ({ status, body }) => status === 200 && body['end_time'] !== null,
  );
  return runId as string;
}

t.test('a rule acts on what its creator sees, and others do not see it', async (t) => {
  const [ofAlice, ofCarol] = [
    await rule(alice, { add_to_annotation_queue_id: await queue(alice) }),
    await rule(carol, { add_to_annotation_queue_id: await queue(carol) }),
  ];
  await run(alice);
  t.match((await counted(carol, `/api/v1/runs/rules/${ofCarol}`, 1)).body, { matched_count: 1 });
  const path = `/api/v1/runs/rules/${ofAlice}`;
  t.match((await alice('GET', path)).body, { matched_count: 0, metadata: { owner: 'alice' } }, 'no traces of runs');

  t.equal((await bob('GET', path)).status, 404);
  t.equal((await bob('PATCH', path, { display_name: 'taken' })).status, 404);
  t.equal((await bob('DELETE', path)).status, 404);
  t.strictSame((await bob('GET', '/api/v1/runs/rules')).body, [], 'nor the rules of langgraph.json');
  t.match((await alice('GET', '/api/v1/runs/rules')).body, [{ id: ofAlice }]);
  t.match((await carol('GET', '/api/v1/runs/rules')).body, [{ read_only: true }, {}, {}]);

  const project = await idOf(alice('POST', '/api/v1/sessions', { name: 'of alice' }));
  const dataset = await idOf(alice('POST', '/api/v1/datasets', { name: 'of alice' }));
  for (const body of [
    { session_id: project, add_to_annotation_queue_id: await queue(bob) },
    { add_to_dataset_id: dataset },
    { add_to_annotation_queue_id: await queue(alice) },
  ])
    t.equal((await bob('POST', '/api/v1/runs/rules', { display_name: 'x', ...body })).status, 404);
});

t.test('a thumbs-down of a user who does not see the project counts for who sees both', async (t) => {
  const datasetId = await idOf(carol('POST', '/api/v1/datasets', { name: 'disliked' }));
  const disliked = await rule(carol, {
    trigger: 'feedback',
    filter: 'and(eq(feedback_key, "thumb"), eq(feedback_score, 0))',
    add_to_dataset_id: datasetId,
    add_to_dataset_prefer_correction: true,
  });
  const runId = await run(alice);
  const feedback = { run_id: runId, key: 'thumb', score: 0, correction: { text: 'better' } };
  t.equal((await alice('POST', '/api/v1/feedback', feedback)).status, 200);
  await counted(carol, `/api/v1/runs/rules/${disliked}`, 1);
  t.match((await carol('GET', `/api/v1/examples?dataset=${datasetId}`)).body, [
    { source_run_id: runId, outputs: { text: 'better' } },
  ]);
});

t.test('a rule stops when the key of its creator ends, and goes on when it is saved again', async (t) => {
  const dataFolder = temporaryFolder(t);
  const [first, second] = ['first', 'second'].map((name) => createKey(dataFolder, { name }, Date.now()));
  const keyed = await testServer(t, { config: configWith(t, 'echo'), dataFolder });
  const [one, other] = [first, second].map((made) => sender(keyed.url, { 'x-api-key': made!.text })) as [Send, Send];
  const project = await idOf(one('POST', '/api/v1/sessions', { name: 'ours' }));
  const path = `/api/v1/runs/rules/${await rule(one, {
    session_id: project,
    add_to_annotation_queue_id: await queue(one),
  })}`;
  const send = async (id: string): Promise<void> => {
    const at = new Date().toISOString();
    const body = { id, trace_id: id, name: 'x', run_type: 'chain', inputs: {}, start_time: at, end_time: at };
    const { status } = await other('POST', '/api/v1/runs', { ...body, session_id: project });
    t.equal(status, 202);
  };
  t.equal((await other('DELETE', `/server/keys/${first!.key.keyId}`)).status, 200);
  await send('6f1c1f9e-9d1c-4a43-9a53-0f5d54a1f6a1');
  const stopped = await until(
    () => other('GET', path),
    ({ body }) => body['last_error'] !== null,
  );
  t.match(stopped.body, { last_error: /key that made it has expired or was revoked/, matched_count: 0 });
  t.match((await other('PATCH', path, { is_enabled: true })).body, { last_error: null });
  await send('6f1c1f9e-9d1c-4a43-9a53-0f5d54a1f6a2');
  t.match((await counted(other, path, 1)).body, { last_error: null });
});
