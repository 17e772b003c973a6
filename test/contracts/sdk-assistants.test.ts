import { randomUUID } from 'node:crypto';
import type { Assistant } from '@langchain/langgraph-sdk';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

const server = await testServer(t, { env: WITHOUT_TYPES });
const { client } = server;
const { assistants, threads, runs } = client;
const folder = temporaryFolder(t);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const ISO_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const NOT_FOUND = /HTTP 404: .*Assistant not found/;
const ids = (list: readonly { assistant_id: string }[]): string[] => list.map((one) => one.assistant_id);
const label = (): string => `label-${randomUUID()}`;
const make = async (more: Partial<Parameters<typeof assistants.create>[0]> = {}): Promise<Assistant> =>
  assistants.create({ graphId: 'echo', ...more });

/** What a run of it was configured with. */
async function seenBy(
  assistantId: string,
  more: object = {},
): Promise<{ configurable: Record<string, unknown>; context: unknown; tags: string[]; recursionLimit: number }> {
  return ((await runs.wait(null, assistantId, { input: {}, ...more })) as { seen: never }).seen;
}

t.test('create', async (t) => {
  t.test('stores every field', async (t) => {
    const given = {
      config: { tags: ['a'], recursion_limit: 7, configurable: { word: 'x', deep: { n: [1, null] } } },
      context: { lang: 'de' },
      metadata: { team: 'blue', __proto: 1 },
      name: 'Ada',
      description: 'does it',
    };
    const made = await assistants.create({ graphId: 'echo', ...given });
    const { assistant_id: id, created_at: created, updated_at: updated, ...rest } = made;
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    t.match(created, ISO_MICROSECONDS);
    t.equal(updated, created);
    t.strictSame(rest, { graph_id: 'echo', version: 1, ...given } as never);
    t.strictSame(await assistants.get(id), made);
    t.strictSame(await assistants.get(id.toUpperCase()), made, 'ids are read in any case');
  });

  t.test('sets defaults for missing fields', async (t) => {
    t.matchStrict(await make(), {
      name: 'Untitled',
      description: null,
      config: Empty,
      context: Empty,
      metadata: Empty,
      version: 1,
    });
  });

  t.test('uses the given id, once', async (t) => {
    const assistantId = randomUUID();
    const first = await make({ assistantId, name: 'first' });
    t.equal(first.assistant_id, assistantId);
    for (const ifExists of [undefined, 'raise'] as const) {
      await t.rejects(
        make({ assistantId, name: 'second', ...(ifExists === undefined ? {} : { ifExists }) }),
        /HTTP 409: .*Assistant already exists/,
      );
    }
    t.strictSame(
      await make({ assistantId, name: 'second', metadata: { n: 2 }, ifExists: 'do_nothing' }),
      first,
      'do_nothing answers with what is there',
    );
    t.strictSame(await assistants.get(assistantId), first);
  });

  t.test('lets one of many concurrent creates of the same id win', async (t) => {
    const assistantId = randomUUID();
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, async (_, n) => make({ assistantId, name: String(n) })),
    );
    t.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    t.equal(tries.filter((one) => one.status === 'rejected' && /HTTP 409/.test(String(one.reason))).length, 7);
  });

  t.test('refuses an unknown graph', async (t) => {
    await t.rejects(make({ graphId: 'nothing' }), /HTTP 404: .*Graph \\"nothing\\" not found/);
    await t.rejects(
      make({ graphId: (await make()).assistant_id }),
      /HTTP 404: .*not found/,
      'an assistant is no graph',
    );
  });
});

t.test('returns 404 for an unknown assistant everywhere', async (t) => {
  for (const id of [NOBODY, 'nobody', 'x'.repeat(3_000)]) {
    await t.rejects(assistants.get(id), NOT_FOUND);
    await t.rejects(assistants.update(id, { name: 'x' }), NOT_FOUND);
    await t.rejects(assistants.delete(id), NOT_FOUND);
    await t.rejects(assistants.setLatest(id, 1), NOT_FOUND);
    await t.rejects(assistants.getVersions(id), new RegExp(`HTTP 404: .*Assistant \\\\"${id}\\\\" not found\\.`));
    await t.rejects(runs.wait(null, id, { input: {} }), /HTTP 404: .*No assistant found for/);
  }
});

