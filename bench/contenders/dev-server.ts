import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { GRAPHS, ROOT } from './ours.js';

const FOLDER = join(ROOT, 'bench', 'contenders', 'dev-server');
const CLI = join(FOLDER, 'node_modules', '@langchain', 'langgraph-cli', 'dist', 'cli', 'cli.mjs');
const START_MS_MAX = 60_000;

export interface DevServer {
  url: string;
  close(): Promise<void>;
}

/** The JavaScript dev server, from a folder of its own: nothing of ours depends on it. Throws with the reason when it cannot be had. */
export async function startDevServer(): Promise<DevServer> {
  if (!existsSync(CLI)) {
    // No lock file: `npm ci` refuses one in which a platform's optional package is not published. The versions above are exact.
    const installed = spawnSync(
      'npm',
      ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'],
      { cwd: FOLDER, encoding: 'utf8' },
    );
    if (installed.status !== 0 || !existsSync(CLI)) throw new Error(`npm install failed with code ${installed.status}`);
  }
  // Copied, so that the graphs resolve LangGraph from the dev server's own folder.
  mkdirSync(join(FOLDER, '.run'), { recursive: true });
  const folder = mkdtempSync(join(FOLDER, '.run', 'project-'));
  cpSync(GRAPHS, folder, { recursive: true });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [CLI, 'dev', '--no-browser', '--no-reload', '--port', String(port), '--config', join(folder, 'langgraph.json')],
    {
      cwd: folder,
      // A group of its own: it starts children, and they end with it.
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
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-2_000);
  });
  const url = `http://localhost:${port}`;
  const close = async (): Promise<void> => {
    await endGroup(child);
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
      throw new Error(`it did not start: ${said.trim().split('\n').slice(-3).join(' ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
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
