import { request } from 'node:http';
import { Client, type StreamMode } from '@langchain/langgraph-sdk';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { collect, Reader, told, withoutHeartbeats, type Event } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { EXAMPLES, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const server = await testServer(t);
const examples = await testServer(t, { config: EXAMPLES });
const { threads, runs } = server.client;
const folder = temporaryFolder(t);

const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const names = (events: readonly Event[]): string[] => events.map(({ event }) => event);
type Message = { id: string; type: string; content: string } & Record<string, unknown>;

/** All events of a run of the graph `gate` that does not wait. */
const streamGate = async (streamMode: StreamMode | StreamMode[], threadId: string | null = null): Promise<Event[]> =>
  collect(runs.stream(threadId as string, 'gate', { input: { label: 'x' }, streamMode }));

/** A reader that says when the server has let it in. */
function joiner(
  threadId: string,
  runId: string,
  options: Parameters<typeof runs.joinStream>[2] = {},
): { joined: Promise<void>; events: Promise<Event[]> } {
  let answered = (): void => undefined;
  const joined = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const { runs } = new Client({
    apiUrl: server.url,
    apiKey: null,
    callerOptions: {
      maxRetries: 0,
      fetch: async (...args: Parameters<typeof fetch>) => {
        const response = await fetch(...args);
        answered();
        return response;
      },
    },
  });
  return { joined, events: collect(runs.joinStream(threadId, runId, options)) };
}

/** A run that waits at its gate, in the middle of `custom` events. */
async function heldRun(
  options: Record<string, unknown> = {},
): Promise<{ gate: Gate; threadId: string; runId: string; reader: Reader }> {
  const threadId = await newThread();
  const gate = new Gate(folder);
  let runId = '';
  const reader = new Reader(
    runs.stream(threadId, 'gate', {
      input: { label: 'x', gate: gate.file },
      streamMode: ['values', 'updates', 'custom'],
      onRunCreated: (run) => {
        runId = run.run_id;
      },
      ...options,
    }),
  );
  await reader.until(({ event }) => event === 'custom');
  return { gate, threadId, runId, reader };
}

const UPDATES = [
  { before: { steps: ['before x'] } },
  { hold: { steps: ['held x'] } },
  { after: { steps: ['after x'] } },
].map((data): [string, unknown] => ['updates', data]);
const VALUES = [[], ['before x'], ['before x', 'held x'], ['before x', 'held x', 'after x']].map(
  (steps): [string, unknown] => ['values', { label: 'x', steps }],
);
const CUSTOM: [string, unknown][] = [
  ['custom', { waiting: 'x' }],
  ['custom', { passed: 'x' }],
];

t.test('starts with run and attempt, and increases event ids', async (t) => {
  for (const threadId of [null, await newThread()]) {
    let runId = '';
    const events = await collect(
      runs.stream(threadId as string, 'gate', {
        input: { label: 'x' },
        onRunCreated: (run) => {
          runId = run.run_id;
        },
      }),
    );
    t.strictSame([events[0]!.event, events[0]!.data], ['metadata', { run_id: runId, attempt: 1 }]);
    t.equal(names(events).filter((name) => name === 'metadata').length, 1);
    const ids = events.map(({ id }) => Number(id));
    t.ok(
      ids.every((id, at) => Number.isInteger(id) && (at === 0 || id > ids[at - 1]!)),
      `ids ${ids.join(' ')}`,
    );
  }
});

t.test('never repeats event ids of a thread', async (t) => {
  const threadId = await newThread();
  const ids = [...(await streamGate('values', threadId)), ...(await streamGate('values', threadId))].map(
    ({ id }) => id,
  );
  t.equal(new Set(ids).size, ids.length);
});

t.test('writes an event as three lines and an empty one', async (t) => {
  const answer = await server.post('/runs/stream', {
    assistant_id: 'echo',
    input: { text: 'two\nlines \u2028 and \r more' },
  });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'text/event-stream');
  t.equal(answer.headers.get('cache-control'), 'no-cache');
  t.equal(answer.headers.get('location'), null, 'a reconnect is not offered where nothing is kept');
  const text = withoutHeartbeats(await answer.text());
  t.ok(text.endsWith('\n\n'));
  const blocks = text.split('\n\n').slice(0, -1);
  t.equal(blocks.length, 4);
  for (const block of blocks) {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    );
    t.strictSame(Object.keys(fields).sort(), ['data', 'event', 'id']);
    t.doesNotThrow(() => JSON.parse(fields['data']!) as unknown);
  }
});

