import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { identityProvider } from '../helpers/identity-provider.js';
import { temporaryFolder } from '../helpers/server.js';
import { CookieJar, oidcFor, signInConfig, signInServer } from '../helpers/sign-in.js';

t.test('behind a proxy with https, cookies are bound to the host, and only its origin counts', async (t) => {
  const provider = await identityProvider(t);
  const config = signInConfig(t, { oidc: oidcFor(provider) }, { http: { mount_prefix: '/agents' } });
  const env = { LANGGRAPH_API_URL: 'https://team.example.com' };
  const server = await signInServer(t, provider, { config, env });
  // With the prefix.
  const { url } = server;
  const { origin: inside } = new URL(url);
  const jar = new CookieJar();
  const first = await jar.send(`${url}/server/sign-in?to=/threads`);
  await first.text();
  const back = await fetch(first.headers.get('location')!, { redirect: 'manual' });
  const callback = back.headers.get('location')!;
  t.ok(callback.startsWith('https://team.example.com/agents/server/sign-in/callback?'), 'the redirect URL is public');
  const last = await jar.send(callback.replace('https://team.example.com', inside));
  await last.text();
  t.equal(last.headers.get('location'), 'https://team.example.com/agents/console/threads');
  const session = jar.received.find((one) => one.startsWith('__Host-threadmill-session=tms_'))!;
  t.match(session, /; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/);
  for (const one of jar.received) t.match(one, /; HttpOnly; SameSite=Lax; Secure$/);
  t.equal(last.headers.get('cache-control'), 'no-store');

  const token = /=([^;]+)/.exec(session)![1]!;
  const search = async (cookie: string, origin: string): Promise<number> => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const response = await fetch(`${url}/threads/search`, { method: 'POST', headers, body: '{}' });
    await response.arrayBuffer();
    return response.status;
  };
  const own = 'https://team.example.com';
  t.equal(await search(`__Host-threadmill-session=${token}`, own), 200);
  t.equal(await search(`threadmill-session=${token}`, own), 401, 'a name without the prefix');
  for (const origin of ['http://team.example.com', 'https://other.example.com', inside])
    t.equal(await search(`__Host-threadmill-session=${token}`, origin), 403, origin);
});

const HANDLER = `
import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth()
  .authenticate((request) => {
    const cookie = request.headers.get('cookie') ?? '';
    if (cookie.includes('threadmill')) throw new HTTPException(418, { message: 'the handler saw the session' });
    if (request.headers.get('authorization') !== 'Bearer user') throw new HTTPException(401, { message: 'who?' });
    return { identity: 'user', permissions: [], cookie };
  })
  .on('*', ({ user }) => ({ owner: user.identity }));
`;

t.test('beside an auth handler, people see all records, and the handler does not see their sessions', async (t) => {
  const provider = await identityProvider(t);
  const file = join(temporaryFolder(t), 'auth.ts');
  writeFileSync(file, HANDLER);
  const config = signInConfig(t, { path: `${file}:auth`, oidc: oidcFor(provider) });
  const server = await signInServer(t, provider, { config });
  provider.person = { sub: 'ada-1', name: 'Ada', groups: ['ops'] };
  const jar = new CookieJar();
  await jar.signIn(server);
  const made = await jar.fromConsole(server, '/threads', 'POST', {});
  t.equal(made.status, 200);
  await made.text();
  t.equal((await jar.fromConsole(server, '/server/queue')).status, 200, 'routes for operators');
  const asUser = (cookie: string): Promise<Response> =>
    server.post(
      '/threads/search',
      {},
      {
        headers: { 'content-type': 'application/json', authorization: 'Bearer user', cookie },
      },
    );
  const found = await asUser(`theme=dark; threadmill-session=${jar.cookies.get('threadmill-session')!}`);
  t.equal(found.status, 200, 'a token counts before the session');
  t.same(await found.json(), [], 'and sees its own records only');
  const unknown = await jar.fromConsole(server, '/server/sign-out', 'POST');
  t.equal(unknown.status, 204);
  t.equal((await jar.fromConsole(server, '/threads/search', 'POST', {})).status, 401, 'then the handler decides');
});