t.test('update', async (t) => {
  t.test('replaces given fields, merges metadata and keeps the rest', async (t) => {
    const first = await make({
      config: { configurable: { a: 1, b: 2 } },
      context: { x: 1 },
      metadata: { a: 1, b: { x: 1, y: 2 } },
      name: 'one',
      description: 'd',
    });
    const second = await assistants.update(first.assistant_id, {
      config: { configurable: { c: 3 } },
      metadata: { b: { z: 3 } },
    });
    t.match(second.updated_at, ISO_MICROSECONDS);
    t.strictSame({ ...second, updated_at: null }, {
      ...first,
      updated_at: null,
      version: 2,
      config: { configurable: { c: 3 } },
      metadata: { a: 1, b: { z: 3 } },
    } as never);
    const third = await assistants.update(first.assistant_id, {
      context: { y: 2 },
      name: 'two',
      description: '',
      graphId: 'mirror',
    });
    t.match(third, {
      version: 3,
      context: { y: 2 },
      name: 'two',
      description: '',
      graph_id: 'mirror',
      config: second.config,
      metadata: second.metadata,
    });
    t.strictSame(Object.keys(third.context as object), ['y']);
    t.strictSame(await assistants.get(first.assistant_id), third);
    await t.rejects(
      assistants.update(first.assistant_id, { graphId: 'nothing' }),
      /HTTP 404: .*Graph \\"nothing\\" not found/,
    );
    t.strictSame(await assistants.get(first.assistant_id), third);
  });

  t.test('[trap 2] creates a version for every update, also for two at once', async (t) => {
    const { assistant_id: id } = await make();
    t.equal((await assistants.update(id, {})).version, 2);
    const many = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => assistants.update(id, { metadata: { [`k${n}`]: n } })),
    );
    t.strictSame(
      many.map(({ version }) => version).toSorted((a, b) => a - b),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    t.strictSame(
      (await assistants.get(id)).metadata,
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, n])) as never,
      'none is lost',
    );
    t.equal((await assistants.getVersions(id, { limit: 100 })).length, 12);
  });
});

t.test('versions', async (t) => {
  const { assistant_id: id, created_at: created } = await make({
    name: 'one',
    description: 'd1',
    config: { configurable: { n: 1 } },
    context: { n: 1 },
    metadata: { n: 1, kept: true },
  });
  await assistants.update(id, {
    name: 'two',
    description: 'd2',
    config: { configurable: { n: 2 } },
    context: { n: 2 },
    metadata: { n: 2 },
    graphId: 'mirror',
  });
  const one = {
    assistant_id: id,
    graph_id: 'echo',
    name: 'one',
    description: 'd1',
    version: 1,
    config: { configurable: { n: 1 } },
    context: { n: 1 },
    metadata: { n: 1, kept: true },
  };
  const two = {
    assistant_id: id,
    graph_id: 'mirror',
    name: 'two',
    description: 'd2',
    version: 2,
    config: { configurable: { n: 2 } },
    context: { n: 2 },
    metadata: { n: 2, kept: true },
  };

  t.test('lists complete versions, newest first', async (t) => {
    const found = await assistants.getVersions(id);
    t.strictSame(
      found.map(({ created_at: _, ...rest }) => rest),
      [two, one] as never,
    );
    t.equal(found[1]!.created_at, created);
    t.strictSame(
      (await assistants.getVersions(id, { limit: 1 })).map(({ version }) => version),
      [2],
    );
    t.strictSame(
      (await assistants.getVersions(id, { limit: 1, offset: 1 })).map(({ version }) => version),
      [1],
    );
    t.strictSame(
      (await assistants.getVersions(id, { metadata: { n: 1 } })).map(({ version }) => version),
      [1],
    );
    t.strictSame((await assistants.getVersions(id, { metadata: { kept: true } })).length, 2);
    await t.rejects(assistants.getVersions(id, { metadata: { n: 9 } }), /HTTP 404: .*not found/);
    await t.rejects(assistants.getVersions(id, { offset: 2 }), /HTTP 404: .*not found/);
  });

  t.test('[trap 2] returns to an earlier version and numbers the next change anew', async (t) => {
    const back = await assistants.setLatest(id, 1);
    const { created_at: backCreated, updated_at: _, ...rest } = back;
    t.equal(backCreated, created);
    t.strictSame(rest, one as never);
    t.strictSame(await assistants.get(id), back);
    t.equal((await assistants.getVersions(id)).length, 2, 'going back makes none');
    t.match(await assistants.update(id, { name: 'three' }), {
      version: 3,
      config: { configurable: { n: 1 } },
      graph_id: 'echo',
    });
    t.strictSame(
      (await assistants.getVersions(id)).map(({ version }) => version),
      [3, 2, 1],
    );
    t.equal((await assistants.setLatest(id, 2)).version, 2);
    await t.rejects(assistants.setLatest(id, 4), /HTTP 404: .*Assistant version not found/);
    t.strictSame(
      await assistants.search({ graphId: 'echo', metadata: { n: 2 } }),
      [],
      'the index goes with the version',
    );
    t.strictSame(ids(await assistants.search({ graphId: 'mirror', metadata: { n: 2 } })), [id]);
  });
});

