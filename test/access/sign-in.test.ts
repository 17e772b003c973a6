import { readFileSync } from 'node:fs';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { identityProvider, type Forgery } from '../helpers/identity-provider.js';
import { freePort } from '../helpers/ports.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CookieJar, signInServer } from '../helpers/sign-in.js';

const SESSION = 'threadmill-session';

async function statusOf(response: Promise<Response>): Promise<number> {
  const received = await response;
  await received.arrayBuffer();
  return received.status;
}

interface Who {
  sign_in: { provider: string } | null;
  caller: {
    kind: string;
    name?: string;
    role?: string;
    session_id?: string;
    scopes?: string[];
    not_allowed?: object;
  } | null;
}

const whoIs = async (jar: CookieJar, server: TestServer): Promise<Who> =>
  (await (await jar.fromConsole(server, '/server/session')).json()) as Who;

const ADA = { sub: 'ada-1', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };

// Most tests share these, because a start takes longer than a test.
const provider = await identityProvider(t);
const dataFolder = temporaryFolder(t);
const server = await signInServer(t, provider, { dataFolder });
t.beforeEach(() =>
  Object.assign(provider, { person: ADA, userInfo: {}, forgery: {}, refusal: null, authorizations: [] }),
);

/** Where a failed sign-in leads. */
const failedAt = (reason: string): string => `/console/?sign_in_error=${reason}`;

t.test('a person signs in, works within the role, and signs out', async (t) => {
  const jar = new CookieJar();
  t.same((await whoIs(jar, server)).sign_in, { provider: '127.0.0.1' });
  t.equal((await whoIs(jar, server)).caller, null);
  t.equal(
    await statusOf(jar.fromConsole(server, '/assistants/search', 'POST', {})),
    401,
    'a key or a session is needed',
  );

  t.equal(await jar.signIn(server, '/threads?status=idle'), '/console/threads?status=idle');
  const [asked] = provider.authorizations;
  t.equal(asked!.get('code_challenge_method'), 'S256');
  t.equal(asked!.get('response_type'), 'code');
  t.equal(asked!.get('scope'), 'openid profile email');
  const session = jar.received.find((one) => one.startsWith(`${SESSION}=tms_`))!;
  t.match(
    session,
    /; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    'without Secure, because this is http on loopback',
  );

  const { caller } = await whoIs(jar, server);
  t.match(caller, { kind: 'person', name: 'Ada Lovelace', role: 'viewer', scopes: ['read'] });
  t.match(caller!.not_allowed, { 'threads:create': 'operator', reviews: 'reviewer', 'server:keys': 'admin' });
  t.notOk('threads:read' in caller!.not_allowed!, 'only what is not allowed');
  t.equal(await statusOf(jar.fromConsole(server, '/assistants/search', 'POST', {})), 200);
  const refused = await jar.fromConsole(server, '/threads', 'POST', {});
  t.equal(refused.status, 403);
  t.match(await refused.json(), { detail: 'Not authorized: the role viewer does not include threads:create.' });

  t.equal(await statusOf(jar.fromConsole(server, '/server/sign-out', 'POST')), 204);
  t.equal(jar.cookies.has(SESSION), false);
  const token = /=([^;]+)/.exec(session)![1]!;
  jar.cookies.set(SESSION, token);
  t.equal(await statusOf(jar.fromConsole(server, '/assistants/search', 'POST', {})), 401, 'the token has no session');
});

t.test('groups of the provider give roles, and the highest counts', async (t) => {
  const roleWith = async (groups: unknown): Promise<string | undefined> => {
    provider.person = { sub: 'ada-1', name: 'Ada', groups };
    const jar = new CookieJar();
    await jar.signIn(server);
    return (await whoIs(jar, server)).caller?.role;
  };
  t.equal(await roleWith(['labels', 'ops', 'others']), 'operator');
  t.equal(await roleWith(['labels']), 'reviewer');
  t.equal(await roleWith('platform'), 'admin');
  t.equal(await roleWith([{ name: 'platform' }]), 'viewer');
  provider.person = { sub: 'ada-1', name: 'Ada' };
  provider.userInfo = { groups: ['ops'], sub: 'ada-1' };
  const jar = new CookieJar();
  await jar.signIn(server);
  t.equal((await whoIs(jar, server)).caller?.role, 'operator', 'from the UserInfo endpoint');
  provider.userInfo = { groups: ['platform'], sub: 'somebody else' };
  t.equal(await new CookieJar().signIn(server), failedAt('invalid'), 'UserInfo of another person');
});

