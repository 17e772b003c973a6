import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import * as fc from 'fast-check';
import t from 'tap';
import { graph as deltas } from '../graphs/deltas.js';
import { Gate } from '../helpers/gate.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

/**
 * Channels whose values are spread over earlier checkpoints, under everything that changes a thread. The library with
 * its own saver in memory does the same beside it; it never removes anything, so what the server still shows must be
 * equal.
 */
type Step =
  | { do: 'run'; durability: 'async' | 'sync' | 'exit' }
  | { do: 'update' }
  /** From a checkpoint that is not the newest: the place counts from the newest, over what is left. */
  | { do: 'fork'; place: number; by: 'run' | 'update' }
  | { do: 'prune' }
  | { do: 'copy' }
  | { do: 'rollback' }
  /** The run that was started so many runs ago. */
  | { do: 'delete run'; ago: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      durability: fc.constantFrom('async' as const, 'sync' as const, 'exit' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'update' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fork' as const),
      place: fc.nat(12),
      by: fc.constantFrom('run' as const, 'update' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'prune' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'copy' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'rollback' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete run' as const), ago: fc.integer({ min: 1, max: 3 }) }) },
);

const folder = temporaryFolder(t);
const config = join(folder, 'langgraph.json');
writeFileSync(config, JSON.stringify({ graphs: { deltas: `${join(ROOT, 'test/graphs/deltas.ts')}:graph` } }));

interface Shown {
  messages: string[];
  words: string[];
  count: number;
  next: string[];
}

function shown({ values, next }: { values: unknown; next: readonly string[] }): Shown {
  const {
    messages = [],
    words = [],
    count = 0,
  } = values as { messages?: { content: string }[]; words?: string[]; count?: number };
  return { messages: messages.map(({ content }) => content), words, count, next: [...next] };
}

/** A thread at the server, and the same thread in the library's memory. */
class Pair {
  readonly #server: TestServer;
  readonly #graph = Object.create(deltas as object) as typeof deltas;
  readonly #config = { configurable: { thread_id: 'x', checkpoint_ns: '' } };
  /** By id of a checkpoint at the server, the id of the same one in memory. */
  readonly #same = new Map<string, string>();
  readonly #runs: string[] = [];
  threadId = '';
  /** Threads that this one was copied from, and what they must go on to show. */
  readonly left: { threadId: string; state: Shown }[] = [];
  #said = 0;

  constructor(server: TestServer) {
    this.#server = server;
    this.#graph.checkpointer = new MemorySaver();
  }

  async begin(): Promise<void> {
    this.threadId = (await this.#server.client.threads.create()).thread_id;
    await this.take({ do: 'run', durability: 'async' });
  }

  async take(step: Step): Promise<void> {
    const { threads, runs } = this.#server.client;
    switch (step.do) {
      case 'run':
        return this.#run(step.durability, null);
      case 'update':
        return this.#update(null);
      case 'fork': {
        const history = await threads.getHistory(this.threadId, { limit: 1_000 });
        const from = history.at(Math.min(step.place, history.length - 1))!.checkpoint.checkpoint_id!;
        return step.by === 'run' ? this.#run('async', from) : this.#update(from);
      }
      case 'prune':
        await threads.prune([this.threadId], { strategy: 'keep_latest' });
        return this.#check();
      case 'copy': {
        this.left.push({ threadId: this.threadId, state: shown(await threads.getState(this.threadId)) });
        this.threadId = ((await threads.copy(this.threadId)) as unknown as { thread_id: string }).thread_id;
        this.#runs.length = 0;
        return this.#check();
      }
      case 'rollback': {
        const gate = new Gate(folder);
        const run = await runs.create(this.threadId, 'deltas', { input: { ...this.#input(), gate: gate.file } });
        await gate.reached();
        await runs.cancel(this.threadId, run.run_id, true, 'rollback');
        gate.open();
        return this.#check();
      }
      case 'delete run': {
        // The newest stays: without it the state would be another, as it should.
        const id = this.#runs.at(-1 - step.ago);
        if (id === undefined) return;
        this.#runs.splice(this.#runs.indexOf(id), 1);
        await runs.delete(this.threadId, id);
        return this.#check();
      }
    }
  }

  async #run(durability: 'async' | 'sync' | 'exit', from: string | null): Promise<void> {
    const input = this.#input();
    const { client } = this.#server;
    const run = await client.runs.create(this.threadId, 'deltas', {
      input,
      durability,
      ...(from === null ? {} : { checkpointId: from }),
    });
    await client.runs.join(this.threadId, run.run_id);
    this.#runs.push(run.run_id);
    await this.#graph.invoke(input as never, { ...this.#at(from), durability });
    await this.#check();
  }

  async #update(from: string | null): Promise<void> {
    const values = this.#input();
    await this.#server.client.threads.updateState(this.threadId, {
      values,
      asNode: 'left',
      ...(from === null ? {} : { checkpointId: from }),
    });
    await this.#graph.updateState(this.#at(from), values as never, 'left' as never);
    await this.#check();
  }

  #at(from: string | null): { configurable: { thread_id: string; checkpoint_id?: string } } {
    return from === null
      ? this.#config
      : { configurable: { ...this.#config.configurable, checkpoint_id: this.#same.get(from)! } };
  }

  #input(): Record<string, unknown> {
    this.#said += 1;
    return {
      gate: null,
      messages: [{ type: 'human', content: `said ${this.#said}`, id: `said-${this.#said}` }],
      words: [`said ${this.#said}`],
      count: 1,
    };
  }

  /** Everything that the server shows is what the library shows at the same place. */
  async #check(): Promise<void> {
    const history = await this.#server.client.threads.getHistory(this.threadId, { limit: 1_000 });
    const expected = new Map<string, Shown>();
    const fresh: string[] = [];
    const known = new Set(this.#same.values());
    for await (const state of this.#graph.getStateHistory(this.#config)) {
      const id = state.config.configurable!['checkpoint_id'] as string;
      expected.set(id, shown(state));
      if (!known.has(id)) fresh.push(id);
    }
    const added = history.map(({ checkpoint }) => checkpoint.checkpoint_id!).filter((id) => !this.#same.has(id));
    same(added.length, fresh.length, 'new checkpoints');
    for (const [at, id] of added.entries()) this.#same.set(id, fresh[at]!);
    for (const state of history)
      same(shown(state), expected.get(this.#same.get(state.checkpoint.checkpoint_id!)!), 'a state of the history');
    same(
      shown(await this.#server.client.threads.getState(this.threadId)),
      shown(await this.#graph.getState(this.#config)),
      'the state',
    );
  }

  /** The graph sees it too: one more run goes on from all that there is. */
  async goOn(server: TestServer): Promise<void> {
    const input = this.#input();
    const run = await server.client.runs.create(this.threadId, 'deltas', { input });
    await server.client.runs.join(this.threadId, run.run_id);
    await this.#graph.invoke(input as never, this.#config);
    same(
      shown(await server.client.threads.getState(this.threadId)),
      shown(await this.#graph.getState(this.#config)),
      'the state after a restart',
    );
    for (const { threadId, state } of this.left)
      same(shown(await server.client.threads.getState(threadId)), state, 'the thread that was copied');
  }
}

function same(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

t.test('keeps the values of delta channels through every change of a thread', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config, dataFolder, workers: 2 });
  const pairs: Pair[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const pair = new Pair(server);
      await pair.begin();
      for (const one of steps) await pair.take(one);
      pairs.push(pair);
    }),
    {
      numRuns: Number(process.env['DELTA_RUNS'] ?? 8),
      ...(process.env['DELTA_SEED'] === undefined ? {} : { seed: Number(process.env['DELTA_SEED']) }),
      endOnFailure: true,
    },
  );
  await server.close();
  const again = await testServer(t, { config, dataFolder });
  for (const pair of pairs) await pair.goOn(again);
});

t.test('never shows or runs the internal base state of a pruned thread', async (t) => {
  const { client } = await testServer(t, { config });
  const { thread_id: id } = await client.threads.create();
  for (const word of ['one', 'two', 'three'])
    await client.runs.wait(id, 'deltas', { input: { messages: [{ type: 'human', content: word, id: word }] } });
  const before = await client.threads.getHistory(id, { limit: 1_000 });
  await client.threads.prune([id], { strategy: 'keep_latest' });
  const after = await client.threads.getHistory(id, { limit: 1_000 });
  t.strictSame(after.map(shown), before.slice(0, 1).map(shown));
  for (const { checkpoint } of before.slice(1, 4)) {
    await t.rejects(client.threads.getState(id, checkpoint.checkpoint_id!), /HTTP 404/);
    await t.rejects(
      client.threads.updateState(id, {
        values: { words: ['x'] },
        asNode: 'left',
        checkpointId: checkpoint.checkpoint_id!,
      }),
      /HTTP 404/,
    );
    await t.rejects(
      client.runs.create(id, 'deltas', { input: {}, checkpointId: checkpoint.checkpoint_id! }),
      /HTTP 404/,
    );
  }
});
