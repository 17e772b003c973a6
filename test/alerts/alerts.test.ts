import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { FakeClock } from '../helpers/fake-clock.js';
import { lowerLimit } from '../helpers/limits.js';
import { receiver, SOON } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { addRun, createProject, send } from '../helpers/sent-runs.js';
import {
  alertWhen,
  checkedAt,
  createAlert,
  getAlert,
  historyOf,
  lastDelivered,
  listAlerts,
  patchAlert,
} from './helpers.js';

const MINUTE_MS = 60_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const config = configWith(t, 'echo');
const env = { ...SOON, THREADMILL_WEBHOOK_SECRET: SECRET };
const clock = new FakeClock('2026-03-01T12:00:00Z');
const server = await testServer(t, { config, env, clock });

t.test('fires, repeats and resolves, and reports each change by a signed webhook', async (t) => {
  const hooks = await receiver(t);
  const projectId = await createProject(server, 'answers');
  const created = await createAlert(server, {
    project_id: projectId,
    threshold: 0.25,
    repeat_seconds: 600,
    webhook: { url: `${hooks.url}/hook`, headers: { Authorization: 'Bearer of-the-pager' } },
  });
  t.match(created, {
    name: 'Too many errors',
    is_enabled: true,
    project_id: projectId,
    project_name: 'answers',
    metric: 'error_rate',
    is_root: true,
    minimum_runs: 0,
    webhook: { url: `${hooks.url}/hook`, header_names: ['authorization'] },
    state: 'no_data',
    error: null,
  });
  t.match(await checkedAt(server, created.id, clock.nowMs()), {
    state: 'no_data',
    last_value: null,
    last_run_count: 0,
  });

  for (const error of [undefined, undefined, undefined, 'it broke'])
    await addRun(server, projectId, { startMs: clock.nowMs() - 1_000, ...(error === undefined ? {} : { error }) });
  clock.pass(MINUTE_MS);
  t.match(
    await checkedAt(server, created.id, clock.nowMs()),
    { state: 'ok', last_value: 0.25, last_run_count: 4 },
    'a value at the threshold is not above it',
  );
  t.strictSame(await historyOf(server, created.id), [], 'of which there is no notice');

  await addRun(server, projectId, { startMs: clock.nowMs() - 1_000, error: 'it broke again' });
  clock.pass(MINUTE_MS);
  const firing = await alertWhen(server, created.id, ({ state }) => state === 'firing');
  t.match(firing, { last_value: 0.4, last_run_count: 5, error: null });
  const notice = await hooks.next();
  t.equal(notice.headers['authorization'], 'Bearer of-the-pager');
  t.ok(new Webhook(SECRET).verify(notice.text, notice.headers as Record<string, string>), 'its signature is right');
  t.match(notice.json, {
    type: 'alert.changed',
    alert: { id: created.id, name: 'Too many errors', metric: 'error_rate', threshold: 0.25, project_id: projectId },
    state_before: 'ok',
    state: 'firing',
    value: 0.4,
    run_count: 5,
    window: { start_time: '2026-03-01T11:47:00.000000+00:00', end_time: '2026-03-01T12:02:00.000000+00:00' },
  });
  const { alert, traces } = notice.json['links'] as { alert: string; traces: string };
  t.equal(alert, `${server.urls[0]}/console/alerts/${created.id}`);
  t.match(Object.fromEntries(new URL(traces).searchParams), {
    project: projectId,
    errors: 'only',
    from: '2026-03-01T11:47:00.000Z',
    to: '2026-03-01T12:02:00.000Z',
  });

  clock.pass(9 * MINUTE_MS);
  await checkedAt(server, created.id, clock.nowMs());
  t.equal(hooks.received.length, 1, 'it is not time for another notice');
  clock.pass(MINUTE_MS);
  t.match((await hooks.next()).json, { type: 'alert.repeated', state_before: 'firing', state: 'firing', value: 0.4 });

  for (let n = 0; n < 4; n += 1) await addRun(server, projectId, { startMs: clock.nowMs() - 1_000 });
  clock.pass(MINUTE_MS);
  t.match((await hooks.next()).json, { type: 'alert.changed', state_before: 'firing', state: 'ok' });
  const ids = hooks.received.map(({ headers }) => headers['webhook-id']);
  t.equal(new Set(ids).size, 3, 'each notice has an id of its own');
  await t.resolveMatch(historyOf(server, created.id), [
    { state_before: 'firing', state: 'ok', run_count: 9, webhook: { id: ids[2] } },
    { state_before: 'ok', state: 'firing', value: 0.4, run_count: 5, webhook: { id: ids[0], status: 'delivered' } },
  ]);
});

