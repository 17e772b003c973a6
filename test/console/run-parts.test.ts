import t from 'tap';
import { consoleModule } from '../helpers/console-module.js';

interface Problem {
  path: (string | number)[];
  message: string;
}
interface Model {
  resolveSchema: (schema: object, root: object) => object;
  fieldOf: (schema: object, root: object) => Record<string, unknown> & { kind: string };
  initialValue: (schema: object, root: object, required: boolean) => unknown;
  validateValue: (schema: object, value: unknown, root: object) => Problem[];
  matchingSchema: (of: object[], value: unknown, root: object) => number;
}

t.test('derives fields from a schema', async (t) => {
  const { resolveSchema, fieldOf, initialValue, validateValue, matchingSchema } =
    await consoleModule<Model>('schema/model.ts');
  const kind = (schema: object, root: object = schema): string => fieldOf(resolveSchema(schema, root), root).kind;
  t.equal(kind({ type: 'string' }), 'text');
  t.equal(kind({ type: ['string', 'null'] }), 'text', 'draft 7');
  t.equal(kind({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), 'number', '2020-12');
  t.equal(kind({ type: ['string', 'number'] }), 'choice');
  t.equal(kind({ oneOf: [{ const: 'a' }, { const: 'b' }] }), 'enum');
  t.equal(kind({ type: 'array', items: { type: 'string' }, langgraph_type: 'messages' }), 'messages');
  t.equal(kind({ type: 'object' }), 'json', 'an object without known properties');
  t.equal(kind({ type: 'object', additionalProperties: { type: 'number' } }), 'object');
  t.equal(kind({}), 'json');
  t.same(fieldOf({ type: 'integer', exclusiveMinimum: 0, maximum: 10 }, {}), {
    kind: 'number',
    integer: true,
    min: 1,
    max: 10,
  });
  t.same(fieldOf({ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER }, {}).max, null);

  const tree = {
    type: 'object',
    properties: {
      name: { $ref: '#/$defs/Name' },
      below: { type: 'array', items: { $ref: '#' } },
      parent: { $ref: '#' },
    },
    required: ['name', 'parent'],
    $defs: { Name: { type: 'string', default: 'leaf' }, 'a/b': { type: 'boolean' } },
  };
  t.equal(kind({ $ref: '#/$defs/a~1b' }, tree), 'boolean');
  t.equal(kind({ $ref: 'https://elsewhere/' }, tree), 'json', 'no external reference is fetched');
  const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
  t.equal(kind(circle), 'json', 'a reference cycle ends');
  t.match(
    initialValue(resolveSchema(tree, tree), tree, true),
    { name: 'leaf', parent: { name: 'leaf' } },
    'a recursive required property ends too',
  );
  t.same(
    resolveSchema(
      {
        allOf: [
          { properties: { a: {} }, required: ['a'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
      {},
    ),
    { properties: { a: {}, b: {} }, required: ['a', 'b'] },
  );

  const form = {
    type: 'object',
    properties: {
      pages: { type: 'integer', minimum: 1 },
      to: { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 1 },
      tone: { enum: ['calm'] },
    },
    required: ['pages', 'tone'],
  };
  t.same(initialValue(form, form, true), { tone: 'calm' });
  t.same(
    validateValue(form, { pages: 0.5, to: ['x', 7], tone: 'loud' }, form).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    ),
    [
      'pages must be a whole number',
      'to.0 must have at least 2 characters',
      'to.1 must be text',
      'tone must be one of "calm"',
    ],
  );
  t.same(
    validateValue(form, {}, form).map(({ path, message }) => `${path.join('.')} ${message}`),
    ['pages is required', 'tone is required'],
  );
  const shapes = [
    { type: 'object', properties: { kind: { const: 'a' } } },
    { type: 'object', properties: { kind: { const: 'b' }, x: {} } },
    { type: 'string' },
  ];
  t.same(
    [{ kind: 'b' }, { kind: 'a' }, 'text', { x: 1 }].map((value) => matchingSchema(shapes, value, {})),
    [1, 0, 2, 1],
  );
});

interface Part {
  id?: string;
  event: string;
  data: unknown;
}
interface View {
  attempt: number;
  lastId: string | null;
  received: number;
  values: unknown;
  interrupts: { id: string | null; value: unknown }[];
  next: string[] | null;
  gaps: { from: number; to: number }[];
  error: { error: string; message: string } | null;
  conversation: Map<
    string,
    {
      message: { content: unknown };
      streaming: boolean;
      inState: boolean;
      calls: Map<number, { name: string; args: string }>;
    }
  >;
  steps: Map<
    string,
    {
      name: string;
      state: string;
      parent: string | null;
      startMs: number | null;
      endMs: number | null;
      bytes: number | null;
      attempt: number;
    }
  >;
}
interface Events {
  emptyView: () => View;
  applyEvents: (view: View, parts: Part[]) => void;
}

const token = (content: unknown, id = 'm', task = 't1', more: object = {}): unknown => [
  { type: 'ai', id, content, ...more },
  { langgraph_node: 'model', langgraph_checkpoint_ns: `model:${task}` },
];
const numbered = (events: [string, unknown][], from = 0): Part[] =>
  events.map(([event, data], at) => ({ id: String(from + at), event, data }));

t.test('builds a view from run events', async (t) => {
  const { emptyView, applyEvents } = await consoleModule<Events>('pages/run/run-events.ts');
  const contents = (view: View): unknown[] => [...view.conversation.values()].map(({ message }) => message.content);

  t.test('joins tokens, tool call chunks and blocks, and skips repeated events', (t) => {
    const view = emptyView();
    const parts = numbered([
      ['metadata', { run_id: 'r', attempt: 1 }],
      ['messages', token('Let ')],
      ['messages', token('me see.')],
      ['messages', token('', 'm', 't1', { tool_call_chunks: [{ index: 1, id: 'c', name: 'find', args: '{"ci' }] })],
      ['messages', token('', 'm', 't1', { tool_call_chunks: [{ index: 1, args: 'ty":"Lisbon"}' }] })],
      ['messages', token([{ type: 'thinking', thinking: 'Hm', index: 0 }], 'n')],
      [
        'messages',
        token(
          [
            { type: 'thinking', thinking: 'm.', index: 0 },
            { type: 'text', text: 'Yes', index: 1 },
          ],
          'n',
        ),
      ],
    ]);
    applyEvents(view, parts.slice(0, 4));
    applyEvents(view, parts);
    t.equal(view.received, 7);
    t.equal(view.lastId, '6');
    t.same(contents(view), [
      'Let me see.',
      [
        { type: 'thinking', thinking: 'Hmm.', index: 0 },
        { type: 'text', text: 'Yes', index: 1 },
      ],
    ]);
    t.same([...view.conversation.get('m')!.calls.values()], [{ id: 'c', name: 'find', args: '{"city":"Lisbon"}' }]);
    t.end();
  });

  t.test('records times, sizes and parents of steps; the state defines its messages', (t) => {
    const view = emptyView();
    const at = (ms: number): string => new Date(ms).toISOString();
    applyEvents(
      view,
      numbered([
        ['debug', { type: 'task', timestamp: at(1_000), payload: { id: 'a', name: 'outer', input: 1 } }],
        ['tasks', { id: 'a', name: 'outer', input: 1 }],
        ['debug|outer:a', { type: 'task', timestamp: at(1_100), payload: { id: 'b', name: 'inner' } }],
        ['messages|outer:a', token('half', 'x', 'b')],
        ['updates|outer:a', { inner: { said: 'é' } }],
        [
          'debug|outer:a',
          {
            type: 'task_result',
            timestamp: at(1_400),
            payload: { id: 'b', name: 'inner', result: { said: 'é' }, interrupts: [] },
          },
        ],
        [
          'debug',
          {
            type: 'task_result',
            timestamp: at(1_500),
            payload: { id: 'a', name: 'outer', error: 'Boo', interrupts: [] },
          },
        ],
        [
          'debug',
          {
            type: 'checkpoint',
            timestamp: at(1_600),
            payload: {
              values: {
                messages: [
                  { type: 'human', id: 'h', content: 'hi' },
                  { type: 'ai', id: 'y', content: 'whole' },
                ],
              },
              next: ['later'],
            },
          },
        ],
      ]),
    );
    t.matchStrict(
      [...view.steps.values()],
      [
        { name: 'outer', state: 'failed', parent: null, startMs: 1_000, endMs: 1_500 },
        { name: 'inner', state: 'done', parent: 'a', startMs: 1_100, endMs: 1_400, bytes: 13 },
      ],
    );
    t.same([...view.conversation.keys()], ['x', 'h', 'y']);
    t.same(view.next, ['later']);
    t.end();
  });

  t.test('repeats unfinished steps of an earlier attempt without duplicates', (t) => {
    const view = emptyView();
    applyEvents(
      view,
      numbered([
        ['metadata', { run_id: 'r', attempt: 1 }],
        ['tasks', { id: 't0', name: 'first', input: {} }],
        ['messages', token('done', 'one', 't0')],
        ['tasks', { id: 't0', name: 'first', result: {} }],
        ['tasks', { id: 't1', name: 'second', input: {} }],
        ['messages', token('hal', 'two', 't1')],
        ['messages', token('random', 'three', 't1')],
        ['metadata', { run_id: 'r', attempt: 2 }],
      ]),
    );
    t.same(
      [...view.steps.values()].map(({ state }) => state),
      ['done', 'lost'],
    );
    t.same([...view.conversation.keys()], ['one'], 'interrupted messages are removed');
    applyEvents(
      view,
      numbered(
        [
          ['tasks', { id: 't1', name: 'second', input: {} }],
          ['messages', token('half', 'two', 't1')],
          ['messages', token(' more', 'two', 't1')],
          ['tasks', { id: 't1', name: 'second', result: {} }],
        ],
        50,
      ),
    );
    t.same(contents(view), ['done', 'half more']);
    t.same(
      [...view.steps.values()].map(({ state, attempt }) => `${state} ${attempt}`),
      ['done 1', 'done 2'],
    );
    t.end();
  });

  t.test('records interrupts, gaps and errors', (t) => {
    const view = emptyView();
    const asked = [{ id: 'i', value: 'why?' }];
    applyEvents(view, [
      ...numbered([
        ['updates', { __interrupt__: asked }],
        ['values', { __interrupt__: asked }],
        ['tasks', { id: 'a', name: 'ask', result: {}, interrupts: asked }],
      ]),
      { event: 'error', data: { error: 'StreamGap', message: 'gone', from: 3, to: 41 } },
    ]);
    t.same(view.interrupts, asked, 'reported three times, listed once');
    t.equal(view.steps.get('a')!.state, 'waiting');
    t.same(view.gaps, [{ from: 3, to: 41 }]);
    t.equal(view.lastId, '41', 'the stream continues after the gap');
    applyEvents(
      view,
      numbered(
        [
          ['tasks', { id: 'b', name: 'work', input: {} }],
          ['error', { error: 'CustomError', message: 'Boo!' }],
        ],
        42,
      ),
    );
    t.same(view.error, { error: 'CustomError', message: 'Boo!' });
    t.equal(view.steps.get('b')!.state, 'failed', 'running steps have failed');
    t.end();
  });
});

interface Entry {
  key: string;
  message: { type: string; content: unknown; id?: string };
  inState: boolean;
}
interface Conversations {
  mergeState: (conversation: Map<string, Entry>, values: unknown, attempt: number) => Map<string, Entry>;
  withSentMessages: (conversation: Map<string, Entry>, sent: Entry[]) => Map<string, Entry>;
  sentMessage: (key: string, message: object) => Entry;
  dropSentMessages: (conversation: Map<string, Entry>) => void;
}

t.test('shows a sent message until the state contains it', async (t) => {
  const { mergeState, withSentMessages, sentMessage, dropSentMessages } =
    await consoleModule<Conversations>('pages/run/conversation.ts');
  const [first, answer] = [
    { type: 'human', id: 'h', content: 'hi' },
    { type: 'ai', id: 'a', content: 'hello' },
  ];
  const before = mergeState(new Map(), { messages: [first, answer] }, 1);
  const sent = withSentMessages(before, [sentMessage('sent:1', { role: 'user', content: 'hi' })]);
  t.same([...sent.keys()], ['h', 'a', 'sent:1']);
  const early = mergeState(sent, { messages: [first, answer] }, 1);
  t.same([...early.keys()], ['h', 'a', 'sent:1'], 'an earlier message with the same text is another one');
  const state = { messages: [first, answer, { type: 'human', id: 'x', content: 'hi' }] };
  t.same([...mergeState(early, state, 1).keys()], ['h', 'a', 'x'], 'the message of the state takes its place');
  dropSentMessages(early);
  t.same([...early.keys()], ['h', 'a'], 'a message that never arrived is removed at the end');
});

interface Rows {
  conversationRows: (entries: object[]) => { entry: { key: string }; results: ({ key: string } | null)[] }[];
}

t.test('joins tool calls and their results', async (t) => {
  const { conversationRows } = await consoleModule<Rows>('pages/run/conversation-rows.ts');
  const entry = (key: string, message: object, calls = new Map()): object => ({ key, message, calls });
  const rows = conversationRows([
    entry('old', { type: 'tool', content: '', tool_call_id: 'gone' }),
    entry('ask', {
      type: 'ai',
      content: '',
      tool_calls: [
        { id: 'one', name: 'find', args: {} },
        { id: 'two', name: 'find', args: {} },
      ],
    }),
    entry('second', { type: 'tool', content: '', tool_call_id: 'two' }),
    entry('again', { type: 'ai', content: '' }, new Map([[0, { id: 'two', name: 'find', args: '' }]])),
    entry('third', { type: 'tool', content: '', tool_call_id: 'two' }),
  ]);
  t.same(
    rows.map(({ entry: { key }, results }) => [key, results.map((result) => result?.key ?? null)]),
    [
      ['old', []],
      ['ask', [null, 'second']],
      ['again', ['third']],
    ],
    'a result without its call stays a message, and an id that comes again belongs to the last call',
  );
});

interface Inputs {
  composerContent: (schema: object, input: unknown) => { text: string; files: unknown[] } | null;
  withComposerContent: (schema: object, input: unknown, content: { text: string; files: unknown[] }) => unknown;
}

t.test('offers the composer for an input of one message', async (t) => {
  const { composerContent, withComposerContent } = await consoleModule<Inputs>('pages/run/composer-input.ts');
  const chat = {
    type: 'object',
    properties: { messages: { type: 'array', langgraph_type: 'messages' }, topic: { type: 'string' } },
  };
  const user = (content: unknown): object => ({ messages: [{ role: 'user', content }] });
  t.same(composerContent(chat, user('hi')), { text: 'hi', files: [] });
  t.equal(composerContent(chat, user([{ type: 'text', text: 'hi' }])), null, 'content of blocks');
  t.equal(composerContent(chat, { messages: [{ role: 'system', content: 'hi' }] }), null, 'another role');
  t.equal(composerContent(chat, { messages: [] }), null);
  t.equal(composerContent(chat, null), null);
  t.equal(composerContent({ ...chat, required: ['topic'] }, user('hi')), null, 'another property is required');
  t.equal(composerContent({ type: 'object', properties: { topic: {} } }, { topic: 'hi' }), null);
  const input = { topic: 'tides', ...user('hi') };
  t.same(withComposerContent(chat, input, { text: 'hello', files: [] }), { topic: 'tides', ...user('hello') });
  const photo = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
  const attached = withComposerContent(chat, input, { text: 'look', files: [photo] });
  t.same(attached, {
    topic: 'tides',
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'look' }, photo],
        response_metadata: { output_version: 'v1' },
      },
    ],
  });
  t.same(composerContent(chat, attached), { text: 'look', files: [photo] });
  t.same(
    withComposerContent(chat, attached, { text: 'hi', files: [] }),
    input,
    'without its last file it is text again',
  );
  t.same(composerContent(chat, user([photo])), { text: '', files: [photo] });
  t.equal(composerContent(chat, user([photo, { type: 'reasoning', reasoning: 'so' }])), null);
});