t.test('people without a role, and of other domains, are not let in', async (t) => {
  const provider = await identityProvider(t);
  const oidc = { roles: { claim: 'groups', viewer: ['team'] }, allowed_domains: ['example.com'] };
  const server = await signInServer(t, provider, { oidc });
  const endWith = async (person: object): Promise<string> => {
    provider.person = { sub: 'ada-1', name: 'Ada', groups: ['team'], ...person };
    const jar = new CookieJar();
    const end = await jar.signIn(server);
    t.equal(jar.cookies.has(SESSION), end === '/console/');
    return end;
  };
  t.equal(await endWith({ email: 'ada@example.com', email_verified: true }), '/console/');
  t.equal(await endWith({ email: 'ada@EXAMPLE.com', email_verified: true }), '/console/');
  t.equal(await endWith({ email: 'ada@example.com', email_verified: false }), failedAt('domain'));
  t.equal(await endWith({ email: 'ada@example.com' }), failedAt('domain'), 'not verified');
  t.equal(await endWith({ email: 'ada@evil-example.com', email_verified: true }), failedAt('domain'));
  t.equal(await endWith({ email: 'example.com@evil.com', email_verified: true }), failedAt('domain'));
  t.equal(await endWith({}), failedAt('domain'));
  t.equal(await endWith({ email: 'ada@example.com', email_verified: true, groups: ['others'] }), failedAt('role'));
});

