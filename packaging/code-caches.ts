import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECORD_INTERVAL_MS } from './record-code-caches.js';

const THREAD = '0b6e3f0a-5a1f-4a9e-8a43-6f0f6f1d2c11';
const MESSAGES = { messages: [{ role: 'user', content: 'Hello' }] };
const TIMES = { start_time: '2026-01-01T00:00:01Z', end_time: '2026-01-01T00:00:02Z' };

/** Frequent requests: method, path and body. V8 compiles what they need, and the caches keep it. */
const REQUESTS: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/ok'],
  ['GET', '/info'],
  ['POST', '/runs/wait', { assistant_id: 'echo', input: MESSAGES }],
  ['POST', '/threads', { thread_id: THREAD }],
  [
    'POST',
    `/threads/${THREAD}/runs/stream`,
    { assistant_id: 'echo', input: MESSAGES, stream_mode: ['values', 'updates', 'messages-tuple'] },
  ],
  ['GET', `/threads/${THREAD}/state`],
  ['POST', `/threads/${THREAD}/history`, {}],
  ['POST', '/threads/search', {}],
  ['POST', '/assistants/search', {}],
  ['GET', '/assistants/echo/schemas'],
  ['PUT', '/store/items', { namespace: ['first'], key: 'first', value: {} }],
  ['POST', '/store/items/search', { namespace_prefix: [] }],
  [
    'POST',
    '/api/v1/datasets/upload-experiment',
    {
      experiment_name: 'first',
      experiment_start_time: TIMES.start_time,
      experiment_end_time: TIMES.end_time,
      dataset_name: 'first',
      results: [{ row_id: THREAD, inputs: MESSAGES, actual_outputs: MESSAGES, evaluation_scores: [], ...TIMES }],
    },
  ],
  ['POST', '/experiments', { assistant_id: 'echo', dataset: 'first', evaluators: ['answered'] }],
  ['GET', '/datasets?limit=10'],
  ['GET', '/sessions?limit=10'],
  ['GET', '/metrics'],
];

/** Writes the code caches of the bundled program: of the commands, and of the threads that most servers start. */
export async function writeCodeCaches(root: string): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'threadmill-code-caches-'));
  const server = spawn(
    process.execPath,
    [
      ...['--import', join(import.meta.dirname, 'record-code-caches.js'), join(root, 'dist/src/main.js'), 'serve'],
      ...['--config', join(root, 'examples/langgraph.json'), '--data', dataFolder],
      ...['--port', '0', '--workers', '1'],
    ],
    { env: { PATH: process.env['PATH'], LOG_LEVEL: 'error' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(server, 'exit');
  try {
    const url = await addressOf(server);
    for (const [method, path, body] of REQUESTS) {
      const response = await fetch(url + path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    }
    await sleep(2 * RECORD_INTERVAL_MS);
  } finally {
    server.kill();
    await exited;
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** The address in the first line that a server writes. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout!) {
    text += String(chunk);
    const found = /Threadmill at (\S+)/.exec(text);
    if (found !== null) return found[1]!;
  }
  throw new Error('the server ended before it listened');
}
