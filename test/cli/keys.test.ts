import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseExpiry } from '../../src/cli/keys.js';
import { ApiKeys, createKey } from '../../src/store/access/api-keys.js';
import { cli, type Said } from '../helpers/cli.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';

const keys = (folder: string, ...args: string[]): Promise<Said> => cli(['keys', ...args, '--data', folder]);

t.test('creates, uses, lists and revokes a key', async (t) => {
  const folder = join(temporaryFolder(t), 'not', 'there', 'yet');
  const made = await keys(folder, 'create', '--name', 'ci');
  t.equal(made.code, 0, made.stderr);
  t.match(made.stdout, /^tm_[0-9a-f]{10}_[\w-]{43}\n$/, 'stdout is the key alone');
  const text = made.stdout.trim();
  t.match(made.stderr, /"ci".*scopes \*, expires never.*will not be shown again/);
  t.notMatch(made.stderr, text);

  const open = ApiKeys.open(folder, undefined, { nowMs: Date.now, onProblem: (problem) => t.fail(problem) });
  t.teardown(() => open.close());
  t.ok(open.check(text));

  const before = await keys(folder, 'list');
  t.match(before.stdout, /^id +name +scopes +created +expires +last used +state\n/);
  t.match(before.stdout, /^[0-9a-f]{10} +ci +\* +\d{4}-\d\d-\d\d \d\d:\d\dZ +never .* valid$/m);
  t.notOk(before.stdout.includes(text.slice(14)), 'the list has no secret');
  const [file] = readdirSync(join(folder, 'keys')).filter((name) => name.endsWith('.json'));
  const { hash } = JSON.parse(readFileSync(join(folder, 'keys', file!), 'utf8')) as { hash: string };

  const ended = new Promise<string[]>((resolve) => {
    open.onEnded(resolve);
  });
  const revoked = await keys(folder, 'revoke', 'ci');
  t.strictSame([revoked.code, revoked.stdout], [0, ''], revoked.stderr);
  t.match(revoked.stderr, /"ci" is revoked\./);
  t.strictSame(await ended, [text.slice(3, 13)], 'another process has seen it');
  t.equal(open.check(text), null);
  t.equal((await keys(folder, 'revoke', text.slice(3, 13))).code, 0, 'again is no fault');

  const after = await keys(folder, 'list', '--json');
  const [entry, ...more] = JSON.parse(after.stdout) as Record<string, unknown>[];
  t.matchStrict(entry, { key_id: text.slice(3, 13), name: 'ci', scopes: ['*'], expires_at: null, state: 'revoked' });
  t.strictSame(Object.keys(entry!), [
    'key_id',
    'name',
    'scopes',
    'created_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'state',
  ]);
  t.strictSame(more, []);
  for (const { stdout } of [before, after]) t.notOk(stdout.includes(hash), 'no list has a hash');
});

t.test('sets scopes and expiry and prints JSON', async (t) => {
  const folder = temporaryFolder(t);
  const made = await keys(
    folder,
    'create',
    '--name',
    'reader',
    '--scope',
    'threads',
    '--scope',
    'read',
    '--expires',
    '2099-01-31',
    '--json',
  );
  const answer = JSON.parse(made.stdout) as { key: string; key_id: string };
  t.matchStrict(answer, {
    name: 'reader',
    scopes: ['threads', 'read'],
    expires_at: '2099-01-31T00:00:00.000Z',
    last_used_at: null,
    state: 'valid',
  });
  t.equal(answer.key.slice(3, 13), answer.key_id);
  createKey(folder, { name: 'old', expiresAtMs: 2_000 }, 1_000);
  const { stdout } = await keys(folder, 'list');
  t.match(stdout, /^[0-9a-f]{10} +old .*1970-01-01 00:00Z .*expired$/m);
  t.match(stdout, /^[0-9a-f]{10} +reader +threads read .*2099-01-31 00:00Z +never +valid$/m);
});