t.test('measures each metric over the runs of the window that match', async (t) => {
  const projectId = await createProject(server);
  const nowMs = clock.nowMs();
  const at = nowMs - 30_000;
  const usage = (total: number, cost: number): Record<string, unknown> => ({
    run_type: 'llm',
    extra: {
      metadata: { usage_metadata: { input_tokens: 0, output_tokens: total, total_tokens: total, total_cost: cost } },
    },
  });
  const scored = await addRun(server, projectId, { startMs: at, tookMs: 1_000, more: usage(10, 0.5) });
  await addRun(server, projectId, { startMs: at, tookMs: 3_000, more: usage(30, 0.25) });
  await addRun(server, projectId, { startMs: at, tookMs: null, error: 'no answer' });
  await addRun(server, projectId, { startMs: nowMs - 120_000, tookMs: 50_000, error: 'before the window' });
  for (const [score, key] of [
    [1, 'kind'],
    [0, 'kind'],
    [0.5, 'other'],
  ] as const)
    await send(server, 'POST', '/feedback', { run_id: scored, key, score });
  const valueOf = async (metric: string, more: Record<string, unknown> = {}): Promise<unknown> => {
    const body = { metric, project_id: projectId, window_seconds: 60, operator: 'above', threshold: 2, ...more };
    return (await send(server, 'POST', '/alerts/test', body)).body;
  };
  t.match(await valueOf('run_count'), { value: 3, run_count: 3, state: 'firing', webhook_id: null });
  t.match(await valueOf('run_count', { operator: 'below' }), { value: 3, state: 'ok' });
  t.match(await valueOf('error_count'), { value: 1, state: 'ok' });
  t.match(await valueOf('error_count', { window_seconds: 180 }), { value: 2 });
  t.match(await valueOf('error_rate'), { value: 1 / 3 });
  t.match(await valueOf('error_rate', { minimum_runs: 4 }), { value: 1 / 3, state: 'no_data' });
  t.match(await valueOf('latency_p50'), { value: 2 });
  t.match(await valueOf('latency_p95'), { value: 2.9 });
  t.match(await valueOf('latency_p99'), { value: 2.98 });
  t.match(await valueOf('first_token_p95'), { value: null, state: 'no_data' });
  t.match(await valueOf('total_tokens'), { value: 40, state: 'firing' });
  t.match(await valueOf('total_cost'), { value: 0.75 });
  t.match(await valueOf('feedback_score', { feedback_key: 'kind' }), { value: 0.5 });
  t.match(await valueOf('feedback_score', { feedback_key: 'constructor' }), { value: null });
  t.match(await valueOf('run_count', { filter: 'eq(status, "error")' }), { value: 1 });
  t.match(await valueOf('run_count', { tree_filter: 'eq(run_type, "llm")' }), { value: 2 });
  t.match(await valueOf('run_count', { is_root: false }), { value: 0 });
  t.match(await valueOf('total_cost', { filter: 'eq(name, "nothing")' }), { value: 0, run_count: 0, state: 'ok' });
});

t.test('counts runs of the window in every list of a project', async (t) => {
  lowerLimit(t, 'projectListRunsMax', 2);
  const projectId = await createProject(server);
  const nowMs = clock.nowMs();
  for (const minutes of [1, 9, 2, 8, 3, 7, 4])
    await addRun(server, projectId, { startMs: nowMs - minutes * MINUTE_MS });
  for (const [minutes, value] of [
    [10, 7],
    [5, 4],
    [1, 1],
  ] as const) {
    const condition = { metric: 'run_count', operator: 'above', threshold: 0, window_seconds: minutes * 60 };
    t.match((await send(server, 'POST', '/alerts/test', { ...condition, project_id: projectId })).body, { value });
  }
});

t.test('looks at the projects of all assistants if no project is given', async (t) => {
  const traced = await testServer(t, { config, env, clock, flags: {} });
  const projectId = await createProject(traced);
  await addRun(traced, projectId, { startMs: clock.nowMs() });
  const body = { metric: 'run_count', window_seconds: 3_600, operator: 'above', threshold: 0 };
  t.match((await send(traced, 'POST', '/alerts/test', body)).body, { value: 0 }, 'not at other projects');
});