t.test('single modes', async (t) => {
  t.test('values', async (t) => t.strictSame(told(await streamGate('values')), VALUES));
  t.test('sends values by default and for an empty list', async (t) => {
    t.strictSame(told(await collect(runs.stream(null, 'gate', { input: { label: 'x' } }))), VALUES);
    t.strictSame(told(await streamGate([])), VALUES);
  });
  t.test('updates', async (t) => t.strictSame(told(await streamGate('updates')), UPDATES));
  t.test('custom', async (t) => t.strictSame(told(await streamGate('custom')), CUSTOM));

  t.test('tasks', async (t) => {
    const events = told(await streamGate('tasks', await newThread()));
    t.match(events, [
      [
        'tasks',
        {
          id: String,
          name: 'before',
          input: { label: 'x', steps: Empty },
          triggers: ['branch:to:before'],
          interrupts: Empty,
        },
      ],
      ['tasks', { id: String, name: 'before', result: { steps: ['before x'] }, interrupts: Empty }],
      ['tasks', { name: 'hold', input: { label: 'x', steps: ['before x'] } }],
      ['tasks', { name: 'hold', result: { steps: ['held x'] } }],
      ['tasks', { name: 'after' }],
      ['tasks', { name: 'after', result: { steps: ['after x'] } }],
    ]);
    t.equal(events.length, 6);
    const ids = events.map(([, data]) => (data as { id: string }).id);
    t.strictSame([ids[0], ids[2], ids[4]], [ids[1], ids[3], ids[5]], 'start and end are of one task');
  });

  t.test('checkpoints', async (t) => {
    const threadId = await newThread();
    const events = told(await streamGate('checkpoints', threadId)) as [
      string,
      { metadata: { step: number }; checkpoint: unknown; parent_checkpoint: unknown; values: unknown; next: unknown },
    ][];
    t.ok(events.every(([name]) => name === 'checkpoints'));
    const history = (await threads.getHistory(threadId)).reverse();
    t.strictSame(
      events.map(([, { metadata, checkpoint, parent_checkpoint, values, next }]) => [
        metadata.step,
        checkpoint,
        parent_checkpoint,
        values,
        next,
      ]),
      history.map(({ metadata, checkpoint, parent_checkpoint, values, next }) => [
        metadata!.step,
        checkpoint,
        parent_checkpoint,
        values,
        next,
      ]),
    );
    t.notMatch(JSON.stringify(events), /langgraph_auth|graph_auth_user|"__pregel_\w+":|"callbacks"/);
  });

  t.test('debug', async (t) => {
    const threadId = await newThread();
    const events = told(await streamGate('debug', threadId)) as [
      string,
      { type: string; step: number; timestamp: string; payload: Record<string, unknown> },
    ][];
    t.strictSame(
      events.map(([name, { type, step }]) => [name, type, step]),
      [
        ['debug', 'checkpoint', -1],
        ['debug', 'checkpoint', 0],
        ...[1, 2, 3].flatMap((step) => ['task', 'task_result', 'checkpoint'].map((type) => ['debug', type, step])),
      ],
    );
    const history = (await threads.getHistory(threadId)).reverse();
    const checkpoints = events
      .filter(([, { type }]) => type === 'checkpoint')
      .map(([, { payload }]) => [payload['checkpoint'], payload['parent_checkpoint'], payload['values']]);
    t.strictSame(
      checkpoints,
      history.map(({ checkpoint, parent_checkpoint, values }) => [checkpoint, parent_checkpoint, values]),
    );
    t.notMatch(JSON.stringify(events), /langgraph_auth|graph_auth_user|"__pregel_\w+":|parentConfig/);
  });

  t.test('events', async (t) => {
    let runId = '';
    const events = told(
      await collect(
        runs.stream(null, 'echo', {
          input: { text: 'x' },
          streamMode: 'events',
          onRunCreated: (run) => {
            runId = run.run_id;
          },
        }),
      ),
    ) as [string, { event: string; name: string; run_id: string; data: unknown }][];
    t.ok(events.every(([name]) => name === 'events'));
    t.match(events[0]![1], { event: 'on_chain_start', run_id: runId, data: { input: { text: 'x' } } });
    t.match(events.at(-1)![1], {
      event: 'on_chain_end',
      run_id: runId,
      data: { output: { text: 'x', steps: ['first x', 'second x'] } },
    });
    t.match(
      events.filter(([, data]) => data.name === 'second').map(([, data]) => data),
      [{ event: 'on_chain_start' }, { event: 'on_chain_end', data: { output: { steps: ['second x'] } } }],
    );
  });
});