interface Waiting {
  nextRunId: (runs: { run_id: string; status: string }[], endedId: string, queued: Set<string>) => string | null;
}

t.test('goes on with the next run of a thread', async (t) => {
  const { nextRunId } = await consoleModule<Waiting>('pages/run/run-order.ts');
  const runs = (...all: string[]): { run_id: string; status: string }[] =>
    all.map((one) => ({ run_id: one[0]!, status: one.slice(2) }));
  t.equal(nextRunId(runs('d pending', 'c running', 'b success', 'a success'), 'b', new Set()), 'c');
  t.equal(nextRunId(runs('d pending', 'c interrupted', 'b success'), 'b', new Set(['d'])), 'd', 'not a canceled run');
  t.equal(nextRunId(runs('c success', 'b success'), 'b', new Set(['c'])), 'c', 'a run that has ended meanwhile');
  t.equal(nextRunId(runs('c success', 'b success'), 'b', new Set()), null, 'a run of somebody else has ended');
  t.equal(nextRunId(runs('b success', 'a running'), 'b', new Set()), null, 'an earlier run');
});

interface Answers {
  answerShapeOf: (
    value: unknown,
  ) => { kind: string; property: string; choices?: { name: string; value: unknown }[] } | null;
  schemaOfValue: (value: unknown) => object;
}

