import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/server.js';
import { builtBinary } from './built.js';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Test {
  teardown(callback: () => unknown): void;
}

/** A program that was started, and what it has said. */
export interface Started {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** When its standard output has it; the first group, or all of it. */
  says(pattern: RegExp): Promise<string>;
  said(): string;
}

/**
 * A machine of its own, as far as a folder can be one: the executable alone in `bin`, a home, a temporary folder, a
 * project.
 */
export interface Machine {
  binary: string;
  home: string;
  temporary: string;
  project: string;
  start(args: readonly string[], env?: Record<string, string>, cwd?: string): Started;
  run(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Ended>;
  /** Every path on it, folders with a slash behind. */
  paths(): string[];
}

export async function machine(t: Test): Promise<Machine> {
  const root = temporaryFolder(t);
  const [bin, home, temporary, project] = ['bin', 'home', 'tmp', 'project'].map((name) => {
    mkdirSync(join(root, name), { mode: 0o700 });
    return join(root, name);
  }) as [string, string, string, string];
  const binary = join(bin, 'threadmill');
  copyFileSync(await builtBinary(), binary);
  const start: Machine['start'] = (args, env = {}, cwd = project) =>
    started(t, binary, args, { HOME: home, TMPDIR: temporary, ...env }, cwd);
  return {
    binary,
    home,
    temporary,
    project,
    start,
    run: (args, env, cwd) => start(args, env, cwd).ended,
    paths: () =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .map((path) => (lstatSync(join(root, path)).isDirectory() ? `${path}/` : path))
        .toSorted(),
  };
}

/** A process with exactly this environment. */
export function started(
  t: Test,
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Started {
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return {
    process: child,
    ended,
    said: () => stdout,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stdout);
          if (found !== null) resolve(found[1] ?? found[0]);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(({ code }) => reject(new Error(`it ended (${code}) and never said ${pattern}: ${stderr}`)));
      }),
  };
}
