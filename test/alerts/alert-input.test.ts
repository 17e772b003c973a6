import t from 'tap';
import { FakeClock } from '../helpers/fake-clock.js';
import { lowerLimit } from '../helpers/limits.js';
import { LOOPBACK, receiver } from '../helpers/receiver.js';
import { configWith, testServer } from '../helpers/server.js';
import { addRun, createProject, send } from '../helpers/sent-runs.js';
import { alertWhen, checkedAt, createAlert, historyOf, listAlerts, patchAlert } from './helpers.js';

const clock = new FakeClock('2026-03-01T12:00:00Z');
const config = configWith(t, 'echo');
const server = await testServer(t, { config, clock });
const projectId = await createProject(server);
const VALID = { name: 'x', metric: 'error_rate', window_seconds: 60, operator: 'above', threshold: 0.5 };

t.test('refuses wrong fields with their place, and stores nothing', async (t) => {
  const cases: [change: Record<string, unknown>, place: (string | number)[], message: RegExp][] = [
    [{ name: undefined }, ['name'], /required/],
    [{ name: '' }, ['name'], /fewer than 1/],
    [{ metric: 'errors' }, ['metric'], /must be one of "run_count"/],
    [{ metric: 'feedback_score' }, ['feedback_key'], /is required for the metric feedback_score/],
    [{ window_seconds: 59 }, ['window_seconds'], />= 60/],
    [{ window_seconds: 604_801 }, ['window_seconds'], /<= 604800/],
    [{ window_seconds: 60.5 }, ['window_seconds'], /integer/],
    [{ operator: '>' }, ['operator'], /must be one of "above", "below"/],
    [{ threshold: '5' }, ['threshold'], /number/],
    [{ minimum_runs: -1 }, ['minimum_runs'], />= 0/],
    [{ repeat_seconds: 1 }, ['repeat_seconds'], />= 60/],
    [{ project_id: 'mine' }, ['project_id'], /must be a UUID/],
    [{ filter: 'eq(status' }, ['filter'], /./],
    [{ filter: 'eq(nothing, 1)' }, ['filter'], /./],
    [{ tree_filter: 'or()' }, ['tree_filter'], /./],
    [{ webhook: 'https://example.com' }, ['webhook'], /object/],
    [{ webhook: {} }, ['webhook', 'url'], /required/],
    [{ webhook: { url: 'ftp://example.com' } }, ['webhook', 'url'], /must begin with https/],
    [{ webhook: { url: 'http://127.0.0.1:9' } }, ['webhook', 'url'], /not a public address/],
    [
      { webhook: { url: 'https://a.example', headers: { Host: 'b' } } },
      ['webhook', 'headers', 'Host'],
      /set by the server/,
    ],
    [
      { webhook: { url: 'https://a.example', headers: { 'a b': 'c' } } },
      ['webhook', 'headers', 'a b'],
      /not a valid header/,
    ],
    [{ webhook: { url: 'https://a.example', headers: { a: 'b\nc' } } }, ['webhook', 'headers', 'a'], /not allowed/],
    [{ treshold: 1 }, ['treshold'], /not a known field/],
  ];
  for (const [change, place, message] of cases) {
    const { status, body } = await send(server, 'POST', '/alerts', { ...VALID, ...change });
    t.equal(status, 422, JSON.stringify(change));
    t.match(body, { detail: [{ loc: ['body', ...place], msg: message }] }, JSON.stringify(change));
  }
  t.match(await server.post('/api/v1/alerts', undefined, { body: '{"threshold": 1e999' }), { status: 400 });
  const huge = JSON.stringify(VALID).replace('0.5', '1e999');
  t.match(await server.post('/api/v1/alerts', undefined, { body: huge }), { status: 422 });
  const missing = '00000000-0000-4000-8000-000000000000';
  t.match(await send(server, 'POST', '/alerts', { ...VALID, project_id: missing }), { status: 404 });
  t.match(await send(server, 'GET', `/alerts/${missing}`), { status: 404 });
  t.match(await send(server, 'GET', '/alerts/nothing'), { status: 422 });
  t.match(await send(server, 'GET', '/alerts?state=red'), { status: 422 });
  t.strictSame(await listAlerts(server), []);
});

t.test('a refused change leaves the alert as it was', async (t) => {
  const before = await createAlert(server, { project_id: projectId, is_enabled: false });
  for (const change of [{ filter: 'eq(' }, { metric: 'feedback_score' }, { name: null }, { threshold: null }])
    t.match(await send(server, 'PATCH', `/alerts/${before.id}`, change), { status: 422 }, JSON.stringify(change));
  t.strictSame(await listAlerts(server), [before]);
  const scored = await patchAlert(server, before.id, { metric: 'feedback_score', feedback_key: 'kind' });
  t.match(scored, { feedback_key: 'kind' });
  t.match(await patchAlert(server, before.id, { metric: 'run_count' }), { feedback_key: null });
});

t.test('refuses more alerts than the limit', async (t) => {
  lowerLimit(t, 'alertsMax', (await listAlerts(server)).length);
  t.match(await send(server, 'POST', '/alerts', VALID), {
    status: 409,
    body: { detail: 'There are 1 alerts already. Delete one that is not needed any more.' },
  });
});

t.test('keeps a limited number of changes and of webhooks that wait', async (t) => {
  lowerLimit(t, 'alertHistoryMax', 3);
  lowerLimit(t, 'alertWebhooksMax', 1);
  const hooks = await receiver(t, () => 503);
  const waiting = await testServer(t, { config, clock, env: { ...LOOPBACK, THREADMILL_WEBHOOK_RETRY_SECS: '3600' } });
  const project = await createProject(waiting);
  await addRun(waiting, project, { startMs: clock.nowMs() - 1_000, error: 'it broke' });
  const { id } = await createAlert(waiting, { project_id: project, threshold: 2, webhook: { url: hooks.url } });
  for (const [threshold, state] of [
    [0.5, 'firing'],
    [2, 'ok'],
    [0.5, 'firing'],
    [2, 'ok'],
  ] as const) {
    await patchAlert(waiting, id, { threshold });
    await alertWhen(waiting, id, (alert) => alert.state === state);
  }
  await hooks.next();
  const changes = await historyOf(waiting, id);
  t.match(changes, [{ state: 'ok' }, { state: 'firing' }, { state: 'ok' }]);
  t.equal(changes.length, 3);
  t.strictSame(
    changes.map(({ webhook }) => webhook),
    [null, null, null],
    'the first webhook has not been delivered yet, so no other was added',
  );
  t.equal(hooks.received.length, 1);
  t.match(await send(waiting, 'POST', `/alerts/${id}/test`, { send_webhook: true }), { status: 503 });
});

t.test('alerts work where webhooks are off', async (t) => {
  const off = await testServer(t, { config, clock, env: { LANGGRAPH_HTTP: '{"disable_webhooks": true}' } });
  const project = await createProject(off);
  const webhook = { url: 'http://127.0.0.1:9' };
  const { id } = await createAlert(off, {
    project_id: project,
    metric: 'run_count',
    operator: 'below',
    threshold: 1,
    webhook,
  });
  t.match(await checkedAt(off, id, clock.nowMs()), { state: 'firing' });
  t.match(await historyOf(off, id), [{ state: 'firing', webhook: null }]);
  t.match(await send(off, 'POST', `/alerts/${id}/test`, { send_webhook: true }), {
    status: 422,
    body: { detail: [{ msg: 'is not possible: webhooks are off' }] },
  });
});
