import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Cron } from '@langchain/langgraph-sdk';
import { assistantIdOf } from '../../src/base/ids.js';
import { Empty } from '../helpers/empty.js';
import { configWith, testServer } from '../helpers/server.js';

const fewGraphs = configWith(t, 'echo', 'gate');

const server = await testServer(t, { config: fewGraphs });
const { client } = server;
const { crons, threads } = client;

const NOBODY = '00000000-0000-4000-8000-000000000000';
const ISO_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Does not come while a test runs. */
const YEARLY = '0 0 29 2 *';

/** The SDK types what it gets back from `create` as a run. */
const made = async (promise: Promise<unknown>): Promise<Cron> => (await promise) as Cron;
const create = (payload: Record<string, unknown> = {}): Promise<Cron> =>
  made(crons.create('echo', { schedule: YEARLY, ...payload }));
const label = (): string => `label-${randomUUID()}`;
const ids = (list: readonly { cron_id: string }[]): string[] => list.map(({ cron_id }) => cron_id);

t.test('returns every field of a new cron', async (t) => {
  const cron = await create({ input: { text: 'x' }, metadata: { who: 'ada' } });
  t.match(cron, {
    cron_id: UUID,
    created_at: ISO_MICROSECONDS,
    updated_at: ISO_MICROSECONDS,
    next_run_date: /-02-29T00:00:00\.000000\+00:00$/,
  });
  const {
    cron_id: id,
    created_at: _created,
    updated_at: _updated,
    next_run_date: _next,
    ...rest
  } = cron as Cron & Record<string, unknown>;
  t.strictSame(rest, {
    assistant_id: assistantIdOf('echo'),
    thread_id: null,
    on_run_completed: 'delete',
    end_time: null,
    schedule: YEARLY,
    timezone: null,
    user_id: null,
    payload: { input: { text: 'x' }, assistant_id: assistantIdOf('echo'), metadata: { who: 'ada', cron_id: id } },
    metadata: { who: 'ada' },
    enabled: true,
    last_run_id: null,
    last_run_date: null,
    last_error: null,
  });
  t.strictSame(await (await server.get(`/runs/crons/${id}`)).json(), cron);
  t.strictSame(await (await server.get(`/runs/crons/${id.toUpperCase()}`)).json(), cron, 'ids are read in any case');
});

t.test('stores every field of the client', async (t) => {
  const cron = await create({
    input: { text: 'x' },
    config: { configurable: { a: 1 } },
    context: { b: 2 },
    interruptBefore: ['first'],
    interruptAfter: ['second'],
    onRunCompleted: 'keep',
    multitaskStrategy: 'interrupt',
    checkpointDuring: false,
    durability: 'sync',
    enabled: false,
    timezone: 'Europe/Berlin',
    streamMode: ['updates'],
    streamSubgraphs: true,
    streamResumable: true,
    endTime: '2100-01-01T00:00:00+02:00',
  });
  t.match(cron, {
    enabled: false,
    timezone: 'Europe/Berlin',
    on_run_completed: 'keep',
    end_time: '2099-12-31T22:00:00.000000+00:00',
    next_run_date: /-02-28T23:00:00/,
  });
  t.match(cron.payload, {
    config: { configurable: { a: 1 } },
    context: { b: 2 },
    interrupt_before: ['first'],
    interrupt_after: ['second'],
    multitask_strategy: 'interrupt',
    checkpoint_during: false,
    durability: 'sync',
    stream_mode: ['updates'],
    stream_subgraphs: true,
    stream_resumable: true,
    on_completion: 'keep',
  });
});

t.test('creates a cron of a thread', async (t) => {
  const { thread_id: threadId } = await threads.create();
  const cron = await made(
    crons.createForThread(threadId, assistantIdOf('echo'), { schedule: YEARLY, input: {}, onRunCompleted: 'delete' }),
  );
  t.matchStrict(cron, { thread_id: threadId, on_run_completed: null });
  t.strictSame(ids(await crons.search({ threadId })), [cron.cron_id]);
  await threads.delete(threadId);
  t.equal((await server.get(`/runs/crons/${cron.cron_id}`)).status, 404, 'it went with its thread');
  t.strictSame(await crons.search({ threadId }), []);
});

