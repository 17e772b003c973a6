import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { temporaryFolder, TEST_GRAPHS, testServer, WITHOUT_TYPES } from '../helpers/server.js';

/** What docs/front-ends.md says of the pages that other people made. */
const config = join(temporaryFolder(t), 'langgraph.json');
writeFileSync(config, JSON.stringify({ graphs: { review: join(dirname(TEST_GRAPHS), 'review.ts:graph') } }));
const server = await testServer(t, { config, env: WITHOUT_TYPES });
const ORIGIN = 'http://localhost:3000';
const client = new Client({
  apiUrl: server.url,
  apiKey: 'any',
  defaultHeaders: { origin: ORIGIN, 'x-auth-scheme': 'langsmith' },
});
const input = { messages: [{ type: 'human', content: 'Pay 5' }] };

t.test('answers pages of this machine with the headers that front ends send', async (t) => {
  const preflight = await fetch(`${server.url}/threads/search`, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key,x-auth-scheme',
    },
  });
  t.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
  t.match(preflight.headers.get('access-control-allow-headers'), /x-api-key.*x-auth-scheme/);
  const info = await server.get('/info', { headers: { origin: ORIGIN, 'x-api-key': 'any' } });
  t.equal(info.status, 200);
  t.equal(info.headers.get('access-control-allow-origin'), ORIGIN);
});

t.test('finds threads by the name of their graph and by their assistant, and assistants by both', async (t) => {
  const { thread_id: threadId } = await client.threads.create();
  const unused = await client.threads.create();
  await client.runs.wait(threadId, 'review', { input });
  const [assistant] = await client.assistants.search({ graphId: 'review', limit: 1 });
  for (const metadata of [{ graph_id: 'review' }, { assistant_id: assistant!.assistant_id }]) {
    const found = (await client.threads.search({ metadata, limit: 100 })).map(({ thread_id: id }) => id);
    t.ok(found.includes(threadId));
    t.notOk(found.includes(unused.thread_id), 'without a run it belongs to no graph');
  }
  t.strictSame(await client.assistants.get('review'), assistant);
});

t.test('asks for approvals of JavaScript graphs in the spelling of JavaScript', async (t) => {
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(threadId, 'review', { input });
  const { tasks } = await client.threads.getState(threadId);
  const value = tasks.flatMap(({ interrupts }) => interrupts)[0]!.value;
  t.matchOnlyStrict(value, {
    actionRequests: [{ name: 'pay', args: { amount: 5 }, description: String }],
    reviewConfigs: [{ actionName: 'pay', allowedDecisions: ['approve', 'edit', 'reject'] }],
  });
  const editedAction = { name: 'pay', args: { amount: 4 } };
  const final = await client.runs.wait(threadId, 'review', {
    command: { resume: { decisions: [{ type: 'edit', editedAction }] } },
  });
  t.match(JSON.stringify(final), /Done\. Paid 4\./);
});