t.test('reports a refusal with exit code 1 and nothing on stdout', async (t) => {
  const folder = temporaryFolder(t);
  await keys(folder, 'create', '--name', 'taken');
  for (const [args, message] of [
    [['create', '--name', 'taken'], /^The valid API key [0-9a-f]{10} already has the name "taken"/],
    [['create'], /required option '--name <name>' not specified/],
    [['create', '--name', ''], /^name: must be 1 to 100/],
    [
      ['create', '--name', 'ci', '--scope', 'threds'],
      /^scope: "threds" does not exist\. .*read.*assistants, threads, crons.*create_run/,
    ],
    [['create', '--name', 'ci', '--expires', 'soon'], /^--expires: "soon" must be a duration/],
    [['create', '--name', 'ci', '--expires', '2020-01-01'], /^--expires: 2020-01-01 is not in the future/],
    [['revoke', 'nobody'], /^There is no API key with the id or the name "nobody"/],
    [['revoke'], /missing required argument/],
    [['make'], /unknown command 'make'/],
  ] as const) {
    const { code, stdout, stderr } = await keys(folder, ...args);
    t.strictSame([code, stdout], [1, ''], args.join(' '));
    t.match(stderr, message);
    t.notMatch(stderr, /\n\s+at /, 'no stack');
  }
  t.equal(readdirSync(join(folder, 'keys')).length, 1);
  const nothing = await keys(join(folder, 'nowhere'), 'list');
  t.match(nothing, { code: 0, stdout: '', stderr: /There are no API keys in .*nowhere/ });
  t.equal((await keys(join(folder, 'nowhere'), 'list', '--json')).stdout, '[]\n');

  writeFileSync(join(folder, 'file'), '');
  const unusable = await keys(join(folder, 'file'), 'create', '--name', 'ci');
  t.equal(unusable.code, 1);
  t.match(unusable.stderr, /^The folder of API keys cannot be used: /);
  t.notMatch(unusable.stderr, /\n\s+at /);

  writeFileSync(join(folder, 'keys', '0123456789.json'), '{');
  const listed = await keys(folder, 'list');
  t.equal(listed.code, 0);
  t.match(listed.stderr, /0123456789\.json is damaged: it is not JSON/);
  t.match(listed.stdout, / taken /);
});

t.test('accepts durations, dates and times', (t) => {
  const now = Date.UTC(2026, 0, 31, 12);
  const hour = 3_600_000;
  for (const [text, expected] of [
    ['90d', now + 90 * 24 * hour],
    ['12h', now + 12 * hour],
    ['1.5h', now + 1.5 * hour],
    ['2 weeks', now + 14 * 24 * hour],
    ['30m', now + hour / 2],
    ['2027-01-31', Date.UTC(2027, 0, 31)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2027-01-31T18:00:00Z', Date.UTC(2027, 0, 31, 18)],
    ['2027-01-31T18:00+02:00', Date.UTC(2027, 0, 31, 16)],
  ] as const)
    t.equal(parseExpiry(text, now), expected, text);
  for (const text of [
    '',
    '90',
    '-5d',
    '0d',
    '5',
    'd',
    '1 month',
    '1mo',
    '90d12h',
    '1e3d',
    '99999999999y',
    '1.2.3d',
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '2027-1-31',
    '27-01-31',
    '2027-01-31T18:00',
    '2027-01-31T25:00Z',
    '2026-01-31',
    'tomorrow',
    `${'1'.repeat(200)}d`,
  ]) {
    t.throws(() => parseExpiry(text, now), { message: /^--expires: / }, text);
  }
  t.end();
});

/** Runs first in the command's process: the process is killed where it would give the file its name. */
const KILLED_AT_RENAME = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.renameSync = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();
`)}`;

async function killedAtRename(folder: string, ...args: string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--import', KILLED_AT_RENAME, join(ROOT, 'dist/src/main.js'), 'keys', ...args, '--data', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  t.equal(signal, 'SIGKILL');
  return stdout;
}

t.test('leaves no partial key when it is killed before the rename', async (t) => {
  const folder = temporaryFolder(t);
  t.equal(await killedAtRename(folder, 'create', '--name', 'ci'), '', 'nobody was shown a key');
  const [left, ...more] = readdirSync(join(folder, 'keys'));
  t.match(left, /^[0-9a-f]{10}\.json\.[0-9a-f]{12}\.tmp$/);
  t.strictSame(more, []);
  const problems: string[] = [];
  const open = ApiKeys.open(folder, undefined, { nowMs: Date.now, onProblem: (problem) => problems.push(problem) });
  t.teardown(() => open.close());
  t.equal(open.required, false, 'no key was made');
  t.equal((await keys(folder, 'list', '--json')).stdout, '[]\n');

  const text = (await keys(folder, 'create', '--name', 'ci')).stdout.trim();
  await killedAtRename(folder, 'revoke', 'ci');
  const [entry] = JSON.parse((await keys(folder, 'list', '--json')).stdout) as { state: string }[];
  t.equal(entry?.state, 'valid', 'the key is as it was');
  const again = ApiKeys.open(folder, undefined, { nowMs: Date.now, onProblem: (problem) => problems.push(problem) });
  t.teardown(() => again.close());
  t.ok(again.check(text));
  t.equal((await keys(folder, 'revoke', 'ci')).code, 0);
  t.notOk(existsSync(join(folder, 'data.mdb')), 'the data file is no matter of these commands');
  t.strictSame(problems, []);
});
