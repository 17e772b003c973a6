import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run, Thread, ThreadState } from '@langchain/langgraph-sdk';
import t from 'tap';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

interface Expected {
  approval: string;
  waiting: string;
  /** Answers by path. */
  evaluation: Record<string, string>;
  threads: Record<string, { thread: Thread; state: ThreadState; history: ThreadState[]; runs: Run[] }>;
}

const SAVED = join(ROOT, 'test', 'store', 'saved');

/** The data folder of each release, and what backups of it in each of their forms hold. */
const sources = readdirSync(SAVED).flatMap((release) =>
  ['data.mdb', ...readdirSync(join(SAVED, release)).filter((name) => name.endsWith('.backup'))].map((name) => ({
    release,
    name,
  })),
);

/** Fields of responses that the releases did not have. */
const SINCE_0_3 = /,"row_id":"[0-9a-f-]{36}"(?=\})/g;

for (const { release, name } of sources) {
  t.test(`${name} of ${release} opens, reads the same and goes on`, async (t) => {
    const dataFolder = temporaryFolder(t);
    cpSync(join(SAVED, release, 'seal.key'), join(dataFolder, 'seal.key'));
    chmodSync(join(dataFolder, 'seal.key'), 0o600);
    if (name === 'data.mdb') cpSync(join(SAVED, release, name), join(dataFolder, name));
    else t.equal((await cli(['restore', join(SAVED, release, name), '--data', dataFolder])).code, 0);
    const expected = JSON.parse(readFileSync(join(SAVED, release, 'expected.json'), 'utf8')) as Expected;
    const { client, get } = await testServer(t, { dataFolder });
    for (const [threadId, { thread, state, history, runs }] of Object.entries(expected.threads)) {
      t.match(await client.threads.get(threadId), thread);
      t.match(await client.threads.getState(threadId), state);
      t.match(await client.threads.getHistory(threadId, { limit: 5 }), history);
      t.match(await client.runs.list(threadId, { limit: 3 }), runs);
    }
    for (const [path, text] of Object.entries(expected.evaluation))
      t.equal((await (await get(path)).text()).replaceAll(SINCE_0_3, ''), text, path);
    t.match(await client.runs.wait(expected.approval, 'approval', { command: { resume: 'A' } }), {
      __interrupt__: [{ value: 'second question' }],
    });
    while ((await client.threads.get(expected.waiting)).status === 'busy')
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    t.match((await client.threads.get(expected.waiting)).values, {
      steps: ['first left behind', 'second left behind'],
    });
    t.match(await client.runs.wait(null, 'memory', { input: {} }), { found: { names: ['ada'] } });
  });
}
