import { randomUUID, webcrypto } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { AsyncLocalStorageProviderSingleton as provider } from '@langchain/core/singletons';
import { LangChainTracer } from '@langchain/core/tracers/tracer_langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import * as messages from '@langchain/core/messages';
import * as runnables from '@langchain/core/runnables';
import { Runnable, RunnableLambda, RunnableSequence, type RunnableConfig } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { tool } from '@langchain/core/tools';
import * as singletons from '@langchain/core/singletons';
import { setContextVariable, getContextVariable } from '@langchain/core/context';
import { Annotation, StateGraph } from '@langchain/langgraph';
import { RunTree } from 'langsmith';
import t from 'tap';
import { isObject } from '../../src/base/json/json.js';
import { readOptimizations } from '../../src/config/optimizations.js';
import { OPTIMIZATIONS } from '../../src/domain/optimizations.js';
import { callDirectHandlersAtOnce, DIRECT } from '../../workers/graph/optimizations/callback-calls.js';
import { copyCallbacksAtOnce } from '../../workers/graph/optimizations/callback-copies.js';
import { scopeDirectHandlers } from '../../workers/graph/optimizations/callback-scopes.js';
import { skipUnreadComponents } from '../../workers/graph/optimizations/component-json.js';
import { cacheEnvironment } from '../../workers/graph/optimizations/environment.js';
import { skipIdleRunTrees } from '../../workers/graph/optimizations/idle-run-tree.js';
import { writeMessagesDirectly } from '../../workers/graph/optimizations/message-json.js';
import { poolRandomValues } from '../../workers/graph/optimizations/random-values.js';
import { callSequencesDirectly } from '../../workers/graph/optimizations/sequences.js';
import { configWith, testServer } from '../helpers/server.js';

/** Messages of the test of `message-json` that need more than a copy of their members. */
const LEFT_TO_LIBRARY = 8;
/** Position of the name among the arguments of `handleChainStart` after the first. */
const RUN_NAME = 6;

const storedTree = (): RunTree | undefined => provider.getInstance().getStore() as unknown as RunTree | undefined;
const treeOf = (config: object, noTree = false): RunTree | undefined =>
  provider.runWithConfig(config as never, storedTree, noTree);

t.test('idle-run-tree', async (t) => {
  const config = { tags: ['a'], configurable: { thread_id: 'x' } };
  const library = treeOf(config)!;
  const original = provider.runWithConfig;
  let libraryCalls = 0;
  const counted: typeof original = (config, callback, noTree) => {
    libraryCalls += 1;
    return original.call(provider, config, callback, noTree) as ReturnType<typeof callback>;
  };
  Object.assign(provider, { runWithConfig: counted });
  skipIdleRunTrees(singletons);
  t.teardown(() => Object.assign(provider, { runWithConfig: original }));
  treeOf({});
  t.not(provider.runWithConfig, counted, 'the installed release is a known one');

  await t.test('keeps what the library keeps, in an object of the same class', async (t) => {
    const idle = treeOf(config)!;
    t.ok(idle instanceof RunTree);
    t.equal(idle.constructor, RunTree);
    t.strictSame(Object.keys(idle), Object.keys(library));
    for (const [name, value] of Object.entries(library)) {
      const ours = (idle as unknown as Record<string, unknown>)[name];
      if (['id', 'trace_id', 'start_time', 'dotted_order', '_serialized_start_time'].includes(name))
        t.equal(typeof ours, typeof value, name);
      else t.strictSame(ours, value, name);
    }
    t.match(idle.dotted_order, new RegExp(`^\\d{8}T\\d{12}Z${idle.id}$`));
    t.equal(
      provider.runWithConfig(config, () => provider.getRunnableConfig()),
      config,
    );
    t.not(treeOf(config)!.id, idle.id);
    const child = idle.createChild({ name: 'child' });
    t.equal(child.trace_id, idle.id);
    t.equal(child.parent_run, idle);
    t.equal(child.tracingEnabled, false);
    t.equal(treeOf(config, true), undefined, 'and nothing where the library keeps nothing');
  });

  await t.test('lets the library trace', async (t) => {
    const tracer = new LangChainTracer();
    let called = 0;
    Object.assign(tracer, {
      getRunTreeWithTracingConfig: () => {
        called += 1;
        return new RunTree({ name: 'traced' });
      },
    });
    const { CallbackManager } = await import('@langchain/core/callbacks/manager');
    const manager = new CallbackManager(randomUUID(), { handlers: [tracer] });
    t.equal(treeOf({ callbacks: manager })!.name, 'traced');
    t.equal(called, 1);
    const before = libraryCalls;
    treeOf({});
    t.equal(libraryCalls, before, 'is not asked while nobody traces');
    process.env['LANGSMITH_TRACING'] = 'true';
    t.teardown(() => delete process.env['LANGSMITH_TRACING']);
    treeOf({});
    t.equal(libraryCalls, before + 1, 'and is while the environment turns tracing on');
  });

  await t.test('keeps context variables', async (t) => {
    const seen = provider.runWithConfig({}, () => {
      setContextVariable('name', 'value');
      return provider.runWithConfig({}, () => getContextVariable('name') as unknown);
    });
    t.equal(seen, 'value');
  });

  await t.test('leaves a library of another form unchanged', async (t) => {
    class Other {
      getInstance = provider.getInstance.bind(provider);
      runWithConfig(_config: unknown, callback: () => unknown): unknown {
        return (this.getInstance() as never as { run(...args: unknown[]): unknown }).run({ some: 'context' }, callback);
      }
    }
    const other = new Other();
    skipIdleRunTrees({ AsyncLocalStorageProviderSingleton: other } as never);
    t.strictSame(other.runWithConfig({}, storedTree), { some: 'context' });
    t.equal(other.runWithConfig, Other.prototype.runWithConfig, 'after the first call its own method is back');
  });
});

