import { join } from 'node:path';
import t from 'tap';
import { runPython } from '../helpers/python.js';
import { ROOT, temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

const server = testServer(t, {
  config: join(ROOT, 'test', 'python', 'langgraph.json'),
  env: WITHOUT_TYPES,
  workers: 2,
});

t.test('serves the REST methods of the Python client langgraph-sdk', { timeout: 300_000 }, async (t) => {
  const { found, stderr } = await runPython('langgraph_client.py', [(await server).url]);
  t.strictSame(found, {
    assistants: {
      changed: ['Bob', 2],
      versions: [2, 1],
      first: 'Ada',
      found: ['Ada'],
      count: 2,
      nodes: ['__end__', '__start__', 'ask', 'post', 'write'],
      graph: 'letter',
      subgraphs: {},
      gone: 404,
    },
    threads: {
      final: 'Done. 24 °C and sunny',
      state: [4, []],
      history: 2,
      copied: 5,
      found: [1, 1],
      count: 2,
      gone: 404,
    },
    runs: {
      events: ['metadata', 'updates', 'values'],
      last: 'Done. 24 °C and sunny',
      joined: 'by air',
      listed: 2,
      got: ['success', 1],
      asked: ['__error__'],
      first: 'By air?',
      resumed: ['answered yes', 'by air'],
      late: 'interrupted',
      batch: 2,
      unknown: 404,
    },
    store: {
      item: { text: 'blue' },
      found: [['users', 'bob']],
      namespaces: [
        ['users', 'ada'],
        ['users', 'bob'],
      ],
      gone: 'none',
    },
    crons: { schedule: ['0 0 1 1 *'], count: [1, 0] },
    blocking: ['by air', 'metadata'],
  });
  t.equal(stderr, '', 'no warning');
});

t.test('serves threads.stream of the Python client over SSE and WebSockets', { timeout: 300_000 }, async (t) => {
  const { found, stderr } = await runPython('thread_streams.py', [(await server).url, temporaryFolder(t)]);
  const transport = {
    slow: { early: false, posted: 'by air', text: 'Dear Ada' },
    second: 2,
    again: { early: false, messages: 2 },
    projections: {
      messages: ['Let me see.', 'Done. 24 °C and sunny'],
      tools: [['get_weather', { city: 'Lisbon' }, '24 °C and sunny']],
      values: 4,
      nodes: true,
      end: ['completed', 0],
    },
    interrupt: { asked: ['By air?'], still: 1, question: 'answered yes', posted: 'by air' },
  };
  t.strictSame(found, { sse: transport, websocket: transport, blocking: 'by air' });
  t.equal(stderr, '', 'no warning');
});
