import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { withFilters, LOCAL_CALLER, SERVER_CALLER, userCaller, type Filters } from '../../src/domain/caller.js';
import { randomIds } from '../../src/base/ids.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Services } from '../../src/services/context.js';
import { CronTable } from '../../src/services/crons/cron-table.js';
import { syncSystemAssistants } from '../../src/services/assistants/system-assistants.js';
import { countCrons, createCron, cronRunBody, searchCrons } from '../../src/services/crons/crons.js';
import type { CronRecord } from '../../src/store/crons.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { temporaryFolder } from '../helpers/server.js';

const NEXT = Date.parse('2026-03-10T09:00:00Z');

const record = (fields: Partial<CronRecord> = {}): CronRecord => ({
  cronId: randomIds.next(),
  assistantId: randomUUID(),
  threadId: null,
  schedule: '0 * * * *',
  timezone: null,
  endAtMs: null,
  enabled: true,
  onRunCompleted: 'delete',
  createdAtMs: 0,
  updatedAtMs: 0,
  nextAtMs: NEXT,
  identity: 'local',
  userId: null,
  sealed: new Uint8Array(0),
  metadata: jsonBytes({ team: 'blue' }),
  lastRunId: null,
  lastRunAtMs: null,
  lastError: null,
  ...fields,
});

async function table(
  t: Test,
): Promise<{ stores: Stores; crons: CronTable; put: (...records: CronRecord[]) => Promise<void> }> {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const crons = new CronTable(stores.store);
  return {
    stores,
    crons,
    async put(...records) {
      const commit = new Commit();
      for (const one of records) crons.put(commit, one, null, jsonBytes({}));
      await crons.write(commit);
    },
  };
}

const keysOf = ({ store }: Stores): unknown[] =>
  [...store.keys({ prefix: [] })].filter(([kind]) => ['cr', 'cp', 'ci'].includes(String(kind)));

t.test('deletes crons with their assistant or thread', async (t) => {
  const { stores, crons, put } = await table(t);
  const [assistantId, threadId] = [randomUUID(), randomUUID()];
  const [first, second, onThread, other] = [
    record({ assistantId }),
    record({ assistantId, threadId }),
    record({ threadId }),
    record(),
  ];
  await put(first, second, onThread, other);
  const commit = new Commit();
  t.equal(crons.removeAllOf(commit, { assistantId }), 2);
  t.strictSame([...crons.due(NEXT)], [onThread.cronId, other.cronId], 'they are due no more, in the same turn');
  await stores.store.write(commit);
  for (const { cronId } of [first, second]) t.equal(crons.current(SERVER_CALLER, cronId), undefined);
  const more = new Commit();
  t.equal(crons.removeAllOf(more, { threadId }), 1);
  await stores.store.write(more);
  t.equal(crons.size, 1);
  t.strictSame(keysOf(stores).length, 3, 'record, payload and one leaf of the one that is left');
  t.equal(crons.removeAllOf(new Commit(), { assistantId }), 0);
  const again = new CronTable(stores.store);
  again.load();
  t.strictSame([...again.due(NEXT)], [other.cronId]);
});

t.test('lists due crons, longest waiting first, without disabled and parked ones', async (t) => {
  const { crons, put } = await table(t);
  const [late, later, off, never] = [
    record({ nextAtMs: NEXT - 60_000 }),
    record(),
    record({ enabled: false, nextAtMs: NEXT - 120_000 }),
    record({ nextAtMs: null }),
  ];
  await put(later, late, off, never);
  t.equal(crons.nextSlot(), NEXT - 60_000);
  t.strictSame([...crons.due(NEXT - 60_001)], []);
  t.strictSame([...crons.due(NEXT)], [late.cronId, later.cronId]);
  crons.suspend(late.cronId);
  t.strictSame([...crons.due(NEXT)], [later.cronId]);
  const told: number[] = [];
  crons.onNewSlot = (atMs) => told.push(atMs);
  const commit = new Commit();
  crons.put(commit, { ...late, nextAtMs: NEXT + 60_000 }, late);
  crons.put(commit, { ...off, enabled: true, nextAtMs: NEXT }, off);
  t.strictSame(told, [NEXT + 60_000], 'a slot that is there already wakes nobody');
  t.strictSame([...crons.due(NEXT)], [later.cronId, off.cronId]);
  await crons.write(commit);
});

