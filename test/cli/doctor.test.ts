import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { CheckResult } from '../../src/cli/doctor/checks/check.js';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';

interface Looked {
  code: number;
  of(name: string): CheckResult | undefined;
  checks: CheckResult[];
  stderr: string;
}

async function doctor(t: Test, flags: readonly string[], env: Record<string, string> = {}): Promise<Looked> {
  const { code, stdout, stderr } = await cli(['doctor', '--json', ...flags], env);
  const { checks } = JSON.parse(stdout) as { checks: CheckResult[] };
  for (const { name, status, advice } of checks)
    t.equal(advice === null, status === 'ok', `${name}: what is not right says what to do`);
  return { code, checks, stderr, of: (name) => checks.find((one) => one.name === name) };
}

t.test('reports no problem for a valid machine and project', async (t) => {
  // Temporary folders may be in memory, which is something to say.
  const parent = join(ROOT, 'dist', `doctor-${process.pid}`);
  const { code, checks } = await doctor(t, ['--config', configWith(t, 'echo'), '--data', parent, '--port', '0']);
  t.equal(code, 0);
  t.strictSame(
    checks.map(({ name }) => name),
    [
      'node',
      'add-ons',
      'transport',
      'memory',
      'open files',
      'clock',
      'data folder',
      'disk',
      'flush',
      'configuration',
      'port',
      'graphs',
      'access',
    ],
  );
  t.strictSame(
    checks.filter(({ status }) => status === 'failed'),
    [],
  );
  const found = (name: string): string => checks.find((one) => one.name === name)!.found;
  t.equal(found('node'), process.versions.node);
  t.match(found('flush'), /^\d+ of 4 KiB: p50 \d+\.\d\d ms, p99 \d+\.\d\d ms$/);
  t.match(found('graphs'), /^echo: loaded in/);
  t.match(found('access'), /only this machine can reach 127\.0\.0\.1/);
  t.notOk(existsSync(parent), 'the data folder is not made');
  t.strictSame(
    readdirSync(join(ROOT, 'dist')).filter((name) => name.startsWith('.threadmill-flush')),
    [],
    'what was written is gone',
  );
  const text = await cli(['doctor', '--config', configWith(t, 'echo'), '--data', parent, '--port', '0']);
  t.equal(text.code, 0);
  t.match(text.stdout, /^status +check +found$/m);
  t.match(text.stdout, /^ok +node +\d/m);
  t.match(text.stdout, /^\d+ ok, \d warnings, 0 failed\.$/m);
});

t.test('names what is wrong with a project and what to do', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'langgraph.json');
  const flags = ['--config', file, '--data', join(folder, 'data'), '--port', '0'];
  writeFileSync(file, '{"graph": {}}');
  const typo = await doctor(t, flags);
  t.equal(typo.code, 1);
  t.match(typo.of('configuration'), { status: 'failed', found: /Did you mean "graphs"/ });
  t.equal(typo.of('graphs'), undefined, 'there is nothing to load');

  writeFileSync(file, '{"graphs": {"agent": "./agent.ts:graph"}, "dependencies": ["."]}');
  writeFileSync(join(folder, 'agent.ts'), 'throw new Error("no key for the model");\nexport const graph = 1;\n');
  const temporary = temporaryFolder(t);
  const broken = await doctor(t, flags, { TMPDIR: temporary });
  t.equal(broken.code, 1);
  t.match(broken.of('configuration'), { status: 'ok' }, 'keys of the hosted platform may stay');
  t.match(broken.of('graphs'), { status: 'failed', found: /Graph "agent" .*no key for the model/ });
  t.strictSame(readdirSync(temporary), [], 'its folder went away');
});

t.test('tells a port used by another program from one used by a server on the folder', async (t) => {
  const config = configWith(t, 'echo');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const others = await doctor(t, ['--config', config, '--data', temporaryFolder(t)], {
    PORT: String((taken.address() as AddressInfo).port),
  });
  t.equal(others.code, 1);
  t.match(others.of('port'), { status: 'failed', found: /is already in use$/, advice: /--port/ });

  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { config, dataFolder });
  const ours = await doctor(t, ['--config', config, '--data', dataFolder, '--port', new URL(server.url).port]);
  t.equal(ours.code, 0);
  t.match(ours.of('port'), { status: 'ok', found: /a server is using the data folder/ });
  t.match(ours.of('data folder'), { found: /in memory|in use by a running server/ });
});

t.test('reports who has access with handlers, with keys and without both', async (t) => {
  const config = configWith(t, 'echo');
  const dataFolder = temporaryFolder(t);
  const access = async (...flags: string[]): Promise<CheckResult> =>
    (await doctor(t, ['--config', config, '--data', dataFolder, '--port', '0', ...flags])).of('access')!;
  t.match(await access('--host', '0.0.0.0'), { status: 'failed', advice: /threadmill keys create/ });
  const { key } = createKey(dataFolder, { name: 'one' });
  t.match(await access('--host', '0.0.0.0'), { status: 'ok', found: /1 in the data folder/ });
  revokeKey(dataFolder, key.keyId);
  t.match(await access(), { status: 'warning', found: /every request is refused/ });
  t.match(
    (
      await doctor(t, [
        '--config',
        join(ROOT, 'examples/auth-tokens/langgraph.json'),
        '--data',
        dataFolder,
        '--port',
        '0',
      ])
    ).of('access'),
    { status: 'ok', found: /doctor --auth/ },
  );
});

t.test('reports a foreign data folder and a clock that is before the last write', async (t) => {
  const config = configWith(t, 'echo');
  const folder = temporaryFolder(t);
  const file = join(folder, 'data.mdb');
  writeFileSync(file, 'x');
  const none = await doctor(t, ['--config', config, '--data', file, '--port', '0']);
  t.equal(none.code, 1);
  t.match(none.of('data folder'), { status: 'failed', found: /is not a folder/ });
  t.equal(none.of('flush'), undefined);
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(file, later, later);
  t.match((await doctor(t, ['--config', config, '--data', folder, '--port', '0'])).of('clock'), {
    status: 'warning',
    found: /before the last write/,
  });
});

t.test('refuses invalid flags', async (t) => {
  for (const [args, reason] of [
    [['--what'], /unknown option/],
    [['--user', '{}'], /--user is for --auth/],
  ] as const) {
    const { code, stdout, stderr } = await cli(['doctor', ...args]);
    t.equal(code, 2);
    t.equal(stdout, '');
    t.match(stderr, reason);
  }
});
