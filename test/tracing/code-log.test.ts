import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { childServer } from '../helpers/child-server.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';

interface Line {
  level: number;
  module: string;
  msg: string;
  [name: string]: unknown;
}

t.test("writes what the project's code logs by the SDK's logger to the server's log", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'auth.mjs'),
    `import { Auth } from '@langchain/langgraph-sdk/auth';
     import { getLogger } from '@langchain/langgraph-sdk/logging';
     getLogger().info('the handlers are loaded');
     export const auth = new Auth().authenticate(() => { getLogger().info('somebody asks'); return { identity: 'ada' }; });`,
  );
  const config = join(folder, 'langgraph.json');
  writeFileSync(
    config,
    JSON.stringify({
      graphs: { logging: `${join(ROOT, 'test/graphs/logging.ts')}:graph` },
      auth: { path: './auth.mjs:auth' },
    }),
  );
  const server = await childServer(t, {
    config,
    dataFolder: join(folder, 'data'),
    env: { LOG_LEVEL: 'trace', LOG_JSON: 'true' },
  });
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    (await (
      await fetch(`${server.url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    ).json()) as Record<string, string>;
  const { thread_id: threadId } = await post('/threads', {});
  await post(`/threads/${threadId}/runs/wait`, { assistant_id: 'logging', input: { text: 'Lisbon' } });
  const [run] = (await (await fetch(`${server.url}/threads/${threadId}/runs`)).json()) as [{ run_id: string }];
  await server.kill('SIGTERM');

  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
  const line = (msg: string): Line | undefined => lines.find((one) => one.msg === msg);
  t.match(line('the module is loaded'), { level: 30, module: 'graphs' });
  t.match(line('the handlers are loaded'), { level: 30, module: 'auth' });
  t.match(line('somebody asks'), { level: 30, module: 'auth' });
  const ofRun = { module: 'graphs', runId: run.run_id, threadId };
  t.match(line('about Lisbon'), { ...ofRun, level: 40, data: '{"part":1}' });
  t.match(line('of the graph'), { ...ofRun, level: 50, data: /TypeError: of the graph.*logging\.ts/ });
  t.match(line('an object'), { ...ofRun, level: 20, data: '{"nested":{"deep":true}}' });
  t.match(line('circular'), { ...ofRun, data: '(cannot be written as JSON)' });
  t.ok(line('x'.repeat(8_192)), 'lines are bounded');
});