t.test('runs with the configuration of the selected version', async (t) => {
  const { assistant_id: id } = await make({
    graphId: 'mirror',
    config: { tags: ['first'], recursion_limit: 7, configurable: { a: 1, b: 1 } },
    context: { a: 1, b: 1 },
  });
  t.match(await seenBy(id), {
    configurable: { a: 1, b: 1, assistant_id: id, graph_id: 'mirror' },
    context: { a: 1, b: 1 },
    tags: ['first'],
    recursionLimit: 7,
  });
  t.match(
    await seenBy(id, { config: { configurable: { b: 2 } }, context: { b: 2 } }),
    { configurable: { a: 1, b: 2 }, context: { a: 1, b: 2 }, recursionLimit: 7 },
    "a run's own is laid over it",
  );
  await assistants.update(id, { config: { configurable: { a: 'second' } }, context: { a: 'second' } });
  const second = await seenBy(id);
  t.match(second, { configurable: { a: 'second' }, context: { a: 'second' } });
  t.notOk('b' in second.configurable);
  await assistants.setLatest(id, 1);
  t.match(await seenBy(id), { configurable: { a: 1 }, context: { a: 1 }, recursionLimit: 7 });

  t.test('keeps the configuration of a queued run', async (t) => {
    const gate = new Gate(folder);
    const { thread_id: threadId } = await threads.create();
    await runs.create(threadId, 'gate', { input: { label: 'a', gate: gate.file } });
    await gate.reached();
    const queued = await runs.create(threadId, id, { input: {} });
    await assistants.update(id, { config: { configurable: { a: 'later' } } });
    gate.open();
    t.match(await runs.join(threadId, queued.run_id), { seen: { configurable: { a: 1 } } });
    t.match((await threads.get(threadId)).metadata, { assistant_id: id, graph_id: 'mirror' });
  });
});