t.test('limits the crons of a caller and of the server', async (t) => {
  const { stores, crons } = await table(t);
  const clock = new FakeClock('2026-03-10T08:00:30Z');
  await syncSystemAssistants(stores, clock, [{ graphId: 'echo', description: null }], new Map());
  const services = {
    stores,
    crons,
    clock,
    ids: randomIds,
    graphIds: new Set(['echo']),
    scheduler: { checkIntake: () => undefined },
    webhooks: { admit: () => undefined },
  } as unknown as Services;
  const commit = new Commit();
  for (let n = 0; n < LIMITS.cronsPerCallerMax - 1; n += 1) crons.put(commit, record(), null, jsonBytes({}));
  const body = { assistant_id: 'echo', schedule: '0 * * * *' };
  const last = await createCron(services, LOCAL_CALLER, null, body);
  await t.rejects(createCron(services, LOCAL_CALLER, null, body), {
    code: 'CRONS_LIMITED',
    message: 'Too many crons: this caller has 10000. Delete some first.',
  });
  const gone = new Commit();
  crons.remove(gone, last);
  await createCron(services, LOCAL_CALLER, null, body);
  for (let n = crons.size; n < LIMITS.cronsMax; n += 1)
    crons.put(commit, record({ identity: `user ${n % 20}` }), null, jsonBytes({}));
  await t.rejects(createCron(services, SERVER_CALLER, null, body), {
    code: 'CRONS_LIMITED',
    message: /the server has 50000/,
  });
});

t.test("finds and counts crons that match the caller's filter, with and without the index", async (t) => {
  const { crons, put } = await table(t);
  const services = { crons, graphIds: new Set() } as unknown as Services;
  const [mine, shared, other] = [
    record({ metadata: jsonBytes({ owner: 'ada' }) }),
    record({ metadata: jsonBytes({ owner: 'bob', readers: ['ada', 'eve'] }) }),
    record({ metadata: jsonBytes({ owner: 'bob' }) }),
  ];
  await put(mine, shared, other);
  const ada = userCaller({ identity: 'ada', display_name: 'ada', is_authenticated: true, permissions: [] });
  const query = { assistantId: null, threadId: null, enabled: null, metadata: {} };
  const page = { sortBy: 'created_at', descending: false, limit: 10, offset: 0 } as const;
  const cases: [filters: Filters, found: CronRecord[]][] = [
    [{ crons: null }, [mine, shared, other]],
    [{ crons: { owner: 'ada' } }, [mine]],
    [{ crons: { readers: { $contains: 'ada' } } }, [shared]],
    [{ crons: { $or: [{ owner: 'ada' }, { readers: { $contains: 'ada' } }] } }, [mine, shared]],
    [{ threads: null }, []],
  ];
  for (const [filters, found] of cases) {
    const caller = withFilters(ada, filters, null);
    t.strictSame(
      searchCrons(services, caller, query, page).records.map(({ cronId }) => cronId),
      found.map(({ cronId }) => cronId),
      JSON.stringify(filters),
    );
    t.equal(countCrons(services, caller, query), found.length);
    t.equal(
      countCrons(services, caller, { ...query, metadata: { owner: 'bob' } }),
      found.filter((one) => one !== mine).length,
    );
  }
});

t.test('builds the run body from the payload and the caller', (t) => {
  const cron = record({ onRunCompleted: 'keep' });
  const own = { assistant_id: cron.assistantId, metadata: { team: 'blue', cron_id: cron.cronId } };
  t.strictSame(cronRunBody(cron, { input: 1, webhook: 'https://example.org/hook', durability: 'exit' }), {
    on_completion: 'keep',
    input: 1,
    webhook: 'https://example.org/hook',
    durability: 'exit',
    ...own,
  });
  t.strictSame(cronRunBody({ ...cron, onRunCompleted: 'delete' }, {}), own);
  t.strictSame(cronRunBody(cron, { on_completion: 'delete' }), { on_completion: 'delete', ...own }, 'the payload wins');
  t.end();
});