t.test('a restart while it is firing calls no second webhook, and the next check resolves', async (t) => {
  const hooks = await receiver(t);
  const dataFolder = temporaryFolder(t);
  const time = new FakeClock('2026-03-01T12:00:00Z');
  const first = await testServer(t, { config, env, dataFolder, clock: time });
  const projectId = await createProject(first);
  await addRun(first, projectId, { startMs: time.nowMs() - 1_000, error: 'it broke' });
  const { id } = await createAlert(first, { project_id: projectId, webhook: { url: hooks.url } });
  await alertWhen(first, id, ({ state }) => state === 'firing');
  t.match((await hooks.next()).json, { state: 'firing' });
  await lastDelivered(first, id);
  await first.close();

  const second = await testServer(t, { config, env, dataFolder, clock: time });
  t.match(await checkedAt(second, id, time.nowMs()), { state: 'firing', last_value: 1 });
  t.match(await listAlerts(second, '?state=firing'), [{ id }]);
  time.pass(16 * MINUTE_MS);
  t.match((await hooks.next()).json, { state_before: 'firing', state: 'no_data', value: null, run_count: 0 });
  t.equal(hooks.received.length, 2);
  await t.resolveMatch(historyOf(second, id), [{ state: 'no_data' }, { state: 'firing' }]);
});

t.test('a webhook that waits is delivered after a restart, and only once', async (t) => {
  const dataFolder = temporaryFolder(t);
  const time = new FakeClock('2026-03-01T12:00:00Z');
  let isAway = true;
  const hooks = await receiver(t, () => (isAway ? 503 : 200));
  const slow = { ...env, THREADMILL_WEBHOOK_RETRY_SECS: '1' };
  const first = await testServer(t, { config, env: slow, dataFolder, clock: time });
  const projectId = await createProject(first);
  await addRun(first, projectId, { startMs: time.nowMs() - 1_000, error: 'it broke' });
  const { id } = await createAlert(first, { project_id: projectId, webhook: { url: hooks.url } });
  const { headers } = await hooks.next();
  await first.close(1_000);
  isAway = false;
  const second = await testServer(t, { config, env: slow, dataFolder, clock: time });
  const again = await hooks.next();
  t.equal(again.headers['webhook-id'], headers['webhook-id']);
  t.match(again.json, { state: 'firing' });
  await lastDelivered(second, id);
  t.equal(hooks.received.length, 2);
});

t.test('reports that the project was deleted, once', async (t) => {
  const hooks = await receiver(t);
  const projectId = await createProject(server);
  const { id } = await createAlert(server, { project_id: projectId, webhook: { url: hooks.url } });
  await checkedAt(server, id, clock.nowMs());
  await send(server, 'DELETE', `/sessions/${projectId}`);
  clock.pass(MINUTE_MS);
  const failed = await alertWhen(server, id, ({ state }) => state === 'error');
  t.match(failed, { error: 'Its project does not exist any more.', last_value: null, project_name: null });
  t.match((await hooks.next()).json, { state_before: 'no_data', state: 'error', error: failed.error });
  clock.pass(MINUTE_MS);
  await checkedAt(server, id, clock.nowMs());
  t.equal(hooks.received.length, 1);
  t.match(await patchAlert(server, id, { name: 'Another name' }), { name: 'Another name', state: 'error' });
  t.match(await send(server, 'POST', `/alerts/${id}/test`, {}), { status: 404 });
});

t.test('disabling resolves an alert, and enabling checks it again', async (t) => {
  const hooks = await receiver(t);
  const projectId = await createProject(server);
  await addRun(server, projectId, { startMs: clock.nowMs() - 1_000, error: 'it broke' });
  const { id } = await createAlert(server, { project_id: projectId, webhook: { url: hooks.url } });
  await hooks.next();
  t.match(await patchAlert(server, id, { is_enabled: false }), { is_enabled: false, state: 'no_data' });
  t.match((await hooks.next()).json, { state_before: 'firing', state: 'no_data' });
  clock.pass(MINUTE_MS);
  await patchAlert(server, id, { threshold: 1 });
  t.match(await patchAlert(server, id, { is_enabled: true }), { is_enabled: true });
  t.match(await checkedAt(server, id, clock.nowMs()), { state: 'ok', last_value: 1 });
  await patchAlert(server, id, { threshold: 0.5 });
  t.match((await hooks.next()).json, { state: 'firing' }, 'a change is checked at once');
});

t.test('tests an alert without changing its state, and calls its webhook on request', async (t) => {
  const hooks = await receiver(t);
  const projectId = await createProject(server);
  const { id } = await createAlert(server, { project_id: projectId, webhook: { url: hooks.url } });
  await checkedAt(server, id, clock.nowMs());
  await addRun(server, projectId, { startMs: clock.nowMs() - 1_000, error: 'it broke' });
  t.match((await send(server, 'POST', `/alerts/${id}/test`, {})).body, { value: 1, state: 'firing', webhook_id: null });
  const tested = await send<{ webhook_id: string }>(server, 'POST', `/alerts/${id}/test`, { send_webhook: true });
  const notice = await hooks.next();
  t.equal(notice.headers['webhook-id'], tested.body.webhook_id);
  t.match(notice.json, { type: 'alert.test', state: 'no_data', value: 1, run_count: 1 });
  t.equal(hooks.received.length, 1);
  t.match(await getAlert(server, id), { state: 'no_data' });
  t.strictSame(await historyOf(server, id), []);
  await patchAlert(server, id, { webhook: null, is_enabled: false });
  t.match(await send(server, 'POST', `/alerts/${id}/test`, { send_webhook: true }), {
    status: 422,
    body: { detail: [{ loc: ['body', 'send_webhook'], msg: 'is not possible: the alert has no webhook' }] },
  });
});

