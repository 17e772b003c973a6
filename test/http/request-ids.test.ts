import { Writable } from 'node:stream';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { isUuid } from '../../src/base/ids.js';
import { toWireError } from '../../src/http/errors.js';
import { Exchange } from '../../src/http/transport/exchange.js';
import { headerOf, rawHead } from '../helpers/raw.js';
import { configWith, testServer } from '../helpers/server.js';
import { serveAll, testTransport } from '../helpers/transport.js';

const config = configWith(t, 'echo');

/** An Exchange by itself, on a real socket: `handle` has the request, the port is where to send it. */
function exchanges(
  t: Test,
  handle: (exchange: Exchange) => void,
  shared: Record<string, string> = {},
): Promise<number> {
  return serveAll(t, (res, req) => handle(new Exchange(res, req, () => shared)));
}

/** The parser of node:http answers 400 itself to some requests that uWebSockets.js passes on. */
const isStrict = (await testTransport()) === 'node';

const server = await testServer(t, { config });

t.test("returns the request's x-request-id, or a new UUID", async (t) => {
  const echo = JSON.stringify({ assistant_id: 'echo', input: { text: 'x' } });
  const json = { 'content-type': 'application/json' };
  const asks: [path: string, init: RequestInit, status: number][] = [
    ['/ok', {}, 200],
    ['/ok', { method: 'HEAD' }, 200],
    ['/docs', {}, 200],
    ['/threads', { method: 'OPTIONS' }, 204],
    ['/nowhere', {}, 404],
    ['/ok', { method: 'DELETE' }, 405],
    ['/runs/wait', { method: 'POST', body: '{', headers: json }, 400],
    ['/runs/wait', { method: 'POST', body: '{}', headers: json }, 422],
    ['/threads/%zz', {}, 422],
    ['/runs/wait', { method: 'POST', body: echo, headers: json }, 200],
    ['/runs/stream', { method: 'POST', body: echo, headers: json }, 200],
    ['/runs', { method: 'POST', body: echo, headers: json }, 200],
  ];
  const made = new Set<string>();
  for (const [path, init, status] of asks) {
    const name = `${init.method ?? 'GET'} ${path}`;
    const own = await fetch(server.url + path, {
      ...init,
      headers: [...new Headers(init.headers), ['x-request-id', 'req-1.a_b:c/d=e+f']],
    });
    await own.text();
    t.equal(own.status, status, name);
    t.equal(own.headers.get('x-request-id'), 'req-1.a_b:c/d=e+f', name);
    const fresh = await fetch(server.url + path, init);
    await fresh.text();
    made.add(fresh.headers.get('x-request-id')!);
  }
  t.equal(made.size, asks.length);
  for (const id of made) t.ok(isUuid(id), id);
});

