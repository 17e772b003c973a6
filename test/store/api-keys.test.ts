import { createHash } from 'node:crypto';
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ApiKeys, createKey, listKeys, revokeKey, type ApiKey } from '../../src/store/access/api-keys.js';
import { allows, isScope } from '../../src/store/access/key-scopes.js';
import { temporaryFolder } from '../helpers/server.js';

interface Opened {
  keys: ApiKeys;
  /** Ids in the order in which their keys ended. */
  ended: string[];
  problems: string[];
  clock: { nowMs: number };
}

function open(t: Test, folder: string, envKeys?: string): Opened {
  const clock = { nowMs: Date.now() };
  const ended: string[] = [];
  const problems: string[] = [];
  const keys = ApiKeys.open(folder, envKeys, { nowMs: () => clock.nowMs, onProblem: (text) => problems.push(text) });
  keys.onEnded((keyIds) => ended.push(...keyIds));
  t.teardown(() => keys.close());
  return { keys, ended, problems, clock };
}

/** The test's own timeout says when it never comes. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition())
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
}

const fileOf = (folder: string, keyId: string, end = 'json'): string => join(folder, 'keys', `${keyId}.${end}`);
const record = (folder: string, keyId: string): Record<string, unknown> =>
  JSON.parse(readFileSync(fileOf(folder, keyId), 'utf8')) as Record<string, unknown>;
const asRoot = process.getuid?.() === 0;

t.test('creates and checks a key, and never stores its text', async (t) => {
  const folder = temporaryFolder(t);
  const { keys, problems } = open(t, folder);
  t.equal(keys.required, false, 'nobody made a key yet');
  t.equal(keys.check('anything'), null);

  const { key, text } = createKey(
    folder,
    { name: 'ci', scopes: ['threads', 'read', 'threads'], expiresAtMs: null },
    1_000,
  );
  t.match(text, /^tm_[0-9a-f]{10}_[\w-]{43}$/);
  t.strictSame(key, {
    keyId: text.slice(3, 13),
    name: 'ci',
    scopes: ['threads', 'read'],
    createdAtMs: 1_000,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
  });
  t.strictSame(record(folder, key.keyId), {
    keyId: key.keyId,
    name: 'ci',
    hash: createHash('sha256').update(text).digest('hex'),
    createdAtMs: 1_000,
    expiresAtMs: null,
    revokedAtMs: null,
    scopes: ['threads', 'read'],
  });

  await until(() => keys.required);
  t.match(keys.check(text), { keyId: key.keyId, name: 'ci', scopes: ['threads', 'read'] });
  t.notOk('hash' in keys.check(text)!, 'the hash stays inside');
  await until(() => existsSync(fileOf(folder, key.keyId, 'used')));

  t.equal(statSync(join(folder, 'keys')).mode & 0o777, 0o700);
  const secret = text.slice(14);
  for (const name of readdirSync(join(folder, 'keys'))) {
    t.equal(statSync(join(folder, 'keys', name)).mode & 0o777, 0o600, name);
    t.notOk(readFileSync(join(folder, 'keys', name)).includes(secret), `${name} does not hold the secret`);
  }
  t.strictSame(problems, []);
});

t.test('accepts only the whole text of a key', (t) => {
  const folder = temporaryFolder(t);
  const one = createKey(folder, { name: 'one' });
  const two = createKey(folder, { name: 'two' });
  const { keys } = open(t, folder);
  t.equal(keys.check(one.text)?.name, 'one');
  const secret = one.text.slice(14);
  const last = one.text.at(-1)!;
  const wrong: Record<string, string> = {
    "the right secret under another key's id": `tm_${two.key.keyId}_${secret}`,
    'the right secret under an unknown id': `tm_0000000000_${secret}`,
    'one character short': one.text.slice(0, -1),
    'one character more': `${one.text}A`,
    'a line end more': `${one.text}\n`,
    'a space before': ` ${one.text}`,
    'another last character': one.text.slice(0, -1) + (last === 'A' ? 'E' : 'A'),
    'another first character': `${one.text.slice(0, 14)}${secret[0] === 'A' ? 'B' : 'A'}${secret.slice(1)}`,
    'other case': one.text.toUpperCase(),
    'the id alone': one.key.keyId,
    'the prefix alone': one.text.slice(0, 14),
    'the secret alone': secret,
    'the hash': String(record(folder, one.key.keyId)['hash']),
    'the hash as a secret': `tm_${one.key.keyId}_${Buffer.from(String(record(folder, one.key.keyId)['hash']), 'hex').toString('base64url')}`,
    padding: `${one.text}=`,
    nothing: '',
    'a way to another file': `tm_../../aaaa_${secret}`,
    'a name that every object has': '__proto__',
    'very much': 'x'.repeat(100_000),
  };
  for (const [what, text] of Object.entries(wrong)) t.equal(keys.check(text), null, what);
  t.end();
});

t.test('expires a key by the clock and reports it', async (t) => {
  const folder = temporaryFolder(t);
  const { keys, ended, clock } = open(t, folder);
  const { key, text } = createKey(folder, { name: 'short', expiresAtMs: clock.nowMs + 60_000 }, clock.nowMs);
  await until(() => keys.check(text) !== null);
  clock.nowMs += 59_999;
  t.ok(keys.check(text), 'the last millisecond counts');
  clock.nowMs += 1;
  t.equal(keys.check(text), null, 'at once, before anything was told');
  await until(() => ended.length > 0);
  t.strictSame(ended, [key.keyId]);
  t.equal(keys.required, true, 'an expired key still closes the server');
});

t.test('ends a revoked key at once, also the last one, without opening the server', async (t) => {
  const folder = temporaryFolder(t);
  const one = createKey(folder, { name: 'one' });
  const two = createKey(folder, { name: 'two' });
  const { keys, ended, problems } = open(t, folder);
  t.ok(keys.check(one.text));
  const revoked = revokeKey(folder, 'one');
  t.type(revoked.revokedAtMs, 'number');
  await until(() => ended.length > 0);
  t.strictSame(ended, [one.key.keyId]);
  t.equal(keys.check(one.text), null);
  t.ok(keys.check(two.text), 'the other key goes on');

  revokeKey(folder, two.key.keyId);
  await until(() => ended.length > 1);
  t.strictSame(ended, [one.key.keyId, two.key.keyId], 'each is told once');
  t.equal(keys.required, true);
  const again = open(t, folder);
  t.equal(again.keys.required, true, 'also after a restart');
  t.equal(again.keys.check(two.text), null);
  t.strictSame(problems, []);
});

t.test('applies changes without file watching too', async (t) => {
  const { watch } = fs;
  t.teardown(() => {
    fs.watch = watch;
    syncBuiltinESMExports();
  });
  const silent = { on: () => silent, close: () => undefined };
  const none = (): never => {
    throw new Error('ENOSPC: no watch is left');
  };
  for (const [instead, told] of [
    [() => silent, []],
    [none, [/^The folder of API keys cannot be watched.*ENOSPC/]],
  ] as const) {
    fs.watch = instead as unknown as typeof watch;
    syncBuiltinESMExports();
    const folder = temporaryFolder(t);
    const { keys, ended, problems } = open(t, folder);
    const { key, text } = createKey(folder, { name: 'ci' });
    await until(() => keys.check(text) !== null);
    revokeKey(folder, 'ci');
    await until(() => ended.length > 0);
    t.strictSame(ended, [key.keyId]);
    t.match(problems, told);
    t.equal(problems.length, told.length);
  }
});

t.test('changes nothing and stays closed when file handles run out', async (t) => {
  const { readdirSync: real } = fs;
  const restore = (): void => {
    fs.readdirSync = real;
    syncBuiltinESMExports();
  };
  t.teardown(restore);
  const folder = temporaryFolder(t);
  const one = createKey(folder, { name: 'one' });
  const running = open(t, folder);
  let asked = 0;
  fs.readdirSync = (() => {
    asked += 1;
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  }) as unknown as typeof real;
  syncBuiltinESMExports();
  const started = open(t, folder);
  t.equal(started.keys.required, true, 'what cannot be read at first counts as keys');
  const before = asked;
  await until(() => asked >= before + 2);
  t.ok(running.keys.check(one.text));
  t.strictSame(running.ended, []);
  restore();
  await until(() => started.keys.check(one.text) !== null);
});

t.test('ends the key of a removed file and stays closed', async (t) => {
  const folder = temporaryFolder(t);
  const { key, text } = createKey(folder, { name: 'gone' });
  const { keys, ended } = open(t, folder);
  t.ok(keys.check(text));
  rmSync(fileOf(folder, key.keyId));
  await until(() => ended.length > 0);
  t.strictSame(ended, [key.keyId]);
  t.equal(keys.check(text), null);
  t.equal(keys.required, true);
});

t.test('watches a folder again that was removed and created again', async (t) => {
  const folder = temporaryFolder(t);
  const first = createKey(folder, { name: 'ci' });
  const { keys, ended } = open(t, folder);
  rmSync(join(folder, 'keys'), { recursive: true });
  await until(() => ended.length === 1);
  t.equal(keys.required, true);
  t.notOk(existsSync(join(folder, 'keys')), 'the server does not make it again');
  const second = createKey(folder, { name: 'ci' });
  await until(() => keys.check(second.text) !== null);
  t.equal(keys.check(first.text), null);
  revokeKey(folder, 'ci');
  await until(() => ended.length === 2);
  t.equal(keys.check(second.text), null);
});

t.test('treats another secret under the same id as another key', async (t) => {
  const folder = temporaryFolder(t);
  const { key, text } = createKey(folder, { name: 'ci' });
  const { keys, ended } = open(t, folder);
  const other = `tm_${key.keyId}_${'A'.repeat(43)}`;
  writeFileSync(
    fileOf(folder, 'new', 'tmp'),
    JSON.stringify({ ...record(folder, key.keyId), hash: createHash('sha256').update(other).digest('hex') }),
  );
  renameSync(fileOf(folder, 'new', 'tmp'), fileOf(folder, key.keyId));
  await until(() => ended.length > 0);
  t.strictSame(ended, [key.keyId]);
  t.equal(keys.check(text), null);
  t.ok(keys.check(other));
});

t.test('stays closed, accepts nobody and reports once when a file is damaged or unreadable', async (t) => {
  const { key, text } = createKey(temporaryFolder(t), { name: 'model' });
  const sound = {
    keyId: key.keyId,
    name: 'model',
    hash: createHash('sha256').update(text).digest('hex'),
    createdAtMs: 1,
    expiresAtMs: null,
    revokedAtMs: null,
    scopes: ['*'],
  };
  const damaged: Record<string, unknown> = {
    'nothing in it': '',
    'half of it': JSON.stringify(sound).slice(0, 80),
    'no JSON': 'hello',
    null: 'null',
    'a list': [sound],
    'no hash': { ...sound, hash: undefined },
    'a short hash': { ...sound, hash: sound.hash.slice(2) },
    'a hash that is a list': { ...sound, hash: [sound.hash] },
    'an expiry that is text': { ...sound, expiresAtMs: '2027-01-01' },
    'no expiry': { ...sound, expiresAtMs: undefined },
    'no word on revocation': { ...sound, revokedAtMs: undefined },
    'scopes that are text': { ...sound, scopes: '*' },
    'another id': { ...sound, keyId: '0123456789' },
    'an id that is a path': { ...sound, keyId: '../../x' },
    'too much': ' '.repeat(100_000) + JSON.stringify(sound),
  };
  for (const [what, content] of Object.entries(damaged)) {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'keys'));
    writeFileSync(fileOf(folder, key.keyId), typeof content === 'string' ? content : JSON.stringify(content));
    const { keys, problems } = open(t, folder);
    t.equal(keys.required, true, what);
    t.equal(keys.check(text), null, what);
    t.equal(problems.length, 1, what);
    t.ok(problems[0]!.includes(`${key.keyId}.json`) && !problems[0]!.includes(sound.hash), problems[0]!);
    await keys.close();
    const listed: string[] = [];
    t.strictSame(
      listKeys(folder, (problem) => listed.push(problem)),
      [],
      what,
    );
    t.equal(listed.length, 1, what);
    t.throws(() => revokeKey(folder, key.keyId), { code: 'STORE_FILE_DAMAGED' }, what);
  }

  const folder = temporaryFolder(t);
  const good = createKey(folder, { name: 'good' });
  const { keys, ended, problems } = open(t, folder);
  t.ok(keys.check(good.text));
  writeFileSync(fileOf(folder, good.key.keyId), '{');
  await until(() => ended.length > 0);
  t.equal(keys.check(good.text), null, 'damage in a running server ends the key');
  t.strictSame(ended, [good.key.keyId]);
  mkdirSync(fileOf(folder, '0123456789'));
  symlinkSync('nowhere', fileOf(folder, '0123456780'));
  createKey(folder, { name: 'next' });
  await until(() => problems.length > 1);
  t.match(
    problems,
    [/it is not JSON/, /0123456789\.json.*it is not a regular file/],
    'each once, however often it is looked at',
  );
});

t.test('stays closed when the folder of keys cannot be read', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'keys'), 'this is a file');
  const { keys, problems } = open(t, folder);
  t.equal(keys.required, true);
  t.equal(keys.check('anything'), null);
  t.match(problems.join('\n'), /cannot be read/);
  t.end();
});

t.test('accepts keys from the environment', async (t) => {
  const folder = temporaryFolder(t);
  const [one, two, three] = ['1'.repeat(20), 'with=equals=signs+and/slashes', 'dG9wIHNlY3JldCBvZiB0aGUgY2k=='];
  const { keys, ended } = open(t, folder, ` ci=${one}, web.2=${two},\n${three}, `);
  t.equal(keys.required, true, 'no file is needed');
  t.matchStrict(keys.check(one), { keyId: 'env:ci', name: 'ci', scopes: ['*'], expiresAtMs: null, revokedAtMs: null });
  t.match(keys.check(two), { keyId: 'env:web.2' });
  t.match(keys.check(three), { keyId: 'env:env-3', name: 'env-3' }, 'equals signs at the end belong to the text');
  for (const text of ['', `ci=${one}`, one.slice(1), `${one}1`, 'ci', 'env:ci']) t.equal(keys.check(text), null, text);

  const { text } = createKey(folder, { name: 'ci' });
  await until(() => keys.check(text) !== null);
  revokeKey(folder, 'ci');
  await until(() => ended.length > 0);
  t.match(keys.check(one), { keyId: 'env:ci' }, 'a file of the same name is another key');
  t.strictSame(
    readdirSync(join(folder, 'keys')).filter((name) => name.includes('env')),
    [],
    'nothing is written of them',
  );
  t.end();
});

t.test('refuses an invalid THREADMILL_API_KEYS without repeating it', (t) => {
  const good = 'g'.repeat(20);
  for (const [value, message] of [
    ['', /contains no key/],
    [' , ,', /contains no key/],
    ['hunter2', /the key must have at least 20 characters/],
    [`ci=${good},other=hunter2hunter2`, /key 2 must have at least 20 characters/],
    ['=hunter2hunter2hunter2hunter2', /the name of the key must be/],
    ['hunter2 hunter2=hunter2hunter2hunter2', /the name of the key must be/],
    ['ci=hunter2 hunter2 hunter2', /the key must be visible ASCII/],
    ['ci=hünter2hünter2hünter2', /the key must be visible ASCII/],
    [`ci=${good},ci=hunter2hunter2hunter2`, /keys 1 and 2 have the same name/],
    ['env-2=hunter2hunter2hunter2,hunter3hunter3hunter3', /keys 1 and 2 have the same name/],
    ['a=hunter2hunter2hunter2,b=hunter2hunter2hunter2', /keys 1 and 2 are the same/],
  ] as const) {
    const folder = temporaryFolder(t);
    try {
      open(t, folder, value);
      t.fail(value);
    } catch (error) {
      t.match(error, { code: 'CONFIG_INVALID', message: /^THREADMILL_API_KEYS: / });
      t.match((error as Error).message, message);
      t.notMatch((error as Error).message, /hunter|hünter/);
    }
  }
  t.end();
});

t.test('validates names and ids', (t) => {
  const folder = temporaryFolder(t);
  const day = 86_400_000;
  for (const name of ['', ' ci', 'ci ', 'a\nb', 'a\u001b[31mb', 'a\u200bb', 'a\u202eb', 'x'.repeat(101), '\ud800'])
    t.throws(() => createKey(folder, { name }), { code: 'INVALID_REQUEST' }, JSON.stringify(name));
  for (const scopes of [
    ['threds'],
    ['threads:read', 'threads:*'],
    ['threads:'],
    [':read'],
    ['*:*'],
    ['keys'],
    [''],
    ['READ'],
    ['__proto__'],
    [],
  ])
    t.throws(
      () => createKey(folder, { name: 'ci', scopes }),
      { code: 'INVALID_REQUEST', message: /^scope: / },
      JSON.stringify(scopes),
    );
  for (const expiresAtMs of [0, day - 1, day, Number.NaN, Infinity, day + 0.5])
    t.throws(
      () => createKey(folder, { name: 'ci', expiresAtMs }, day),
      { code: 'INVALID_REQUEST', message: /^expires: / },
      String(expiresAtMs),
    );
  t.notOk(existsSync(join(folder, 'keys')), 'nothing was made');

  const first = createKey(folder, { name: 'Größe 7 – ci', expiresAtMs: 2 * day }, day).key;
  t.throws(() => createKey(folder, { name: 'Größe 7 – ci' }, day + 1), {
    code: 'KEY_NAME_TAKEN',
    message: new RegExp(first.keyId),
  });
  const second = createKey(folder, { name: 'Größe 7 – ci' }, 2 * day).key;
  t.not(second.keyId, first.keyId, 'an expired key gives its name free');
  t.equal(revokeKey(folder, 'Größe 7 – ci', 2 * day).keyId, second.keyId, 'by name the valid one is meant');
  t.equal(revokeKey(folder, 'Größe 7 – ci', 3 * day).keyId, first.keyId, 'then the expired one');
  t.throws(() => revokeKey(folder, 'Größe 7 – ci'), { code: 'KEY_NOT_FOUND' });
  for (const key of ['nobody', '0123456789', '', '../data', '__proto__'])
    t.throws(() => revokeKey(folder, key), { code: 'KEY_NOT_FOUND' }, key);
  t.equal(revokeKey(folder, second.keyId, 9 * day).revokedAtMs, 2 * day, 'a second time changes nothing');
  t.throws(() => revokeKey(join(folder, 'nowhere'), 'ci'), { code: 'KEY_NOT_FOUND' });
  t.strictSame(listKeys(join(folder, 'nowhere')), []);
  t.notOk(existsSync(join(folder, 'nowhere')), 'only create makes a folder');
  t.end();
});

t.test('distinguishes keys of the same name and time by id', (t) => {
  const folder = temporaryFolder(t);
  const elsewhere = temporaryFolder(t);
  const one = createKey(folder, { name: 'ci' }).key;
  const two = createKey(elsewhere, { name: 'ci' }).key;
  renameSync(fileOf(elsewhere, two.keyId), fileOf(folder, two.keyId));
  t.throws(() => revokeKey(folder, 'ci'), {
    code: 'KEY_AMBIGUOUS',
    message: new RegExp(`(?=.*${one.keyId}).*${two.keyId}`),
  });
  t.equal(revokeKey(folder, two.keyId).keyId, two.keyId);
  t.equal(revokeKey(folder, 'ci').keyId, one.keyId);
  t.end();
});

t.test('lists every key, oldest first, with its last use', async (t) => {
  const folder = temporaryFolder(t);
  const first = createKey(folder, { name: 'first' }, 1_000);
  const second = createKey(folder, { name: 'second' }, 3_000);
  createKey(folder, { name: 'third' }, 2_000);
  revokeKey(folder, 'third', 4_000);
  const { keys, clock, problems } = open(t, folder);
  const lastUsed = (): (number | null)[] => listKeys(folder).map((key: ApiKey) => key.lastUsedAtMs);
  t.strictSame(
    listKeys(folder).map(({ name, revokedAtMs }) => [name, revokedAtMs]),
    [
      ['first', null],
      ['third', 4_000],
      ['second', null],
    ],
  );
  t.strictSame(lastUsed(), [null, null, null]);

  clock.nowMs = 1_700_000_000_000;
  t.equal(keys.check(first.text)?.lastUsedAtMs, 1_700_000_000_000);
  await until(() => lastUsed()[0] === 1_700_000_000_000);
  clock.nowMs += 59_999;
  keys.check(first.text);
  keys.check(second.text);
  await until(() => lastUsed()[2] === 1_700_000_059_999);
  t.equal(lastUsed()[0], 1_700_000_000_000, 'once a minute is enough');
  clock.nowMs += 1;
  keys.check(first.text);
  await until(() => lastUsed()[0] === 1_700_000_060_000);

  const wrong = `tm_${second.key.keyId}_${'A'.repeat(43)}`;
  clock.nowMs += 600_000;
  t.equal(keys.check(wrong), null);
  keys.check(first.text);
  await until(() => lastUsed()[0] === clock.nowMs);
  t.equal(lastUsed()[2], 1_700_000_059_999, 'a wrong secret is no use of the key');
  t.strictSame(problems, []);
});

t.test('reads the last use that an earlier server stored', async (t) => {
  const folder = temporaryFolder(t);
  const { key, text } = createKey(folder, { name: 'ci' });
  const { keys, clock } = open(t, folder);
  clock.nowMs = 1_700_000_030_000;
  writeFileSync(fileOf(folder, key.keyId, 'used'), '');
  utimesSync(fileOf(folder, key.keyId, 'used'), 1_700_000_000, 1_700_000_000);
  const other = createKey(folder, { name: 'other' });
  await until(() => keys.check(other.text) !== null);
  keys.check(text);
  t.equal(listKeys(folder)[0]?.lastUsedAtMs, 1_700_000_000_000);
  await until(() => existsSync(fileOf(folder, other.key.keyId, 'used')));
  t.equal(
    listKeys(folder)[0]?.lastUsedAtMs,
    1_700_000_000_000,
    'within the minute nothing is written, across restarts too',
  );
});

t.test('reports once that a use cannot be stored', async (t) => {
  const folder = temporaryFolder(t);
  const { key, text } = createKey(folder, { name: 'ci' });
  const other = createKey(folder, { name: 'other' });
  // For everyone but root a folder that may not be written would do.
  if (!asRoot) chmodSync(join(folder, 'keys'), 0o500);
  else for (const { keyId } of [key, other.key]) symlinkSync('/nowhere/at/all', fileOf(folder, keyId, 'used'));
  const { keys, problems, clock } = open(t, folder);
  t.ok(keys.check(text));
  await until(() => problems.length > 0);
  t.match(problems[0], /Cannot write when API keys were last used/);
  clock.nowMs += 120_000;
  t.ok(keys.check(text));
  t.ok(keys.check(other.text));
  chmodSync(join(folder, 'keys'), 0o700);
  const third = createKey(folder, { name: 'third' });
  await until(() => keys.check(third.text) !== null);
  await until(() => existsSync(fileOf(folder, third.key.keyId, 'used')));
  t.equal(problems.length, 1);
});

t.test('gives files that root creates to the owner of the folder', (t) => {
  const folder = temporaryFolder(t);
  const owner = asRoot ? 12_345 : statSync(folder).uid;
  chownSync(folder, owner, statSync(folder).gid);
  const { key } = createKey(folder, { name: 'ci' });
  for (const name of [join(folder, 'keys'), fileOf(folder, key.keyId)]) t.equal(statSync(name).uid, owner);
  revokeKey(folder, 'ci');
  t.equal(statSync(fileOf(folder, key.keyId)).uid, owner);
  t.end();
});

t.test('ignores foreign files and removes old temporary ones', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'keys'));
  for (const name of [
    '0123456789.json.aabbccddeeff.tmp',
    '0123456789.used',
    'README',
    '._0123456789.json',
    '.DS_Store',
  ])
    writeFileSync(join(folder, 'keys', name), '{}');
  const { keys, problems } = open(t, folder);
  t.equal(keys.required, false, 'nobody was ever shown a key');
  t.strictSame(problems, []);
  const young = join(folder, 'keys', '0123456788.json.aabbccddeeff.tmp');
  writeFileSync(young, '');
  utimesSync(join(folder, 'keys', '0123456789.json.aabbccddeeff.tmp'), 1, 1);
  createKey(folder, { name: 'ci' });
  t.strictSame(
    readdirSync(join(folder, 'keys')).filter((name) => name.endsWith('.tmp')),
    ['0123456788.json.aabbccddeeff.tmp'],
  );
  t.end();
});

t.test('reports nothing after close', async (t) => {
  const folder = temporaryFolder(t);
  createKey(folder, { name: 'one' });
  const closed = open(t, folder);
  const running = open(t, folder);
  await closed.keys.close();
  revokeKey(folder, 'one');
  await until(() => running.ended.length > 0);
  t.strictSame(closed.ended, []);
});

t.test('allows what scopes name', (t) => {
  for (const [scopes, permission, allowed] of [
    [['*'], 'threads:create_run', true],
    [['threads'], 'threads:delete', true],
    [['threads'], 'assistants:read', false],
    [['threads:read'], 'threads:read', true],
    [['threads:read'], 'threads:search', false],
    [['threads:create'], 'threads:create_run', false],
    [['*:search'], 'datasets:search', true],
    [['*:search'], 'datasets:read', false],
    [['read'], 'experiments:read', true],
    [['read'], 'crons:search', true],
    [['read'], 'store:update', false],
    [['read', 'threads:create_run'], 'threads:create_run', true],
    [['read', 'threads:create_run'], 'threads:create', false],
    [['from a later version', '__proto__', 'toString'], 'threads:read', false],
    [[], 'threads:read', false],
  ] as const)
    t.equal(allows(scopes, permission), allowed, `${scopes.join(' ')}: ${permission}`);
  for (const scope of ['*', 'read', 'store', 'crons:create', '*:create_run']) t.ok(isScope(scope), scope);
  t.end();
});