t.test('environment', async (t) => {
  const original = process.env;
  const name = 'THREADMILL_TEST_VARIABLE';
  cacheEnvironment();
  t.teardown(() => {
    process.env = original;
    delete process.env[name];
  });
  t.strictSame({ ...process.env }, { ...original });
  process.env[name] = 1 as never;
  t.equal(process.env[name], '1', 'is converted as by Node');
  t.equal(original[name], '1');
  Object.defineProperty(process.env, name, { value: 2, configurable: true, enumerable: true, writable: true });
  t.equal(process.env[name], '2');
  t.throws(() => Object.defineProperty(process.env, name, { value: 'x', writable: false }));
  t.throws(() => Object.assign(process.env, { [Symbol('s')]: 'x' }));
  t.equal(process.env[name], '2');
  const thread = new Worker(`require('worker_threads').parentPort.postMessage(process.env.${name})`, { eval: true });
  t.strictSame(await once(thread, 'message'), ['2'], 'threads inherit changes');
  t.ok(name in process.env);
  delete process.env[name];
  t.notOk(name in process.env);
  t.notOk(name in original);
});

t.test('random-values', async (t) => {
  const prototype = Object.getPrototypeOf(webcrypto) as object;
  const original = Object.getOwnPropertyDescriptor(prototype, 'getRandomValues')!;
  poolRandomValues();
  t.teardown(() => Object.defineProperty(prototype, 'getRandomValues', original));
  const drawn = new Set<string>();
  const counts = Array.from({ length: 256 }, () => 0);
  for (let round = 0; round < 4_000; round += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    drawn.add(Buffer.from(bytes).toString('hex'));
    for (const byte of bytes) counts[byte]! += 1;
  }
  t.equal(drawn.size, 4_000, 'no bytes are given twice');
  // 64,000 bytes: 250 of each value on average, with a standard deviation of 16.
  t.ok(Math.min(...counts) > 130 && Math.max(...counts) < 370, `${Math.min(...counts)} to ${Math.max(...counts)}`);
  const buffer = Buffer.alloc(8);
  t.equal(crypto.getRandomValues(buffer), buffer, 'returns its argument');
  t.equal(crypto.getRandomValues(new Uint32Array(64)).length, 64);
  t.equal(crypto.getRandomValues(new Uint8Array(65_536)).length, 65_536);
  t.throws(() => crypto.getRandomValues(new Float32Array(4) as never), { name: 'TypeMismatchError' });
  t.throws(() => crypto.getRandomValues(new Uint8Array(65_537)), { name: 'QuotaExceededError' });
  t.throws(() => crypto.getRandomValues.call({} as never, new Uint8Array(4)), { code: 'ERR_INVALID_THIS' });
});