t.test('reads the offered answers of an interrupt', async (t) => {
  const { answerShapeOf, schemaOfValue } = await consoleModule<Answers>('shared/interrupt-answer.ts');
  const choices = (options: unknown): unknown =>
    answerShapeOf({ question: 'Which?', options })?.choices?.map(({ name, value }) => [name, value]) ?? null;
  t.same(choices(['yes', 2, false]), [
    ['yes', 'yes'],
    ['2', 2],
    ['false', false],
  ]);
  t.same(
    choices([{ label: 'Yes', value: { ok: 1 } }, { name: 'No', id: 'n' }, { id: 7 }, { title: 'Both' }]),
    [
      ['Yes', { ok: 1 }],
      ['No', 'n'],
      ['7', 7],
      ['Both', { title: 'Both' }],
    ],
    'an object answers with its value, its id or itself',
  );
  for (const other of [[], [null], [{}], ['yes', ['no']], 'yes', { yes: 1 }, Array.from({ length: 21 }, String)])
    t.equal(choices(other), null, JSON.stringify(other));
  t.match(answerShapeOf({ choices: ['a'] }), { kind: 'choices', property: 'choices' });
  t.match(answerShapeOf({ requestedSchema: { type: 'object', properties: {} } }), { property: 'requestedSchema' });
  for (const schema of [{ properties: {} }, { enum: [1] }, { anyOf: [{}] }, { type: ['string', 'null'] }])
    t.equal(answerShapeOf({ schema })?.kind, 'schema', JSON.stringify(schema));
  for (const schema of ['public', { type: 'table' }, { name: 'x' }, null, []])
    t.equal(answerShapeOf({ schema }), null, JSON.stringify(schema));
  for (const value of [null, 'why?', ['yes'], 3]) t.equal(answerShapeOf(value), null, JSON.stringify(value));
  t.same(schemaOfValue({ to: 'ada', copies: 2, tags: ['a'], more: {} }), {
    type: 'object',
    properties: {
      to: { type: 'string', title: 'to' },
      copies: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      more: {},
    },
    required: ['to', 'copies', 'tags', 'more'],
  });
});

