import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { childServer } from '../helpers/child-server.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';

const GIB = 1024 ** 3;

t.test('serves within a limited address space (ulimit -v), evaluation included', async (t) => {
  const server = await childServer(t, {
    dataFolder: temporaryFolder(t),
    config: configWith(t, 'echo'),
    prefix: ['prlimit', `--as=${8 * GIB}`],
  });
  const { client, url } = server;
  const { thread_id: threadId } = await client.threads.create();
  t.match(await client.runs.wait(threadId, 'echo', { input: { text: 'x' } }), { steps: ['first x', 'second x'] });
  const upload = await fetch(`${url}/api/v1/datasets/upload-experiment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      experiment_name: 'e',
      dataset_name: 'd',
      experiment_start_time: '2026-01-01T00:00:00Z',
      experiment_end_time: '2026-01-01T00:01:00Z',
      results: [
        {
          row_id: '8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d201',
          inputs: {},
          actual_outputs: {},
          start_time: '2026-01-01T00:00:01Z',
          end_time: '2026-01-01T00:00:02Z',
        },
      ],
    }),
  });
  const { experiment } = (await upload.json()) as { experiment: { id: string } };
  t.equal((await fetch(`${url}/api/v1/sessions/${experiment.id}`)).status, 200);
  t.equal(await server.kill('SIGTERM'), '0');
});

t.test('refuses to start in an address space that is too small, with advice', (t) => {
  const main = join(ROOT, 'dist/src/main.js');
  const args = [
    `--as=${2 * GIB}`,
    process.execPath,
    main,
    'serve',
    '--config',
    configWith(t, 'echo'),
    '--port',
    '0',
    '--data',
    join(temporaryFolder(t), 'new'),
  ];
  const { status, signal, stderr }: SpawnSyncReturns<string> = spawnSync('prlimit', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  t.equal(signal, null, stderr);
  t.equal(status, 1);
  t.match(stderr, /limited to 2048 MiB \(ulimit -v\)\. The server needs 4096 MiB/);
  t.end();
});
