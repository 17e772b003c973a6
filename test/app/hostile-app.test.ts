import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { projectOf } from '../helpers/project.js';
import { rawHead } from '../helpers/raw.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

t.setTimeout(120_000);

const config = projectOf(t, ['echo'], { http: { app: join(ROOT, 'test', 'apps', 'hostile.mjs:default') } });
const server = await testServer(t, { config });

const headOf = (path: string, on: TestServer = server): Promise<string> => rawHead(on.port, [`GET ${path} HTTP/1.1`]);

for (const path of [
  '/value',
  '/name',
  '/cookie',
  '/nul',
  '/odd',
  '/framing',
  '/proto',
  '/no-headers',
  '/many',
  '/long',
  '/status-text',
  '/status-fraction',
  '/status-low',
  '/throws-getter',
  '/throws-odd',
]) {
  t.test(
    `${path}: an answer of the project's app ends no line of the head and says nothing about the connection`,
    async (t) => {
      const head = await headOf(path);
      const [status, ...lines] = head.split('\r\n');
      t.match(status, /^HTTP\/1\.1 (?:200 OK|500 Internal Server Error)$/);
      t.strictSame(
        lines.filter((line) => !/^[\w-]+: /.test(line)),
        [],
        'every line is a header',
      );
      const names = lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
      const planted = new Set(['x-planted', 'transfer-encoding', 'connection']);
      t.strictSame(
        // node:http says this itself.
        lines.filter((line, at) => planted.has(names[at]!) && line !== 'Connection: keep-alive'),
        [],
      );
      t.equal(names.filter((name) => name === 'content-length').length, 1);
      t.notMatch(head, /^set-cookie: planted/im);
      t.ok(head.length < 70_000, 'of a bounded length');
      t.equal((await server.get('/ok')).status, 200);
    },
  );
}

t.test('closes the connection when a response body fails halfway', async (t) => {
  await t.rejects(async () => {
    await (await server.get('/chunks')).arrayBuffer();
  });
  t.equal((await server.get('/ok')).status, 200);
});

t.test('sends an endless response at the pace of the client, and ends it with the client', async (t) => {
  const file = join(temporaryFolder(t), 'cancelled');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /endless?file=${encodeURIComponent(file)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await new Promise((resolve) => {
    socket.once('data', resolve);
  });
  socket.pause();
  // The app goes on being asked meanwhile: nobody's buffers fill up with the answer.
  t.equal(await (await server.get(`/exists?file=${encodeURIComponent(file)}`)).json(), false);
  socket.destroy();
  while (!existsSync(file))
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  t.pass('its body was cancelled');
});

t.test('never resolves names in a path to object members or files', async (t) => {
  for (const path of ['/__proto__', '/constructor', '/toString']) t.equal((await server.get(path)).status, 404);
  for (const path of [
    '/ui/__proto__/constructor',
    '/ui/constructor/name',
    '/ui/echo/entrypoint.js',
    '/ui/..%2f..%2fetc/passwd',
    '/ui/%2e%2e/%2e%2e/package.json',
    '/ui/echo/..%2f..%2f..%2fetc%2fpasswd',
    '/ui/echo/%00',
  ]) {
    t.match(await headOf(path), /^HTTP\/1\.1 4\d\d /, path);
  }
});

t.test('shuts down while handlers and bodies of the app never end', async (t) => {
  const closing = await testServer(t, { config });
  const sockets = ['/hangs', '/hangs-in-body'].map((path) => {
    const socket = connect(closing.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return {
      closed: new Promise((resolve) => {
        socket.on('close', resolve);
      }),
      first: new Promise((resolve) => {
        socket.once('data', resolve);
      }),
    };
  });
  await sockets[1]!.first;
  await closing.close(1_000);
  await Promise.all(sockets.map(({ closed }) => closed));
  t.pass('it closed, and so did their connections');
});
