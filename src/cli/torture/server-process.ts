import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import { MAIN_FILE } from '../../base/program-files.js';
import { CommandError, printable } from '../client.js';

/** A server in a process of its own, which is being started or runs. */
export interface ServerProcess {
  /** Resolves with the address when the server listens. Rejects with CommandError if it ends before that. */
  url: Promise<string>;
  /** Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Stops it as an operator would. Throws CommandError unless it exits with 0. */
  stop(): Promise<void>;
}

/** Starts this program. A single executable is its own script. */
function ownCommand(): string[] {
  return [process.execPath, ...(isSea() ? [] : [MAIN_FILE])];
}

/** Starts this program again, or the one of `command`, as a server on the folder. */
export function startServerProcess(folder: string, command: readonly string[] = ownCommand()): ServerProcess {
  const [program, ...args] = command;
  const child = spawn(program!, [...args, 'doctor', '--torture-server', folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString()}`.slice(-2_000);
  });
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as string | number);
  const ended = (how: string | number): CommandError =>
    new CommandError(`The server on ${folder} ended with ${how}. ${printable(stderr)}`.trimEnd());
  const url = new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.endsWith('\n')) resolve(stdout.trim());
    });
    void exited.then((how) => reject(ended(how)));
  });
  // A process that is killed while it starts has no address, and nobody waits for one.
  url.catch(() => undefined);
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.stdin.end();
      const how = await exited;
      if (how !== 0) throw ended(how);
    },
  };
}
