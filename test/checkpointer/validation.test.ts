import { join } from 'node:path';
import t from 'tap';
import { startVitest } from 'vitest/node';
import { ROOT } from '../helpers/server.js';

const suite = join(import.meta.dirname, 'validation.suite.js');

t.test('passes the complete stock validation suite, unmodified', async (t) => {
  const vitest = await startVitest('test', [suite], {
    // The suite takes its runner's functions from the global scope.
    globals: true,
    include: [suite],
    exclude: [],
    dir: import.meta.dirname,
    root: ROOT,
    config: false,
    watch: false,
    cache: false,
    reporters: [{}],
    // What is tested runs as it does elsewhere, not as the runner would transform it.
    server: { deps: { external: [/\/dist\//] } },
  });
  await vitest.close();
  const modules = vitest.state.getTestModules();
  t.strictSame(
    modules.map(({ moduleId }) => moduleId),
    [suite],
  );
  t.strictSame(vitest.state.getUnhandledErrors(), []);
  t.strictSame(
    modules.flatMap((module) => module.errors()),
    [],
  );
  const parts = new Map<string, number>();
  for (const one of modules.flatMap((module) => [...module.children.allTests()])) {
    const [part = one.fullName] = /one saver a \w+#\w+/.exec(one.fullName) ?? [];
    parts.set(part, (parts.get(part) ?? 0) + 1);
    const { state, errors = [] } = one.result();
    if (state !== 'passed')
      t.fail(`${state}: ${one.fullName}`, { errors: errors.map(({ message, diff }) => ({ message, diff })) });
  }
  const cases = Object.entries({
    put: 22,
    putWrites: 6,
    getTuple: 40,
    list: 649,
    deleteThread: 1,
    getDeltaChannelHistory: 8,
  });
  // So many has version 1.1.1: fewer would mean that something was left out.
  t.strictSame(
    Object.fromEntries(parts),
    Object.fromEntries(
      ['one saver a thread', 'one saver a call'].flatMap((name) =>
        cases.map(([part, count]) => [`${name}#${part}`, count]),
      ),
    ),
  );
});