t.test('search', async (t) => {
  const set = label();
  const made: Assistant[] = [];
  for (const n of [1, 2, 3, 4, 5])
    made.push(
      await make({
        graphId: n % 2 === 0 ? 'mirror' : 'echo',
        name: `${set} ${'EDCBA'[n - 1]}`,
        metadata: { set, n, deep: { n, kind: 'x' } },
      }),
    );
  const [one, two, three, four, five] = ids(made) as [string, string, string, string, string];
  const metadata = { set };

  t.test('finds by metadata, graph and part of the name, newest first', async (t) => {
    t.strictSame(ids(await assistants.search({ metadata })), [five, four, three, two, one]);
    t.strictSame(ids(await assistants.search({ metadata, graphId: 'mirror' })), [four, two]);
    t.strictSame(
      ids(await assistants.search({ metadata: { ...metadata, deep: { n: 2 } } })),
      [two],
      'nested objects are contained',
    );
    t.strictSame(await assistants.search({ metadata: { ...metadata, n: '1' } }), [], 'a number is no text');
    t.strictSame(ids(await assistants.search({ name: `${set.toUpperCase()} c` })), [three], 'in any case');
    t.strictSame(ids(await assistants.search({ name: set, graphId: 'echo', limit: 2 })), [five, three]);
    t.strictSame(await assistants.search({ metadata, graphId: 'nothing' }), []);
    t.strictSame((await assistants.search({ metadata: { ...metadata, n: 1 } }))[0], made[0]);
  });

  t.test('sorts', async (t) => {
    const sorted = async (
      sortBy: 'assistant_id' | 'created_at' | 'updated_at' | 'name' | 'graph_id',
      sortOrder?: 'asc' | 'desc',
    ): Promise<string[]> =>
      ids(await assistants.search({ metadata, sortBy, ...(sortOrder === undefined ? {} : { sortOrder }) }));
    t.strictSame(await sorted('created_at', 'asc'), [one, two, three, four, five]);
    t.strictSame(await sorted('name', 'asc'), [five, four, three, two, one]);
    t.strictSame(await sorted('name'), [one, two, three, four, five], 'descending unless told otherwise');
    t.strictSame(await sorted('assistant_id', 'asc'), [one, two, three, four, five].toSorted());
    t.strictSame(await sorted('graph_id', 'asc'), [one, three, five, two, four], 'what is equal by its age');
    t.strictSame(await sorted('graph_id', 'desc'), [four, two, five, three, one]);
    await assistants.update(two, {});
    t.equal((await sorted('updated_at'))[0], two);
    t.strictSame(ids(await assistants.search({ metadata, sortBy: 'name', sortOrder: 'asc', limit: 2, offset: 2 })), [
      three,
      two,
    ]);
  });

  t.test('returns pages and whether there is more', async (t) => {
    for (const sortBy of ['created_at', 'assistant_id'] as const) {
      const page = async (limit: number, offset: number): Promise<unknown> => {
        const answer = await server.post('/assistants/search', {
          metadata,
          sort_by: sortBy,
          sort_order: 'asc',
          limit,
          offset,
        });
        return [
          ids((await answer.json()) as { assistant_id: string }[]),
          answer.headers.get('x-pagination-total'),
          answer.headers.get('x-pagination-next'),
        ];
      };
      t.strictSame(await page(2, 0), [[one, two], '3', '2']);
      t.strictSame(await page(2, 2), [[three, four], '5', '4']);
      t.strictSame(await page(2, 4), [[five], '5', null]);
      t.strictSame(await page(5, 0), [[one, two, three, four, five], '5', null]);
      t.strictSame(await page(10, 10), [[], '10', null]);
    }
    t.match(await assistants.search({ metadata, limit: 3, includePagination: true }), {
      assistants: [{ assistant_id: five }, {}, {}],
      next: '3',
    });
    t.equal((await assistants.search({ metadata, limit: 5, includePagination: true })).next, null);
  });

  t.test('returns ten by default', async (t) => {
    const many = label();
    for (let n = 0; n < 12; n += 1) await make({ metadata: { many } });
    t.equal((await assistants.search({ metadata: { many } })).length, 10);
    t.equal(((await (await server.post('/assistants/search', { metadata: { many } })).json()) as unknown[]).length, 10);
    t.equal((await assistants.search({ metadata: { many }, limit: 1000 })).length, 12);
  });

  t.test('returns only selected fields', async (t) => {
    const [whole] = await assistants.search({ metadata: { set, n: 1 } });
    for (const name of [
      'assistant_id',
      'graph_id',
      'name',
      'description',
      'config',
      'context',
      'created_at',
      'updated_at',
      'metadata',
      'version',
    ] as const) {
      t.strictSame(await assistants.search({ metadata: { set, n: 1 }, select: [name] }), [
        { [name]: whole![name] },
      ] as never);
    }
    t.strictSame(
      await assistants.search({ metadata: { set, n: 1 }, select: ['version', 'assistant_id'], sortBy: 'name' }),
      [{ assistant_id: one, version: 1 }] as never,
    );
  });

  t.test('counts the assistants that a search finds', async (t) => {
    t.equal(await assistants.count({ metadata }), 5);
    t.equal(await assistants.count({ metadata, graphId: 'mirror' }), 2);
    t.equal(await assistants.count({ name: `${set} c` }), 1);
    t.equal(await assistants.count({ metadata: { set: 'none' } }), 0);
    const all = await assistants.count();
    await make();
    t.equal(await assistants.count(), all + 1);
  });

  t.test('finds metadata that the index does not contain', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, n]));
    const { assistant_id: id } = await make({ metadata: { ...many, set: 'wide' } });
    t.strictSame(ids(await assistants.search({ metadata: { k39: 39, set: 'wide' } })), [id]);
    const { assistant_id: large } = await make({ metadata: { text: 'x'.repeat(100_000), set: 'large' } });
    t.strictSame(ids(await assistants.search({ metadata: { set: 'large' } })), [large]);
    await assistants.delete(large);
    t.equal(await assistants.count({ metadata: { set: 'large' } }), 0);
  });
});

