import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { until } from '../helpers/langsmith.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { projectWithUsers, sender, userOf, type Answer, type Send } from '../helpers/users.js';

const server = await testServer(t, { config: projectWithUsers(t, { traces: true }) });
const user = (name: string): Send => userOf(server.url, name);
const [alice, bob, carol] = [user('alice'), user('bob'), user('carol')];

const CONDITION = { metric: 'run_count', window_seconds: 3_600, operator: 'above', threshold: 0 };

t.test('an alert over all assistants counts the runs that its creator sees', async (t) => {
  const { body: run } = await alice('POST', '/runs/wait', { assistant_id: 'echo', input: { text: 'private words' } });
  t.match(run, { text: 'private words' });
  const counted = async (send: Send): Promise<unknown> => (await send('POST', '/api/v1/alerts/test', CONDITION)).body;
  t.match(
    await until(
      () => counted(carol),
      (body) => (body as { value: number }).value > 0,
    ),
    { value: 1, state: 'firing' },
  );
  t.match(await counted(alice), { value: 0, state: 'ok' }, 'traces belong to nobody in particular');

  const ofAlice = (await alice('POST', '/api/v1/alerts', { ...CONDITION, name: 'mine' })).body['id'] as string;
  const path = `/api/v1/alerts/${ofAlice}`;
  const checked = (send: Send): Promise<Answer> =>
    until(
      () => send('GET', path),
      ({ body }) => body['last_checked_at'] !== null,
    );
  t.match(await checked(alice), { body: { state: 'ok', last_value: 0, metadata: { owner: 'alice' } } });
  t.match((await carol('GET', path)).body, { state: 'ok' }, 'who sees everything sees the alert');

  t.equal((await bob('GET', path)).status, 404);
  t.equal((await bob('GET', `${path}/history`)).status, 404);
  t.equal((await bob('PATCH', path, { name: 'taken' })).status, 404);
  t.equal((await bob('POST', `${path}/test`, {})).status, 404);
  t.equal((await bob('DELETE', path)).status, 404);
  t.strictSame((await bob('GET', '/api/v1/alerts')).body, []);
  t.match((await alice('GET', '/api/v1/alerts')).body, [{ id: ofAlice }]);

  t.match((await carol('PATCH', path, { name: 'ours' })).body, { name: 'ours', metadata: { owner: 'alice' } });
  t.match(
    await until(
      () => carol('GET', path),
      ({ body }) => body['state'] === 'firing',
    ),
    { body: { last_value: 1 } },
    'it sees what the user sees who changed it last',
  );
});

t.test('calls of an alert show to those who see the alert and may search experiments', async (t) => {
  // A name that nobody can register, so that each attempt fails.
  const { body: alert } = await alice('POST', '/api/v1/alerts', {
    ...CONDITION,
    name: 'calls',
    webhook: { url: 'https://alerts.invalid/hook' },
  });
  t.equal((await alice('POST', `/api/v1/alerts/${String(alert['id'])}/test`, { send_webhook: true })).status, 200);
  const listed = async (send: Send): Promise<unknown> => {
    const { body } = await send('GET', '/webhooks/deliveries?source=alerts');
    return (body as { deliveries?: { alert_name: string }[] }).deliveries?.map(({ alert_name: name }) => name);
  };
  t.strictSame(await listed(alice), ['calls']);
  t.strictSame(await listed(carol), ['calls'], 'who sees everything');
  t.strictSame(await listed(bob), []);

  const dataFolder = temporaryFolder(t);
  const keyed = await testServer(t, { dataFolder, config: configWith(t, 'echo') });
  const { text } = createKey(dataFolder, { name: 'threads only', scopes: ['threads:search'] }, Date.now());
  const narrow = sender(keyed.url, { 'x-api-key': text });
  t.equal((await narrow('GET', '/webhooks/deliveries')).status, 200);
  t.equal((await narrow('GET', '/webhooks/deliveries?source=alerts')).status, 403);
});

t.test('nobody watches a project, or sees an alert on it, without seeing the project', async (t) => {
  const { body: project } = await alice('POST', '/api/v1/sessions', { name: 'of alice' });
  const condition = { ...CONDITION, project_id: project['id'] };
  const body = { ...condition, name: 'on the project' };
  t.equal((await bob('POST', '/api/v1/alerts', body)).status, 404);
  t.equal((await bob('POST', '/api/v1/alerts/test', condition)).status, 404);
  const { body: ofBob } = await bob('POST', '/api/v1/alerts', { ...CONDITION, name: 'of bob' });
  t.equal((await bob('PATCH', `/api/v1/alerts/${String(ofBob['id'])}`, { project_id: project['id'] })).status, 404);
  t.match((await bob('GET', '/api/v1/alerts')).body, [{ id: ofBob['id'], project_id: null }]);
  const { body: shared } = await carol('POST', '/api/v1/alerts', { ...body, metadata: { owner: 'bob' } });
  t.equal((await bob('GET', `/api/v1/alerts/${String(shared['id'])}`)).status, 404);
  t.equal((await carol('GET', `/api/v1/alerts/${String(shared['id'])}`)).status, 200);
});

t.test('the alert of a revoked key is not checked any more, and says so', async (t) => {
  const dataFolder = temporaryFolder(t);
  const clock = new FakeClock('2026-03-01T12:00:00Z');
  const [admin, other] = ['admin', 'ci'].map((name) => createKey(dataFolder, { name }, clock.nowMs()));
  const keyed = await testServer(t, { dataFolder, clock, config: configWith(t, 'echo') });
  const asAdmin = sender(keyed.url, { 'x-api-key': admin!.text });
  const asOther = sender(keyed.url, { 'x-api-key': other!.text });
  const { body: alert } = await asOther('POST', '/api/v1/alerts', { ...CONDITION, name: 'of a key' });
  const path = `/api/v1/alerts/${String(alert['id'])}`;
  const stateOf = (state: string): Promise<Answer> =>
    until(
      () => asAdmin('GET', path),
      ({ body }) => body['state'] === state,
    );
  await stateOf('ok');
  t.equal((await asAdmin('DELETE', `/server/keys/${other!.key.keyId}`)).status, 200);
  clock.pass(60_000);
  t.match(await stateOf('error'), {
    body: { error: 'The API key with which it was changed last has expired or was revoked.' },
  });
  await asAdmin('PATCH', path, { name: 'of the admin' });
  t.match(await stateOf('ok'), { body: { name: 'of the admin', error: null } });
});