t.test('[trap 22] sends each requested mode in its own events, in order, and nothing else', async (t) => {
  t.strictSame(told(await streamGate(['values', 'updates', 'custom'])), [
    VALUES[0],
    UPDATES[0],
    VALUES[1],
    CUSTOM[0],
    CUSTOM[1],
    UPDATES[1],
    VALUES[2],
    UPDATES[2],
    VALUES[3],
  ]);
  t.strictSame(
    told(await streamGate(['custom', 'values', 'custom'], await newThread())),
    [VALUES[0], VALUES[1], CUSTOM[0], CUSTOM[1], VALUES[2], VALUES[3]],
    'a mode given twice counts once',
  );
  const both = await streamGate(['tasks', 'checkpoints'], await newThread());
  t.strictSame(names(both), [
    'metadata',
    'checkpoints',
    'checkpoints',
    ...Array.from({ length: 3 }, () => ['tasks', 'tasks', 'checkpoints']).flat(),
  ]);
  t.strictSame(
    told(await streamGate(['updates', 'events'])).filter(([name]) => name !== 'events'),
    UPDATES,
  );
});

t.test('streams messages of a model', async (t) => {
  const input = { messages: [{ role: 'human', content: 'weather in Berlin?', id: 'h1' }] };
  const stream = async (streamMode: StreamMode[], threadId: string | null = null): Promise<Event[]> =>
    collect(examples.client.runs.stream(threadId as string, 'agent', { input, streamMode }));
  const WORDS = ['Let ', 'me ', 'see.'];
  const ANSWER = 'Done. 12 °C and cloudy';

  t.test('[trap 23] messages: sends growing partial messages and each complete one once', async (t) => {
    const events = told(await stream(['messages'])) as [string, Message[]][];
    const partial = (id: string): string[] =>
      events
        .filter(([name, data]) => name === 'messages/partial' && data[0]!.id === id)
        .map(([, [message]]) => message!.content);
    t.strictSame(partial('reply-1'), ['Let ', 'Let me ', 'Let me see.', 'Let me see.'], 'the last has the tool call');
    t.strictSame(partial('reply-3').at(-1), ANSWER);
    t.ok(partial('reply-3').every((text, at, all) => at === 0 || text.startsWith(all[at - 1]!)));
    t.strictSame(
      events
        .filter(([name]) => name === 'messages/complete')
        .flatMap(([, data]) => data.map(({ type, content }) => [type, content])),
      [
        ['human', 'weather in Berlin?'],
        ['ai', 'Let me see.'],
        ['tool', '12 °C and cloudy'],
        ['ai', ANSWER],
      ],
    );
    const [withCall] = events
      .filter(([name, data]) => name === 'messages/partial' && data[0]!.id === 'reply-1')
      .at(-1)![1];
    t.strictSame(withCall!['tool_calls'], [
      { name: 'get_weather', args: { city: 'Berlin' }, id: 'call-1', type: 'tool_call' },
    ]);
    t.equal(events.at(-1)![0], 'messages/complete');
  });

  t.test('messages: sends metadata once, before the first part', async (t) => {
    const events = told(await stream(['messages'])) as [string, unknown][];
    const metadata = events
      .filter(([name]) => name === 'messages/metadata')
      .map(([, data]) => data as Record<string, unknown>);
    t.strictSame(
      metadata.map((data) => Object.keys(data)),
      [['reply-1'], ['reply-3']],
    );
    t.match(metadata[0]!['reply-1'], {
      metadata: { langgraph_node: 'model_request', graph_node: 'model_request', langgraph_step: 1, graph_id: 'agent' },
    });
    for (const id of ['reply-1', 'reply-3']) {
      const about = events.findIndex(([name, data]) => name === 'messages/metadata' && id in (data as object));
      const first = events.findIndex(
        ([name, data]) => name === 'messages/partial' && (data as Message[])[0]!.id === id,
      );
      t.equal(first, about + 1);
    }
  });

  t.test('[trap 23] messages-tuple: sends each new part with its origin', async (t) => {
    const threadId = (await examples.client.threads.create()).thread_id;
    const events = told(await stream(['messages-tuple'], threadId)) as [string, [Message, Record<string, unknown>]][];
    t.ok(events.every(([name]) => name === 'messages'));
    const ofReply = events.map(([, data]) => data).filter(([message]) => message.id === 'reply-1');
    t.strictSame(
      ofReply.map(([message]) => message.content).filter((content) => content !== ''),
      WORDS,
    );
    t.equal(
      events
        .filter(([, [message]]) => message.id === 'reply-3')
        .map(([, [message]]) => message.content)
        .join(''),
      ANSWER,
    );
    const runId = (await examples.client.runs.list(threadId))[0]!.run_id;
    for (const [message, metadata] of ofReply) {
      t.equal(message.type, 'ai');
      t.match(metadata, {
        langgraph_node: 'model_request',
        graph_node: 'model_request',
        langgraph_step: 1,
        tags: Empty,
        thread_id: threadId,
        run_id: runId,
        checkpoint_ns: /^model_request:/,
        ls_provider: String,
      });
      t.notMatch(JSON.stringify(metadata), /langgraph_auth|graph_auth_user/);
    }
    t.match(
      events
        .filter(([, [message]]) => message.type === 'tool')
        .map(([, [message, metadata]]) => [message.content, metadata['langgraph_node']]),
      [['12 °C and cloudy', 'tools']],
    );
  });

  t.test('sends messages and messages-tuple together with values', async (t) => {
    const events = await stream(['messages', 'messages-tuple', 'values']);
    t.strictSame([...new Set(names(events))].sort(), [
      'messages',
      'messages/complete',
      'messages/metadata',
      'messages/partial',
      'metadata',
      'values',
    ]);
    const lastValues = events.filter(({ event }) => event === 'values').at(-1)!.data as { messages: Message[] };
    t.strictSame(
      lastValues.messages.map(({ type }) => type),
      ['human', 'ai', 'tool', 'ai'],
      'messages are flat',
    );
  });

  t.test('[trap 22] sends no values for messages alone', async (t) => {
    t.notOk(names(await stream(['messages'])).includes('values'));
  });

  t.test('tools', async (t) => {
    t.match(told(await stream(['tools' as StreamMode])), [
      ['tools', { event: 'on_tool_start', toolCallId: 'call-1', name: 'get_weather', input: /Berlin/ }],
      [
        'tools',
        {
          event: 'on_tool_end',
          toolCallId: 'call-1',
          name: 'get_weather',
          output: { type: 'tool', content: '12 °C and cloudy' },
        },
      ],
    ]);
  });
});

