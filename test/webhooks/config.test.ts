import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.js';
import { Empty } from '../helpers/empty.js';
import { told, receiver, LOOPBACK } from '../helpers/receiver.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/** A langgraph.json of one small graph. */
function project(t: Test, more: Record<string, unknown>): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs: { echo: join(ROOT, 'test', 'graphs', 'echo.ts:graph') }, ...more }));
  return file;
}

const read = (t: Test, webhooks: unknown, env: Record<string, string> = {}, more: Record<string, unknown> = {}) =>
  readConfig({ config: project(t, { webhooks, ...more }) }, env).webhooks;

t.test('accepts valid settings', (t) => {
  for (const nothing of [undefined, null, {}, { headers: {}, url: {} }]) {
    t.matchStrict(read(t, nothing), {
      enabled: true,
      headers: Empty,
      secrets: Empty,
      rules: { requireHttps: false, domains: null, ports: null, urlCharsMax: 65_536, loopback: false, ranges: Empty },
      attemptMs: 10_000,
      retryMs: { length: 9 },
    });
  }
  t.match(
    read(t, {
      url: {
        require_https: true,
        allowed_domains: ['Example.com', '*.x.org'],
        allowed_ports: [443, 8443],
        max_url_length: 2_000,
        disable_loopback: false,
      },
    }).rules,
    { requireHttps: true, domains: ['example.com', '*.x.org'], ports: [443, 8443], urlCharsMax: 2_000, loopback: true },
  );
  t.equal(read(t, { url: { allowed_domains: ['*'] } }).rules.domains, null);
  const headers = {
    'X-Token': 'Bearer ${{ env.LG_WEBHOOK_TOKEN }}',
    'x-two': '${{env.LG_WEBHOOK_TOKEN}}-${{  env.LG_WEBHOOK_B  }}',
    'x-plain': 'as it is $1',
  };
  t.strictSame(
    read(t, { headers }, { LG_WEBHOOK_TOKEN: '$&s3cret' }, { env: { LG_WEBHOOK_B: 'b', LG_WEBHOOK_TOKEN: 'not this' } })
      .headers,
    { 'x-token': 'Bearer $&s3cret', 'x-two': '$&s3cret-b', 'x-plain': 'as it is $1' },
  );
  t.strictSame(read(t, { env_prefix: 'HOOK_', headers: { a: '${{ env.HOOK_X }}' } }, { HOOK_X: 'x' }).headers, {
    a: 'x',
  });
  t.strictSame(
    read(t, { headers }, {}, { http: { disable_webhooks: true } }),
    { ...read(t, {}), enabled: false },
    'who sends none needs no secrets',
  );
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  t.match(
    read(
      t,
      {},
      {
        THREADMILL_WEBHOOK_SECRET: `${secret},${secret}`,
        THREADMILL_WEBHOOK_ALLOW_ADDRESSES: '10.0.0.0/8, ::1',
        THREADMILL_WEBHOOK_TIMEOUT_SECS: '2.5',
        THREADMILL_WEBHOOK_RETRY_SECS: '1,60',
      },
    ),
    {
      secrets: { length: 2 },
      rules: { ranges: ['10.0.0.0/8', '::1'] },
      attemptMs: 2_500,
      retryMs: [1_000, 60_000],
    },
  );
  t.end();
});