t.test('changes only the fields of an update', async (t) => {
  const cron = await create({
    input: { text: 'x' },
    metadata: { a: 1, b: 1 },
    context: { c: 1 },
    endTime: '2100-01-01T00:00:00Z',
  });
  const { cron_id: id } = cron;
  const same = (await crons.update(id, {})) as unknown as Cron;
  t.strictSame({ ...same, updated_at: cron.updated_at }, cron);
  const changed = await crons.update(id, {
    metadata: { b: 2 },
    input: { text: 'y' },
    schedule: '0 0 1 1 *',
    timezone: 'America/New_York',
    enabled: false,
    onRunCompleted: 'keep',
  });
  t.match(changed, {
    metadata: { a: 1, b: 2 },
    schedule: '0 0 1 1 *',
    timezone: 'America/New_York',
    enabled: false,
    on_run_completed: 'keep',
    end_time: '2100-01-01T00:00:00.000000+00:00',
    next_run_date: /-01-01T05:00:00/,
  });
  t.match(changed.payload, { input: { text: 'y' }, context: { c: 1 } });
  t.matchStrict(await crons.update(id, { endTime: null, timezone: null } as never), {
    end_time: null,
    timezone: null,
    next_run_date: /-01-01T00:00:00/,
  });
  const [found] = await crons.search({ metadata: { b: 2 }, assistantId: 'echo', enabled: false });
  t.equal(found!.cron_id, id);
});

t.test('returns 404 after a delete', async (t) => {
  const { cron_id: id } = await create();
  await crons.delete(id);
  const gone = /HTTP 404: .*Cron not found or not authorized/;
  await t.rejects(crons.delete(id), gone);
  await t.rejects(crons.delete(NOBODY), gone);
  await t.rejects(async () => {
    await crons.update(id, {});
  }, gone);
  t.equal((await server.get(`/runs/crons/${id}`)).status, 404);
});

t.test('searches with filters, pages and selected fields, and counts', async (t) => {
  const mine = label();
  const { thread_id: threadId } = await threads.create();
  const all = [
    await create({ metadata: { mine, n: 1, deep: { x: 1 } } }),
    await create({ metadata: { mine, n: 2 }, enabled: false }),
    await made(crons.createForThread(threadId, 'gate', { schedule: YEARLY, metadata: { mine, n: 3, list: [1, 2] } })),
  ].map(({ cron_id }) => cron_id);
  t.strictSame(ids(await crons.search({ metadata: { mine } })), all.toReversed(), 'newest first');
  t.strictSame(ids(await crons.search({ metadata: { mine, deep: { x: 1 } } })), [all[0]]);
  t.strictSame(ids(await crons.search({ metadata: { mine, list: [2] } })), [all[2]]);
  t.strictSame(ids(await crons.search({ metadata: { mine }, enabled: true, sortOrder: 'asc' })), [all[0], all[2]]);
  t.strictSame(ids(await crons.search({ metadata: { mine }, assistantId: 'gate' })), [all[2]]);
  t.strictSame(ids(await crons.search({ metadata: { mine }, assistantId: assistantIdOf('echo') })), [all[1], all[0]]);
  t.strictSame(ids(await crons.search({ threadId })), [all[2]]);
  t.strictSame(ids(await crons.search({ metadata: { mine }, limit: 1, offset: 1 })), [all[1]]);
  t.strictSame(await crons.search({ metadata: { mine, n: 1 }, select: ['cron_id', 'metadata', 'enabled'] }), [
    { cron_id: all[0], metadata: { mine, n: 1, deep: { x: 1 } }, enabled: true },
  ]);
  t.strictSame(
    await Promise.all([
      crons.count({ metadata: { mine } }),
      crons.count({ threadId }),
      crons.count({ metadata: { mine }, assistantId: 'echo' }),
      crons.count({ metadata: { mine: label() } }),
    ]),
    [3, 1, 2, 0],
  );
  // Lists are in no index: the records tell.
  t.equal(await crons.count({ metadata: { list: [2, 1] } }), 1);
  t.equal(await crons.count({ metadata: { list: [3] } }), 0);
});

