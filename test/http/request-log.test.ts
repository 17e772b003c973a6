import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { projectOf } from '../helpers/project.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const ECHO = configWith(t, 'echo');

interface Line {
  level: number;
  msg: string;
  route?: string;
  [name: string]: unknown;
}

async function linesOf(t: Test, level: string, config = ECHO, more: Record<string, string> = {}): Promise<Line[]> {
  const server = await childServer(t, { dataFolder: temporaryFolder(t), config, env: { LOG_LEVEL: level } });
  const headers = {
    'content-type': 'application/json',
    'x-request-id': 'order-1',
    authorization: 'Bearer a-secret',
    'x-api-key': 'a-secret',
    cookie: 'a-secret',
    'proxy-authorization': 'a-secret',
    'x-service-key': 'a-secret',
    ...more,
  };
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await (await fetch(`${server.url}/ok`)).text();
  await (await post('/runs/wait?token=a-secret', { assistant_id: 'echo', input: { text: 'a-secret' } })).text();
  await (await post('/threads/01a20000-0000-7000-8000-000000000000/runs/stream', { assistant_id: 'echo' })).text();
  await (await fetch(`${server.url}/nowhere/${'x'.repeat(500)}`)).text();
  await (await post('/api/v1/feedback/tokens/a-secret', {})).text();
  await (await fetch(`${server.url}/feedback/tokens/a-secret`, { method: 'DELETE' })).text();
  // What is logged is written when the process ends, at the latest.
  await server.kill('SIGTERM');
  const text = server.stderr();
  t.notMatch(text, /a-secret/);
  return text
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Line);
}

t.test('logs one line for every request at info, without secrets, and probes at debug', async (t) => {
  const info = await linesOf(t, 'info');
  t.equal(info.length, 5);
  t.ok(
    info.every((line) => !('headers' in line)),
    'headers only where they are configured',
  );
  t.match(info[0], {
    level: 30,
    requestId: 'order-1',
    caller: 'local',
    method: 'POST',
    route: '/runs/wait',
    path: '/runs/wait',
    status: 200,
    runId: /^[0-9a-f-]{36}$/,
    assistant: 'echo',
    ms: Number,
    bytes: Number,
  });
  t.match(info[1], { requestId: 'order-1', route: '/threads/:thread_id/runs/stream', path: /01a20000/, status: 404 });
  t.match(info[2], { method: 'GET', status: 404 });
  t.ok((info[2]!['path'] as string).length < 250);
  t.match(info[3], {
    route: '/api/v1/feedback/tokens/:token',
    path: '/api/v1/feedback/tokens/[redacted]',
    status: 404,
  });
  t.match(info[4], { path: '/feedback/tokens/[redacted]', status: 405 });
  t.equal((await linesOf(t, 'debug')).filter(({ route }) => route === '/ok').length, 1);
  t.strictSame(await linesOf(t, 'warn'), []);
});

t.test('logs configured headers truncated, and never secrets', async (t) => {
  const config = projectOf(t, ['echo'], {
    http: {
      logging_headers: {
        includes: ['X-*', 'user-agent', 'authorization', 'cookie', '*-authorization'],
        exclude: ['x-internal-*'],
      },
    },
  });
  const lines = await linesOf(t, 'info', config, {
    'X-Tenant': 'acme',
    'user-agent': 'me',
    'x-internal-ip': 'hidden',
    'x-long': 'y'.repeat(5_000),
    origin: 'http://hidden',
  });
  const { 'x-long': long, ...others } = lines[0]!['headers'] as Record<string, string>;
  t.strictSame(others, { 'x-request-id': 'order-1', 'x-tenant': 'acme', 'user-agent': 'me' });
  t.ok(long!.length < 250);
  t.notMatch(JSON.stringify(lines), /hidden/);
});
