import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@langchain/langgraph-sdk';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import t, { type Test } from 'tap';
import { ROOT, testServer, type TestServer } from '../helpers/server.js';

const run = promisify(execFile);
const SECRET = 'a secret that only this test knows';
const TOKENS = { ada: 'token-of-ada', bob: 'token-of-bob' };

// Handlers read it in a thread that takes over the environment of this process.
process.env['JWT_SECRET'] = SECRET;
process.env['AUTH_TOKENS'] = Object.entries(TOKENS)
  .map(([name, token]) => `${name}=${createHash('sha256').update(token).digest('hex')}`)
  .join(',');

const configOf = (example: string): string => join(ROOT, 'examples', example, 'langgraph.json');

function clientOf(server: TestServer, token: string): Client {
  return new Client({
    apiUrl: server.url,
    apiKey: null,
    defaultHeaders: { authorization: `Bearer ${token}` },
    callerOptions: { maxRetries: 0 },
  });
}

function tokenOf(claims: JWTPayload, { secret = SECRET, alg = 'HS256' } = {}): Promise<string> {
  return new SignJWT({ aud: 'threadmill', exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret));
}

async function refused(
  t: Test,
  server: TestServer,
  headers: Record<string, string>,
  detail: string,
  what: string,
): Promise<void> {
  const answer = await server.post(
    '/threads/search',
    {},
    { headers: { 'content-type': 'application/json', ...headers } },
  );
  t.equal(answer.status, 401, what);
  t.equal(answer.headers.get('www-authenticate'), 'Bearer', what);
  t.strictSame(await answer.json(), { detail }, what);
}

/** Text of the last message. */
const lastOf = (values: unknown): string => (values as { messages: { content: string }[] }).messages.at(-1)!.content;
const hello = { messages: [{ role: 'user', content: 'hello' }] };

/** Of two users, each has their own threads, whatever a client says of the owner. */
async function ownThreadsOnly(t: Test, ada: Client, bob: Client, graphId: string): Promise<void> {
  const thread = await ada.threads.create({ metadata: { owner: 'bob', topic: 'lunch' } });
  t.match(thread.metadata, { owner: 'ada', topic: 'lunch' });
  t.match(
    (await ada.threads.update(thread.thread_id, { metadata: { owner: 'bob' } })).metadata,
    { owner: 'ada' },
    'it cannot be given away',
  );
  const madeByRun = '01a20000-0000-7000-8000-000000000001';
  await ada.runs.wait(madeByRun, graphId, { input: hello, ifNotExists: 'create' });
  for (const id of [thread.thread_id, madeByRun]) {
    await t.rejects(bob.threads.get(id), { message: /HTTP 404/ });
    await t.rejects(bob.runs.wait(id, graphId, { input: hello }), { message: /HTTP 404/ });
    await t.rejects(bob.threads.delete(id), { message: /HTTP 404/ });
  }
  t.strictSame(await bob.threads.search(), []);
  t.strictSame(
    (await ada.threads.search()).map(({ thread_id: id }) => id).toSorted(),
    [thread.thread_id, madeByRun].toSorted(),
  );
  await ada.store.putItem(['notes'], 'one', { owner: 'bob', text: 'lunch' });
  t.match(await ada.store.getItem(['notes'], 'one'), { value: { text: 'lunch' } });
  t.equal(await bob.store.getItem(['notes'], 'one'), null);
  t.strictSame((await bob.store.searchItems([])).items, []);
  t.strictSame(
    (await bob.assistants.search()).map(({ graph_id: id }) => id),
    [graphId],
    "configured graphs are everyone's",
  );
}

t.test('auth-jwt: refuses an invalid token with the reason', async (t) => {
  const server = await testServer(t, { config: configOf('auth-jwt') });
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  await refused(t, server, {}, 'Send a token: Authorization: Bearer <token>.', 'nothing');
  await refused(
    t,
    server,
    { 'x-api-key': await tokenOf({ sub: 'ada' }) },
    'Send a token: Authorization: Bearer <token>.',
    'another header',
  );
  await refused(
    t,
    server,
    bearer(await tokenOf({ sub: 'ada', exp: 1_000_000_000 })),
    'The token has expired.',
    'expired',
  );

  const signed = await tokenOf({ sub: 'ada' });
  const [head, , signature] = signed.split('.');
  const claims = Buffer.from(JSON.stringify({ aud: 'threadmill', exp: 4_000_000_000, sub: 'bob' })).toString(
    'base64url',
  );
  const invalid: [what: string, token: string][] = [
    [
      'signed with another secret',
      await tokenOf({ sub: 'ada' }, { secret: 'a secret of someone else, as long as ours' }),
    ],
    ['alg none', new UnsecuredJWT({ sub: 'ada', aud: 'threadmill', exp: 4_000_000_000 }).encode()],
    ['another algorithm with the same secret', await tokenOf({ sub: 'ada' }, { alg: 'HS512' })],
    ['claims of another', `${head}.${claims}.${signature}`],
    ['without a signature', `${head}.${claims}.`],
    ['for another audience', await tokenOf({ sub: 'ada', aud: 'somewhere-else' })],
    ['without an end', await tokenOf({ sub: 'ada', exp: undefined })],
    ['not valid yet', await tokenOf({ sub: 'ada', nbf: 3_900_000_000 })],
    ['of nobody', await tokenOf({})],
    ['no token at all', 'hello'],
  ];
  for (const [what, token] of invalid) await refused(t, server, bearer(token), 'The token is not valid.', what);
  t.strictSame(
    await clientOf(server, signed).threads.search(),
    [],
    'the token that the others were made from is valid',
  );
});