t.test('announces a further page in headers', async (t) => {
  const mine = label();
  for (let n = 0; n < 3; n += 1) await create({ metadata: { mine } });
  const headers = async (body: object): Promise<(string | null)[]> => {
    const { headers: found } = await server.post('/runs/crons/search', { metadata: { mine }, ...body });
    return [found.get('x-pagination-total'), found.get('x-pagination-next')];
  };
  t.strictSame(await headers({ limit: 2 }), ['3', '2']);
  t.strictSame(await headers({ limit: 2, offset: 2 }), ['3', null]);
  t.strictSame(await headers({ limit: 3 }), ['3', null]);
});

t.test('sorts by every field and places missing values last or first', async (t) => {
  const mine = label();
  const made3 = [
    await create({ metadata: { mine }, endTime: '2090-01-01T00:00:00Z', schedule: '0 0 3 3 *' }),
    await create({ metadata: { mine }, schedule: '0 0 1 3 *' }),
    await create({ metadata: { mine }, endTime: '2080-01-01T00:00:00Z', schedule: '0 0 2 3 *' }),
  ].map(({ cron_id }) => cron_id) as [string, string, string];
  const [a, b, c] = made3;
  await crons.update(a, { metadata: { touched: true } });
  const order = async (sortBy: string, sortOrder: string): Promise<string[]> =>
    ids(await crons.search({ metadata: { mine }, sortBy, sortOrder } as never));
  t.strictSame(await order('end_time', 'asc'), [b, c, a], 'none comes first');
  t.strictSame(await order('end_time', 'desc'), [a, c, b], 'none comes last');
  t.strictSame(await order('created_at', 'asc'), [a, b, c]);
  t.strictSame(await order('cron_id', 'desc'), [c, b, a]);
  t.strictSame(await order('updated_at', 'desc'), [a, c, b]);
  for (const by of ['assistant_id', 'thread_id'])
    t.strictSame((await order(by, 'asc')).toSorted(), made3.toSorted(), by);
  const next = await crons.search({ metadata: { mine }, sortBy: 'next_run_date', sortOrder: 'asc' });
  t.strictSame(ids(next), ids(next.toSorted((x, y) => (x.next_run_date! < y.next_run_date! ? -1 : 1))));
});

t.test('refuses invalid requests with their place', async (t) => {
  const { thread_id: threadId } = await threads.create();
  const { cron_id: id } = await create();
  const metadata = { mine: label() };
  const body = { assistant_id: 'echo', schedule: YEARLY, metadata };
  const refusals: [path: string, body: unknown, status: number, detail: RegExp][] = [
    ...[
      '',
      'every day',
      '* * * *',
      '* * * * * *',
      '0 0 30 2 *',
      '60 * * * *',
      '@reboot',
      '2100-01-01T00:00:00',
      `${'1,'.repeat(200)}1 * * * *`,
    ].map((schedule): [string, unknown, number, RegExp] => [
      '/runs/crons',
      { ...body, schedule },
      422,
      schedule === '' || schedule.length > 256 ? /^body\.schedule: / : /^Invalid cron schedule: body\.schedule: /,
    ]),
    ['/runs/crons', { assistant_id: 'echo' }, 422, /^body\.schedule: is required/],
    ['/runs/crons', { schedule: YEARLY }, 422, /^body\.assistant_id: is required/],
    ['/runs/crons', { ...body, assistant_id: 'nothing' }, 404, /^No assistant found for "nothing"/],
    ...['Mars/Base', '+02:00', '../x'].map((timezone): [string, unknown, number, RegExp] => [
      '/runs/crons',
      { ...body, timezone },
      422,
      /^body\.timezone: /,
    ]),
    ['/runs/crons', { ...body, end_time: 'tomorrow' }, 422, /^body\.end_time: /],
    [
      '/runs/crons',
      { ...body, end_time: '2001-01-01T00:00:00Z' },
      422,
      /^body\.end_time: the schedule has no slot before this time/,
    ],
    ['/runs/crons', { ...body, on_run_completed: 'forget' }, 422, /^body\.on_run_completed: /],
    ['/runs/crons', { ...body, metadata: 'x' }, 422, /^body\.metadata: /],
    [`/threads/${NOBODY}/runs/crons`, body, 404, /^Thread not found or not authorized$/],
    ['/threads/x/runs/crons', body, 422, /^path\.thread_id: /],
    [`/threads/${threadId}/runs/crons`, { ...body, multitask_strategy: 'push' }, 422, /^body\.multitask_strategy: /],
    ['/runs/crons/search', { sort_by: 'schedule' }, 422, /^body\.sort_by: /],
    ['/runs/crons/search', { limit: 0 }, 422, /^body\.limit: /],
    ['/runs/crons/search', { limit: 1001 }, 422, /^body\.limit: /],
    ['/runs/crons/search', { select: ['secret'] }, 422, /^body\.select/],
    ['/runs/crons/count', { thread_id: 'x' }, 422, /^body\.thread_id: /],
  ];
  for (const [path, sent, status, detail] of refusals) {
    const answer = await server.post(path, sent);
    const told = (await answer.json()) as { detail: string };
    t.equal(answer.status, status, `${path} ${JSON.stringify(sent).slice(0, 80)}: ${told.detail}`);
    t.match(told.detail, detail);
  }
  t.equal(await crons.count({ metadata }), 0);
  const patch = (sent: unknown): Promise<Response> =>
    server.get(`/runs/crons/${id}`, {
      method: 'PATCH',
      body: JSON.stringify(sent),
      headers: { 'content-type': 'application/json' },
    });
  for (const sent of [
    { schedule: 'x' },
    { schedule: '0 0 31 2 *' },
    { timezone: 'Mars/Base' },
    { timezone: '' },
    { end_time: 'x' },
    { assistant_id: 'gate' },
    { multitask_strategy: 'reject' },
  ]) {
    t.equal((await patch(sent)).status, 422, JSON.stringify(sent));
  }
  t.equal((await server.get('/runs/crons/x')).status, 422);
  for (const method of ['GET', 'DELETE', 'PUT'])
    t.equal((await server.get('/runs/crons', { method })).status, 405, method);
});