t.test('subgraphs', async (t) => {
  const stream = async (streamMode: StreamMode[], streamSubgraphs: boolean): Promise<Event[]> =>
    collect(
      examples.client.runs.stream(null, 'research', {
        input: { topic: 'x' },
        streamMode,
        streamSubgraphs: streamSubgraphs as never,
      }),
    );
  const plain = (name: string): string => name.replace(/:[0-9a-f-]{36}$/, ':<uuid>');
  const found = ['Found three pages about x.'];
  const read = ['The second page about x is the useful one.'];

  t.test('adds the namespace to the names of events', async (t) => {
    const events = (await stream(['updates', 'custom', 'values'], true)).slice(1);
    t.strictSame(
      events.map(({ event, data }) => [plain(event), data]),
      [
        ['values', { topic: 'x', notes: [] }],
        ['values|lookup:<uuid>', { topic: 'x', notes: [] }],
        ['updates|lookup:<uuid>', { search: { notes: found } }],
        ['values|lookup:<uuid>', { topic: 'x', notes: found }],
        ['custom|lookup:<uuid>', { progress: 0.5, reading: 'x' }],
        ['updates|lookup:<uuid>', { read: { notes: read } }],
        ['values|lookup:<uuid>', { topic: 'x', notes: [...found, ...read] }],
        ['updates', { lookup: { topic: 'x', notes: [...found, ...read] } }],
        ['values', { topic: 'x', notes: [...found, ...read] }],
        ['updates', { write: { report: 'Report on x: 2 notes.' } }],
        ['values', { topic: 'x', notes: [...found, ...read], report: 'Report on x: 2 notes.' }],
      ],
    );
    t.equal(
      new Set(
        names(events)
          .filter((name) => name.includes('|'))
          .map((name) => name.split('|')[1]),
      ).size,
      1,
      'one task, one namespace',
    );
  });

  t.test('adds the namespace to tasks and debug', async (t) => {
    const events = (await stream(['tasks', 'debug'], true)).slice(1);
    t.strictSame([...new Set(names(events).map(plain))].sort(), [
      'debug',
      'debug|lookup:<uuid>',
      'tasks',
      'tasks|lookup:<uuid>',
    ]);
  });

  t.test('sends only root events without subgraphs, but all custom events', async (t) => {
    t.strictSame(names(await stream(['updates', 'custom', 'values', 'tasks'], false)), [
      'metadata',
      'values',
      'tasks',
      'custom',
      'updates',
      'tasks',
      'values',
      'tasks',
      'updates',
      'tasks',
      'values',
    ]);
  });

  t.test('[trap 25] filters namespaced events on join by their mode', async (t) => {
    const { thread_id: threadId } = await examples.client.threads.create();
    const { run_id: runId } = await examples.client.runs.create(threadId, 'research', {
      input: { topic: 'x' },
      streamMode: ['updates', 'values'],
      streamSubgraphs: true,
      streamResumable: true,
    });
    await examples.client.runs.join(threadId, runId);
    const events = await collect(
      examples.client.runs.joinStream(threadId, runId, { lastEventId: '-1', streamMode: 'updates' }),
    );
    t.strictSame(names(events).map(plain), [
      'metadata',
      'updates|lookup:<uuid>',
      'updates|lookup:<uuid>',
      'updates',
      'updates',
    ]);
  });
});

