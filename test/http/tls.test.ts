import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import t from 'tap';
import { readConfig } from '../../src/config/config.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder, TEST_GRAPHS, testServer } from '../helpers/server.js';
import { testApp } from '../helpers/transport.js';

/** For localhost and 127.0.0.1, 2020 to 2120, signed by itself. */
const file = (name: string): string => join(ROOT, 'test', 'http', 'tls', name);
const CERT = file('cert.pem');
const KEY = file('key.pem');
const OTHER_KEY = file('other-key.pem');

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  protocol: string | null;
}

async function ask(url: string, options: RequestOptions = {}, body: string | Buffer = ''): Promise<Answer> {
  const sent = request(url, { ca: readFileSync(CERT), agent: false, ...options });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const protocol = (response.socket as TLSSocket).getProtocol();
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString(), protocol };
}

const post = (url: string, body: unknown): Promise<Answer> =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, JSON.stringify(body));

t.test('serves plain routes, streams, waits and large bodies over https', async (t) => {
  const server = await testServer(t, { env: { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: KEY } });
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost')]) {
    const { status, text, headers, protocol } = await ask(`${url}/ok`, { family: 4 });
    t.match({ status, text, protocol }, { status: 200, text: '{"ok":true}', protocol: /^TLSv1\.[23]$/ });
    t.match(headers, { vary: 'origin', 'x-request-id': /./ });
  }
  t.match(await ask(`${server.url}/ok`, { maxVersion: 'TLSv1.2' }), { status: 200, protocol: 'TLSv1.2' });

  const stream = await post(`${server.url}/runs/stream`, {
    assistant_id: 'echo',
    input: { text: 'hello' },
    stream_mode: ['updates', 'values'],
  });
  t.match(stream, { status: 200, headers: { 'content-type': 'text/event-stream', vary: 'origin' } });
  t.strictSame(
    [...stream.text.matchAll(/^event: (.*)$/gm)].map(([, event]) => event),
    ['metadata', 'values', 'updates', 'values', 'updates', 'values'],
  );
  t.match(stream.text, 'data: {"second":{"steps":["second hello"]}}\n');

  const long = 'x'.repeat(3 * 2 ** 20);
  const wait = await post(`${server.url}/runs/wait`, { assistant_id: 'echo', input: { text: long } });
  t.equal(wait.status, 200);
  t.ok((JSON.parse(wait.text) as { steps: string[] }).steps[1] === `second ${long}`, 'megabytes come and go whole');
  const streamed = await post(`${server.url}/runs/stream`, {
    assistant_id: 'echo',
    input: { text: long },
    stream_mode: 'values',
  });
  t.ok(streamed.text.endsWith('\n\n') && streamed.text.includes(`"second ${long}"`));
});

