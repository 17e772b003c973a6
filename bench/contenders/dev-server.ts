import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { GRAPHS, ROOT } from './threadmill.js';

const FOLDER = join(ROOT, 'bench', 'contenders', 'dev-server');
const CLI = join(FOLDER, 'node_modules', '@langchain', 'langgraph-cli', 'dist', 'cli', 'cli.mjs');
const START_MS_MAX = 60_000;

export interface DevServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the JavaScript dev server from a separate folder, so that Threadmill does not depend on it. Installs it
 * first if needed. Throws if it cannot be installed or started.
 */
export async function startDevServer(): Promise<DevServer> {
  if (!existsSync(CLI)) {
    // There is no lock file, because `npm ci` rejects one that lists an unpublished optional package of some platform.
    // Versions in package.json are exact.
    const installed = spawnSync(
      'npm',
      ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'],
      { cwd: FOLDER, encoding: 'utf8' },
    );
    if (installed.status !== 0 || !existsSync(CLI)) throw new Error(`npm install failed with code ${installed.status}`);
  }
  // The graphs are copied, so that they load LangGraph from the folder of the dev server.
  mkdirSync(join(FOLDER, '.run'), { recursive: true });
  const folder = mkdtempSync(join(FOLDER, '.run', 'project-'));
  cpSync(GRAPHS, folder, { recursive: true });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [CLI, 'dev', '--no-browser', '--no-reload', '--port', String(port), '--config', join(folder, 'langgraph.json')],
    {
      cwd: folder,
      // In a process group, so that its children can be killed with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        LANGGRAPH_CLI_NO_ANALYTICS: '1',
        LANGSMITH_TRACING: 'false',
        LANGCHAIN_TRACING_V2: 'false',
        BROWSER: 'none',
        LOG_LEVEL: 'error',
      },
    },
  );
  let errorOutput = '';
  child.stderr.on('data', (bytes: Buffer) => {
    errorOutput = (errorOutput + bytes.toString()).slice(-2_000);
  });
  const url = `http://localhost:${port}`;
  const close = async (): Promise<void> => {
    await killGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const until = performance.now() + START_MS_MAX;
  for (;;) {
    const up = await fetch(`${url}/ok`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return { url, close };
    if (child.exitCode !== null || performance.now() > until) {
      await close();
      throw new Error(`the dev server did not start: ${errorOutput.trim().split('\n').slice(-3).join(' ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
