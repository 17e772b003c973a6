import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { childServer } from '../helpers/child-server.js';
import { GRAPH, project } from './own-project.js';

t.test(
  'dev: names a graph whose module never finishes loading, and serves the others and their next version',
  async (t) => {
    const folder = project(
      t,
      { graphs: { good: './good.ts:graph', stuck: './stuck.ts:graph' } },
      { 'good.ts': GRAPH('one'), 'stuck.ts': GRAPH('one'), 'word.ts': 'export const word = "version";\n' },
    );
    const server = await childServer(t, {
      dataFolder: join(folder, 'data'),
      config: join(folder, 'langgraph.json'),
      command: 'dev',
      env: { LOG_LEVEL: 'info' },
    });
    const until = async (text: string): Promise<void> => {
      while (!server.stderr().includes(text)) await once(server.process.stderr!, 'data');
    };
    const startedMs = performance.now();
    writeFileSync(
      join(folder, 'stuck.ts'),
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\nexport const graph = 1;\n',
    );
    await until('A graph is still loading: ');
    t.ok(performance.now() - startedMs < 9_000, 'within seconds');
    t.match(server.stderr(), /"graph":"stuck","file":"[^"]*stuck\.ts"/);
    for (const graph of ['good', 'stuck'])
      t.match(await server.client.runs.wait(null, graph, { input: {} }), { said: 'version one' }, graph);

    writeFileSync(join(folder, 'word.ts'), 'export const word = "edition";\n');
    await until('The previous graphs stay in use.');
    t.match(
      server.stderr(),
      /Graph \\"stuck\\" \([^)]*stuck\.ts\) could not be loaded: it did not finish loading within \d+ s\./,
    );
    t.notMatch(server.stderr(), /a graph worker was lost/);
    t.match(await server.client.runs.wait(null, 'good', { input: {} }), { said: 'version one' });

    writeFileSync(join(folder, 'stuck.ts'), GRAPH('two'));
    await until('Reloaded the graphs.');
    t.match(await server.client.runs.wait(null, 'good', { input: {} }), { said: 'edition one' });
    t.match(await server.client.runs.wait(null, 'stuck', { input: {} }), { said: 'edition two' });
  },
);