t.test('refuses to start with invalid settings', (t) => {
  const wrong: [unknown, RegExp][] = [
    ['yes', /webhooks: must be an object/],
    [{ secret: 'x' }, /webhooks\.secret: is unknown/],
    [{ url: [] }, /webhooks\.url: must be an object/],
    [{ url: { allow_domains: [] } }, /webhooks\.url\.allow_domains: is unknown/],
    [{ url: { require_https: 'yes' } }, /webhooks\.url\.require_https: must be true or false/],
    [{ url: { disable_loopback: 0 } }, /webhooks\.url\.disable_loopback: must be true or false/],
    [{ url: { allowed_domains: 'example.com' } }, /webhooks\.url\.allowed_domains: must be a list/],
    [{ url: { allowed_domains: ['https://example.com'] } }, /"https:\/\/example\.com" is not a domain/],
    [{ url: { allowed_domains: ['a.*.com'] } }, /"a\.\*\.com" is not a domain/],
    [{ url: { allowed_ports: ['443'] } }, /webhooks\.url\.allowed_ports: must be/],
    [{ url: { allowed_ports: [0] } }, /webhooks\.url\.allowed_ports: must be/],
    [{ url: { max_url_length: 65_537 } }, /webhooks\.url\.max_url_length: must be/],
    [{ env_prefix: '' }, /webhooks\.env_prefix: must be/],
    [{ headers: [] }, /webhooks\.headers: must be an object/],
    [{ headers: { 'a b': 'x' } }, /"a b" is not a valid header name/],
    [{ headers: { a: 1 } }, /webhooks\.headers\.a: must be a string/],
    [{ headers: { a: 'x\r\nb: y' } }, /webhooks\.headers\.a: contains characters/],
    [{ headers: { Host: 'x' } }, /webhooks\.headers\.Host: is set by the server itself/],
    [{ headers: { 'Webhook-Signature': 'x' } }, /is set by the server itself/],
    [
      { headers: { a: '${{ env.LG_WEBHOOK_MISSING }}' } },
      /webhooks\.headers\.a: names the variable LG_WEBHOOK_MISSING, which is not set/,
    ],
    [
      { headers: { a: '${{ env.THREADMILL_SEAL_KEY }}' } },
      /names the variable THREADMILL_SEAL_KEY, but only variables that begin with LG_WEBHOOK_/,
    ],
  ];
  for (const [webhooks, message] of wrong)
    t.throws(
      () => read(t, webhooks, { THREADMILL_SEAL_KEY: 'x' }),
      { code: 'CONFIG_INVALID', message },
      JSON.stringify(webhooks),
    );
  t.throws(() => read(t, {}, {}, { http: { disable_webhooks: 'yes' } }), {
    message: /http\.disable_webhooks: must be true or false/,
  });
  const variables: [string, string, RegExp][] = [
    ['THREADMILL_WEBHOOK_SECRET', '', /contains no secret/],
    ['THREADMILL_WEBHOOK_SECRET', 'hunter2', /secret 1 must be "whsec_"/],
    ['THREADMILL_WEBHOOK_SECRET', `whsec_${Buffer.alloc(10).toString('base64')}`, /24 to 64 bytes/],
    ['THREADMILL_WEBHOOK_ALLOW_ADDRESSES', '10.0.0.0/99', /"10\.0\.0\.0\/99" is neither an address/],
    ['THREADMILL_WEBHOOK_ALLOW_ADDRESSES', 'example.com', /is neither an address/],
    ['THREADMILL_WEBHOOK_TIMEOUT_SECS', '0', /must be a number of seconds/],
    ['THREADMILL_WEBHOOK_TIMEOUT_SECS', '1,2', /must be a number of seconds/],
    ['THREADMILL_WEBHOOK_RETRY_SECS', '1,,2', /must be at most 20 numbers/],
    ['THREADMILL_WEBHOOK_RETRY_SECS', '99999999', /at most a week/],
  ];
  for (const [name, value, message] of variables) {
    t.throws(() => read(t, {}, { [name]: value }), { code: 'CONFIG_INVALID', message }, `${name}=${value}`);
  }
  try {
    read(t, {}, { THREADMILL_WEBHOOK_SECRET: 'whsec_hunter2' });
    t.fail('it is too short');
  } catch (error) {
    t.notMatch((error as Error).message, /hunter2/, 'no secret in a message');
  }
  t.end();
});

t.test('sends configured headers with every delivery and follows the loopback setting', async (t) => {
  const config = project(t, {
    webhooks: { headers: { authorization: 'Bearer ${{ env.LG_WEBHOOK_TOKEN }}' }, url: { disable_loopback: false } },
  });
  const server = await testServer(t, { config, env: { LG_WEBHOOK_TOKEN: 's3cret' } });
  const hooks = await receiver(t);
  await server.client.runs.wait(null, 'echo', { input: { text: 'x' }, webhook: hooks.url });
  const { headers, text } = await hooks.next();
  t.equal(headers.authorization, 'Bearer s3cret');
  t.notMatch(text, /s3cret/);
});

t.test('sends nothing and runs everything with http.disable_webhooks', async (t) => {
  const config = project(t, { http: { disable_webhooks: true } });
  const dataFolder = temporaryFolder(t);
  const hooks = await receiver(t);
  const server = await testServer(t, { config, dataFolder, env: LOOPBACK });
  const { thread_id } = await server.client.threads.create();
  const run = await server.client.runs.create(thread_id, 'echo', { input: { text: 'x' }, webhook: hooks.url });
  t.strictSame(await server.client.runs.join(thread_id, run.run_id), { text: 'x', steps: ['first x', 'second x'] });
  t.match(await told(server, thread_id, run.run_id), { status: 'disabled', attempts: Empty });
  await server.client.runs.wait(thread_id, 'echo', { input: { text: 'x' }, webhook: 'http://169.254.169.254/' });
  await server.close();

  const again = await testServer(t, { config: project(t, {}), dataFolder, env: LOOPBACK });
  const second = await again.client.runs.create(thread_id, 'echo', { input: { text: 'y' }, webhook: hooks.url });
  t.match((await hooks.next()).json, { run_id: second.run_id }, 'what was not owed is not sent later');
  t.equal((await again.get(`/threads/${thread_id}/runs/${run.run_id}/webhook`)).status, 404);
});