t.test('a run is the same with and without optimizations', async (t) => {
  const config = configWith(t, 'nested', 'chat');
  const events = async (env: Record<string, string>): Promise<string> => {
    const server = await testServer(t, { config, env });
    const found: unknown[] = [];
    for (const [graph, input] of [
      ['nested', { question: 'sure?' }],
      ['chat', { messages: [{ role: 'user', content: 'hello', id: 'm' }] }],
    ] as const)
      for await (const event of server.client.runs.stream(null, graph, {
        input,
        streamMode: ['values', 'updates', 'debug', 'messages-tuple'],
        streamSubgraphs: true,
        ...(graph === 'nested' ? { onCompletion: 'keep' as const } : {}),
      }))
        found.push(event);
    await server.close();
    return JSON.stringify(found)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replaceAll(/[0-9a-f]{32}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<time>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<address>');
  };
  t.strictSame(
    (await events({})).split('},{'),
    (await events({ THREADMILL_DISABLED_OPTIMIZATIONS: 'all' })).split('},{'),
  );
});

t.test('THREADMILL_DISABLED_OPTIMIZATIONS selects them by name', async (t) => {
  const read = (text?: string): readonly string[] => readOptimizations({ THREADMILL_DISABLED_OPTIMIZATIONS: text });
  t.strictSame(read(), OPTIMIZATIONS);
  t.strictSame(read('all'), []);
  t.strictSame(read('environment, idle-run-tree'), [
    'callback-calls',
    'callback-copies',
    'callback-scopes',
    'component-json',
    'message-json',
    'random-values',
    'sequences',
    'store-polling',
  ]);
  t.throws(() => read('everything'), { code: 'CONFIG_INVALID', message: /not "everything"/ });
});

t.test('callback-copies', async (t) => {
  const { CallbackManager, CallbackManagerForChainRun } = callbacks;
  const { copy: original, addMetadata, removeMetadata } = CallbackManager.prototype;
  const { getChild } = CallbackManagerForChainRun.prototype;
  copyCallbacksAtOnce(callbacks);
  t.teardown(() => {
    Object.assign(CallbackManager.prototype, { copy: original, addMetadata, removeMetadata });
    Object.assign(CallbackManagerForChainRun.prototype, { getChild });
  });
  t.not(CallbackManager.prototype.copy, original, 'the installed release is a known one');
  const [one, two, three] = ['one', 'two', 'console_callback_handler'].map((name) => ({ name }) as never);
  const managers = [
    new CallbackManager(),
    new CallbackManager('parent', {
      handlers: [one!, two!, three!],
      inheritableHandlers: [two!],
      tags: ['b', 'a', 'c'],
      inheritableTags: ['c', 'x', 'b'],
      metadata: { first: 1, second: { deep: true }, third: null },
      inheritableMetadata: { third: 3, other: 4, first: 1 },
    } as never),
    new CallbackManager('parent', { tags: ['a', 'b', 'a'], inheritableTags: ['a'] } as never),
  ];
  for (const manager of managers)
    for (const args of [[], [[one, three]], [[three, two], false]] as never[][]) {
      const ours = CallbackManager.prototype.copy.apply(manager, args as never);
      const theirs = original.apply(manager, args as never);
      t.strictSame(Object.entries(ours), Object.entries(theirs));
      t.strictSame(Object.keys(ours), Object.keys(theirs));
      for (const metadata of [{}, { first: 'new' }, { more: 1 }]) {
        ours.addMetadata(metadata);
        addMetadata.call(theirs, metadata);
        ours.addMetadata(metadata, false);
        addMetadata.call(theirs, metadata, false);
        t.strictSame(Object.entries(ours), Object.entries(theirs));
      }
      ours.addTags(['later']);
      ours.addMetadata({ later: 1 });
      t.notMatch(JSON.stringify(Object.entries(manager)), /later/, 'the original is as before');
      ours.removeMetadata({ first: 1, later: 1 });
      removeMetadata.call(theirs, { first: 1 });
      t.strictSame(ours['metadata'], theirs['metadata']);
    }

  const metadata = { first: 1, second: 2 };
  const chain = await new CallbackManager('parent', {
    handlers: [one!, two!],
    inheritableHandlers: [two!],
    tags: ['a', 'b', 'c'],
    inheritableTags: ['b', 'c'],
    metadata: { ...metadata, third: 3 },
    inheritableMetadata: metadata,
  } as never).handleChainStart({} as never, {}, 'id');
  for (const tag of [undefined, '', 'step', 'b']) {
    const ours = chain.getChild(tag);
    const theirs = getChild.call(chain, tag);
    t.strictSame(Object.entries(ours), Object.entries(theirs), String(tag));
    for (const [added, inherit] of [
      [{ second: 3 }, true],
      [{ own: 1 }, false],
    ] as const) {
      ours.addMetadata(added, inherit);
      addMetadata.call(theirs, added, inherit);
      t.strictSame(Object.entries(ours), Object.entries(theirs));
      t.strictSame(Object.entries(ours.copy()), Object.entries(original.call(theirs)));
    }
    ours.removeMetadata({ first: 1 });
    t.notOk('first' in ours['metadata'] || 'first' in ours['inheritableMetadata']);
    t.strictSame(metadata, { first: 1, second: 2 }, 'the parent is as before');
  }
});

t.test('callback-calls', async (t) => {
  const { CallbackManager, CallbackManagerForChainRun, CallbackManagerForLLMRun, CallbackManagerForToolRun } =
    callbacks;
  const { handleChainStart, handleChatModelStart, handleToolStart } = CallbackManager.prototype;
  const { handleChainEnd, handleChainError } = CallbackManagerForChainRun.prototype;
  const { handleLLMNewToken, handleLLMEnd } = CallbackManagerForLLMRun.prototype;
  const { handleToolEnd } = CallbackManagerForToolRun.prototype;

  /** A handler that writes down what it is called with. */
  const recorder = (calls: unknown[][], isDirect: boolean): object => ({
    name: `recorder ${isDirect}`,
    awaitHandlers: true,
    ...(isDirect && { [DIRECT]: true }),
    ...Object.fromEntries(
      [
        ...['handleChainStart', 'handleChainEnd', 'handleChainError'],
        ...['handleChatModelStart', 'handleLLMStart', 'handleLLMNewToken', 'handleLLMEnd'],
        ...['handleToolStart', 'handleToolEnd'],
      ].map((name) => [name, (...args: unknown[]) => void calls.push([name, ...args])]),
    ),
  });

  /** All that handlers are told, and the managers that come of it. */
  const callAll = async (direct: readonly boolean[]): Promise<unknown[]> => {
    const calls: unknown[][] = [];
    const handlers = direct.map((isDirect) => recorder(calls, isDirect));
    const manager = new CallbackManager('parent', {
      handlers,
      inheritableHandlers: handlers.slice(0, 1),
      tags: ['a', 'b'],
      inheritableTags: ['b'],
      metadata: { first: 1, second: 2 },
      inheritableMetadata: { second: 2 },
    } as never);
    const chain = await manager.handleChainStart({} as never, { in: 1 }, 'id', 'type', ['x'], { y: 1 }, 'name');
    await chain.handleChainEnd({ out: 1 });
    await chain.handleChainError(new Error('failed'), undefined, undefined, undefined, { inputs: {} });
    const [model] = await manager.handleLLMStart({} as never, ['hello'], 'model');
    await model!.handleLLMNewToken('token');
    await model!.handleLLMNewToken('token', { prompt: 1, completion: 2 }, undefined, undefined, undefined, {
      chunk: 'chunk' as never,
    });
    model!.handlers.push(recorder(calls, false) as never);
    await model!.handleLLMNewToken('for one more');
    model!.handlers[0] = recorder(calls, true) as never;
    await model!.handleLLMNewToken('for another');
    await model!.handleLLMEnd({ generations: [] }, undefined, undefined, undefined, { more: 1 });
    const prompt = [new messages.HumanMessage('hello')];
    const parameters = { invocation_params: { temperature: 0 } };
    const chats = [
      {} as never,
      [prompt],
      'chat',
      undefined,
      parameters,
      ['x'],
      { y: 1 },
      'chat model',
    ] satisfies unknown[];
    const [chat] = await manager.handleChatModelStart(...(chats as Parameters<typeof manager.handleChatModelStart>));
    const tool = await manager.handleToolStart(
      {} as never,
      'input',
      'tool',
      undefined,
      ['x'],
      { y: 1 },
      'upper',
      'call',
    );
    await manager.handleToolStart({} as never, { text: 'input' } as never, 'tool with an object');
    await tool.handleToolEnd('output');
    // Of these, the ids are random.
    const known = calls.length;
    const several = await manager.handleChatModelStart({} as never, [prompt, prompt]);
    const generated = [
      await manager.handleChainStart({} as never, {}),
      await manager.handleToolStart({} as never, 'input'),
      ...(await manager.handleChatModelStart({} as never, [prompt])),
      ...several,
    ];
    t.strictSame(new Set(generated.map(({ runId }) => runId.slice(14, 15))), new Set(['7']));
    t.equal(new Set(generated.map(({ runId }) => runId)).size, generated.length);
    t.equal(calls.length - known, handlers.length * generated.length);
    const membersOf = (one: object): unknown =>
      Object.entries(one).map(([name, value]) => [name, name.endsWith('andlers') ? (value as []).length : value]);
    return [calls.slice(0, known), ...[chain, chat!, tool].map((one) => [one.constructor.name, membersOf(one)])];
  };

  const kinds = [[true], [true, true], [true, false], [false], []];
  const expected = await Promise.all(kinds.map(callAll));
  callDirectHandlersAtOnce(callbacks);
  t.teardown(() => {
    Object.assign(CallbackManager.prototype, { handleChainStart, handleChatModelStart, handleToolStart });
    Object.assign(CallbackManagerForChainRun.prototype, { handleChainEnd, handleChainError });
    Object.assign(CallbackManagerForLLMRun.prototype, { handleLLMNewToken, handleLLMEnd });
    Object.assign(CallbackManagerForToolRun.prototype, { handleToolEnd });
  });
  t.not(CallbackManager.prototype.handleChainStart, handleChainStart, 'the installed release is a known one');
  for (const [at, kind] of kinds.entries())
    t.strictSame(await callAll(kind), expected[at], `handlers that are direct: ${kind.join(', ')}`);
});

t.test('callback-scopes', async (t) => {
  const { CallbackManager } = callbacks;
  const statics = CallbackManager as unknown as Record<'_configureSync', (...args: unknown[]) => unknown>;
  const { _configureSync } = statics;
  const changed = [
    CallbackManager,
    ...Object.values(callbacks).map((one) => one.prototype as object | undefined),
    Object.getPrototypeOf(messages.BaseMessage.prototype) as object,
    runnables.RunnableSequence.prototype,
  ].filter((one) => one !== undefined);
  const originals = changed.map((one) => Object.getOwnPropertyDescriptors(one));
  const restore = (): void => {
    for (const [at, one] of changed.entries()) Object.defineProperties(one, originals[at]!);
  };
  t.teardown(restore);

  const State = Annotation.Root({ text: Annotation<string> });
  const model = new FakeListChatModel({ responses: ['an answer'] });
  const upper = tool(({ text }: { text: string }) => text.toUpperCase(), {
    name: 'upper',
    description: 'Makes letters large',
    schema: { type: 'object', properties: { text: { type: 'string' } } } as never,
  });
  /** What the code of the graph sees of its config, apart from its callbacks. */
  const seen: unknown[] = [];
  const inner = new StateGraph(State)
    .addNode('ask', async ({ text }, runtime) => {
      const config = runtime as RunnableConfig;
      seen.push(config.tags, config.metadata, config.runName);
      // Once with its config, and once with what the library remembers.
      await model.invoke(text, config);
      return { text: (await model.invoke(text, { tags: ['own'], metadata: { own: 1 } })).text };
    })
    .addEdge('__start__', 'ask')
    .compile();
  const other: unknown[][] = [];
  const others = ['handleChainStart', 'handleChainEnd', 'handleChatModelStart', 'handleToolStart'].map(
    (name) => [name, (...args: unknown[]) => void other.push([name, ...args.slice(2)])] as const,
  );
  const chain = RunnableLambda.from(async ({ text }: { text: string }) => ({ text: `${text}!` }))
    .pipe(RunnableLambda.from(async ({ text }) => ({ text: await upper.invoke({ text }) })))
    .withConfig({ runName: 'chain', tags: ['bound'], metadata: { bound: true } });
  const observed = RunnableLambda.from(async (state: { text: string }) => await chain.invoke(state)).withConfig({
    callbacks: [{ name: 'other', awaitHandlers: true, ...Object.fromEntries(others) } as never],
  });
  const failing = RunnableLambda.from(() => Promise.reject(new Error('failed')));
  const graph = new StateGraph(State)
    .addNode('chain', chain)
    .addNode('inner', inner)
    .addNode('nested', async (state) => await inner.invoke(state))
    .addNode('observed', async (state, config) => await observed.invoke(state, config))
    .addNode('both', async (state, config) => {
      const parallel = [chain.invoke(state), chain.invoke(state, config), failing.invoke(state).catch(() => state)];
      return (await Promise.all(parallel))[0] as typeof state;
    })
    .addEdge('__start__', 'chain')
    .addEdge('chain', 'inner')
    .addEdge('inner', 'nested')
    .addEdge('nested', 'observed')
    .addEdge('observed', 'both')
    .compile();

  const inOrder = (_: string, value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  const isNamed = (method: string, args: unknown[]): boolean => method === 'ChainStart' && args[RUN_NAME] !== undefined;
  /** All that the handler is told. Ids are replaced by their numbers. */
  const record = async (modes: string[], more: object[] = []): Promise<string> => {
    const calls: unknown[][] = [];
    const names = ['ChainStart', 'ChainEnd', 'ChainError', 'ChatModelStart', 'LLMNewToken', 'LLMEnd', 'ToolStart'];
    const direct = {
      name: 'direct',
      awaitHandlers: true,
      raiseError: false,
      [DIRECT]: true,
      copy() {
        return this;
      },
      ...Object.fromEntries(
        [...names, 'ToolEnd'].map((name) => [
          `handle${name}`,
          // Of the component, only its id: 'component-json' leaves the rest out, and a chain with a name needs none.
          (one: { id?: unknown; error?: unknown } | undefined, ...args: unknown[]) =>
            void calls.push([
              name,
              name.endsWith('Start') && !isNamed(name, args) ? one?.id : null,
              ...args.slice(0, 7),
            ]),
        ]),
      ),
    };
    const options = {
      callbacks: [direct, ...more],
      streamMode: modes,
      tags: ['run', 'seq:step:1'],
      metadata: { of: 'run' },
    };
    const chunks: unknown[] = [];
    for await (const chunk of await graph.stream({ text: 'hello' }, options as never)) chunks.push(chunk);
    const ids = new Map<string, string>();
    return JSON.stringify([calls, chunks, seen.splice(0), other.splice(0)], inOrder, 1)
      .replaceAll(/"nodeFirstAttemptTime": \d+/g, '"nodeFirstAttemptTime": 0')
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|chatcmpl-\w+/g,
        (id) => ids.get(id) ?? ids.set(id, `id ${ids.size}`).get(id)!,
      );
  };
  const kinds = [() => record(['values']), () => record(['messages']), () => record(['values'], [{ name: 'second' }])];
  const recordAll = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const kind of kinds) found.push(await kind());
    return found;
  };
  const expected = await recordAll();
  t.match(expected[0], /ChatModelStart/);
  scopeDirectHandlers(callbacks, singletons);
  t.not(statics._configureSync, _configureSync, 'the installed release is a known one');
  const compare = async (): Promise<void> => {
    for (const [at, one] of (await recordAll()).entries()) t.strictSame(one.split('\n'), expected[at]!.split('\n'));
  };
  await compare();
  restore();
  callDirectHandlersAtOnce(callbacks);
  copyCallbacksAtOnce(callbacks);
  const findScope = scopeDirectHandlers(callbacks, singletons);
  skipUnreadComponents(callbacks, messages);
  await compare();
  let scoped = 0;
  callSequencesDirectly(runnables, (given) => {
    const scope = findScope!(given);
    if (scope !== null) scoped += 1;
    return scope;
  });
  await compare();
  t.ok(scoped > 0, 'chains start in a scope');
});

