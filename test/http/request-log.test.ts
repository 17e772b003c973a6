import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const config = configWith(t, 'echo');

interface Line {
  level: number;
  msg: string;
  route?: string;
  [name: string]: unknown;
}

async function linesOf(t: Test, level: string): Promise<Line[]> {
  const server = await childServer(t, { config, dataFolder: temporaryFolder(t), env: { LOG_LEVEL: level } });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'order-1', authorization: 'Bearer a-secret', 'x-api-key': 'a-secret', cookie: 'a-secret' };
  const post = (path: string, body: unknown): Promise<Response> => fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await (await fetch(`${server.url}/ok`)).text();
  await (await post('/runs/wait?token=a-secret', { assistant_id: 'echo', input: { text: 'a-secret' } })).text();
  await (await post('/threads/01a20000-0000-7000-8000-000000000000/runs/stream', { assistant_id: 'echo' })).text();
  await (await fetch(`${server.url}/nowhere/${'x'.repeat(500)}`)).text();
  // What is logged is written when the process ends, at the latest.
  await server.kill('SIGTERM');
  const text = server.stderr();
  t.notMatch(text, /a-secret/);
  return text.split('\n').filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line) as Line);
}

t.test('one line for every request at info, without secrets; probes at debug; nothing at warn while all is well', async (t) => {
  const info = await linesOf(t, 'info');
  t.equal(info.length, 3);
  t.match(info[0], { level: 30, requestId: 'order-1', caller: 'local', method: 'POST', route: '/runs/wait', path: '/runs/wait', status: 200, run: /^\/runs\/[0-9a-f-]+$/, ms: Number });
  t.match(info[1], { requestId: 'order-1', route: '/threads/:thread_id/runs/stream', path: /01a20000/, status: 404 });
  t.match(info[2], { method: 'GET', status: 404 });
  t.ok((info[2]!['path'] as string).length < 250);
  t.equal((await linesOf(t, 'debug')).filter(({ route }) => route === '/ok').length, 1);
  t.strictSame(await linesOf(t, 'warn'), []);
});
