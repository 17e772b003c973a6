import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { identityProvider } from '../helpers/identity-provider.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CookieJar, oidcFor, signInConfig, signInServer } from '../helpers/sign-in.js';

interface Entry {
  entry_id: string;
  at: string;
  actor: { kind: string; id: string; name: string };
  action: string;
  request: string;
  record: string | null;
  status: number | null;
  reason: string | null;
  address: string;
  forwarded_for: string | null;
}

interface Page {
  entries: Entry[];
  next: string | null;
}

const dataFolder = temporaryFolder(t);
const { text: admin, key: adminKey } = createKey(dataFolder, { name: 'admin' });
const { text: reader } = createKey(dataFolder, { name: 'reader', scopes: ['read'] });
const server = await testServer(t, { dataFolder, config: configWith(t, 'chat') });

const JSON_TYPE = { 'content-type': 'application/json' };
const audit = async (at: TestServer, query = '', key = admin): Promise<Page> =>
  (await (await at.get(`/server/audit${query}`, { headers: { 'x-api-key': key } })).json()) as Page;
const send = async (
  method: string,
  path: string,
  body?: object,
  more: object = {},
): Promise<Record<string, string>> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'x-api-key': admin, ...(body === undefined ? {} : JSON_TYPE), ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
};

t.test('says who changed what, from where, and with which result', async (t) => {
  const made = await send('POST', '/server/keys', { name: 'board', scopes: ['read'] });
  await send('DELETE', `/server/keys/${made['key_id']!}`, undefined, { 'x-forwarded-for': '203.0.113.7' });
  await send('DELETE', '/server/keys/unknown');
  const assistant = await send('POST', '/assistants', { graph_id: 'chat', name: 'Secret plans' });
  await send('PATCH', `/assistants/${assistant['assistant_id']!}`, { name: 'Other' });
  await send('DELETE', `/assistants/${assistant['assistant_id']!}`);
  const thread = await send('POST', '/threads', {});
  await send('POST', '/threads/search', {});
  await send('DELETE', `/threads/${thread['thread_id']!}`);
  const dataset = await send('POST', '/datasets', { name: 'questions' });
  await send('DELETE', `/datasets/${dataset['id']!}`);
  await (await fetch(`${server.url}/backup`, { headers: { 'x-api-key': admin } })).arrayBuffer();

  // The end of a download is written after the response.
  let { entries, next } = await audit(server);
  while (entries[0]!.status === null) ({ entries, next } = await audit(server));
  t.equal(next, null);
  const actor = { kind: 'key', id: adminKey.keyId, name: 'admin' };
  const rows = entries.toReversed();
  t.same(
    rows.map(({ request, record, status }) => [request, record, status]),
    [
      ['POST /server/keys', made['key_id'], 200],
      ['DELETE /server/keys/{key}', made['key_id'], 200],
      ['DELETE /server/keys/{key}', 'unknown', 404],
      ['POST /assistants', assistant['assistant_id'], 200],
      ['PATCH /assistants/{assistant_id}', assistant['assistant_id'], 200],
      ['DELETE /assistants/{assistant_id}', assistant['assistant_id'], 200],
      ['DELETE /threads/{thread_id}', thread['thread_id'], 200],
      ['DELETE /datasets/{dataset_id}', dataset['id'], 200],
      ['GET /backup', null, 200],
    ],
    'threads that are made or found are not in it',
  );
  for (const row of rows) {
    t.same(row.actor, actor);
    t.equal(row.address, '127.0.0.1');
  }
  t.equal(rows[1]!.forwarded_for, '203.0.113.7');
  t.notMatch(JSON.stringify(entries), 'Secret plans', 'no content');
  t.notMatch(JSON.stringify(entries), made['key'] ?? '', 'no secret');
});