t.test('ends the stream of a failed run with an error event', async (t) => {
  for (const threadId of [null, await newThread()]) {
    const events = told(
      await collect(
        runs.stream(threadId as string, 'trouble', { input: { do: 'throw' }, streamMode: ['values', 'updates'] }),
      ),
    );
    t.strictSame(events, [
      ['values', { do: 'throw', done: [] }],
      ['error', { error: 'CustomError', message: 'Boo!' }],
    ]);
  }
});

t.test('[trap 18] stores the status of a run before its stream ends', async (t) => {
  const threadId = await newThread();
  for (let n = 0; n < 10; n += 1) {
    let runId = '';
    await collect(
      runs.stream(threadId, n % 2 === 0 ? 'echo' : 'trouble', {
        input: { text: 'x', do: 'throw' },
        onRunCreated: (run) => {
          runId = run.run_id;
        },
      }),
    );
    t.equal((await runs.get(threadId, runId)).status, n % 2 === 0 ? 'success' : 'error');
  }
});

t.test('[trap 24] ends a stream with an interrupt in both of its modes', async (t) => {
  const events = told(
    await collect(runs.stream(await newThread(), 'approval', { input: {}, streamMode: ['values', 'updates'] })),
  );
  const asked = { __interrupt__: [{ id: /^[0-9a-f]{32}$/, value: 'first question' }] };
  t.match(events.slice(-2), [
    ['updates', asked],
    ['values', asked],
  ]);
  t.match(told(await collect(runs.stream(await newThread(), 'approval', { input: {}, streamMode: 'values' }))).at(-1), [
    'values',
    asked,
  ]);
  t.match(
    told(await collect(runs.stream(await newThread(), 'approval', { input: {}, streamMode: 'updates' }))).at(-1),
    ['updates', asked],
  );
});

t.test('streams the same interrupts as the state shows', async (t) => {
  const threadId = await newThread();
  const events = told(
    await collect(runs.stream(threadId, 'questions', { input: { answers: ['start'] }, streamMode: 'values' })),
  );
  const shown = events.flatMap(([, data]) => (data as { __interrupt__?: { value: unknown }[] }).__interrupt__ ?? []);
  t.strictSame(
    shown,
    (await threads.getState(threadId)).tasks.flatMap(({ interrupts }) => interrupts),
  );
});