t.test('the assistant of a graph', async (t) => {
  const ofGraph = await assistants.get('scalar');

  t.test('finds the same assistant under both names', async (t) => {
    t.match(ofGraph, { graph_id: 'scalar', name: 'scalar', metadata: { created_by: 'system' }, version: 1 });
    t.strictSame(await assistants.get(ofGraph.assistant_id), ofGraph);
    t.ok(
      ids(await assistants.search({ metadata: { created_by: 'system' }, limit: 100 })).includes(ofGraph.assistant_id),
    );
    t.strictSame(
      (await assistants.getVersions('scalar')).map(({ version }) => version),
      [1],
    );
  });

  t.test('changes and resets it by the name of the graph', async (t) => {
    t.match(await assistants.update('mirror', { config: { configurable: { word: 'mine' } } }), {
      version: 2,
      name: 'mirror',
    });
    t.match(await seenBy('mirror'), { configurable: { word: 'mine' } });
    t.match(await assistants.setLatest('mirror', 1), { version: 1, config: Empty });
    t.notOk('word' in (await seenBy('mirror')).configurable);
  });

  t.test('refuses to delete it or to change its graph', async (t) => {
    await t.rejects(assistants.delete('scalar'), /HTTP 409: .*configured graph \\"scalar\\"/);
    await t.rejects(assistants.update('scalar', { graphId: 'echo' }), /HTTP 409: .*configured graph \\"scalar\\"/);
    await t.rejects(make({ assistantId: ofGraph.assistant_id }), /HTTP 409: .*Assistant already exists/);
    t.strictSame(await make({ assistantId: ofGraph.assistant_id, ifExists: 'do_nothing' }), ofGraph);
    t.strictSame(await assistants.get('scalar'), ofGraph);
  });
});

