import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { DeliveryQueue } from '../../src/services/webhooks/delivery-queue.js';
import type { LiveRun } from '../../src/services/runs/live.js';
import { Webhooks, type WebhooksOptions } from '../../src/services/webhooks/webhooks.js';

/** A queue whose attempts end when the test says so. */
function queue() {
  const active = new Map<string, (answered: boolean) => void>();
  const order: string[] = [];
  const made = new DeliveryQueue((runId) => {
    order.push(runId);
    return new Promise((resolve) => {
      active.set(runId, resolve);
    });
  });
  return {
    order,
    active,
    add(host: string, ...runIds: string[]) {
      for (const runId of runIds) {
        made.expect(host);
        made.add(host, runId);
      }
    },
    async end(runId: string, answered: boolean) {
      active.get(runId)!(answered);
      active.delete(runId);
      made.forget(runId.split('/')[0]!);
      await new Promise(setImmediate);
    },
    owedTo: (host: string) => made.countOf(host),
  };
}

const of = (host: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${host}/${at}`);

t.test('sends one delivery to a host until it answers, then several', async (t) => {
  const { add, end, active, order, owedTo } = queue();
  add('a', ...of('a', 40));
  t.equal(active.size, 1);
  await end('a/0', true);
  t.equal(active.size, LIMITS.webhooksConcurrentPerHostMax);
  await end('a/1', false);
  t.equal(active.size, LIMITS.webhooksConcurrentPerHostMax - 1, 'no new one while it does not answer');
  await end('a/2', true);
  t.equal(active.size, LIMITS.webhooksConcurrentPerHostMax);
  while (active.size > 0) await end([...active.keys()][0]!, true);
  t.strictSame(order, of('a', 40), 'all were sent, in order, once');
  t.equal(owedTo('a'), 0);
});

t.test('leaves capacity for hosts that answer, and alternates between hosts', async (t) => {
  const { add, end, active, order } = queue();
  add('good', 'good/first');
  await end('good/first', true);
  for (let at = 0; at < 100; at += 1) add(`dead${at}`, `dead${at}/0`, `dead${at}/1`);
  t.equal(active.size, LIMITS.webhooksUnprovenMax);
  // It is forgotten when nothing is owed to it: it waits with the others once, then it has room of its own.
  add('good', ...of('good', 3));
  for (let at = 0; !active.has('good/0'); at += 1) await end(`dead${at}/0`, false);
  await end('good/0', true);
  t.ok(active.has('good/1') && active.has('good/2'), 'although the dead have not ended');
  t.equal([...active.keys()].filter((runId) => runId.startsWith('dead')).length, LIMITS.webhooksUnprovenMax);
  const dead = order.filter((runId) => runId.startsWith('dead'));
  t.ok(
    dead.findLastIndex((runId) => runId.endsWith('/0')) < dead.findIndex((runId) => runId.endsWith('/1')),
    'every host has its first turn before any has its second',
  );
});

t.test('limits pending deliveries for one host and for all', (t) => {
  const rules = {
    requireHttps: false,
    domains: null,
    ports: null,
    urlCharsMax: 1_000,
    loopback: false,
    ownPaths: false,
    ranges: [],
  };
  const webhooks = new Webhooks({ enabled: true, rules } as unknown as WebhooksOptions);
  const began = (host: string, at: number): void =>
    webhooks.onRunCreated({
      record: { runId: `${host}/${at}` },
      kwargs: { webhook: `https://${host}/hook` },
    } as unknown as LiveRun);
  for (let at = 0; at < LIMITS.webhooksPerHostMax; at += 1) began('busy.example.com', at);
  t.throws(() => webhooks.admit('https://busy.example.com/other'), {
    code: 'OVERLOADED',
    message: /10000 webhooks wait to be sent to busy\.example\.com/,
  });
  webhooks.admit('https://busy.example.com:8443/another-host');
  webhooks.admit('https://example.com/');
  for (let at = LIMITS.webhooksPerHostMax; at < LIMITS.webhooksMax; at += 1) began(`host${at % 100}.example.com`, at);
  t.throws(() => webhooks.admit('https://example.com/'), { code: 'OVERLOADED' });
  webhooks.admit(null);
  webhooks.onRunDropped({ record: { runId: 'busy.example.com/0' }, kwargs: { webhook: 'x' } } as unknown as LiveRun);
  webhooks.admit('https://busy.example.com/other');
  t.end();
});
