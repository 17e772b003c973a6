import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { mayReach, parseRange } from '../../src/base/addresses.js';
import { webhookTarget, type WebhookRules } from '../../src/domain/webhook-url.js';
import { WebhookSender } from '../../workers/webhook/send.js';
import { receiver } from '../helpers/receiver.js';
import { configWith, ROOT, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

const RULES: WebhookRules = {
  requireHttps: false,
  domains: null,
  ports: null,
  urlCharsMax: 65_536,
  loopback: false,
  ownPaths: false,
  ranges: [],
};

/** Host as it stands in a URL; each leads into the machine, its network, or nowhere. */
const REFUSED = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0.0.0.0',
  '0',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'any.localhost',
  'host.docker.internal',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '0xa000001',
  '100.64.0.1',
  // The metadata of clouds.
  '169.254.169.254',
  '2852039166',
  '0xA9FEA9FE',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[fe80::a9fe:a9fe]',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
  '[8000::1]',
];
const TAKEN = [
  'example.com',
  '8.8.8.8',
  '172.32.0.1',
  '11.0.0.1',
  '[2606:4700::1111]',
  '[2a00:1450:4001::1]',
  '[::ffff:8.8.8.8]',
  'xn--bcher-kva.example',
  'localhost.example.com',
  'internal',
];

t.test('accepts and refuses URLs by their form', (t) => {
  for (const host of REFUSED)
    t.match(webhookTarget(`http://${host}/x`, RULES), { kind: 'refused', why: /is not a public address/ }, host);
  for (const host of TAKEN) t.match(webhookTarget(`https://${host}/x`, RULES), { kind: 'url' }, host);
  for (const port of ['', ':80', ':22', ':65535'])
    t.match(webhookTarget(`http://u:p@127.0.0.1${port}/`, RULES), { kind: 'refused' }, port);
  t.end();
});

t.test('accepts configured address ranges', (t) => {
  const loopback = { ...RULES, loopback: true };
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'])
    t.match(webhookTarget(`http://${host}`, loopback), { kind: 'url' }, host);
  for (const host of ['10.0.0.1', '0.0.0.0', '169.254.169.254'])
    t.match(webhookTarget(`http://${host}`, loopback), { kind: 'refused' }, host);
  const ranges = { ...RULES, ranges: ['10.1.0.0/16', '192.168.7.7', 'fd00::/8', '::1'] };
  for (const host of ['10.1.2.3', '192.168.7.7', '[fd12::1]', '[::1]', '[::ffff:10.1.2.3]'])
    t.match(webhookTarget(`http://${host}`, ranges), { kind: 'url' }, host);
  for (const host of ['10.2.0.1', '192.168.7.8', '127.0.0.1', '[fe80::1]'])
    t.match(webhookTarget(`http://${host}`, ranges), { kind: 'refused' }, host);
  for (const text of ['10.0.0.0/8', '::1/128', '10.0.0.1', '[::1]']) t.ok(parseRange(text), text);
  for (const text of ['', 'example.com', '10.0.0.0/33', '10.0.0.0/x', '/8', '10/8/8'])
    t.equal(parseRange(text), null, text);
  for (const text of ['', 'example.com', '999.1.1.1']) t.notOk(mayReach(text, ranges), text);
  t.end();
});

