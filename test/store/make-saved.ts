/**
 * Writes the data folder that a release leaves behind: `node dist/test/store/make-saved.js`, once a release, before its
 * tag. The folder stays in the repository for good, and saved.test.ts opens each.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import { VERSION } from '../../src/base/version.js';
import { readConfig } from '../../src/config/config.js';
import { openServer } from '../../src/server/server.js';
import { ROOT, TEST_GRAPHS } from '../helpers/server.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'threadmill-saved-'));
const server = await openServer(
  readConfig({ config: TEST_GRAPHS, port: '0', data: dataFolder, workers: '1' }, { LOG_LEVEL: 'error' }),
);
const client = new Client({ apiUrl: server.url, apiKey: null });

const chat = await client.threads.create({ metadata: { owner: 'ada', nested: { n: 1 } } });
for (let turn = 0; turn < 12; turn += 1)
  await client.runs.wait(chat.thread_id, 'chat', {
    input: { messages: [{ role: 'user', content: `question ${turn}` }] },
  });
const shapes = await client.threads.create({ metadata: { owner: 'bob' } });
await client.runs.wait(shapes.thread_id, 'shapes', { input: { do: 'fill' } });
const approval = await client.threads.create();
await client.runs.wait(approval.thread_id, 'approval', { input: {} });
await client.runs.wait(null, 'memory', { input: { name: 'ada' } });

const expected: Record<string, unknown> = {};
for (const thread of [chat, shapes, approval]) {
  expected[thread.thread_id] = {
    thread: await client.threads.get(thread.thread_id),
    state: await client.threads.getState(thread.thread_id),
    history: await client.threads.getHistory(thread.thread_id, { limit: 5 }),
    runs: await client.runs.list(thread.thread_id, { limit: 3 }),
  };
}
const upload = await fetch(`${server.url}/api/v1/datasets/upload-experiment`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    experiment_name: 'saved',
    dataset_name: 'saved',
    experiment_start_time: '2024-05-01T10:00:00',
    experiment_end_time: '2024-05-01T11:00:00',
    experiment_metadata: { model: 'm' },
    summary_experiment_scores: [{ key: 'overall', score: 0.5, comment: 'so so' }],
    results: Array.from({ length: 100 }, (_, n) => ({
      row_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      inputs: { n },
      expected_outputs: { n },
      actual_outputs: { n: n % 3 },
      error: n === 7 ? 'broke' : null,
      evaluation_scores: [
        { key: 'right', score: n % 3 === n },
        { key: 'tone', value: n % 2 === 0 ? 'calm' : 'loud' },
      ],
      start_time: '2024-05-01T10:00:00.000001Z',
      end_time: `2024-05-01T10:00:${String(n % 60).padStart(2, '0')}.5Z`,
    })),
  }),
});
const { dataset, experiment } = (await upload.json()) as { dataset: { id: string }; experiment: { id: string } };
const paths = [
  `/api/v1/sessions/${experiment.id}`,
  `/api/v1/datasets/${dataset.id}`,
  `/api/v1/examples?dataset=${dataset.id}`,
  `/api/v1/feedback?session=${experiment.id}`,
  `/api/v1/sessions/${experiment.id}/export?format=jsonl`,
];
const statistics = async (): Promise<unknown> =>
  ((await (await fetch(`${server.url}${paths[0]}`)).json()) as { error_rate: unknown }).error_rate;
while ((await statistics()) === null)
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
const evaluation: Record<string, string> = {};
for (const path of paths) evaluation[path] = await (await fetch(`${server.url}${path}`)).text();
// A run that has not begun: it is waiting when the next release starts.
const waiting = await client.threads.create();
await client.runs.create(waiting.thread_id, 'echo', { input: { text: 'left behind' }, afterSeconds: 1 });
await server.close(0);

const folder = join(ROOT, 'test', 'store', 'saved', VERSION);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(dataFolder, 'data.mdb'), join(folder, 'data.mdb'));
cpSync(join(dataFolder, 'seal.key'), join(folder, 'seal.key'));
writeFileSync(
  join(folder, 'expected.json'),
  `${JSON.stringify({ approval: approval.thread_id, waiting: waiting.thread_id, threads: expected, evaluation }, null, 1)}\n`,
);
rmSync(dataFolder, { recursive: true });
process.exit(0);
