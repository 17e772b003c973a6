import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfig, readProject } from '../../src/config/config.js';
import { decideRole, lacksClaims, personOf, type SignInRules } from '../../src/domain/sign-in.js';
import { returnPath } from '../../src/services/access/return-path.js';
import { temporaryFolder } from '../helpers/server.js';
import { signInConfig } from '../helpers/sign-in.js';

const OIDC = { issuer: 'https://login.example.com', client_id: 'threadmill', roles: { default: 'viewer' } };
const RULES: SignInRules = {
  roleClaim: 'groups',
  roleValues: { admin: ['platform'] },
  defaultRole: null,
  allowedDomains: null,
};

t.test('names the place of a wrong setting', (t) => {
  const file = join(temporaryFolder(t), 'langgraph.json');
  const refused = (auth: object, message: string | RegExp): void => {
    writeFileSync(file, JSON.stringify({ graphs: { chat: './chat.ts' }, auth }));
    t.throws(() => readProject(file), { code: 'CONFIG_INVALID', message });
  };
  const oidc = (more: object, message: string | RegExp): void => refused({ oidc: { ...OIDC, ...more } }, message);
  refused({ oidc: true }, 'auth.oidc: must be an object');
  refused({ oidc: OIDC, cache: { cache_keys: ['a'] } }, 'auth.cache: needs auth.path');
  refused({ oidc: OIDC, path: '' }, 'auth.path: must be');
  refused({ oidc: null }, 'auth.path: must be');
  oidc({ issuer: 'login.example.com' }, 'auth.oidc.issuer: must be the URL');
  oidc({ issuer: 'http://login.example.com' }, 'auth.oidc.issuer: must begin with https:');
  oidc({ issuer: 'https://ada:secret@login.example.com' }, 'auth.oidc.issuer: must not have');
  oidc({ issuer: 'https://login.example.com/.well-known/openid-configuration' }, 'without "/.well-known/');
  oidc({ client_id: undefined }, 'auth.oidc.client_id: must be a text');
  oidc({ client_secret: 'x' }, 'auth.oidc.client_secret: is unknown');
  oidc({ name: '' }, 'auth.oidc.name');
  oidc({ scopes: 'openid' }, 'auth.oidc.scopes: must be a list');
  oidc({ scopes: ['openid email'] }, 'auth.oidc.scopes: must be a list with one scope in each');
  oidc({ session_hours: 0 }, 'auth.oidc.session_hours');
  oidc({ session_hours: '12' }, 'auth.oidc.session_hours');
  oidc({ allowed_domains: [] }, 'auth.oidc.allowed_domains: must be a list');
  oidc({ allowed_domains: ['@example.com'] }, '"@example.com" is not a domain');
  oidc({ roles: undefined }, 'auth.oidc.roles: gives nobody a role');
  oidc({ roles: [] }, 'auth.oidc.roles: must be an object');
  oidc({ roles: { default: 'root' } }, 'auth.oidc.roles.default: must be viewer, reviewer, operator, admin or null');
  oidc({ roles: { admin: ['a'] } }, 'auth.oidc.roles.claim: is missing');
  oidc({ roles: { claim: 'groups', admin: 'a' } }, 'auth.oidc.roles.admin: must be a list');
  oidc({ roles: { claim: 'groups', administrator: ['a'] } }, 'auth.oidc.roles.administrator: is unknown');
  oidc({ issuer: 'https://accounts.google.com' }, 'auth.oidc.allowed_domains: is missing');
  t.end();
});

t.test('needs the client secret, and https where others reach the server', (t) => {
  const config = signInConfig(t, { oidc: OIDC });
  const read = (env: NodeJS.ProcessEnv, host = '127.0.0.1'): unknown =>
    readConfig({ config, host, data: temporaryFolder(t) }, env).oidcSecret;
  const secret = { THREADMILL_OIDC_CLIENT_SECRET: 's3cret' };
  t.equal(read(secret), 's3cret');
  t.throws(() => read({}), { message: /THREADMILL_OIDC_CLIENT_SECRET.*is missing/ });
  t.throws(() => read({ THREADMILL_OIDC_CLIENT_SECRET: '' }), { message: 'is missing' });
  t.throws(() => read(secret, '0.0.0.0'), { message: /LANGGRAPH_API_URL.*is missing/ });
  t.throws(() => read({ ...secret, LANGGRAPH_API_URL: 'http://agents.example.com' }), {
    message: 'must begin with https:',
  });
  t.equal(read({ ...secret, LANGGRAPH_API_URL: 'https://agents.example.com' }, '0.0.0.0'), 's3cret');
  t.equal(read({ ...secret, LANGGRAPH_API_URL: 'http://localhost:8123' }), 's3cret');
  t.end();
});

t.test('reads people from claims, and never from more than it understands', (t) => {
  t.match(personOf({ sub: '1', name: '  ', preferred_username: 'ada' }, null), {
    name: 'ada',
    email: null,
    groups: [],
  });
  t.match(personOf({ sub: '1' }, null), { name: '1', emailVerified: false });
  t.equal(personOf({ sub: '1', email_verified: 'true' }, null).emailVerified, false);
  t.equal(personOf({ sub: '1', name: 'x'.repeat(5_000) }, null).name.length, 200);
  t.same(personOf({ sub: '1', realm_access: { roles: ['a', 1] } }, 'realm_access.roles').groups, ['a']);
  t.same(personOf({ sub: '1', 'https://example.com/roles': 'a' }, 'https://example.com/roles').groups, ['a']);
  t.same(personOf({ sub: '1' }, '__proto__.constructor').groups, []);
  const person = personOf({ sub: '1', groups: ['platform'] }, 'groups');
  t.equal(decideRole(person, RULES), 'admin');
  t.equal(decideRole({ ...person, groups: ['Platform'] }, RULES), 'role', 'names of groups are exact');
  const byEmail = { ...RULES, roleClaim: 'email', roleValues: { admin: ['ada@example.com'] } };
  const ada = { sub: '1', email: 'ada@example.com' };
  t.equal(decideRole(personOf(ada, 'email'), byEmail), 'role', 'an address that nobody has checked');
  t.equal(decideRole(personOf({ ...ada, email_verified: true }, 'email'), byEmail), 'admin');
  t.ok(lacksClaims({ sub: '1', name: 'Ada' }, RULES));
  t.notOk(lacksClaims({ sub: '1', name: 'Ada', groups: [] }, RULES));
  t.ok(lacksClaims({ sub: '1', groups: [], email: 'a@b.c' }, { ...RULES, allowedDomains: ['b.c'] }));
  t.end();
});

t.test('returns to paths of the console alone', (t) => {
  t.equal(returnPath('/threads/1?status=idle#runs'), 'threads/1?status=idle#runs');
  t.equal(returnPath('/'), '');
  t.equal(returnPath('//evil.example/x'), '/evil.example/x', 'below the console');
  for (const path of [
    null,
    '',
    'threads',
    'https://evil.example',
    '/\\evil',
    '/a\nb',
    '/ö',
    '/../x',
    '/%2E%2e/x',
    '/a/../../x',
  ])
    t.equal(returnPath(path), '', String(path));
  t.equal(returnPath(`/${'a'.repeat(1_000)}`), '', 'too long');
  t.end();
});