t.test('streams an interrupt inside a subgraph at its namespace and at the root', async (t) => {
  const threadId = await newThread();
  const plain = (events: [string, unknown][]): [string, unknown][] =>
    events.map(([name, data]) => [name.replace(/:[0-9a-f-]{36}$/, ''), data]);
  const asked = { __interrupt__: [{ id: /^[0-9a-f]{32}$/, value: 'why?' }] };
  const first = plain(
    told(
      await collect(
        runs.stream(threadId, 'nested', {
          input: { question: 'why?' },
          streamMode: ['updates'],
          streamSubgraphs: true,
        }),
      ),
    ),
  );
  t.match(first, [
    ['updates|inner', { prepare: { words: ['prepared'] } }],
    ['updates|inner', asked],
    ['updates', asked],
  ]);
  const second = plain(
    told(
      await collect(
        runs.stream(threadId, 'nested', { command: { resume: 'so' }, streamMode: ['updates'], streamSubgraphs: true }),
      ),
    ),
  );
  t.strictSame(second, [
    ['updates|inner', { ask: { words: ['answer so'] } }],
    ['updates', { inner: { question: 'why?', words: ['prepared', 'answer so'] } }],
    ['updates', { close: { words: ['closed'] } }],
  ]);
});

t.test('a resumable run', async (t) => {
  const threadId = await newThread();
  let runId = '';
  const original = await collect(
    runs.stream(threadId, 'gate', {
      input: { label: 'x' },
      streamMode: ['values', 'updates', 'custom'],
      streamResumable: true,
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  const join = async (options: Parameters<typeof runs.joinStream>[2]): Promise<Event[]> =>
    collect(runs.joinStream(threadId, runId, options));

  t.test('[trap 20] is replayed from the start, with the same ids and data', async (t) => {
    t.strictSame(await join({ lastEventId: '-1' }), original);
    t.strictSame(await join({ lastEventId: '-1' }), original, 'as often as one likes');
  });

  t.test('[trap 20] continues after any event', async (t) => {
    for (const [at, { id }] of original.entries())
      t.strictSame(await join({ lastEventId: id! }), original.slice(at + 1), `after ${id}`);
  });

  t.test('is replayed in the selected modes', async (t) => {
    t.strictSame(
      await join({ lastEventId: '-1', streamMode: 'custom' }),
      original.filter(({ event }) => ['metadata', 'custom'].includes(event)),
    );
    t.strictSame(
      await join({ lastEventId: '-1', streamMode: ['values', 'updates'] }),
      original.filter(({ event }) => event !== 'custom'),
    );
  });

  t.test('sends nothing to a client that joins after its end without a cursor', async (t) => {
    t.strictSame(await join({}), []);
  });

  t.test('offers to reconnect', async (t) => {
    const answer = await server.post(`/threads/${threadId}/runs/stream`, {
      assistant_id: 'echo',
      input: { text: 'x' },
      stream_resumable: true,
    });
    t.equal(answer.headers.get('location'), `${answer.headers.get('content-location')}/stream`);
    await answer.text();
  });
});

t.test('replays a resumable background run while it runs', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { run_id: runId } = await runs.create(threadId, 'gate', {
    input: { label: 'x', gate: gate.file },
    streamMode: ['custom'],
    streamResumable: true,
  });
  await gate.reached();
  const first = joiner(threadId, runId, { lastEventId: '-1' });
  await first.joined;
  gate.open();
  const events = await first.events;
  t.match(events[0], { event: 'metadata', data: { run_id: runId, attempt: 1 } });
  t.strictSame(told(events), CUSTOM);
  t.strictSame(await collect(runs.joinStream(threadId, runId, { lastEventId: '-1' })), events);
});

t.test('replays a failed resumable run with its error, which passes every filter', async (t) => {
  const threadId = await newThread();
  let runId = '';
  const original = await collect(
    runs.stream(threadId, 'trouble', {
      input: { do: 'throw' },
      streamResumable: true,
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  t.strictSame(names(original), ['metadata', 'values', 'error']);
  t.strictSame(await collect(runs.joinStream(threadId, runId, { lastEventId: '-1' })), original);
  t.strictSame(names(await collect(runs.joinStream(threadId, runId, { lastEventId: '-1', streamMode: 'custom' }))), [
    'metadata',
    'error',
  ]);
});

t.test('keeps the events of a resumable run over a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const before = await testServer(t, { dataFolder });
  const { thread_id: threadId } = await before.client.threads.create();
  let runId = '';
  const original = await collect(
    before.client.runs.stream(threadId, 'gate', {
      input: { label: 'x' },
      streamMode: ['values', 'updates'],
      streamResumable: true,
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  await before.close();
  const after: TestServer = await testServer(t, { dataFolder });
  t.strictSame(await collect(after.client.runs.joinStream(threadId, runId, { lastEventId: '-1' })), original);
  t.strictSame(
    await collect(after.client.runs.joinStream(threadId, runId, { lastEventId: original[3]!.id! })),
    original.slice(4),
  );
});

t.test('sends only later events to a client that joins without a cursor', async (t) => {
  const { gate, threadId, runId, reader } = await heldRun();
  const late = joiner(threadId, runId);
  await late.joined;
  gate.open();
  const rest = await reader.rest();
  t.strictSame(names(rest), ['custom', 'updates', 'values', 'updates', 'values']);
  t.strictSame(await late.events, rest);
});

t.test('sends all later events of a background run to a joining client', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { run_id: runId } = await runs.create(threadId, 'ticker', {
    input: { gate: gate.file },
    streamMode: ['custom', 'updates'],
  });
  await gate.reached();
  const reader = new Reader(runs.joinStream(threadId, runId));
  await reader.until(({ event }) => event === 'custom');
  gate.open();
  await reader.rest();
  const events = reader.seen;
  const { ticks } = (events.pop()!.data as { tick: { ticks: number } }).tick;
  const heard = events.map(({ data }) => (data as { tick: number }).tick);
  t.strictSame(
    heard,
    Array.from({ length: heard.length }, (_, at) => ticks - heard.length + at),
  );
  t.strictSame(
    names(events),
    heard.map(() => 'custom'),
  );
});

t.test('sends the same events to all joined clients', async (t) => {
  const { gate, threadId, runId, reader } = await heldRun();
  const joiners = [
    joiner(threadId, runId),
    joiner(threadId, runId),
    joiner(threadId, runId, { streamMode: 'updates' }),
  ];
  await Promise.all(joiners.map(async ({ joined }) => joined));
  gate.open();
  const rest = await reader.rest();
  t.equal(rest.length, 5);
  t.strictSame(await joiners[0]!.events, rest);
  t.strictSame(await joiners[1]!.events, rest);
  t.strictSame(
    await joiners[2]!.events,
    rest.filter(({ event }) => event === 'updates'),
  );
});

t.test('continues the run and other streams when a joined client disconnects', async (t) => {
  const { gate, threadId, runId, reader } = await heldRun();
  const abort = new AbortController();
  const leaving = joiner(threadId, runId, { signal: abort.signal });
  const staying = joiner(threadId, runId);
  await Promise.all([leaving.joined, staying.joined]);
  abort.abort();
  await leaving.events.catch(() => undefined);
  gate.open();
  t.strictSame(await staying.events, await reader.rest());
  t.equal((await runs.get(threadId, runId)).status, 'success');
});

t.test('ends the run when a client with cancelOnDisconnect disconnects', async (t) => {
  const { threadId, runId, reader } = await heldRun();
  const abort = new AbortController();
  const leaving = joiner(threadId, runId, { cancelOnDisconnect: true, signal: abort.signal });
  await leaving.joined;
  abort.abort();
  await leaving.events.catch(() => undefined);
  t.strictSame(await reader.rest(), []);
  t.equal((await runs.get(threadId, runId)).status, 'interrupted');
});

t.test('[trap 21] returns nothing more to a client that joins after the end of a run', async (t) => {
  const threadId = await newThread();
  const { run_id: well } = await runs.create(threadId, 'echo', { input: { text: 'x' } });
  const { run_id: badly } = await runs.create(threadId, 'trouble', { input: { do: 'throw' } });
  await runs.join(threadId, badly);
  t.strictSame(await collect(runs.joinStream(threadId, well)), [], 'of one that ended well hears nothing');
  t.strictSame(
    told(await collect(runs.joinStream(threadId, badly))),
    [['error', { error: 'CustomError', message: 'Boo!' }]],
    'of one that failed hears why',
  );
  t.strictSame(told(await collect(runs.joinStream(threadId, badly, { streamMode: 'updates' }))), [
    ['error', { error: 'CustomError', message: 'Boo!' }],
  ]);
});

t.test('lets the client resume a broken stream, each event once', async (t) => {
  const gate = new Gate(folder);
  const threadId = await newThread();
  let requests = 0;
  const lastEventIds: (string | null)[] = [];
  const { runs } = new Client({
    apiUrl: server.url,
    apiKey: null,
    callerOptions: {
      maxRetries: 0,
      fetch: async (url: string, init: RequestInit) => {
        const response = await fetch(url, init);
        if (!url.endsWith('/stream')) return response;
        requests += 1;
        lastEventIds.push(new Headers(init.headers).get('last-event-id'));
        if (requests > 1) return response;
        const broken = response.body!.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              controller.enqueue(chunk);
              if (!Buffer.from(chunk).includes('waiting')) return;
              gate.open();
              // Errors at once would drop what is queued.
              setImmediate(() => controller.error(new TypeError('terminated')));
            },
          }),
        );
        return new Response(broken, { status: response.status, headers: response.headers });
      },
    },
  });
  const events = await collect(
    runs.stream(threadId, 'gate', {
      input: { label: 'x', gate: gate.file },
      streamMode: ['updates', 'custom'],
      streamResumable: true,
      onDisconnect: 'continue',
    }),
  );
  t.strictSame(told(events), [UPDATES[0], ...CUSTOM, UPDATES[1], UPDATES[2]]);
  t.equal(requests, 2);
  t.strictSame(lastEventIds, [null, events[2]!.id]);
});

t.test('a slow reader', async (t) => {
  const n = 24_000; // about 25 MB, more than sockets and the kept tail hold
  const body = { assistant_id: 'trouble', input: { do: 'custom-slow', n }, stream_mode: ['custom'] };
  /** Takes the head of the answer, and nothing of its body until `text` is called. */
  const startSlowly = (path: string, payload: object): Promise<{ runId: string; text(): Promise<string> }> =>
    new Promise((resolve, reject) => {
      const sending = request(`${server.url}${path}`, { method: 'POST' }, (response) => {
        resolve({
          runId: response.headers['content-location']!.split('/').at(-1)!,
          async text() {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk as Buffer);
            return Buffer.concat(chunks).toString();
          },
        });
      });
      sending.on('error', reject);
      sending.end(JSON.stringify(payload));
    });
  const parsed = (text: string): { ids: number[]; last: string } => {
    const events = text.split('\n\n').filter((block) => block.includes('event: '));
    return {
      ids: events
        .filter((block) => block.includes('event: custom'))
        .map((block) => (JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as { i: number }).i),
      last: events.at(-1)!,
    };
  };

  t.test('receives every event of a resumable run, with delay', async (t) => {
    const threadId = await newThread();
    const slow = await startSlowly(`/threads/${threadId}/runs/stream`, { ...body, stream_resumable: true });
    const quick = await server.get(`/threads/${threadId}/runs/${slow.runId}/stream`, {
      headers: { 'last-event-id': '-1' },
    });
    const [quickText, values] = await Promise.all([quick.text(), runs.join(threadId, slow.runId)]);
    t.match(values, { done: ['wrote', 'after'] }, 'the run does not wait for it');
    t.equal(parsed(quickText).ids.length, n, 'a quick one beside it is not held up');
    const { ids } = parsed(await slow.text());
    t.equal(ids.length, n);
    t.ok(
      ids.every((id, at) => id === at),
      'in order',
    );
  });

  t.test('receives the kept events of another run, and the gap', async (t) => {
    const threadId = await newThread();
    const slow = await startSlowly(`/threads/${threadId}/runs/stream`, body);
    await runs.join(threadId, slow.runId);
    const { ids, last } = parsed(await slow.text());
    t.ok(ids.length < n && ids.every((id, at) => id === at), `a beginning without holes: ${ids.length} of ${n}`);
    t.match(last, /^event: error\ndata: \{"error":"StreamGap","message":"Events \d+ to \d+ are no longer kept\."/);
  });
});