t.test('component-json', async (t) => {
  const { CallbackManager } = callbacks;
  const changed = [CallbackManager.prototype, Object.getPrototypeOf(messages.BaseMessage.prototype) as object];
  const originals = changed.map((one) => Object.getOwnPropertyDescriptors(one));
  t.teardown(() => {
    for (const [at, one] of changed.entries()) Object.defineProperties(one, originals[at]!);
  });
  const { handleChainStart, handleChatModelStart, handleToolStart } = CallbackManager.prototype;
  const starts = ['handleChainStart', 'handleChatModelStart', 'handleToolStart'];
  const model = new FakeListChatModel({ responses: ['an answer'] });
  const upper = tool(({ text }: { text: string }) => text, {
    name: 'upper',
    description: '',
    schema: { type: 'object', properties: {} } as never,
  });
  const chain = RunnableLambda.from((text: string) => text).pipe(model);

  /** The components that a handler of this kind gets, beside another one. */
  const componentsFor = async (kind: object, beside: object[] = []): Promise<Record<string, unknown>[]> => {
    const found: Record<string, unknown>[] = [];
    const handler = {
      name: 'own',
      awaitHandlers: true,
      ...Object.fromEntries(starts.map((name) => [name, (one: Record<string, unknown>) => void found.push(one)])),
      ...kind,
    };
    const config = { callbacks: [handler, ...beside] as never };
    await chain.invoke('hello', config);
    await upper.invoke({ text: 'hello' }, config);
    return found;
  };
  const streams = { name: 'StreamMessagesHandler' };
  const expected = await componentsFor({});
  t.ok(expected.some((one) => isObject(one['kwargs'])));
  skipUnreadComponents(callbacks, messages);
  t.not(CallbackManager.prototype.handleChainStart, handleChainStart, 'the installed release is a known one');
  t.strictSame(await componentsFor({}), expected, 'any other handler gets what it got');
  t.strictSame(await componentsFor(streams, [{ name: 'other' }]), expected, 'also beside one that reads nothing');
  for (const kind of [streams, { [DIRECT]: true }]) {
    const found = await componentsFor(kind);
    t.strictSame(
      found.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    t.notOk(found.some((one) => 'kwargs' in one));
    t.ok('kwargs' in chain.toJSON(), 'the JSON for others is complete');
  }
  const message = new messages.HumanMessage('hello');
  const manager = new CallbackManager('parent', { handlers: [streams as never] } as never);
  t.type(manager.handleChainStart, 'function');
  t.ok('kwargs' in message.toJSON(), 'and that of messages always');
  const replaced = async (): Promise<never> => await Promise.reject(new Error('replaced'));
  Object.assign(manager, { handleChainStart: replaced });
  t.equal(manager.handleChainStart, replaced, 'the methods of a manager can be replaced');
  Object.assign(CallbackManager.prototype, { handleChainStart, handleChatModelStart, handleToolStart });
  t.equal(CallbackManager.prototype.handleChainStart, handleChainStart, 'and those of all');
});

t.test('message-json', (t) => {
  const { AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage, ToolMessage } = messages;
  const { toDict } = BaseMessage.prototype;
  class Own extends AIMessage {
    override get lc_aliases(): Record<string, string> {
      return { content: 'text' };
    }
  }
  const call = { name: 'weather', args: { city: 'Oslo', when: { day: 1, hours: [1, null, true] } }, id: 'call' };
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, input_token_details: { cache_read: 1 } };
  const circle: Record<string, unknown> = { kind: 'circle' };
  circle['self'] = circle;
  const all = [
    new HumanMessage('hello'),
    new HumanMessage({ content: 'hello', id: 'h', name: 'Ada', additional_kwargs: { more: [1, { deep: {} }] } }),
    new HumanMessage({
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image_url', image_url: 'data:' },
      ],
    }),
    new SystemMessage({ content: '', response_metadata: { model: 'm', 'a-b': undefined } }),
    new AIMessage({ content: 'yes', tool_calls: [call], usage_metadata: usage, id: 'a' }),
    new AIMessageChunk('yes'),
    new AIMessageChunk({ content: '', tool_call_chunks: [{ name: 'weather', args: '{"ci', id: 'call', index: 0 }] }),
    new AIMessageChunk({ content: 'a', id: 'run-1' }).concat(new AIMessageChunk({ content: 'b', id: 'run-1' })),
    // The result of a ToolNode.
    new ToolMessage({ content: 'fine', tool_call_id: 'call', name: 'f', metadata: { a: 1 }, artifact: undefined }),
    new ToolMessage({ content: 'fine', tool_call_id: 'call', status: 'error', artifact: { rows: [1] } }),
    new ToolMessage({ content: 'fine', tool_call_id: 'call', artifact: new Date(0) }),
    new ToolMessage({ content: 'fine', tool_call_id: 'call', artifact: new HumanMessage('inside') }),
    new messages.ChatMessage('hello', 'critic'),
    new messages.FunctionMessage({ content: 'x', name: 'f' }),
    new messages.RemoveMessage({ id: 'gone' }),
    new HumanMessage({ content: 'x', additional_kwargs: { lc: 1 } }),
    new HumanMessage({ content: 'x', additional_kwargs: { deep: { __lc_escaped__: 1 } } }),
    new HumanMessage({ content: 'x', additional_kwargs: circle }),
    new HumanMessage({ content: 'x', ownMember: 'y' } as never),
    Object.assign(new HumanMessage('x'), { lc_serializable: false }),
    Object.assign(new HumanMessage({ content: 'x', id: 'before' }), { id: 'after', content: 'changed' }),
    new Own('own'),
  ];
  const jsonOf = (message: messages.BaseMessage): unknown[] => [message.toJSON(), message.toDict()];
  const expected = all.map(jsonOf);
  const namesOf = (message: object): string[] => {
    const names: string[] = [];
    for (const name in message) names.push(name);
    return names;
  };
  const names = namesOf(all[0]!);
  let left = 0;
  BaseMessage.prototype.toDict = function countedToDict(this: messages.BaseMessage) {
    left += 1;
    return toDict.call(this);
  };
  writeMessagesDirectly(messages);
  t.teardown(() => {
    Object.assign(BaseMessage.prototype, { toDict });
    Reflect.deleteProperty(BaseMessage.prototype, 'toJSON');
  });
  t.not(BaseMessage.prototype.toDict, toDict, 'the installed release is a known one');
  for (const [at, message] of all.entries()) {
    const found = jsonOf(message);
    t.strictSame(found, expected[at], `${message.constructor.name} ${at}`);
    if (!('self' in message.additional_kwargs)) t.equal(JSON.stringify(found), JSON.stringify(expected[at]));
  }
  const [, second] = all;
  const { data } = second!.toDict() as unknown as { data: { additional_kwargs: { more: unknown[] } } };
  data.additional_kwargs.more.push('changed');
  t.strictSame(second!.toJSON(), (expected[1] as unknown[])[0], 'the JSON is a copy');
  t.equal(left, LEFT_TO_LIBRARY, 'messages that are left to the library');
  t.strictSame(namesOf(all[0]!), names, 'a message has no more members than before');
  t.end();
});

