import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { errorOutput } from '../../src/base/output.js';
import { program } from '../../src/cli/program.js';
import { ROOT } from './server.js';

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program as its own process, as a user does. */
export async function cliProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  onStarted: (child: ChildProcess) => void = () => undefined,
): Promise<Said> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStarted(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, which saves a second of CPU. Commands run one after the other. For commands that
 * serve, that a test ends with a signal, or whose output is read while they run, use a process of their own.
 */
export function cli(args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const call = previous.then(() => runHere(args, env));
  previous = call.catch(() => undefined);
  return call;
}

class Exit extends Error {
  constructor(readonly code: number) {
    super('process.exit');
  }
}

/** Signals and events that commands listen to until their process ends. */
const LISTENED = ['exit', 'SIGINT', 'SIGTERM'] as const;

const currentExitCode = (): number => Number(process.exitCode ?? 0);

async function runHere(args: readonly string[], env: Record<string, string>): Promise<Said> {
  // Created here, so that the log of servers in this process does not go to the stream of a command.
  errorOutput();
  const { env: ownEnv, exitCode: ownExitCode, exit } = process;
  const streams = { stdout: textStream(), stderr: textStream() };
  const own = (['stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  const listeners = LISTENED.map((name) => [name, process.rawListeners(name)] as const);
  for (const [name] of own)
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value: streams[name].stream });
  process.env = { PATH: ownEnv['PATH'], ...env };
  process.exitCode = undefined;
  process.exit = (code): never => {
    throw new Exit(Number(code ?? currentExitCode()));
  };
  let code: number;
  try {
    await program.parseAsync(args, { from: 'user' });
    code = currentExitCode();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    ({ code } = error);
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
    Object.assign(process, { env: ownEnv, exitCode: ownExitCode, exit });
    for (const [name, before] of listeners) {
      for (const listener of process.rawListeners(name) as ((...args: unknown[]) => void)[]) {
        if (before.includes(listener)) continue;
        process.removeListener(name, listener);
        if (name === 'exit') listener.call(process, 0);
      }
    }
  }
  return { code, stdout: streams.stdout.text(), stderr: streams.stderr.text() };
}

function textStream(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
