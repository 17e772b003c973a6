import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { cli } from '../helpers/cli.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';

t.setTimeout(120_000);

const SAVED = join(ROOT, 'test', 'store', 'saved', '0.1.0');
const MAIN = join(ROOT, 'dist/src/main.js');

/** Runs a command with a umask that takes nothing away. */
async function run(t: Test, ...args: string[]): Promise<string> {
  const umask = process.umask(0);
  try {
    const { code, stdout, stderr } = await cli(args);
    t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  } finally {
    process.umask(umask);
  }
}

/** Runs a server with such a umask. It is ended when it has listened and `used` has returned. */
async function serve(
  t: Test,
  config: string,
  data: string,
  used: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const args = [MAIN, 'serve', '--config', config, '--port', '0', '--data', data, '--workers', '1'];
  const child = spawn('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, ...args], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = stdout;
    stdout += chunk.toString();
    const url = /Threadmill at (\S+)/.exec(stdout)?.[1];
    if (url !== undefined && !before.includes('Threadmill at')) void used(url).finally(() => child.kill('SIGTERM'));
  });
  const [code] = (await once(child, 'close')) as [number];
  t.equal(code, 0);
}

/** Paths under a folder, itself included, that other users have any access to. */
function exposed(folder: string): string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ];
  return paths.filter((path) => !path.includes('/cache/') && (lstatSync(path).mode & 0o077) !== 0);
}

t.test('creates files for the owner alone, whatever the umask', async (t) => {
  const [base, config] = [temporaryFolder(t), configWith(t, 'echo')];
  const data = join(base, 'data');
  await serve(t, config, data, async (url) => {
    await fetch(`${url}/threads`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    t.strictSame(exposed(data), [], 'while it serves');
  });
  t.strictSame(exposed(data), [], 'serve');
  await run(t, 'keys', 'create', '--name', 'ci', '--data', data);
  await run(t, 'compact', '--data', data);
  t.strictSame(exposed(data), [], 'keys and compact');
  const backup = join(base, 'backup');
  await run(t, 'backup', '--data', data, backup);
  t.equal(statSync(backup).mode & 0o777, 0o600, 'backup');
  await run(t, 'restore', '--data', join(base, 'restored'), backup);
  t.strictSame(exposed(join(base, 'restored')), [], 'restore');
});

t.test('tightens a readable folder and leaves the modes of foreign files', async (t) => {
  const [base, config] = [temporaryFolder(t), configWith(t, 'echo')];
  const data = join(base, 'data');
  mkdirSync(join(data, 'mine'), { recursive: true });
  for (const name of ['data.mdb', 'seal.key']) cpSync(join(SAVED, name), join(data, name));
  writeFileSync(join(data, 'mine', 'notes'), 'mine');
  for (const path of [
    data,
    ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map((path) => join(data, path)),
  ])
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  const doctored = await run(t, 'doctor', '--config', config, '--data', data, '--json');
  const { checks } = JSON.parse(doctored) as {
    checks: { name: string; status: string; found: string; advice: string }[];
  };
  t.match(
    checks.find(({ name }) => name === 'data folder'),
    { status: 'warning', found: /other users of this machine can read/, advice: /chmod -R go-rwx/ },
  );
  await serve(t, config, data);
  t.strictSame(exposed(data), [join(data, 'mine'), join(data, 'mine', 'notes')], 'serve, after an upgrade');
  t.ok(
    readdirSync(data).some((name) => name.startsWith('before-upgrade-')),
    'the old file is kept',
  );
});