t.test('offers only cipher suites with forward secrecy and authenticated encryption', async (t) => {
  const server = await testServer(t, { env: { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: KEY } });
  const handshake = (options: ConnectionOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: readFileSync(CERT), ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const old: ConnectionOptions = { maxVersion: 'TLSv1.2' };
  for (const ciphers of [
    'ECDHE-RSA-AES128-SHA',
    'ECDHE-RSA-AES256-SHA',
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES256-SHA',
    'ECDHE-RSA-AES128-SHA256',
    'ECDHE-ECDSA-AES256-SHA384',
    'AES128-SHA',
    'AES256-SHA',
    'AES128-GCM-SHA256',
    'AES256-GCM-SHA384',
  ]) {
    await t.rejects(
      handshake({ ...old, ciphers: `${ciphers}:@SECLEVEL=0` }),
      { code: /^(ERR_SSL|ECONNRESET)/ },
      ciphers,
    );
  }
  for (const version of ['TLSv1', 'TLSv1.1'] as const)
    await t.rejects(
      handshake({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' }),
      { code: /^(ERR_SSL|ECONNRESET)/ },
      version,
    );
  t.match(await handshake(old), /^TLSv1\.2 ECDHE-(ECDSA|RSA)-(AES(128|256)-GCM-SHA(256|384)|CHACHA20-POLY1305)$/);
  t.match(
    await handshake({ ...old, ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305' }),
    /CHACHA20/,
  );
  t.match(await handshake({}), /^TLSv1\.3 TLS_/);
});

t.test('refuses clients that do not trust the certificate, and plain http', async (t) => {
  const server = await testServer(t, { env: { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: KEY } });
  await t.rejects(ask(`${server.url}/ok`, { ca: [] }), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write('GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  t.notMatch(answer, /HTTP\/1\.1 200|"ok"/);
  t.equal((await ask(`${server.url}/ok`)).status, 200, 'the server goes on');
});

t.test('takes the flags of serve before variables, and prints an https URL', async (t) => {
  const server = await childServer(t, {
    dataFolder: temporaryFolder(t),
    args: ['--tls-cert', CERT, '--tls-key', KEY],
    env: { THREADMILL_TLS_CERT: '/nowhere/cert.pem', THREADMILL_TLS_KEY: '/nowhere/key.pem' },
  });
  t.match(server.url, /^https:/);
  t.match(await ask(`${server.url}/ok`), { status: 200, text: '{"ok":true}' });
  t.equal(await server.kill('SIGTERM'), '0');
});

t.test('serve and dev report invalid files and do not start', async (t) => {
  for (const command of ['serve', 'dev']) {
    const { code, stderr, stdout } = await cli([
      command,
      '--config',
      TEST_GRAPHS,
      '--data',
      temporaryFolder(t),
      '--port',
      '0',
      '--tls-cert',
      CERT,
      '--tls-key',
      OTHER_KEY,
    ]);
    t.equal(code, 1);
    t.match(
      stderr,
      /^--tls-key: the key in .*other-key\.pem does not belong to the first certificate in .*cert\.pem \(--tls-cert\)/,
    );
    t.equal(stdout, '');
  }
});

t.test('names invalid files with the flag', (t) => {
  const folder = temporaryFolder(t);
  const made = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const pem = readFileSync(CERT, 'utf8');
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const der = made('cert.der', Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64'));
  const text = made('text.pem', 'nothing of the kind');
  const torn = made('torn.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const tornKey = made('torn-key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
  const sealed = made('sealed.pem', privateKey);
  const read = (tlsCert: string | undefined, tlsKey: string | undefined, env: Record<string, string> = {}): unknown =>
    readConfig({ config: TEST_GRAPHS, tlsCert, tlsKey }, env).tls;

  t.equal(read(undefined, undefined), null);
  t.equal(read(undefined, undefined, { THREADMILL_TLS_CERT: '', THREADMILL_TLS_KEY: '' }), null);
  const both = { certFile: CERT, keyFile: KEY };
  t.strictSame(read(CERT, KEY), both);
  t.strictSame(read(undefined, undefined, { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: KEY }), both);
  t.strictSame(
    read(CERT, undefined, { THREADMILL_TLS_CERT: text, THREADMILL_TLS_KEY: KEY }),
    both,
    'each flag by itself goes before its variable',
  );
  const oneFile = made('both.pem', readFileSync(KEY, 'utf8') + pem);
  t.strictSame(read(oneFile, oneFile), { certFile: oneFile, keyFile: oneFile }, 'both may be in one file');

  const wrong: [cert: string | undefined, key: string | undefined, message: RegExp, env?: Record<string, string>][] = [
    [CERT, undefined, /^--tls-key: is missing: --tls-cert is given/],
    [undefined, KEY, /^--tls-cert: is missing: --tls-key is given/],
    [
      undefined,
      undefined,
      /^--tls-key: is missing: THREADMILL_TLS_CERT \(--tls-cert\) is given/,
      { THREADMILL_TLS_CERT: CERT },
    ],
    ['', KEY, /^--tls-cert: must name a file/],
    [join(folder, 'nowhere.pem'), KEY, /^--tls-cert: the file .*nowhere\.pem does not exist/],
    [CERT, join(folder, 'nowhere.pem'), /^--tls-key: the file .*nowhere\.pem does not exist/],
    [
      undefined,
      undefined,
      /^THREADMILL_TLS_KEY \(--tls-key\): the file .*nowhere\.pem does not exist/,
      { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: join(folder, 'nowhere.pem') },
    ],
    [folder, KEY, /^--tls-cert: .* cannot be read: EISDIR/],
    [text, KEY, /^--tls-cert: .*text\.pem has no PEM certificate/],
    [der, KEY, /^--tls-cert: .*cert\.der has no PEM certificate/],
    [KEY, CERT, /^--tls-cert: .*key\.pem has no PEM certificate/],
    [torn, KEY, /^--tls-cert: the certificate in .*torn\.pem cannot be read: /],
    [CERT, text, /^--tls-key: .*text\.pem has no PEM private key/],
    [CERT, CERT, /^--tls-key: .*cert\.pem has no PEM private key/],
    [CERT, tornKey, /^--tls-key: the key in .*torn-key\.pem cannot be read: /],
    [CERT, sealed, /^--tls-key: the key in .*sealed\.pem has a passphrase/],
    [CERT, OTHER_KEY, /^--tls-key: the key in .*other-key\.pem does not belong to the first certificate/],
  ];
  for (const [cert, key, message, env] of wrong)
    t.throws(() => read(cert, key, env), { code: 'CONFIG_INVALID', message }, String(message));
  t.end();
});

t.test('reports files that Node can read and the transport cannot', async (t) => {
  const broken = join(temporaryFolder(t), 'chain.pem');
  writeFileSync(broken, `${readFileSync(CERT, 'utf8')}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
  const { tls } = readConfig({ config: TEST_GRAPHS, tlsCert: broken, tlsKey: KEY }, {});
  await t.rejects(testApp(tls), {
    code: 'CONFIG_INVALID',
    message: /^--tls-cert: .*chain\.pem and its key match, but TLS cannot be started with them/,
  });
});