t.test('replaces an invalid request id', async (t) => {
  const idFor = async (...lines: string[]): Promise<string | null> =>
    headerOf(await rawHead(server.port, ['GET /ok HTTP/1.1', ...lines]), 'x-request-id');
  for (const id of ['a', 'x'.repeat(128), '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'A1._:+=/-'])
    t.equal(await idFor(`X-Request-Id: ${id}`), id);
  for (const id of [
    '',
    'x'.repeat(129),
    'two words',
    'a,b',
    '<script>',
    '"q"',
    'caf\u00c3\u00a9s',
    'a\tb',
    ...(isStrict ? [] : ['a\u007fb']),
    '%0d%0aset-cookie:a=b',
    '{{7*7}}',
  ]) {
    const given = await idFor(`X-Request-Id: ${id}`);
    t.ok(isUuid(given!), `${JSON.stringify(id)} became ${given}`);
  }
  t.ok(isUuid((await idFor('X-Request-Id: a', 'X-Request-Id: b'))!), 'two are none');
});

t.test('lets no client value start a header or a response', async (t) => {
  const attack = 'a\rset-cookie: evil=1';
  const body = JSON.stringify({ assistant_id: 'echo', input: {} });
  const requests: string[][] = [
    ['GET /ok HTTP/1.1', `X-Request-Id: ${attack}`],
    ['OPTIONS /ok HTTP/1.1', `Access-Control-Request-Headers: ${attack}`],
    ['GET /%0d%0aset-cookie:evil=1 HTTP/1.1'],
    ['GET /threads/%0d%0aset-cookie:%20evil=1 HTTP/1.1'],
    ['GET /assistants/%0d%0aset-cookie:%20evil=1 HTTP/1.1'],
    [
      'POST /threads/%0d%0aset-cookie:%20evil=1/runs HTTP/1.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
    ],
    [
      'POST /threads/%0d%0aset-cookie:%20evil=1/runs/wait HTTP/1.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
    ],
  ];
  for (const lines of requests) {
    // uWS may also leave what is no HTTP unanswered, for ten seconds: so the client is done after it has asked.
    const posts = lines[0]!.startsWith('POST');
    const head = await rawHead(server.port, lines, posts ? { body } : { done: true }).catch(() => '');
    t.notMatch(head, /[\r\n]\s*set-cookie/i, lines.join(' '));
    t.notMatch(head, /\r(?!\n)/, lines.join(' '));
  }
  t.equal((await server.get('/ok')).status, 200);
});

t.test('writes no value with line breaks to a response, streamed or not', async (t) => {
  const nasty = {
    'content-location': '/threads/a\r\nset-cookie: evil=1\r\n\r\nbody',
    'x-odd': 'tab\tstays\0\u001b\u007f \u010a\u{1f600} end',
  };
  const port = await exchanges(
    t,
    (exchange) => {
      if (exchange.path === '/whole') exchange.reply(200, nasty, '');
      else exchange.open(200, nasty).end('x');
    },
    { 'x-shared': 'a\nb: c' },
  );
  for (const path of ['/whole', '/open']) {
    const head = await rawHead(port, [`GET ${path} HTTP/1.1`]);
    t.equal(headerOf(head, 'content-location'), '/threads/aset-cookie: evil=1body');
    // U+010A has the byte of a line break in it.
    t.equal(
      headerOf(head, 'x-odd'),
      'tab\tstays %C4%8A%F0%9F%98%80 end'.replace(/%../g, (escape) => escape.toLowerCase()),
    );
    t.equal(headerOf(head, 'x-shared'), 'ab: c');
    t.equal(headerOf(head, 'set-cookie'), null);
  }
});

t.test('joins repeated headers, and marks those that authenticate', async (t) => {
  let seen: { headers: Record<string, string>; duplicated: string[] } | null = null;
  const port = await exchanges(t, (exchange) => {
    seen = { headers: { ...exchange.headers }, duplicated: [...exchange.duplicatedHeaders] };
    exchange.reply(200, {}, '');
  });
  const ask = async (...lines: string[]): Promise<NonNullable<typeof seen>> => {
    await rawHead(port, ['GET / HTTP/1.1', ...lines]);
    return seen!;
  };

  const once = await ask(
    'Authorization: Bearer a',
    'X-Api-Key: k',
    'X-Auth-Scheme: s',
    'Content-Length: 0',
    'Accept: a',
    'Cookie: a=1',
  );
  t.match(once.headers, {
    authorization: 'Bearer a',
    'x-api-key': 'k',
    'x-auth-scheme': 's',
    accept: 'a',
    cookie: 'a=1',
  });
  t.strictSame(once.duplicated, []);

  const twice = await ask('Accept: a', 'X-Own: 1', 'accept: b', 'Cookie: a=1', 'X-OWN: 2', 'cookie: b=2', 'x-own: 3');
  t.match(twice.headers, { accept: 'a, b', 'x-own': '1, 2, 3', cookie: 'a=1; b=2' });
  t.strictSame(twice.duplicated, []);

  for (const name of ['authorization', 'x-api-key', 'x-auth-scheme', ...(isStrict ? [] : ['content-length'])]) {
    const value = name === 'content-length' ? '0' : 'first';
    const found = await ask(
      `${name}: ${value}`,
      `${name.toUpperCase()}: ${name === 'content-length' ? '0' : 'second'}`,
    );
    t.strictSame(found.duplicated, [name]);
    t.equal(found.headers[name], value, 'the first counts, as for uWS');
    t.strictSame((await ask(`${name}: ${value}`, `${name}: ${value}`)).duplicated, [name], 'equal ones too');
  }
  if (isStrict) t.match(await rawHead(port, ['GET / HTTP/1.1', 'Content-Length: 0', 'Content-Length: 0']), / 400 /);
  t.strictSame(
    (await ask('X-Api-Key: a', 'Authorization: b', 'X-Api-Key: c', 'Authorization: d')).duplicated.toSorted(),
    ['authorization', 'x-api-key'],
  );
});

t.test('accepts headers named like members of every object', async (t) => {
  let seen: [string, string][] = [];
  const port = await exchanges(t, (exchange) => {
    seen = Object.entries(exchange.headers);
    exchange.reply(200, {}, '');
  });
  await rawHead(port, ['GET / HTTP/1.1', '__proto__: a', 'constructor: b', 'toString: c', 'constructor: d']);
  t.strictSame(
    seen.filter(([name]) => name !== 'host'),
    [
      ['__proto__', 'a'],
      ['constructor', 'b, d'],
      ['tostring', 'c'],
    ],
  );
});

t.test('logs an unexpected failure with the request id, and returns its reference', (t) => {
  const lines: string[] = [];
  const log = pino(
    { base: null },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
  const { status, body } = toWireError(new Error('boom'), log, 'agent', 'req-7');
  t.equal(status, 500);
  const logged = JSON.parse(lines[0]!) as { requestId: string; reference: string; err: { message: string } };
  t.match(logged, { requestId: 'req-7', err: { message: 'boom' } });
  t.strictSame(JSON.parse(body), { detail: `Internal error. Reference ${logged.reference} is in the server's log.` });
  t.end();
});
