import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { cli } from '../helpers/cli.js';
import { Empty } from '../helpers/empty.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

interface Figures {
  mode: string;
  sent: number;
  answered: number;
  per_second: number;
  errors: Record<string, number>;
  latency_ms: Record<string, number> | null;
  first_event_ms: Record<string, number> | null;
}

const rising = (t: Test, values: Record<string, number> | null): void => {
  t.strictSame(Object.keys(values!), ['mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max']);
  const { mean, ...rest } = values!;
  t.ok(mean! > 0);
  t.strictSame(
    Object.values(rest),
    Object.values(rest).toSorted((a, b) => a - b),
  );
};

t.test('sends the requests of each mode and counts every response', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const measure = async (...flags: string[]): Promise<Figures> => {
    const { code, stdout, stderr } = await cli([
      'bench',
      server.url,
      '--json',
      '--amount',
      '30',
      '--connections',
      '3',
      ...flags,
    ]);
    t.equal(code, 0, stderr);
    return JSON.parse(stdout) as Figures;
  };
  const wait = await measure();
  t.matchStrict(
    wait,
    { mode: 'wait', sent: 30, answered: 30, errors: Empty, first_event_ms: null },
    'the assistant is found',
  );
  rising(t, wait.latency_ms);
  const stream = await measure('--mode', 'stream', '--assistant', 'echo', '--stream-mode', 'values');
  t.match(stream, { mode: 'stream', answered: 30 });
  rising(t, stream.latency_ms);
  rising(t, stream.first_event_ms);
  t.ok(stream.first_event_ms!['p50']! <= stream.latency_ms!['p50']!);
  t.equal(await server.client.threads.count(), 0);
  t.match(await measure('--mode', 'threads'), { mode: 'threads', answered: 30 });
  t.equal(await server.client.threads.count(), 4, 'one of each connection, and that of the trial');

  const text = await cli(['bench', server.url, '--duration', '500ms', '--connections', '2']);
  t.equal(text.code, 0, text.stderr);
  t.match(text.stdout, /^ms +mean +p50 +p90 +p95 +p99 +p99\.9 +max\nanswer +\d/);
  t.match(text.stdout, /^answered +\d+ in \d+\.\d s: \d+\.\d per second/m);
});

t.test('counts errors by kind and exits with an error code', async (t) => {
  let asked = 0;
  // Another server: the first answer is right, then one of each.
  const faults: RequestListener[] = [
    (_, answer) => answer.end('{"messages": []}'),
    (_, answer) => answer.writeHead(429).end('{}'),
    (_, answer) => answer.end('{"__error__": {"error": "ValueError", "message": "no"}}'),
    (request) => request.socket.destroy(),
  ];
  const server = createServer((request, answer) => (faults[asked++] ?? faults[0]!)(request, answer)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { code, stdout } = await cli([
    'bench',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    '--assistant',
    'x',
    '--amount',
    '5',
    '--connections',
    '1',
    '--json',
  ]);
  t.equal(code, 1);
  t.match(JSON.parse(stdout), {
    sent: 5,
    answered: 2,
    errors: { 'HTTP 429': 1, 'run: ValueError': 1, UND_ERR_SOCKET: 1 },
  });
});

t.test('reports what it cannot measure', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'one' });
  const server = await testServer(t, { config: configWith(t, 'echo', 'trouble'), dataFolder });
  for (const [args, reason] of [
    [['http://127.0.0.1:9', '--assistant', 'x'], /the first request to http:\/\/127\.0\.0\.1:9 failed/],
    [[server.url, '--assistant', 'echo'], /failed: HTTP 401/],
    [[server.url, '--api-key', text, '--assistant', 'nothing'], /failed: HTTP 404 .*No assistant found/],
    [
      [server.url, '--api-key', text, '--assistant', 'trouble', '--input', '{"do": "throw"}'],
      /failed: run: CustomError/,
    ],
    [
      [server.url, '--api-key', text, '--assistant', 'trouble', '--input', '{"do": "throw"}', '--mode', 'stream'],
      /failed: run: CustomError/,
    ],
    [[server.url, '--mode', 'all'], /--mode: must be one of wait, stream, threads; got "all"/],
    [[server.url, '--connections', '0'], /--connections: must be a whole number/],
    [[server.url, '--duration', '10'], /--duration: must be a time with its unit/],
    [[server.url, '--api-key', text, '--input', '{'], /--input: is not valid JSON/],
    [['nowhere'], /is not an http or https address/],
    [['--conections', '3'], /unknown option '--conections'\n\(Did you mean --connections\?\)/],
  ] as const) {
    const { code, stdout, stderr } = await cli(['bench', ...args]);
    t.equal(code, 2, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, reason);
  }
  t.equal(
    (await cli(['bench', server.url, '--assistant', 'echo', '--amount', '2'], { LANGSMITH_API_KEY: text })).code,
    0,
  );
});