t.test('tokens that prove nothing are refused', async (t) => {
  const past = Math.floor(Date.now() / 1_000) - 3_600;
  const forgeries: [what: string, forgery: Forgery][] = [
    ['expired', { claims: { exp: past } }],
    ['wrong nonce', { claims: { nonce: 'of another sign-in' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['wrong issuer', { claims: { iss: 'https://login.example.com' } }],
    ['wrong audience', { claims: { aud: 'another client' } }],
    ['no person', { claims: { sub: undefined } }],
    ['alg: none', { signature: 'none' }],
    ['the key of somebody else', { signature: 'other' }],
  ];
  for (const [what, forgery] of forgeries) {
    provider.forgery = forgery;
    const jar = new CookieJar();
    t.equal(await jar.signIn(server), failedAt('invalid'), what);
    t.equal(jar.cookies.size, 0, what);
  }
  provider.forgery = {};
  provider.refusal = 'access_denied';
  t.equal(await new CookieJar().signIn(server), failedAt('cancelled'));
  provider.refusal = 'server_error';
  t.equal(await new CookieJar().signIn(server), failedAt('invalid'));
  provider.refusal = null;
  t.equal(await new CookieJar().signIn(server), '/console/', 'and a right one is not');
});

t.test('a sign-in counts once, and only in the browser that began it', async (t) => {
  const jar = new CookieJar();
  const url = await jar.callbackUrl(server);
  const pending = jar.cookies.get('threadmill-sign-in')!;
  t.notMatch(pending, provider.authorizations[0]!.get('nonce')!, 'the browser cannot read it');

  const expired = failedAt('expired');
  t.equal(await new CookieJar().finish(url), expired, 'a browser without its cookie: no login as somebody else');
  const attacker = new CookieJar();
  await attacker.callbackUrl(server);
  t.equal(await attacker.finish(url), expired, 'a browser with another cookie');
  const forged = new CookieJar();
  forged.cookies.set('threadmill-sign-in', `${pending.slice(0, -2)}AA`);
  t.equal(await forged.finish(url), expired, 'a changed cookie');
  const otherState = new CookieJar();
  otherState.cookies.set('threadmill-sign-in', pending);
  t.equal(await otherState.finish(url.replace(/state=[^&]+/, 'state=x')), expired, 'another state');

  t.equal(await jar.finish(url), '/console/');
  const again = new CookieJar();
  again.cookies.set('threadmill-sign-in', pending);
  t.equal(await again.finish(url), expired, 'a second time, with the cookie');
});

t.test('a sign-in gives a new session and ends the one before', async (t) => {
  const attacker = new CookieJar();
  await attacker.signIn(server);
  const victim = new CookieJar();
  victim.cookies.set(SESSION, attacker.cookies.get(SESSION)!);
  provider.person = { sub: 'grace-1', name: 'Grace' };
  await victim.signIn(server);
  t.not(victim.cookies.get(SESSION), attacker.cookies.get(SESSION), 'no fixed session');
  t.equal((await whoIs(victim, server)).caller?.name, 'Grace');
  t.equal((await whoIs(attacker, server)).caller, null);
  const twice = new CookieJar();
  twice.cookies.set(SESSION, victim.cookies.get(SESSION)!);
  const both = `${SESSION}=tms_x; ${SESSION}=${victim.cookies.get(SESSION)!}`;
  const response = await fetch(`${server.url}/server/session`, { headers: { cookie: both } });
  t.equal(((await response.json()) as Who).caller, null, 'two cookies of the name count as none');
});

t.test('returns only to pages of the console', async (t) => {
  const home = '/console/';
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', '/../../x', '/%2e%2e/x', 'threads'])
    t.ok((await new CookieJar().signIn(server, to)).startsWith(home), to);
  t.equal(await new CookieJar().signIn(server, '/%2e%2e/docs'), home);
});

t.test('the server starts without its provider, and sign-in works when it is there', async (t) => {
  const port = await freePort();
  const provider = await identityProvider(t, port);
  await provider.close();
  const server = await signInServer(t, provider);
  t.equal((await server.get('/ok')).status, 200);
  const jar = new CookieJar();
  t.equal(await jar.finish(`${server.url}/server/sign-in`), failedAt('unreachable'));
  await identityProvider(t, port);
  t.equal(await new CookieJar().signIn(server), '/console/');
});

t.test('sessions survive a restart, and only their hashes are stored', async (t) => {
  const provider = await identityProvider(t);
  const dataFolder = temporaryFolder(t);
  const first = await signInServer(t, provider, { dataFolder });
  const jar = new CookieJar();
  await jar.signIn(first);
  await first.close();
  if (process.env['THREADMILL_TEST_ENCRYPTION_KEY'] === undefined) {
    const stored = readFileSync(dataFile(dataFolder));
    t.ok(stored.includes('ada-1'));
    t.notOk(stored.includes(jar.cookies.get(SESSION)!.slice(-43)), 'the secret part of the token');
  }
  const second = await signInServer(t, provider, { dataFolder });
  t.equal((await whoIs(jar, second)).caller?.name, 'Ada Lovelace');
  await second.close();
  const changed = await signInServer(t, provider, { dataFolder, oidc: { roles: { default: 'reviewer' } } });
  t.equal((await whoIs(jar, changed)).caller, null, 'other settings end them');
});

t.test('an administrator lists and ends sessions, and a person has a limited number', async (t) => {
  const { text } = createKey(dataFolder, { name: 'admin' });
  provider.person = { ...ADA, sub: 'ada-2' };
  const asKey = { headers: { 'x-api-key': text } };
  const list = async (): Promise<{ session_id: string }[]> => {
    const all = (await (await server.get('/server/sessions', asKey)).json()) as {
      session_id: string;
      subject: string;
    }[];
    return all.filter(({ subject }) => subject === 'ada-2');
  };
  const jar = new CookieJar();
  await jar.signIn(server);
  t.equal(await statusOf(jar.fromConsole(server, '/server/sessions')), 403, 'a viewer does not');
  const [session] = await list();
  t.match(session, { subject: 'ada-2', name: 'Ada Lovelace', email: 'ada@example.com', role: 'viewer' });
  t.notMatch(JSON.stringify(session), 'hash');
  const end = (): Promise<number> =>
    statusOf(fetch(`${server.url}/server/sessions/${session!.session_id}`, { method: 'DELETE', ...asKey }));
  t.equal(await end(), 204);
  t.equal(await end(), 404);
  t.equal((await whoIs(jar, server)).caller, null);

  const first = new CookieJar();
  await first.signIn(server);
  for (let at = 0; at < 20; at += 1) await new CookieJar().signIn(server);
  t.equal((await list()).length, 20);
  t.equal((await whoIs(first, server)).caller, null, 'the oldest has ended');
});

t.test('a key counts before the session, and a session can make keys within its role', async (t) => {
  const { text } = createKey(dataFolder, { name: 'metrics', scopes: ['metrics:read'] });
  const jar = new CookieJar();
  provider.person = { sub: 'ada-1', name: 'Ada', groups: ['platform'] };
  await jar.signIn(server);
  const withKey = (key: string): Promise<Response> =>
    jar.send(`${server.url}/server/keys`, { headers: { 'x-api-key': key, 'sec-fetch-site': 'same-origin' } });
  t.equal(await statusOf(withKey(text)), 403);
  t.equal(await statusOf(withKey('unknown')), 401);
  t.equal(await statusOf(jar.fromConsole(server, '/server/keys')), 200);
  t.equal(await statusOf(jar.fromConsole(server, '/server/keys', 'POST', { name: 'mine' })), 200);
  provider.person = { sub: 'bob-1', name: 'Bob', groups: ['ops'] };
  const operator = new CookieJar();
  await operator.signIn(server);
  t.equal(await statusOf(operator.fromConsole(server, '/threads', 'POST', {})), 200);
  for (const path of ['/server/keys', '/backup', '/server/sessions'])
    t.equal(await statusOf(operator.fromConsole(server, path)), 403, path);
  t.equal(await statusOf(operator.fromConsole(server, '/server/keys', 'POST', { name: 'more' })), 403);
});

t.test('without auth.oidc nobody can sign in', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'chat') });
  t.equal((await server.get('/server/sign-in', { redirect: 'manual' })).status, 404);
  t.same(await (await server.get('/server/session')).json(), { sign_in: null, caller: { kind: 'anyone' } });
});
