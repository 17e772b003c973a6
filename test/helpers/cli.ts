import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './server.js';

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program as its own process, as a user does. */
export async function cli(args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