t.test('sequences', async (t) => {
  const { prototype } = RunnableSequence;
  const { invoke } = prototype;

  /** A step that writes down its config, and ends as it is told. */
  class Probe extends Runnable {
    lc_namespace = ['test'];
    readonly #seen: unknown[];
    readonly #end: (input: unknown) => unknown;

    constructor(seen: unknown[], end: (input: unknown) => unknown) {
      super();
      this.#seen = seen;
      this.#end = end;
    }

    override async invoke(input: unknown, config?: Partial<RunnableConfig>): Promise<unknown> {
      const { callbacks, signal, ...others } = config as RunnableConfig & { runName?: string };
      const { tags = null, metadata = null } = (callbacks ?? {}) as Record<string, unknown>;
      const members = Object.keys(config!).sort();
      this.#seen.push({ input, members, others, tags, metadata, isAborted: signal?.aborted ?? null });
      // Each step has a config of its own.
      Object.assign(config!, { runName: 'changed', more: true });
      return await this.#end(input);
    }
  }

  const events = ['handleChainStart', 'handleChainEnd', 'handleChainError'];
  const add = (text: string) => (input: unknown) => `${String(input)} ${text}`;
  const fail = (): never => {
    throw new RangeError('failed');
  };
  type Case = [
    name: string,
    ends: ((input: unknown) => unknown)[],
    config?: (told: unknown[]) => object,
    input?: unknown,
  ];
  const handlers = (told: unknown[]): object => ({
    callbacks: [
      {
        name: 'told',
        awaitHandlers: true,
        ...Object.fromEntries(events.map((name) => [name, (...args: unknown[]) => void told.push([name, ...args])])),
      },
    ],
  });
  const abortedBy = (abort: AbortController): object => ({ signal: abort.signal });
  let abort = new AbortController();
  const steps = [add('1'), add('2'), add('3')];
  const cases: Case[] = [
    ['two steps', steps.slice(0, 2)],
    ['three steps', steps],
    ['with a name and an id', steps, () => ({ runName: 'mine', runId: randomUUID(), tags: ['a'], metadata: { b: 1 } })],
    ['with callbacks', steps, handlers],
    [
      'with callbacks and a name',
      steps,
      (told) => ({ ...handlers(told), runName: 'mine', configurable: { model: 'm' } }),
    ],
    ['with a date', steps, handlers, new Date(0)],
    ['with an object', [(input) => input, (input) => input], handlers, { in: 1 }],
    ['first step fails', [fail, add('2')], handlers],
    ['last step fails', [add('1'), fail], handlers],
    ['with a timeout', steps, () => ({ timeout: 60_000 })],
    ['with a signal', steps, () => abortedBy(abort)],
    ['aborted before', steps, (told) => (abort.abort('early'), { ...handlers(told), ...abortedBy(abort) })],
    ['aborted by the first step', [() => abort.abort(new RangeError('stop')), add('2')], () => abortedBy(abort)],
    ['aborted by the last step', [add('1'), (input) => (abort.abort({}), input)], () => abortedBy(abort)],
    [
      'aborted while the first step waits',
      [
        () =>
          new Promise((_resolve, reject) => {
            // Not two timers: a late one can be called first, together with an earlier one of its duration.
            setImmediate(() => {
              abort.abort();
              setImmediate(() => reject(new Error('late')));
            });
          }),
        add('2'),
      ],
      (told) => ({ ...handlers(told), ...abortedBy(abort) }),
    ],
  ];

  const outcomesOf = async (omitSequenceTags: boolean): Promise<unknown[]> => {
    const outcomes: unknown[] = [];
    for (const [name, ends, configOf = () => ({}), input = 'input'] of cases) {
      const seen: unknown[] = [];
      const told: unknown[] = [];
      abort = new AbortController();
      const [first, ...others] = ends.map((end) => new Probe(seen, end));
      const sequence = new RunnableSequence({
        first: first!,
        middle: others.slice(0, -1),
        last: others.at(-1)!,
        omitSequenceTags,
      } as never);
      const config = configOf(told);
      const ambient = { metadata: { ambient: true }, tags: ['ambient'], runName: 'ambient' };
      const outcome = await provider
        .runWithConfig(ambient, () => sequence.invoke(input, config as never))
        .then(
          (value) => ({ value }),
          (error: unknown) => ({ error: String(error), isSame: error instanceof RangeError }),
        );
      outcomes.push({
        name,
        outcome,
        seen,
        told: told.map((call) => JSON.stringify(call)),
        config: Object.keys(config),
      });
    }
    const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
    return JSON.parse(JSON.stringify(outcomes).replaceAll(ids, '<id>')) as unknown[];
  };

  /** Promises until a sequence has failed, by its step or by the signal. */
  const promisesUntilFailed = async (isAborted: boolean): Promise<number> => {
    abort = new AbortController();
    const [first, last] = [isAborted ? () => new Promise(() => {}) : fail, add('2')].map((end) => new Probe([], end));
    let hasFailed = false;
    new RunnableSequence({ first: first!, last: last! }).invoke('input', abortedBy(abort)).catch(() => {
      hasFailed = true;
    });
    if (isAborted) setImmediate(() => abort.abort());
    if (isAborted) await once(abort.signal, 'abort');
    for (let count = 0; ; count += 1) {
      if (hasFailed) return count;
      await Promise.resolve();
    }
  };

  const expected = [await outcomesOf(false), await outcomesOf(true)];
  const counts = [await promisesUntilFailed(false), await promisesUntilFailed(true)];
  callSequencesDirectly(runnables, null);
  t.teardown(() => Object.assign(prototype, { invoke }));
  t.not(prototype.invoke, invoke, 'the installed release is a known one');
  for (const [at, omitSequenceTags] of [false, true].entries())
    for (const [n, outcome] of (await outcomesOf(omitSequenceTags)).entries())
      t.strictSame(outcome, expected[at]![n], `${cases[n]![0]}${omitSequenceTags ? ', without tags' : ''}`);

  for (const [at, isAborted] of [false, true].entries()) {
    const count = await promisesUntilFailed(isAborted);
    t.ok(count >= counts[at]!, `a failure comes after ${count} promises, as late as ${counts[at]} of the library`);
  }

  await t.test('leaves a library of another form unchanged', (t) => {
    class Other {
      invoke(input: unknown): unknown {
        return input;
      }
    }
    callSequencesDirectly({ ...runnables, RunnableSequence: Other } as never, null);
    t.equal(new Other().invoke(1), 1);
    t.end();
  });
});
