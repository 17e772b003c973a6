import t from 'tap';
import { isSameOrigin } from '../../src/services/access/same-origin.js';
import { readCookie, setCookie, withoutSessionCookies } from '../../src/services/access/session-cookies.js';
import { identityProvider } from '../helpers/identity-provider.js';
import { CookieJar, oidcFor, signInConfig, signInServer } from '../helpers/sign-in.js';
import { TestSocket } from '../helpers/sockets.js';

const OWN = 'https://agents.example.com';

t.test('a session counts for pages of the own origin only', (t) => {
  const is = (method: string, headers: Record<string, string>): boolean => isSameOrigin(method, headers, OWN);
  t.ok(is('post', { origin: OWN }));
  t.ok(is('POST', { 'sec-fetch-site': 'same-origin' }));
  t.ok(is('get', { 'sec-fetch-site': 'none' }), 'the address bar');
  t.ok(is('get', {}), 'an old browser that reads');
  for (const origin of [
    'https://evil.example',
    'http://agents.example.com',
    `${OWN}:8443`,
    `${OWN}.evil.example`,
    'null',
  ])
    for (const method of ['get', 'post'])
      t.notOk(is(method, { origin, 'sec-fetch-site': 'same-origin' }), `${method} of ${origin}`);
  for (const site of ['cross-site', 'same-site'])
    for (const method of ['get', 'delete']) t.notOk(is(method, { 'sec-fetch-site': site }), `${method} ${site}`);
  t.notOk(is('post', {}), 'no proof');
  t.notOk(is('patch', { 'sec-fetch-site': 'none' }));
  t.end();
});

t.test('cookies', (t) => {
  const secure = setCookie('session', 'tms_1', { secure: true, lifetimeMs: 5_000 });
  t.equal(secure, '__Host-threadmill-session=tms_1; Path=/; Max-Age=5; HttpOnly; SameSite=Lax; Secure');
  t.equal(readCookie('a=1; __Host-threadmill-session=tms_1', 'session', true), 'tms_1');
  t.equal(readCookie('threadmill-session=tms_1', 'session', true), null, 'a page of plain http may have set it');
  t.equal(readCookie('threadmill-session=1; threadmill-session=2', 'session', false), null);
  t.equal(readCookie('threadmill-session=', 'session', false), null);
  t.equal(readCookie(undefined, 'session', false), null);
  t.equal(withoutSessionCookies('a=1; __Host-threadmill-session=x; threadmill-sign-in=y; b=2'), 'a=1; b=2');
  t.equal(withoutSessionCookies('threadmill-session=x'), undefined);
  t.end();
});

t.test('pages of other origins cannot use a session, even if http.cors allows them', async (t) => {
  const provider = await identityProvider(t);
  const evil = 'https://evil.example';
  const http = { cors: { allow_origins: [evil], allow_credentials: true } };
  const config = signInConfig(t, { oidc: oidcFor(provider) }, { http });
  const server = await signInServer(t, provider, { config });
  provider.person = { sub: 'ada-1', name: 'Ada', groups: ['platform'] };
  const jar = new CookieJar();
  await jar.signIn(server);
  const { url } = server;
  const send = async (method: string, path: string, headers: Record<string, string>): Promise<number> => {
    const body = method === 'POST' ? { body: '{"name":"stolen"}' } : {};
    const response = await jar.send(`${url}${path}`, {
      method,
      headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
      ...body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const own = { origin: url, 'sec-fetch-site': 'same-origin' };
  t.equal(await send('GET', '/server/keys', own), 200);
  t.equal(await send('GET', '/server/keys', { 'sec-fetch-site': 'none' }), 200);
  const others: Record<string, string>[] = [
    { origin: evil, 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of others) {
    for (const [method, path] of [
      ['GET', '/server/keys'],
      ['GET', '/server/session'],
      ['GET', '/backup'],
      ['POST', '/server/keys'],
      ['POST', '/server/sign-out'],
    ] as const)
      t.equal(await send(method, path, headers), 403, `${method} ${path} ${JSON.stringify(headers)}`);
  }
  t.equal(await send('POST', '/server/keys', {}), 403, 'no proof');
  t.equal(await send('GET', '/server/keys', own), 200, 'the session goes on');
  const listed = await jar.send(`${url}/server/keys`, { headers: own });
  t.notMatch(await listed.text(), 'stolen');

  const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
  const made = await jar.fromConsole(server, '/threads', 'POST', {});
  const { thread_id: threadId } = (await made.json()) as { thread_id: string };
  const foreign = new TestSocket(url, threadId, { cookie, origin: evil });
  t.equal((await foreign.closed())[0], 4403, 'a WebSocket of another page');
  const socket = await new TestSocket(url, threadId, { cookie, origin: url }).open();
  t.match(await socket.ask('subscription.subscribe', { channels: ['lifecycle'] }), { type: 'success' });
  const [session] = (await (await jar.fromConsole(server, '/server/sessions')).json()) as { session_id: string }[];
  const path = `/server/sessions/${session!.session_id}`;
  t.equal((await jar.fromConsole(server, path, 'DELETE')).status, 409, 'its own: sign out instead');
  const other = new CookieJar();
  await other.signIn(server);
  const closed = socket.closed();
  await other.fromConsole(server, path, 'DELETE');
  t.equal((await closed)[0], 4401, 'an ended session ends its open connections');
});

t.test('a role limits what comes over a WebSocket', async (t) => {
  const provider = await identityProvider(t);
  const server = await signInServer(t, provider);
  provider.person = { sub: 'ada-1', name: 'Ada', groups: ['ops'] };
  const operator = new CookieJar();
  await operator.signIn(server);
  const made = await operator.fromConsole(server, '/threads', 'POST', {});
  const { thread_id: threadId } = (await made.json()) as { thread_id: string };
  provider.person = { sub: 'eve-1', name: 'Eve' };
  const viewer = new CookieJar();
  await viewer.signIn(server);
  const cookie = [...viewer.cookies].map((pair) => pair.join('=')).join('; ');
  const { url } = server;
  const socket = await new TestSocket(url, threadId, { cookie, origin: url }).open();
  const input = { messages: [{ role: 'user', content: 'hello' }] };
  const answer = await socket.ask('run.start', { assistant_id: 'chat', input });
  t.match(answer, { type: 'error', message: /the role viewer does not include threads:create_run/ });
});