t.test('delete', async (t) => {
  t.test('deletes versions and runs and keeps threads', async (t) => {
    const { assistant_id: id } = await make({ metadata: { gone: true } });
    await assistants.update(id, {});
    const { thread_id: threadId } = await threads.create();
    await runs.wait(threadId, id, { input: { text: 'x' } });
    await runs.wait(threadId, 'echo', { input: { text: 'y' } });
    const [other, own] = await runs.list(threadId);
    const before = [await threads.get(threadId), await threads.getHistory(threadId)];
    t.strictSame(await (await fetch(`${server.url}/assistants/${id}`, { method: 'DELETE' })).json(), {});
    await t.rejects(assistants.get(id), NOT_FOUND);
    await t.rejects(assistants.getVersions(id), /HTTP 404: .*not found\./);
    await t.rejects(assistants.delete(id), NOT_FOUND);
    await t.rejects(runs.wait(threadId, id, { input: {} }), /HTTP 404: .*No assistant found for/);
    t.strictSame(await assistants.search({ metadata: { gone: true } }), []);
    t.equal(await assistants.count({ metadata: { gone: true } }), 0);
    t.strictSame(
      (await runs.list(threadId)).map(({ run_id: runId }) => runId),
      [other!.run_id],
    );
    await t.rejects(runs.get(threadId, own!.run_id), /HTTP 404: .*Run not found/);
    t.strictSame(
      [await threads.get(threadId), await threads.getHistory(threadId)],
      before,
      "what it wrote is the thread's",
    );

    const again = await make({ assistantId: id });
    t.equal(again.version, 1, 'the id is free again');
    t.equal((await assistants.getVersions(id)).length, 1);
  });

  t.test('ends its running and queued runs', async (t) => {
    const { assistant_id: id } = await make({ graphId: 'gate' });
    const gate = new Gate(folder);
    const [busy, free] = [await threads.create(), await threads.create()];
    const waiting = runs.wait(busy.thread_id, id, { input: { label: 'a', gate: gate.file } });
    await gate.reached();
    const queued = await runs.create(busy.thread_id, id, { input: { label: 'b' } });
    const others = await runs.create(busy.thread_id, 'echo', { input: { text: 'other' } });
    const delayed = await runs.create(free.thread_id, id, { input: { label: 'c' }, afterSeconds: 3_600 });
    await assistants.delete(id);
    t.notOk('__error__' in ((await waiting) as object), 'whoever waits is answered');
    for (const [thread, run] of [
      [busy, queued],
      [free, delayed],
    ] as const)
      await t.rejects(runs.get(thread.thread_id, run.run_id), /HTTP 404/);
    await runs.join(busy.thread_id, others.run_id);
    t.equal((await runs.get(busy.thread_id, others.run_id)).status, 'success', "others' runs on the same thread go on");
    t.strictSame((await runs.list(busy.thread_id)).length, 1);
    t.equal((await threads.get(free.thread_id)).status, 'idle');
  });

  t.test('deletes its threads if requested', async (t) => {
    const [mine, other] = [await make({ graphId: 'gate' }), await make()];
    const runOn = async (assistantId: string): Promise<string> => {
      const { thread_id: threadId } = await threads.create();
      await runs.wait(threadId, assistantId, { input: { label: 'x', text: 'x' } });
      return threadId;
    };
    const gone = await Promise.all(Array.from({ length: 60 }, async () => runOn(mine.assistant_id)));
    const { thread_id: named } = await threads.create({ metadata: { assistant_id: mine.assistant_id } });
    const kept = await runOn(other.assistant_id);
    const gate = new Gate(folder);
    const { thread_id: busy } = await threads.create();
    await runs.create(busy, mine.assistant_id, { input: { label: 'a', gate: gate.file } });
    await gate.reached();
    await assistants.delete(mine.assistant_id, { deleteThreads: true });
    t.equal(await threads.search({ ids: [...gone, named, busy] }).then(({ length }) => length), 0);
    await t.rejects(threads.get(busy), /HTTP 404/);
    await assistants.delete(other.assistant_id, { deleteThreads: false });
    t.ok(await threads.get(kept));
  });

  t.test('lets one of two concurrent deletes succeed', async (t) => {
    const { assistant_id: id } = await make();
    const tries = await Promise.allSettled([assistants.delete(id), assistants.delete(id), assistants.update(id, {})]);
    t.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    await t.rejects(assistants.get(id), NOT_FOUND);
  });
});

t.test('accepts the requests of the Python client', async (t) => {
  const answer = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, body: await response.json() };
  };
  const nulls = {
    assistant_id: null,
    config: null,
    context: null,
    metadata: null,
    if_exists: null,
    name: null,
    description: null,
  };
  const made = (await answer('POST', '/assistants', { graph_id: 'echo', ...nulls })) as { body: Assistant };
  t.matchStrict(made, {
    status: 200,
    body: { name: 'Untitled', config: Empty, context: Empty, metadata: Empty, description: null },
  });
  const path = `/assistants/${made.body.assistant_id}`;
  t.match(await answer('PATCH', path, { ...nulls, graph_id: null, metadata: { a: 1 } }), {
    status: 200,
    body: { version: 2, name: 'Untitled', metadata: { a: 1 } },
  });
  t.match(await answer('PATCH', path), { status: 200, body: { version: 3 } }, 'no body at all');
  t.match(await answer('POST', `${path}/versions`, { limit: 10, offset: 0 }), {
    status: 200,
    body: [{ version: 3 }, { version: 2 }, { version: 1 }],
  });
  t.match(await answer('POST', `${path}/versions`), { status: 200, body: [{}, {}, {}] });
  t.match(await answer('POST', `${path}/versions`, { limit: null, offset: null, metadata: null }), {
    status: 200,
    body: [{}, {}, {}],
  });
  t.match(await answer('POST', `${path}/latest`, { version: 2 }), { status: 200, body: { version: 2 } });
  t.match(await answer('POST', `${path}/latest?version=1`), { status: 200, body: { version: 1 } }, 'in the query');
  t.match(await answer('POST', `${path}/latest`, {}), { status: 422, body: { detail: 'body.version: is required' } });
  t.match(await answer('POST', '/assistants/count', { metadata: null, graph_id: null, name: null }), {
    status: 200,
    body: Number,
  });
  t.match(await answer('POST', '/assistants/count'), { status: 200, body: Number });
  t.match(await answer('DELETE', `${path}?delete_threads=1`), { status: 200, body: {} });
});