interface Checkpoints {
  findForkPoint: (
    reader: {
      page: (before: string | null) => Promise<{ checkpoints: object[]; hasMore: boolean }>;
      values: (id: string) => Promise<unknown>;
    },
    key: string,
  ) => Promise<string>;
}

t.test('finds the checkpoint before a message', async (t) => {
  const { findForkPoint } = await consoleModule<Checkpoints>('pages/run/fork-point.ts');
  const COUNT = 1_000;
  const PAGE = 300;
  // Checkpoint n has the messages 1 to n. Between any two there is one of a fork that was left.
  const main = Array.from({ length: COUNT + 1 }, (_, n) => ({ id: `c${n}`, parentId: n === 0 ? null : `c${n - 1}` }));
  const stored = main
    .flatMap((one, n) => [...(n > 0 ? [{ id: `f${n}`, parentId: `c${n - 1}` }] : []), one])
    .toReversed();
  let reads = 0;
  const reader = {
    page: (before: string | null) => {
      const from = before === null ? 0 : stored.findIndex(({ id }) => id === before) + 1;
      return Promise.resolve({ checkpoints: stored.slice(from, from + PAGE), hasMore: from + PAGE < stored.length });
    },
    values: (id: string) => {
      t.match(id, /^c/, 'no checkpoint of a fork is read');
      reads += 1;
      const messages = Array.from({ length: Number(id.slice(1)) }, (_, at) => ({
        type: 'human',
        id: `m${at + 1}`,
        content: '',
      }));
      return Promise.resolve({ messages });
    },
  };
  for (const n of [COUNT, COUNT - 1, COUNT - 2, COUNT - 149, COUNT - 150, COUNT - 151, 500, 2, 1]) {
    reads = 0;
    t.equal(await findForkPoint(reader, `m${n}`), `c${n - 1}`);
    t.ok(reads < 100, `${reads} states read`);
  }
  t.equal(await findForkPoint(reader, '#4'), 'c4', 'a message without an id has a place');
  await t.rejects(findForkPoint(reader, 'gone'), /newest state of this thread does not have this message/);
  const only = {
    ...reader,
    page: () => Promise.resolve({ checkpoints: [{ id: 'c5', parentId: null }], hasMore: false }),
  };
  await t.rejects(findForkPoint(only, 'm3'), /no checkpoint before this message/);
});

