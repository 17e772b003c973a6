import t from 'tap';
import { withFilters, filterOf, LOCAL_CALLER, sees, userCaller, type Caller } from '../../src/domain/caller.js';
import type { Filter } from '../../src/domain/filter.js';
import { jsonBytes, type JsonObject } from '../../src/base/json/json.js';
import { runToEnd } from '../../src/base/steps.js';
import { Commit } from '../../src/store/store.js';
import { visibleDatasets, Datasets } from '../../src/store/evaluation/datasets.js';
import { visibleExperiments, Experiments } from '../../src/store/evaluation/experiments.js';
import { newDataset } from '../../src/store/evaluation/datasets.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { temporaryFolder } from '../helpers/server.js';

const ada = userCaller({ identity: 'ada', display_name: 'ada', is_authenticated: true, permissions: [] });
const seeing = (filter: Filter | null): Caller => withFilters(ada, { threads: filter }, null);

t.test('hides records whose access was not authorized', (t) => {
  t.equal(
    sees(ada, 'threads', () => ({ owner: 'ada' })),
    false,
    'a user without a verdict',
  );
  t.equal(
    sees(seeing(null), 'threads', () => ({})),
    true,
  );
  t.equal(
    sees(seeing(null), 'assistants', () => ({})),
    false,
    'a verdict on threads says nothing of assistants',
  );
  t.equal(filterOf(seeing(null), 'datasets'), undefined);
  t.equal(
    sees(LOCAL_CALLER, 'datasets', () => ({})),
    true,
  );
  t.end();
});

t.test('needs a caller for every read, and only one module can create callers', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const lookAlike = {
    identity: 'ada',
    keyId: null,
    authenticated: true,
    displayName: 'ada',
    permissions: [],
    user: {},
    itemScope: '',
    filters: {},
    stamp: null,
  };
  // Each line is an error to the compiler; were one not, the build would fail here.
  const never = (): unknown[] => [
    // @ts-expect-error: no caller
    stores.threads.get('id'),
    // @ts-expect-error: no caller
    stores.threadLists.list({ limit: 1, offset: 0 }),
    // @ts-expect-error: no caller
    stores.runs.get('id'),
    // @ts-expect-error: no caller
    stores.assistants.get('id'),
    // @ts-expect-error: no caller
    stores.items.get(['a'], 'key'),
    // @ts-expect-error: a look-alike
    stores.threads.get({ ...LOCAL_CALLER }.identity, 'id'),
    // @ts-expect-error: it lacks the mark that only domain/caller.ts sets
    stores.threads.get(lookAlike, 'id'),
  ];
  t.type(never, 'function');
});

function thread(threadId: string, updatedAtMs: number, metadata: JsonObject): ThreadRecord {
  return {
    threadId,
    uid: threadId,
    createdAtMs: updatedAtMs,
    updatedAtMs,
    stateUpdatedAtMs: updatedAtMs,
    status: 'idle',
    metadata: jsonBytes(metadata),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: 0,
    temporary: false,
  };
}

/** Threads of many owners, one in so many of ada's. */
async function fill(stores: Stores): Promise<void> {
  const commit = new Commit();
  for (let at = 0; at < 4_000; at += 1) {
    const owner = at % 400 === 0 ? 'ada' : at % 400 === 1 ? 'bob' : 'others';
    stores.threads.put(
      commit,
      thread(`t${String(at).padStart(5, '0')}`, at, {
        owner,
        kind: at % 2 === 0 ? 'even' : 'odd',
        readers: at % 1_000 === 0 ? ['ada'] : [],
      }),
      undefined,
    );
  }
  await stores.store.write(commit);
}