t.test('refuses invalid requests with their place', async (t) => {
  const { assistant_id: id } = await make();
  const before = await assistants.get(id);
  const cases: [method: string, path: string, body: unknown, detail: RegExp][] = [
    ['POST', '', {}, /^body\.graph_id: is required/],
    ['POST', '', { graph_id: '' }, /^body\.graph_id: /],
    ['POST', '', { graph_id: 7 }, /^body\.graph_id: must be string/],
    ['POST', '', { graph_id: 'echo', assistant_id: 'abc' }, /^body\.assistant_id: .*must be a UUID/],
    ['POST', '', { graph_id: 'echo', config: [] }, /^body\.config: must be object/],
    ['POST', '', { graph_id: 'echo', config: { recursion_limit: 0 } }, /^body\.config\.recursion_limit: /],
    ['POST', '', { graph_id: 'echo', config: { tags: [1] } }, /^body\.config\.tags\.0: must be string/],
    ['POST', '', { graph_id: 'echo', config: { configurable: 'x' } }, /^body\.config\.configurable: must be object/],
    ['POST', '', { graph_id: 'echo', context: 'x' }, /^body\.context: must be object/],
    ['POST', '', { graph_id: 'echo', metadata: ['x'] }, /^body\.metadata: must be object/],
    [
      'POST',
      '',
      { graph_id: 'echo', if_exists: 'overwrite' },
      /^body\.if_exists: must be one of "raise", "do_nothing"/,
    ],
    ['POST', '', { graph_id: 'echo', name: 7 }, /^body\.name: must be string/],
    ['PATCH', `/${id}`, { config: 'x' }, /^body\.config: must be object/],
    ['PATCH', `/${id}`, { graph_id: '' }, /^body\.graph_id: /],
    ['PATCH', `/${id}`, [], /^body: must be object/],
    ['POST', `/${id}/versions`, { limit: 0 }, /^body\.limit: /],
    ['POST', `/${id}/versions`, { limit: 1001 }, /^body\.limit: /],
    ['POST', `/${id}/versions`, { offset: -1 }, /^body\.offset: /],
    ['POST', `/${id}/latest`, { version: 0 }, /^body\.version: /],
    ['POST', `/${id}/latest`, { version: 'new' }, /^body\.version: must be integer/],
    ['POST', `/${id}/latest?version=new`, {}, /^query\.version: must be integer/],
    ['DELETE', `/${id}?delete_threads=perhaps`, undefined, /^query\.delete_threads: must be boolean/],
    ['POST', '/search', { sort_by: 'size' }, /^body\.sort_by: must be one of "assistant_id"/],
    ['POST', '/search', { select: ['secret'] }, /^body\.select\.0: must be one of "assistant_id"/],
    ['POST', '/search', { limit: 1001 }, /^body\.limit: /],
    ['POST', '/count', { metadata: 'x' }, /^body\.metadata: must be object/],
  ];
  for (const [method, path, body, expected] of cases) {
    const response = await fetch(`${server.url}/assistants${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const { detail } = (await response.json()) as { detail: string };
    t.equal(response.status, 422, `${method} ${path} ${JSON.stringify(body)}: ${detail}`);
    t.match(detail, expected);
  }
  t.strictSame(await assistants.get(id), before);
});
