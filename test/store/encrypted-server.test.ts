import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../helpers/server.js';

/**
 * Files of tests whose servers read and write every kind of record, on the front and on each thread of ours that reads
 * the store.
 */
const FILES = [
  'contracts/sdk-threads',
  'contracts/sdk-thread-reads',
  'contracts/sdk-store',
  'contracts/sdk-store-meaning',
  'contracts/sdk-crons',
  'contracts/langsmith-attachments',
  'contracts/langsmith-datasets',
  'contracts/langsmith-experiments',
  'webhooks/retries',
];

t.setTimeout(600_000);

for (const file of FILES) {
  t.test(`${file} holds over encrypted folders`, { timeout: 300_000 }, async (t) => {
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'test', `${file}.test.js`)], {
      env: { ...process.env, THREADMILL_TEST_ENCRYPTION_KEY: randomBytes(32).toString('hex') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const [code] = (await once(child, 'close')) as [number | null];
    t.equal(code, 0, code === 0 ? '' : said.slice(-20_000));
  });
}