t.test('filters lists of datasets and experiments', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const { store } = stores;
  const [datasets, experiments] = [new Datasets(store), new Experiments(store)];
  const commit = new Commit();
  const nameOf = (at: number): string => `01a20000-0000-7000-8000-${String(at).padStart(12, '0')}`;
  const metadataOf = (at: number): JsonObject => ({
    owner: at % 100 === 0 ? 'ada' : 'others',
    readers: at % 500 === 0 ? ['ada'] : [],
  });
  for (let at = 0; at < 1_000; at += 1) {
    datasets.put(
      commit,
      newDataset({
        datasetId: nameOf(at),
        name: `d${at}`,
        description: null,
        nowUs: at,
        externallyManaged: true,
        metadata: jsonBytes(metadataOf(at)),
      }),
      null,
    );
    experiments.put(
      commit,
      {
        experimentId: nameOf(at),
        list: at + 1,
        name: `e${at}`,
        description: null,
        startTimeUs: at,
        endTimeUs: null,
        createdAtUs: at,
        extra: jsonBytes({ metadata: metadataOf(at) }),
        progress: null,
        defaultDatasetId: null,
        referenceDatasetId: null,
        traceTier: 'longlived',
        testRunNumber: null,
      },
      null,
    );
  }
  // Wider than is indexed, and larger than is looked through.
  datasets.put(
    commit,
    newDataset({
      datasetId: nameOf(5_000),
      name: 'wide',
      description: null,
      nowUs: 1,
      externallyManaged: true,
      metadata: jsonBytes({ ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i])), owner: 'ada' }),
    }),
    null,
  );
  datasets.put(
    commit,
    newDataset({
      datasetId: nameOf(5_001),
      name: 'large',
      description: null,
      nowUs: 1,
      externallyManaged: true,
      metadata: jsonBytes({ text: 'x'.repeat(100_000), owner: 'ada' }),
    }),
    null,
  );
  await store.write(commit);
  let reads = 0;
  const get = store.get.bind(store);
  store.get = (key) => {
    reads += 1;
    return get(key);
  };
  const list = (filter: Filter | null | undefined): { datasets: number; experiments: number; reads: number } => {
    reads = 0;
    const caller = withFilters(ada, filter === undefined ? {} : { datasets: filter, experiments: filter }, null);
    return {
      datasets: [...visibleDatasets(store, caller)].length,
      experiments: [...visibleExperiments(store, caller)].length,
      reads,
    };
  };
  t.strictSame(list({ owner: 'ada' }), { datasets: 12, experiments: 10, reads: 22 });
  t.strictSame(list({ owner: 'ada', readers: { $contains: 'ada' } }), { datasets: 2, experiments: 2, reads: 22 });
  t.strictSame(list({ $or: [{ owner: 'ada' }, { owner: 'nobody' }] }), { datasets: 12, experiments: 10, reads: 22 });
  t.strictSame(list(undefined), { datasets: 0, experiments: 0, reads: 0 });
  t.match(list(null), { datasets: 1_002, experiments: 1_000 });

  const changed = new Commit();
  const before = datasets.get(LOCAL_CALLER, nameOf(0))!;
  datasets.put(changed, { ...before, metadata: jsonBytes({ owner: 'bob' }) }, before);
  datasets.remove(changed, datasets.get(LOCAL_CALLER, nameOf(100))!);
  experiments.remove(changed, experiments.get(LOCAL_CALLER, nameOf(100))!);
  await store.write(changed);
  t.match(list({ owner: 'ada' }), { datasets: 10, experiments: 9, reads: 19 }, 'old leaves are gone');
  t.match(list({ owner: 'bob' }), { datasets: 1, experiments: 0 });
});

t.test('reads no more records for a list than the most selective equality of the filter has', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  await fill(stores);
  let reads = 0;
  const { store } = stores;
  const get = store.get.bind(store);
  store.get = (key) => {
    reads += 1;
    return get(key);
  };
  const list = (
    caller: Caller,
    query: { metadata?: JsonObject; limit?: number } = {},
  ): { ids: number; reads: number } => {
    reads = 0;
    const { records } = runToEnd(stores.threadLists.list(caller, { limit: 1_000, offset: 0, ...query }));
    return { ids: records.length, reads };
  };
  t.strictSame(list(seeing({ owner: 'ada' })), { ids: 10, reads: 10 });
  t.strictSame(
    list(seeing({ owner: { $eq: 'ada' } }), { metadata: { kind: 'even' } }),
    { ids: 10, reads: 10 },
    'the filter is the shorter one',
  );
  t.strictSame(
    list(seeing({ kind: 'even' }), { metadata: { owner: 'ada' } }),
    { ids: 10, reads: 10 },
    'the question is',
  );
  t.strictSame(list(seeing({ $and: [{ kind: 'even' }, { owner: 'ada' }] })), { ids: 10, reads: 10 });
  t.strictSame(list(seeing({ $or: [{ owner: 'ada' }, { owner: 'bob' }] })), { ids: 20, reads: 20 });
  t.strictSame(
    list(seeing({ $or: [{ owner: 'ada' }, { owner: 'ada', kind: 'odd' }] })),
    { ids: 10, reads: 10 },
    'what two branches name comes once',
  );
  t.strictSame(list(seeing({ $or: [] })), { ids: 0, reads: 0 });
  t.strictSame(list(seeing({ owner: 'ada', readers: { $contains: 'ada' } })), { ids: 2, reads: 10 });
  t.strictSame(list(seeing({ owner: 'nobody' })), { ids: 0, reads: 0 });
  t.strictSame(list(ada), { ids: 0, reads: 0 }, 'without a verdict');
  t.equal(list(seeing({ readers: { $contains: 'ada' } })).ids, 4, 'without an equality all are looked at');
});
