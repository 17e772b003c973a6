import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildServer } from './child-server.js';
import { atProcessEnd } from './process-end.js';
import { configWith, temporaryFolder, testServer, type TestServer } from './server.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/**
 * Something of every kind that lies in a data folder, made through the server. Returns texts that can be found in the
 * file.
 */
export async function fill(
  server: Pick<TestServer | ChildServer, 'client' | 'url'>,
  count = 3,
): Promise<{ threadIds: string[]; texts: string[] }> {
  const { client, url } = server;
  const threadIds: string[] = [];
  const texts: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { thread_id: threadId } = await client.threads.create({ metadata: { owner: `owner-${n}` } });
    // Longer messages would be compressed, and nobody could look for them in the file.
    const text = `what was said in thread ${n}: ${'abcdefgh'.repeat(4)}`;
    const note = `note ${n}${n === 0 ? ` ${'abcdefgh'.repeat(1_000)}` : ''}`;
    await client.runs.wait(threadId, 'echo', { input: { messages: [{ type: 'human', content: text }] } });
    await client.store.putItem(['notes', String(n)], 'key', { text: note });
    threadIds.push(threadId);
    texts.push(text, note);
  }
  const answer = await fetch(`${url}/api/v1/datasets/upload-experiment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      experiment_name: 'first',
      dataset_name: 'questions',
      experiment_start_time: '2026-01-01T00:00:00Z',
      experiment_end_time: '2026-01-01T00:01:00Z',
      results: Array.from({ length: 20 }, (_, at) => ({
        row_id: randomUUID(),
        inputs: { question: `question ${at}` },
        expected_outputs: { answer: at },
        actual_outputs: { answer: at },
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-01T00:00:02Z',
        run_name: 'target',
        attachments: { file: { mime_type: 'text/plain', data: Buffer.from('what the file has').toString('base64') } },
        evaluation_scores: [{ key: 'correct', score: 1 }],
      })),
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return { threadIds, texts };
}

/** What a server says of all that `fill` has made, as JSON. `headers`: of requests without the client. */
export async function shown(
  { client, url }: Pick<TestServer | ChildServer, 'client' | 'url'>,
  threadIds: readonly string[],
  headers: Record<string, string> = {},
): Promise<string> {
  const threads = [];
  for (const threadId of threadIds)
    threads.push([
      await client.threads.get(threadId),
      await client.threads.getState(threadId),
      await client.threads.getHistory(threadId),
      await client.runs.list(threadId),
    ]);
  const items = await client.store.searchItems(['notes']);
  const datasets = await (await fetch(`${url}/api/v1/datasets`, { headers })).json();
  const examples = await (
    await fetch(`${url}/api/v1/examples?dataset=${(datasets as { id: string }[])[0]?.id ?? ''}`, { headers })
  ).json();
  return JSON.stringify([threads, items, datasets, examples]);
}

export interface FilledFolder {
  folder: string;
  config: string;
  threadIds: string[];
  texts: string[];
  /** What `shown` said of the folder. */
  before: string;
}

const originals = new Map<string, Promise<FilledFolder>>();

/**
 * A data folder that `fill` has filled and whose server is closed; removed with the test. A server with these variables
 * fills one folder in each process, of which each test gets a copy.
 */
export async function filledFolder(t: Test, env: Record<string, string> = {}): Promise<FilledFolder> {
  const key = JSON.stringify(env);
  let original = originals.get(key);
  if (original === undefined) {
    original = makeOriginal(env);
    originals.set(key, original);
  }
  const folder = temporaryFolder(t);
  cpSync((await original).folder, folder, { recursive: true });
  return { ...(await original), folder };
}

async function makeOriginal(env: Record<string, string>): Promise<FilledFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-test-filled-'));
  const process = { teardown: atProcessEnd };
  atProcessEnd(() => rmSync(folder, { recursive: true, force: true }));
  const config = configWith(process, 'echo');
  const server = await testServer(process, { config, dataFolder: folder, env });
  const { threadIds, texts } = await fill(server);
  const before = await shown(server, threadIds);
  await server.close(1_000);
  return { folder, config, threadIds, texts, before };
}