t.test('restricts schemes, domains, ports and lengths', (t) => {
  const why = (url: string, rules: Partial<WebhookRules> = {}): unknown => {
    const target = webhookTarget(url, { ...RULES, ...rules });
    return target.kind === 'refused' ? target.why : 'taken';
  };
  t.match(why('/custom/webhook'), /route of the project's own/);
  t.equal(why('/custom/webhook?a=%20b', { ownPaths: true }), 'taken');
  for (const url of ['custom', '//example.com/x', '?x', '.', 'example.com/x', '/\\example.com', '/a b', '/\n'])
    t.match(why(url, { ownPaths: true }), /nor a path/, url);
  for (const url of [
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://example.com',
    'data:text/plain,x',
    'javascript:1',
    'unix:/run/docker.sock',
  ])
    t.match(why(url), /must begin with https/, url);
  for (const url of ['http://', 'https://exa mple.com', 'http://[::1', 'https://example.com:99999'])
    t.equal(why(url), 'is not a URL', url);
  t.match(why('http://example.com', { requireHttps: true }), /require_https/);
  t.equal(why('https://example.com', { requireHttps: true }), 'taken');
  const domains = ['example.com', '*.hooks.example.com'];
  for (const url of [
    'https://example.com',
    'https://EXAMPLE.com.',
    'https://a.hooks.example.com',
    'https://a.b.hooks.example.com',
  ])
    t.equal(why(url, { domains }), 'taken', url);
  for (const url of [
    'https://hooks.example.com',
    'https://a.example.com',
    'https://example.com.evil.net',
    'https://evilexample.com',
    'https://example.com@evil.net',
    'https://8.8.8.8',
  ])
    t.match(why(url, { domains }), /allowed_domains/, url);
  t.equal(why('https://example.com', { ports: [443] }), 'taken');
  t.match(why('http://example.com', { ports: [443] }), /port 80 is not one/);
  t.match(why('https://example.com:8443', { ports: [443] }), /port 8443 is not one/);
  t.match(why(`https://example.com/${'x'.repeat(100)}`, { urlCharsMax: 100 }), /longer than 100 characters/);
  t.end();
});

t.test('checks the resolved addresses of a name before it connects', async (t) => {
  const hooks = await receiver(t);
  const post = (rules: { loopback: boolean; ranges: string[] }, host: string) =>
    new WebhookSender(rules).post({
      url: new URL(`http://${host}:${hooks.port}/`),
      body: Buffer.from('{}'),
      headers: {},
      timeoutMs: 5_000,
    });
  // As a name whose owner has it lead here.
  t.match(await post({ loopback: false, ranges: [] }, 'localhost'), {
    kind: 'refused',
    why: /is not a public address/,
  });
  t.equal(hooks.received.length, 0);
  t.match(await post({ loopback: true, ranges: [] }, 'localhost'), { kind: 'answered', status: 200 });
  t.equal(hooks.received.length, 1);
});

t.test('sends nothing to a receiver with an untrusted certificate', async (t) => {
  const file = (name: string): Buffer => readFileSync(join(ROOT, 'test', 'http', 'tls', name));
  let asked = 0;
  const secure = createServer({ cert: file('cert.pem'), key: file('key.pem') }, () => {
    asked += 1;
  });
  await new Promise<void>((resolve) => {
    secure.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => secure.close());
  const { port } = secure.address() as AddressInfo;
  t.match(
    await new WebhookSender({ loopback: true, ranges: [] }).post({
      url: new URL(`https://127.0.0.1:${port}/`),
      body: Buffer.from('{}'),
      headers: {},
      timeoutMs: 5_000,
    }),
    { kind: 'failed', why: /CERT/ },
  );
  t.equal(asked, 0);
});

t.test('[trap 39] creates no run when its webhook is refused', async (t) => {
  const server = await testServer(t, { config });
  const { thread_id } = await server.client.threads.create();
  for (const path of [
    '/runs',
    '/runs/wait',
    '/runs/stream',
    `/threads/${thread_id}/runs`,
    `/threads/${thread_id}/runs/wait`,
    `/threads/${thread_id}/runs/stream`,
  ]) {
    const response = await server.post(path, {
      assistant_id: 'echo',
      input: {},
      webhook: 'http://[::ffff:127.0.0.1]/x',
    });
    t.equal(response.status, 422, path);
    t.match(await response.json(), { detail: /^body\.webhook: \[::ffff:7f00:1\] is not a public address/ }, path);
  }
  t.match(
    await (await server.post('/runs/wait', { assistant_id: 'echo', input: {}, webhook: '/custom/webhook' })).json(),
    { detail: /^body\.webhook: is a route of the project's own HTTP app/ },
  );
  t.equal(
    (
      await server.post('/runs/wait', {
        assistant_id: 'echo',
        input: {},
        webhook: `https://example.com/${'x'.repeat(65_536)}`,
      })
    ).status,
    422,
  );
  t.strictSame(await server.client.runs.list(thread_id), []);
  // None, and no run at all.
  const run = (await (
    await server.post(`/threads/${thread_id}/runs`, { assistant_id: 'echo', input: { text: 'x' }, webhook: null })
  ).json()) as { run_id: string };
  t.equal((await server.get(`/threads/${thread_id}/runs/${run.run_id}/webhook`)).status, 404);
  t.match(await (await server.get(`/threads/${thread_id}/runs/00000000-0000-7000-8000-000000000000/webhook`)).json(), {
    detail: 'Run not found',
  });
});
