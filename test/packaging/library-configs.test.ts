import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import { mergeConfigs as originalMerge } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton as storage } from '@langchain/core/singletons';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { replaceModules } from '../../packaging/library/replace-modules.js';

type Config = Record<string, unknown>;
type Make = (...configs: (Config | null | undefined)[]) => Config;

const ROOT = join(import.meta.dirname, '../../..');
const LANGCHAIN = join(ROOT, 'node_modules/@langchain');
const MODULE = join(LANGCHAIN, 'langgraph/dist/pregel/utils/config.js');

interface Functions {
  ensureConfig: Make;
  originalEnsure: Make;
  mergeConfigs: Make;
  configKeys: string[];
}

/** The functions as a bundle has them, with LangGraph's own. Other modules are those of this process. */
async function load(t: Test): Promise<Functions> {
  const file = join(t.testdir({}), 'functions.mjs');
  const from = (path: string): string => JSON.stringify(path);
  await build({
    stdin: {
      contents: `
        export { ensureLangGraphConfig as ensureConfig } from ${from(MODULE)};
        export { ensureLangGraphConfig as originalEnsure, CONFIG_KEYS as configKeys } from ${from(`${MODULE}?original`)};
        export { mergeConfigs } from ${from(join(LANGCHAIN, 'core/dist/runnables/config.js'))};
        // The build fails if a module that is replaced is not there.
        export { default as uuid5 } from ${from(join(LANGCHAIN, 'core/dist/utils/uuid/v5.js'))};
        export { IterableReadableStream } from ${from(join(LANGCHAIN, 'core/dist/utils/stream.js'))};`,
      resolveDir: ROOT,
    },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    plugins: [replaceModules()],
    outfile: file,
  });
  return (await import(pathToFileURL(file).href)) as Functions;
}

/** Where LangChain has the current config, in the object that it keeps in its AsyncLocalStorage. */
const CHILD_CONFIG = Symbol.for('lc:child_config');

const signal = AbortSignal.abort();
const manager = (): CallbackManager => {
  const made = new CallbackManager('parent');
  made.addTags(['inherited']);
  made.addMetadata({ from: 'manager' });
  return made;
};
const handler = { name: 'a handler' };

/** Values of each member that the functions treat in a way of its own. */
const VALUES: Record<string, unknown[]> = {
  tags: [undefined, [], ['a'], ['a', 'b', 'a']],
  metadata: [undefined, {}, { a: 1, thread_id: 'of the metadata' }],
  callbacks: [undefined, [], [handler], manager()],
  recursionLimit: [undefined, 5, null],
  configurable: [undefined, {}, { thread_id: 't', checkpoint_ns: undefined, a: 1 }, { __pregel_read: 1, run_id: 'r' }],
};
/** Members that are mostly copied. */
const OTHERS = { unknown: 'member', '10': 'a number', signal, runId: undefined, store: null, timeout: 5 };
/** Values that these members should not have. */
const WRONG = [null, 'text', 7, [], {}, [['nested']], { copy: 1 }];

/** Every combination of the values, alternately with its members in the other order. */
function combinations(): Config[] {
  let made: Config[] = [{}];
  for (const [name, values] of Object.entries(VALUES))
    made = made.flatMap((config) => values.map((value) => ({ ...config, [name]: value })));
  return made.map((config, at) => {
    const members = Object.entries({ ...config, ...(at % 3 === 0 ? {} : OTHERS) });
    return Object.fromEntries(at % 2 === 0 ? members : members.reverse());
  });
}

const inherited = Object.assign(Object.create({ tags: ['inherited'], metadata: { a: 1 } }) as Config, {
  runName: 'run',
});

const wrongConfigs: Config[] = [...Object.keys(VALUES), 'timeout', 'signal', 'store'].flatMap((name) =>
  WRONG.map((value) => ({ runName: 'run', [name]: value })),
);

/** What a function returns or throws: the members in their order, and what a manager of callbacks has. */
function outcome(make: () => Config): unknown {
  try {
    return Object.entries(make()).map(([name, value]) => {
      if (!(value instanceof CallbackManager)) return [name, value];
      const { handlers, tags, inheritableTags, metadata } = value as unknown as Config;
      return [name, { handlers, tags, inheritableTags, metadata, parent: value.getParentRunId() }];
    });
  } catch (error) {
    return String(error);
  }
}

t.test('ensureLangGraphConfig makes the same configs', async (t) => {
  const { ensureConfig, originalEnsure, configKeys } = await load(t);
  t.match(String(ensureConfig), 'isCurrent', 'it is ours');
  const everyKey = Object.fromEntries(configKeys.map((name) => [name, VALUES[name]?.[2] ?? `value of ${name}`]));
  const configs = [...combinations(), ...wrongConfigs, inherited, everyKey, { ...everyKey, ...OTHERS }];
  const other = { tags: ['other'], metadata: { b: 2 }, callbacks: [handler], configurable: { user: 'u' }, own: 1 };
  const contexts: Record<string, (config: Config) => Config | undefined> = {
    'without a current config': () => undefined,
    'within itself': (config) => config,
    'within another one': () => other,
  };
  for (const [name, contextOf] of Object.entries(contexts)) {
    const different = configs.filter((config) => {
      const context = { extra: { [CHILD_CONFIG]: contextOf(config) } } as never;
      const [ours, library] = [ensureConfig, originalEnsure].map((make) =>
        storage.getInstance().run(context, () => outcome(() => make(config))),
      );
      return !isDeepStrictEqual(ours, library);
    });
    t.strictSame(different, [], `${configs.length} configs ${name}`);
  }
  for (const list of [[], [undefined], [undefined, everyKey], [everyKey, other], [everyKey, undefined]])
    t.strictSame(
      outcome(() => ensureConfig(...list)),
      outcome(() => originalEnsure(...list)),
    );
  const given = { tags: ['a'], metadata: { a: 1 }, configurable: { thread_id: 't' } };
  const made = ensureConfig(given);
  for (const name of ['tags', 'metadata', 'configurable'] as const) t.not(made[name], given[name], `${name} is a copy`);
  t.strictSame(
    given,
    { tags: ['a'], metadata: { a: 1 }, configurable: { thread_id: 't' } },
    'the given one is as it was',
  );
});

t.test('mergeConfigs merges in the same way', async (t) => {
  const { mergeConfigs } = await load(t);
  const original = originalMerge as unknown as Make;
  t.match(String(mergeConfigs), 'isSimple', 'it is ours');
  const configs = [...combinations(), ...wrongConfigs, inherited, 'text' as never, null, undefined];
  const bounds = [
    undefined,
    null,
    {},
    { tags: [] },
    { tags: ['a', 'c', 'a'] },
    { tags: 'a' },
    { tags: ['a'], runName: 'n' },
  ];
  for (const bound of bounds) {
    const different = configs.filter((config) => {
      const [ours, library] = [mergeConfigs, original].map((merge) => outcome(() => merge(bound, config)));
      return !isDeepStrictEqual(ours, library);
    });
    t.strictSame(different, [], `${configs.length} configs into ${JSON.stringify(bound)}`);
  }
  for (const list of [[], [{ tags: ['a'] }], [undefined, { runName: 'a' }, { runName: 'b' }]])
    t.strictSame(mergeConfigs(...list), original(...list));
});