t.test('lists the calls of alerts with their attempts, until the alert is deleted', async (t) => {
  interface Listed {
    deliveries: { webhook_id: string; alert_id: string; alert_name: string; status: string; attempts: unknown[] }[];
    has_more: boolean;
  }
  const own = await testServer(t, { config, env });
  const listed = async (query: string): Promise<Listed> =>
    (await (await own.get(`/webhooks/deliveries?${query}`)).json()) as Listed;
  const [good, bad] = [await receiver(t), await receiver(t, () => 410)];
  const projectId = await createProject(own);
  const ids: string[] = [];
  for (const { url } of [good, bad]) {
    const { id } = await createAlert(own, { name: `calls ${url}`, project_id: projectId, webhook: { url } });
    ids.push(id);
    await send(own, 'POST', `/alerts/${id}/test`, { send_webhook: true });
    for (;;) if ((await listed(`source=alerts&limit=1`)).deliveries[0]?.alert_id === id) break;
  }
  for (;;) if ((await listed('source=alerts&status=pending')).deliveries.length === 0) break;
  const [goodId, badId] = ids as [string, string];
  const all = await listed('source=alerts');
  t.match(all, {
    deliveries: [
      {
        alert_id: badId,
        alert_name: `calls ${bad.url}`,
        url: bad.url,
        status: 'failed',
        attempts: [{ status_code: 410 }],
      },
      { alert_id: goodId, url: good.url, status: 'delivered', attempts: [{ status_code: 200, error: null }] },
    ],
    has_more: false,
  });
  t.equal(all.deliveries[1]!.webhook_id, good.received[0]!.headers['webhook-id']);
  t.match(await listed('source=alerts&status=failed'), { deliveries: [{ alert_id: badId }] });
  t.strictSame((await listed('')).deliveries, [], 'they are not among those of runs');
  await send(own, 'DELETE', `/alerts/${badId}`);
  t.match(await listed('source=alerts'), { deliveries: { length: 1 } });
});

t.test('headers of a webhook are not shown, and not sent to another URL', async (t) => {
  const [one, other] = [await receiver(t), await receiver(t)];
  const projectId = await createProject(server);
  const { id } = await createAlert(server, {
    project_id: projectId,
    webhook: { url: one.url, headers: { 'x-token': 'secret of one' } },
  });
  t.notMatch(JSON.stringify(await listAlerts(server)), /secret of one/);
  await patchAlert(server, id, { webhook: { url: one.url } });
  await send(server, 'POST', `/alerts/${id}/test`, { send_webhook: true });
  t.equal((await one.next()).headers['x-token'], 'secret of one');
  t.match(await patchAlert(server, id, { webhook: { url: other.url } }), { webhook: { header_names: [] } });
  await send(server, 'POST', `/alerts/${id}/test`, { send_webhook: true });
  t.notOk('x-token' in (await other.next()).headers);
});

t.test('deletes an alert with its history, and counts alerts by state in the metrics', async (t) => {
  for (const { id } of await listAlerts(server))
    t.match(await send(server, 'DELETE', `/alerts/${id}`), { status: 200 });
  t.strictSame(await listAlerts(server), []);
  const projectId = await createProject(server);
  const { id } = await createAlert(server, {
    project_id: projectId,
    metric: 'run_count',
    operator: 'below',
    threshold: 1,
  });
  await createAlert(server, { project_id: projectId, is_enabled: false });
  await alertWhen(server, id, ({ state }) => state === 'firing');
  const metrics = await (await server.get('/metrics')).text();
  t.match(metrics, /threadmill_alerts\{state="firing"\} 1\n/);
  t.match(metrics, /threadmill_alerts\{state="disabled"\} 1\n/);
  t.match(metrics, /threadmill_alerts\{state="ok"\} 0\n/);
  t.match(await listAlerts(server, `?project_id=${projectId.toUpperCase()}`), { length: 2 });
  t.match(await send(server, 'DELETE', `/alerts/${id}`), { status: 200 });
  t.match(await send(server, 'GET', `/alerts/${id}/history`), { status: 404, body: { detail: 'Alert not found' } });
});
