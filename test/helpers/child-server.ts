import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import { ROOT, TEST_GRAPHS, testTransportEnv } from './server.js';

export interface ChildServer {
  url: string;
  client: Client;
  process: ChildProcess;
  stderr: () => string;
  /** Resolves with the exit code or signal. */
  exited: Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<string>;
}

interface Test {
  teardown(callback: () => unknown): void;
}

/**
 * The server as its own process, as a user starts it; ended with the test. `script` may stand in for main.js; `prefix`
 * is a command that runs it.
 */
export async function childServer(
  t: Test,
  options: {
    dataFolder: string;
    config?: string;
    script?: string;
    /** Folder of another program than this one. */
    root?: string;
    command?: string;
    args?: string[];
    env?: Record<string, string>;
    prefix?: string[];
  },
): Promise<ChildServer> {
  const script = join(options.root ?? ROOT, options.script ?? 'dist/src/main.js');
  const [program, ...before] = [...(options.prefix ?? []), process.execPath, script];
  const child = spawn(
    program!,
    [
      ...before,
      options.command ?? 'serve',
      '--config',
      options.config ?? TEST_GRAPHS,
      '--port',
      '0',
      '--data',
      options.dataFolder,
      '--workers',
      '1',
      ...(options.args ?? []),
    ],
    {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...testTransportEnv(), ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  t.teardown(() => {
    child.kill('SIGKILL');
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /Threadmill at (\S+)/.exec(stdout);
      if (found !== null) resolve(found[1]!);
    });
    void exited.then((how) => reject(new Error(`the server ended before it listened (${how}): ${stderr}`)));
  });
  return {
    url,
    client: new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } }),
    process: child,
    stderr: () => stderr,
    exited,
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return exited;
    },
  };
}
