import { randomUUID } from 'node:crypto';
import t from 'tap';
import { fail } from '../../src/base/errors.js';
import { MiB } from '../../src/base/limits.js';
import { BodyMemory, type BodyReservation } from '../../src/services/evaluation/body-memory.js';
import { configWith, testServer } from '../helpers/server.js';
import { read, row, send, sent, upload, type Json } from '../helpers/uploads.js';

const config = configWith(t, 'echo');

const server = await testServer(t, { config });

t.test('starts with no examples when a dataset is created again under the same id', async (t) => {
  const dataset_id = randomUUID();
  for (const [count, name] of [
    [3, 'first'],
    [2, 'second'],
  ] as const) {
    await sent(
      server,
      upload({
        dataset_id,
        experiment_name: name,
        results: Array.from({ length: count }, (_, n) => row({ inputs: { n, name } })),
      }),
    );
    const examples = await read<Json[]>(server, `/api/v1/examples?dataset=${dataset_id}`);
    t.strictSame(
      examples.map(({ inputs }) => inputs),
      Array.from({ length: count }, (_, n) => ({ n, name })),
    );
    t.equal(await read(server, `/api/v1/examples/count?dataset=${dataset_id}`), count);
    await server.get(`/api/v1/datasets/${dataset_id}`, { method: 'DELETE' });
  }
});

t.test('moves feedback with its run to the project that the run names later', async (t) => {
  const runId = randomUUID();
  await server.get(`/api/v1/runs/${runId}`, {
    method: 'PATCH',
    body: JSON.stringify({ outputs: { a: 1 }, end_time: '2024-05-01T10:00:01Z' }),
  });
  const scored = await server.post('/api/v1/feedback', { run_id: runId, key: 'good', score: 1 });
  t.equal(scored.status, 200);
  t.equal(
    (
      await server.post('/api/v1/runs', {
        id: runId,
        name: 'late',
        run_type: 'chain',
        start_time: '2024-05-01T10:00:00Z',
        inputs: {},
        session_name: 'its own',
      })
    ).status,
    202,
  );
  const [session] = await read<Json[]>(server, '/api/v1/sessions?name=its%20own');
  const feedback = await read<Json[]>(server, `/api/v1/feedback?run=${runId}`);
  t.match(feedback, [{ key: 'good', session_id: session!['id'], run_id: runId }]);
  t.match(await read(server, `/api/v1/runs/${runId}`), {
    session_id: session!['id'],
    outputs: { a: 1 },
    feedback_stats: { good: { n: 1, avg: 1 } },
  });
  t.equal((await server.get(`/api/v1/feedback/${String(feedback[0]!['id'])}`, { method: 'DELETE' })).status, 200);
  t.strictSame(await read(server, `/api/v1/feedback?run=${runId}`), []);
});

t.test('refuses invalid requests also when many come at once', async (t) => {
  const wrong = upload({ results: [{ row_id: 'x' }] });
  const answers = await Promise.all(
    Array.from({ length: 150 }, async (_, n) => {
      if (n % 3 === 0) return (await send(server, wrong)).status;
      if (n % 3 === 1) return (await server.post('/api/v1/examples', { dataset_id: randomUUID(), inputs: {} })).status;
      return (await server.post('/api/v1/runs', { run_type: 'chain', id: 'x' })).status;
    }),
  );
  t.strictSame(
    [...new Set(answers)].sort((a, b) => a - b),
    [404, 422],
  );
});

t.test('refuses one more upload when it is full, and continues', async (t) => {
  const { checkFits } = BodyMemory.prototype;
  t.teardown(() => {
    BodyMemory.prototype.checkFits = checkFits;
  });
  BodyMemory.prototype.checkFits = () => {
    throw fail('OVERLOADED', { what: 'too many uploads are under way' });
  };
  t.equal((await send(server, upload({ dataset_name: 'too many' }))).status, 503);
  t.equal(
    (await server.post('/runs', { run_type: 'chain', id: randomUUID() })).status,
    503,
    'a body that was read already',
  );
  BodyMemory.prototype.checkFits = checkFits;
  t.equal((await send(server, upload({ dataset_name: 'too many' }))).status, 200);
});