interface Usages {
  usageByTask: (calls: object[]) => Map<string, { tokens: number; cost: number | null }>;
  usageOfWrites: (writes: unknown) => { tokens: number } | null;
  usageText: (usage: { tokens: number; cost: number | null }) => string;
}

t.test('sums tokens and costs of steps', async (t) => {
  const { usageByTask, usageOfWrites, usageText } = await consoleModule<Usages>('pages/run/step-usage.ts');
  const call = (namespace: unknown, tokens: number | null, cost: string | null): object => ({
    total_tokens: tokens,
    total_cost: cost,
    extra: { metadata: { langgraph_checkpoint_ns: namespace } },
  });
  t.same(
    [
      ...usageByTask([
        call('model:a', 10, '0.25'),
        call('team:b|model:c', 5, null),
        call('team:b|1|model:d', 7, '0.5'),
        call('tools:e', null, null),
        call(7, 3, null),
        { total_tokens: 1, total_cost: null, extra: null },
      ]),
    ],
    [
      ['a', { tokens: 10, cost: 0.25 }],
      ['b', { tokens: 12, cost: 0.5 }],
      ['c', { tokens: 5, cost: null }],
      ['d', { tokens: 7, cost: 0.5 }],
    ],
  );
  const message = (total: unknown): object => ({ type: 'ai', content: '', usage_metadata: { total_tokens: total } });
  t.same(usageOfWrites([{ messages: [message(3), message(4)] }, { last: message(5), n: 1 }]), {
    tokens: 12,
    cost: null,
  });
  for (const writes of [null, 'x', {}, { messages: [message('many')] }, [null]]) t.equal(usageOfWrites(writes), null);
  t.equal(usageText({ tokens: 1_234, cost: 0.00125 }), '1,234 tokens · $0.00125');
  t.equal(usageText({ tokens: 1, cost: null }), '1 token');
});