t.test('accepts the requests of the Python client', async (t) => {
  // A naive datetime has no offset; what was not given is not sent.
  const answer = await server.post('/runs/crons', {
    schedule: YEARLY,
    input: { text: 'x' },
    assistant_id: 'echo',
    end_time: '2100-01-01T00:00:00',
    stream_mode: 'values',
    unknown: 1,
  });
  t.match(await answer.json(), { end_time: '2100-01-01T00:00:00.000000+00:00', payload: { stream_mode: 'values' } });
  const nulls = {
    assistant_id: 'echo',
    schedule: YEARLY,
    input: null,
    metadata: null,
    config: null,
    context: null,
    webhook: null,
    interrupt_before: null,
    end_time: null,
    timezone: null,
    enabled: null,
    on_run_completed: null,
    stream_mode: null,
    durability: null,
  };
  const plain = (await (await server.post('/runs/crons', nulls)).json()) as Cron;
  t.matchStrict(plain, { enabled: true, timezone: null, end_time: null, metadata: Empty });
  t.strictSame(Object.keys(plain.payload).toSorted(), ['assistant_id', 'metadata']);
  t.equal(
    (
      await server.post('/runs/crons/search', {
        assistant_id: null,
        thread_id: null,
        limit: 10,
        offset: 0,
        sort_by: null,
        sort_order: null,
        select: null,
        metadata: null,
        enabled: null,
      })
    ).status,
    200,
  );
  t.type(await (await server.post('/runs/crons/count', {})).json(), 'number');
  const { cron_id: id } = plain;
  const deleted = await server.get(`/runs/crons/${id}`, { method: 'DELETE' });
  t.strictSame([deleted.status, await deleted.json()], [200, {}]);
});

t.test('reports in /info that it supports crons', async (t) => {
  const { flags } = (await (await server.get('/info')).json()) as { flags: Record<string, unknown> };
  t.equal(flags['crons'], true);
});

t.test('keeps crons over a restart', async (t) => {
  const first = await testServer(t, { config: fewGraphs });
  const cron = await made(
    first.client.crons.create('echo', { schedule: YEARLY, input: { text: 'x' }, metadata: { a: 1 } }),
  );
  await first.close();
  const second = await testServer(t, { config: fewGraphs, dataFolder: first.dataFolder });
  t.strictSame(await second.client.crons.search({ metadata: { a: 1 } }), [cron]);
  t.equal(await second.client.crons.count(), 1);
});