t.test('lets the oldest body continue, and others while they are small', (t) => {
  const memory = new BodyMemory();
  const resumed: string[] = [];
  const pauses = (name: string, body: BodyReservation): boolean => body.mustPause(() => resumed.push(name));
  const first = memory.open(100 * MiB);
  first.add(60 * MiB);
  const large = memory.open(60 * MiB);
  large.add(1);
  const small = memory.open(20 * MiB);
  small.add(1);
  t.notOk(pauses('first', first), 'the oldest one continues');
  t.ok(pauses('large', large), 'a large one waits');
  t.notOk(pauses('small', small), 'a small one continues');
  const unknown = memory.open(null);
  unknown.add(1);
  t.ok(pauses('unknown', unknown), 'one without a length counts as large');
  first.end();
  t.strictSame(resumed, [], 'as long as the first one is not stored');
  first.release();
  t.strictSame(resumed, ['large']);
  t.equal(memory.bytes, 3);
  large.release();
  t.strictSame(resumed, ['large', 'unknown']);
  small.release();
  unknown.release();
  t.equal(memory.bytes, 0);
  t.end();
});

t.test('does not let slow clients stop others, and refuses one that has waited for long', async (t) => {
  const memory = new BodyMemory({ slowMs: 50, waitMs: 100 });
  const slow = memory.open(100 * MiB);
  slow.add(1);
  const other = memory.open(100 * MiB);
  other.add(1);
  await new Promise<void>((resolve) => t.ok(other.mustPause(resolve), 'waits until the first one is slow'));
  other.add(1);
  other.end();
  const late = memory.open(100 * MiB);
  late.add(1);
  await new Promise<void>((resolve) => t.ok(late.mustPause(resolve), 'waits while another one is stored'));
  t.throws(() => late.add(1), { code: 'OVERLOADED' });
  for (const body of [slow, other, late]) body.release();
  t.equal(memory.bytes, 0);
});

t.test('does not overwrite a dataset that is created during an upload to its id', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const id = randomUUID();
    const uploaded = send(
      server,
      upload({ dataset_id: id, results: Array.from({ length: 2_000 }, (_, n) => row({ inputs: { n } })) }),
    );
    await new Promise((resolve) => {
      setTimeout(resolve, round * 10);
    });
    const made = await server.post('/api/v1/datasets', { id, name: `mine ${round}` });
    const { status } = await uploaded;
    t.strictSame(
      [made.status, status].sort((a, b) => a - b),
      made.status === 200 ? [200, 400] : [200, 409],
      'one of the two',
    );
    const { name } = await read<Json>(server, `/api/v1/datasets/${id}`);
    t.equal(name === `mine ${round}`, made.status === 200);
  }
});

t.test('removes many examples while it answers others', async (t) => {
  const { dataset } = await sent(
    server,
    upload({ dataset_name: 'to be emptied', results: Array.from({ length: 600 }, (_, n) => row({ inputs: { n } })) }),
  );
  const ids = (await read<Json[]>(server, `/api/v1/examples?dataset=${dataset.id}&limit=1000`)).map(
    ({ id }) => id as string,
  );
  const soft = await server.get(
    `/api/v1/examples?${ids
      .slice(0, 300)
      .map((id) => `example_ids=${id}`)
      .join('&')}`,
    { method: 'DELETE' },
  );
  t.equal(soft.status, 200);
  t.equal(await read(server, `/api/v1/examples/count?dataset=${dataset.id}`), 300);
  t.equal(
    (await server.post('/api/v1/platform/datasets/examples/delete', { example_ids: ids, hard_delete: true })).status,
    200,
  );
  t.equal(await read(server, `/api/v1/examples/count?dataset=${dataset.id}`), 0);
  t.match(await read(server, `/api/v1/datasets/${dataset.id}`), { example_count: 0 });
  for (const example_ids of [['x'.repeat(5_000)], ['nonsense']])
    t.equal((await server.post('/api/v1/platform/datasets/examples/delete', { example_ids })).status, 422);
});

t.test('evaluates a filter on a trace once for each trace', async (t) => {
  const { experiment } = await sent(
    server,
    upload({
      dataset_name: 'traces',
      results: Array.from({ length: 3_000 }, (_, n) => row({ inputs: { n }, run_name: n === 7 ? 'wanted' : 'other' })),
    }),
  );
  const found = await server.post('/api/v1/runs/query', {
    session: [experiment.id],
    tree_filter: 'eq(name, "wanted")',
  });
  t.match(
    ((await found.json()) as { runs: Json[] }).runs.map(({ name }) => name),
    ['wanted'],
  );
});
