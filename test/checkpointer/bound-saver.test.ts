import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6, type Checkpoint } from '@langchain/langgraph-checkpoint';
import t, { type Test } from 'tap';
import { openStores } from '../../src/store/stores.js';
import { temporaryFolder } from '../helpers/server.js';
import { BoundSavers, library, type Lifetime } from './bound-savers.js';

const META = { source: 'loop', step: 0, parents: {} } as const;
const LIFETIMES: readonly Lifetime[] = ['run', 'call'];

async function savers(t: Test, lifetime: Lifetime): Promise<BoundSavers> {
  const stores = openStores(temporaryFolder(t), undefined);
  const made = new BoundSavers(stores, await library, { lifetime, durability: 'async' });
  t.teardown(async () => {
    await made.close();
    await stores.store.close();
  });
  return made;
}

function checkpoint(values: Record<string, unknown>): Checkpoint {
  return {
    ...emptyCheckpoint(),
    id: uuid6(0),
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, 1])),
  };
}

t.test('finds a namespace whose name is too long for a key', async (t) => {
  for (const lifetime of LIFETIMES) {
    const saver = await savers(t, lifetime);
    const ns = Array.from({ length: 40 }, (_, depth) => `inner:${`${depth}`.padStart(36, '0')}`).join('|');
    const config = { configurable: { thread_id: 'x', checkpoint_ns: ns } };
    const one = checkpoint({ words: ['deep'] });
    await saver.put(config, one, META, one.channel_versions);
    t.strictSame((await saver.getTuple(config))?.checkpoint, one, lifetime);
    const found = [];
    for await (const tuple of saver.list({ configurable: { thread_id: 'x' } }))
      found.push(tuple.config.configurable?.['checkpoint_ns']);
    t.strictSame(found, [ns]);
  }
});

t.test('returns writes with the newest checkpoint before the next one is stored', async (t) => {
  const saver = await savers(t, 'call');
  const config = { configurable: { thread_id: 'x', checkpoint_ns: '' } };
  const stored = await saver.put(config, checkpoint({}), META, {});
  // Their job begins with that checkpoint.
  const next = saver.as('run');
  t.teardown(() => next.close());
  await next.putWrites(stored, [['words', 'new']], 'task');
  t.strictSame((await next.getTuple(config))?.pendingWrites, [['task', 'words', 'new']]);
});

t.test('keeps the values in a copy of a first checkpoint', async (t) => {
  const State = Annotation.Root({
    words: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  for (const lifetime of LIFETIMES) {
    const graph = new StateGraph(State)
      .addNode('one', () => ({ words: ['one'] }))
      .addEdge(START, 'one')
      .addEdge('one', END)
      .compile({ checkpointer: await savers(t, lifetime) });
    const config = { configurable: { thread_id: 'x' } };
    // An update of an empty thread makes a first checkpoint that has values.
    await graph.updateState(config, { words: ['first'] }, 'one');
    t.equal((await graph.getState(config)).parentConfig, undefined);
    await graph.updateState(config, null, '__copy__');
    const copy = await graph.getState(config);
    t.equal(copy.metadata?.source, 'fork');
    t.strictSame(copy.values, { words: ['first'] }, lifetime);
  }
});