t.test('filters and pages', async (t) => {
  const { entries } = await audit(server);
  const requests = async (query: string): Promise<string[]> =>
    (await audit(server, query)).entries.map(({ request }) => request);
  t.same(await requests('?action=server:backup'), ['GET /backup']);
  t.equal((await requests('?action=assistants')).length, 3);
  t.same(await requests('?failed=true'), ['DELETE /server/keys/{key}']);
  t.equal((await requests('?actor=admin')).length, entries.length);
  t.same(await requests('?actor=nobody'), []);
  t.same(await requests('?record=unknown'), ['DELETE /server/keys/{key}']);
  t.same(await requests(`?since=${new Date(Date.now() + 60_000).toISOString()}`), []);
  t.same(await requests(`?until=${entries.at(-1)!.at}`), []);
  const first = await audit(server, '?limit=4');
  const second = await audit(server, `?limit=100&after=${first.next!}`);
  t.same([...first.entries, ...second.entries], entries);
  for (const query of ['?limit=0', '?limit=1001', '?since=yesterday', '?after=x', '?failed=maybe'])
    t.equal((await server.get(`/server/audit${query}`, { headers: { 'x-api-key': admin } })).status, 422, query);
  t.equal((await server.get('/server/audit', { headers: { 'x-api-key': reader } })).status, 403, 'admins only');
  t.equal((await server.get('/server/audit')).status, 401);
});

t.test('has sign-ins and failed ones, and keeps a limited number across restarts', async (t) => {
  const provider = await identityProvider(t);
  const oidc = oidcFor(provider, { roles: { claim: 'groups', admin: ['platform'] } });
  const config = signInConfig(t, { oidc }, { audit: { keep_entries: 70 } });
  const folder = temporaryFolder(t);
  const first = await signInServer(t, provider, { config, dataFolder: folder });
  const jar = new CookieJar();
  provider.person = { sub: 'eve-1', name: 'Eve' };
  await jar.signIn(first);
  for (let at = 0; at < 80; at += 1) await new CookieJar().finish(`${first.url}/server/sign-in/callback?code=x`);
  provider.person = { sub: 'ada-1', name: 'Ada', groups: ['platform'] };
  await jar.signIn(first);
  const read = async (at: TestServer): Promise<Entry[]> =>
    ((await (await jar.fromConsole(at, '/server/audit')).json()) as Page).entries;
  const [newest, ...others] = await read(first);
  t.match(newest, {
    action: 'sign-in',
    status: 200,
    reason: null,
    actor: { kind: 'person', id: 'ada-1', name: 'Ada' },
  });
  t.equal(others.length, 60, 'anonymous failures are limited, so they displace nothing');
  t.match(others[0], { status: 403, reason: 'expired', actor: { kind: 'anyone' }, address: '127.0.0.1' });
  t.match(others.at(-1), { status: 403, reason: 'role', actor: { kind: 'person', id: 'eve-1' } });
  for (let at = 0; at < 12; at += 1) await jar.fromConsole(first, '/server/keys/unknown', 'DELETE');
  t.equal((await read(first)).length, 70);
  await first.close();
  const second = await signInServer(t, provider, { config, dataFolder: folder });
  const kept = await read(second);
  t.equal(kept.length, 70);
  t.match(kept[0], { actor: { kind: 'person', id: 'ada-1' }, record: 'unknown', status: 404 });
});

t.test('has sign-outs, with the session that ended', async (t) => {
  const provider = await identityProvider(t);
  const server = await signInServer(t, provider);
  const ada = new CookieJar();
  provider.person = { sub: 'ada-1', name: 'Ada' };
  await ada.signIn(server);
  const whoIs = await ada.fromConsole(server, '/server/session');
  const { caller } = (await whoIs.json()) as { caller: { session_id: string } };
  const signOut = (): Promise<Response> => ada.fromConsole(server, '/server/sign-out', 'POST');
  t.equal((await signOut()).status, 204);
  t.equal((await signOut()).status, 204, 'a browser without a session');
  const admin = new CookieJar();
  provider.person = { sub: 'grace-1', name: 'Grace', groups: ['platform'] };
  await admin.signIn(server);
  const page = (await (await admin.fromConsole(server, '/server/audit?action=sign-out')).json()) as Page;
  t.match(page.entries, [
    {
      actor: { kind: 'person', id: 'ada-1', name: 'Ada' },
      action: 'sign-out',
      request: 'POST /server/sign-out',
      record: caller.session_id,
      status: 204,
      reason: null,
      address: '127.0.0.1',
    },
  ]);
  t.equal(page.entries.length, 1, 'nothing was ended the second time');
});