t.test('auth-jwt: separates the threads of users and passes the user to the graph', async (t) => {
  const server = await testServer(t, { config: configOf('auth-jwt') });
  const [ada, bob] = (await Promise.all(
    ['ada', 'bob'].map(async (sub) => clientOf(server, await tokenOf({ sub }))),
  )) as [Client, Client];
  await ownThreadsOnly(t, ada, bob, 'greeter');
  const named = clientOf(server, await tokenOf({ sub: 'ada', name: 'Ada Lovelace', scope: 'read write' }));
  t.equal(
    lastOf(await named.runs.wait(null, 'greeter', { input: hello })),
    'Hello Ada Lovelace. You may: read, write.',
  );
  t.equal(
    lastOf(
      await bob.runs.wait(null, 'greeter', {
        input: hello,
        config: { configurable: { graph_auth_user: { display_name: 'Ada' } } },
      }),
    ),
    'Hello bob. You may: nothing in particular.',
  );
});

t.test('auth-tokens: refuses an invalid token', async (t) => {
  const server = await testServer(t, { config: configOf('auth-tokens') });
  const hash = createHash('sha256').update(TOKENS.ada).digest('hex');
  for (const authorization of [
    '',
    'Bearer',
    'Bearer nobody',
    `Bearer ${hash}`,
    `Bearer ${TOKENS.ada}x`,
    TOKENS.ada,
    `Basic ${TOKENS.ada}`,
  ]) {
    await refused(t, server, { authorization }, "This token is nobody's.", authorization);
  }
});

t.test('auth-tokens: separates the threads of users and lets the graph act for the user', async (t) => {
  const server = await testServer(t, { config: configOf('auth-tokens') });
  const [ada, bob] = [TOKENS.ada, TOKENS.bob].map((token) => clientOf(server, token)) as [Client, Client];
  await ownThreadsOnly(t, ada, bob, 'mail');
  const thread = await ada.threads.create();
  t.equal(
    lastOf(await ada.runs.wait(thread.thread_id, 'mail', { input: hello })),
    'Mails to ada: Lunch on Friday?, Your invoice',
  );
  t.equal(
    lastOf(
      await bob.runs.wait(null, 'mail', {
        input: hello,
        config: { configurable: { graph_auth_user: { identity: 'ada', mail_secret: 'mail/ada' } } },
      }),
    ),
    'Mails to bob: none',
  );
  const seen = await Promise.all([
    ada.threads.get(thread.thread_id),
    ada.threads.getHistory(thread.thread_id),
    ada.runs.list(thread.thread_id),
  ]);
  t.notMatch(
    JSON.stringify(seen),
    /key-of-|mail\/ada/,
    'neither the secret nor the user is stored in what can be read',
  );
});

t.test("runs the commands of the examples' pages", async (t) => {
  for (const example of ['auth-jwt', 'auth-tokens']) {
    const page = readFileSync(join(ROOT, 'examples', example, 'README.md'), 'utf8');
    const scripts = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
    t.equal(scripts.length, 2, 'what starts the server, and what asks it');
    const start = `make run CONFIG=examples/${example}/langgraph.json &\n`;
    t.ok(scripts[0]!.endsWith(start), example);
    // The variables of the first block are the server's and the second block's.
    const names = ['JWT_SECRET', 'AUTH_TOKENS', 'ADA', 'BOB'];
    const { stdout: told } = await run('sh', [
      '-c',
      `${scripts[0]!.slice(0, -start.length)}${names.map((name) => `printf '%s\\n' "$${name}"`).join('; ')}`,
    ]);
    const values = told.split('\n');
    const env = { ...process.env, ...Object.fromEntries(names.map((name, at) => [name, values[at]!])) };
    const before = { ...process.env };
    Object.assign(process.env, env);
    const server = await testServer(t, { config: configOf(example) });
    Object.assign(process.env, before);
    const { stdout } = await run(
      'sh',
      ['-c', `set -e\n${scripts[1]!.replaceAll('http://127.0.0.1:8123', server.url)}`],
      { cwd: ROOT, env },
    );
    const [, answer] = /(?:is|with) `((?:Hello|Mails)[^`]*)`/.exec(page)!;
    t.ok(stdout.includes(answer!), `${example}: ${stdout}`);
    if (example === 'auth-tokens') t.ok(stdout.endsWith('[]'), stdout);
    const [, detail] = /`(\{"detail":[^`]*\})`/.exec(page) ?? [];
    if (detail !== undefined)
      t.equal(await (await server.post('/runs/wait', { assistant_id: 'greeter' })).text(), detail);
  }
});

t.test('docs/auth.md shows the code of the examples unchanged', (t) => {
  const page = readFileSync(join(ROOT, 'docs', 'auth.md'), 'utf8');
  const files = ['auth-jwt', 'auth-tokens'].flatMap((example) =>
    readdirSync(join(ROOT, 'examples', example)).map((name) =>
      readFileSync(join(ROOT, 'examples', example, name), 'utf8'),
    ),
  );
  const shown = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  t.ok(shown.length >= 2, `${shown.length} pieces of code`);
  for (const code of shown)
    t.ok(
      files.some((file) => file.includes(code)),
      code,
    );
  t.end();
});
