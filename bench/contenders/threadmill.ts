import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder of the repository, from dist/bench/contenders. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const GRAPHS = join(ROOT, 'bench', 'graphs');
const MAIN = join(ROOT, 'dist', 'src', 'main.js');

export interface ServerOptions {
  /** Threads that run graphs; the default of the server if not set. */
  workers?: number;
  config?: string;
  dataFolder?: string;
  /** Added to the environment of the bench. */
  env?: Record<string, string>;
  /** Node's binary; that of the bench if not set. */
  nodePath?: string;
  /** Flags for Node, such as --cpu-prof. */
  nodeFlags?: string[];
}

export interface ThreadmillServer {
  url: string;
  dataFolder: string;
  pid: number;
  /** Time from spawn to the first 200 from /ok. */
  startMs: number;
  /** Resident memory in bytes. `peak` is since the start; `own` excludes pages of mapped files, such as the store's. */
  memory(): { rss: number; own: number; peak: number };
  close(): Promise<void>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(process.env['THREADMILL_BENCH_TMP'] ?? tmpdir(), 'threadmill-bench-'));
}

/** Starts the server in a separate process on a free port, and reads its address from its output. */
export async function startThreadmill(options: ServerOptions = {}): Promise<ThreadmillServer> {
  const dataFolder = options.dataFolder ?? temporaryFolder();
  const begun = performance.now();
  const flags = (process.env['THREADMILL_BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(
    options.nodePath ?? process.execPath,
    [
      ...flags,
      ...(options.nodeFlags ?? []),
      MAIN,
      'serve',
      '--port',
      '0',
      '--data',
      dataFolder,
      '--config',
      options.config ?? join(GRAPHS, 'langgraph.json'),
      ...(options.workers === undefined ? [] : ['--workers', String(options.workers)]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LOG_LEVEL: 'error', ...options.env } },
  );
  const url = await readAddress(child);
  const ok = await fetch(`${url}/ok`);
  if (!ok.ok) throw new Error(`/ok returned ${ok.status}`);
  await ok.arrayBuffer();
  const startMs = performance.now() - begun;
  return {
    url,
    dataFolder,
    pid: child.pid!,
    startMs,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const field = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) * 1024;
      return { rss: field('VmRSS'), own: field('RssAnon'), peak: field('VmHWM') };
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Resolves with the address that the child prints. Rejects with its output if it exits first. */
export function readAddress(child: ChildProcess, pattern = /https?:\/\/[\w.:[\]]+:\d+/): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (bytes: Buffer): void => {
      output += bytes.toString();
      const found = pattern.exec(output);
      if (found !== null) resolve(found[0]);
    };
    child.stdout!.on('data', take);
    child.stderr!.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (process.env['THREADMILL_BENCH_LOG']) process.stderr.write(bytes);
    });
    child.on('exit', (code) =>
      reject(new Error(`the server exited with code ${code} before it listened:\n${output.slice(-2_000)}`)),
    );
    child.on('error', reject);
  });
}
