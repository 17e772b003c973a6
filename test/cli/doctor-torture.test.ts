import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { runTorture, type TortureResult } from '../../src/cli/torture/rounds.js';
import { startServerProcess } from '../../src/cli/torture/server-process.js';
import { MAIN_FILE } from '../../src/base/program-files.js';
import { isLocked } from '../../src/store/files/folder-lock.js';
import { cli } from '../helpers/cli.js';
import { temporaryFolder } from '../helpers/server.js';

t.test('kills servers on a folder, finds nothing lost, and removes what it wrote', async (t) => {
  const parent = temporaryFolder(t);
  const { code, stdout, stderr } = await cli(['doctor', '--torture', parent, '--minutes', '0.05', '--json']);
  t.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as TortureResult & { records: number };
  t.strictSame(report.problems, []);
  t.ok(report.kills >= 1);
  t.ok(report.records > 0);
  t.strictSame(readdirSync(parent), []);
});

t.test('names what a disk has lost', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  const copy = join(temporaryFolder(t), 'copy');
  mkdirSync(folder);
  let starts = 0;
  // From the third start on, the folder is as the second one found it.
  const start = (): ReturnType<typeof startServerProcess> => {
    starts += 1;
    if (starts === 2) cpSync(folder, copy, { recursive: true });
    if (starts > 2) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
    }
    return startServerProcess(folder);
  };
  const { problems } = await runTorture(folder, start, (kills) => kills < 50);
  t.ok(problems.length > 0);
  for (const problem of problems)
    t.match(problem, /^(thread|item|run) .*: .*was acknowledged, and (the folder has|does not exist)/);
});

t.test('names a start that fails after a kill', async (t) => {
  const folder = temporaryFolder(t);
  let starts = 0;
  const { problems } = await runTorture(
    folder,
    () => {
      starts += 1;
      return starts === 1
        ? startServerProcess(folder)
        : startServerProcess(folder, [process.execPath, '--eval', 'console.error("torn page"); process.exit(3)', '--']);
    },
    () => true,
  );
  t.strictSame(problems, [
    `a server did not start again after it was killed. The server on ${folder} ended with 3. torn page`,
  ]);
});

t.test('leaves no server behind when it is killed itself', async (t) => {
  const parent = temporaryFolder(t);
  const doctor = spawn(process.execPath, [MAIN_FILE, 'doctor', '--torture', parent, '--minutes', '5'], {
    stdio: 'ignore',
  });
  const folder = (): string => join(parent, readdirSync(parent)[0] ?? 'none');
  while (!isLocked(folder())) await setTimeout(20);
  doctor.kill('SIGKILL');
  while (isLocked(folder())) await setTimeout(20);
  t.ok(existsSync(join(folder(), 'data.mdb')));
});

t.test('refuses wrong flags and folders', async (t) => {
  const parent = temporaryFolder(t);
  for (const [flags, message] of [
    [['--torture', parent, '--minutes', '0'], '--minutes: must be a number above 0 and at most 1440; got "0".'],
    [['--torture', parent, '--minutes', 'long'], '--minutes: must be a number above 0 and at most 1440; got "long".'],
    [['--torture', join(parent, 'missing')], 'Name an existing folder that this user may write to.'],
  ] as const) {
    const { code, stdout, stderr } = await cli(['doctor', ...flags]);
    t.equal(code, 2);
    t.equal(stdout, '');
    t.ok(stderr.includes(message), stderr);
  }
  t.strictSame(readdirSync(parent), []);
});
