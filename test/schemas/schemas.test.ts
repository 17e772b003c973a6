import { join } from 'node:path';
import t from 'tap';
import { ROOT, testServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'schemas', 'project', 'langgraph.json');
/** The compiler gets all the time it takes on a busy machine. */
const opened = testServer(t, { config: PROJECT, env: { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '100000' } });
/** Nothing can be read out of types in a millisecond. After the other: the end of one's bundling ends that of both. */
const hurried = opened.then(() =>
  testServer(t, { config: PROJECT, env: { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '1' } }),
);

type Schema = {
  type?: string;
  properties?: Record<string, Schema & Record<string, unknown>>;
  required?: string[];
  items?: Schema;
};
const names = (schema: unknown): string[] => Object.keys((schema as Schema).properties ?? {});

t.test('returns schemas of the running code without reading types', async (t) => {
  const { client } = await hurried;
  const four = await client.assistants.getSchemas('zod');
  t.match(four, {
    graph_id: 'zod',
    state_schema: {
      properties: { question: { type: 'string', description: 'What is asked' }, words: { type: 'array' } },
      required: ['question', 'words'],
    },
    input_schema: { properties: { words: { type: 'string' } } },
    output_schema: { properties: { words: { type: 'array' } } },
    config_schema: { properties: { model: { type: 'string' } } },
    context_schema: { properties: { model: { type: 'string' } } },
  });
  t.notOk((four.input_schema as Schema).required, 'no channel has to be given');
  t.match(await client.assistants.getSchemas('zod3'), {
    state_schema: { properties: { question: { type: 'string' }, count: { type: 'number' } }, required: ['question'] },
  });
  const odd = await client.assistants.getSchemas('odd');
  t.strictSame((odd.state_schema as Schema).properties, { when: {}, question: { type: 'string' } });
  t.match(await client.assistants.getSchemas('standard'), {
    state_schema: {
      properties: { messages: { langgraph_type: 'messages' }, count: { type: 'number' } },
      required: ['count'],
    },
  });
  t.match(await client.assistants.getSchemas('agent'), {
    input_schema: { properties: { messages: { langgraph_type: 'messages' } } },
    context_schema: { properties: { who: { type: 'string' } } },
  });
});

t.test('omits what only types contain when they cannot be read in time', async (t) => {
  const { client } = await hurried;
  t.strictSame(await client.assistants.getSchemas('annotated'), { graph_id: 'annotated' });
  const mixed = await client.assistants.getSchemas('mixed');
  t.strictSame(Object.keys(mixed), ['graph_id', 'input_schema']);
  t.strictSame(await client.assistants.getSubgraphs('deep'), { sub: {} });
});

t.test('reads from types what the running code does not contain', async (t) => {
  const { client } = await opened;
  const {
    state_schema: state,
    input_schema: input,
    output_schema: output,
    config_schema: config,
    context_schema: context,
  } = (await client.assistants.getSchemas('annotated')) as unknown as Record<string, Schema>;
  t.strictSame(names(state).toSorted(), ['flag', 'messages', 'place', 'words']);
  t.strictSame(state!.required!.toSorted(), ['messages', 'place', 'words']);
  t.strictSame(state!.properties!['words'], { type: 'array', items: { type: 'string' } });
  t.strictSame(state!.properties!['flag'], { type: 'boolean' });
  t.strictSame(state!.properties!['messages'], {
    type: 'array',
    langgraph_type: 'messages',
    items: { $ref: '#/definitions/BaseMessage' },
  });
  t.strictSame(state!.properties!['place'], { $ref: '#/definitions/Place' });
  const { BaseMessage: message, ...definitions } = (state as unknown as { definitions: Record<string, Schema> })
    .definitions;
  t.match(message, { type: 'object', properties: { type: { type: 'string' }, content: {} }, required: ['content'] });
  t.strictSame(definitions, {
    Place: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        zip: { type: 'number', description: 'As on a letter.' },
        kind: { anyOf: [{ type: 'string', enum: ['home', 'work'] }, { type: 'null' }] },
        floor: { type: 'number', const: 0 },
        door: { type: ['number', 'string'], enum: [1, 'left'] },
        near: { type: 'array', items: { $ref: '#/definitions/Place' } },
        since: { type: 'string', format: 'date-time' },
        tags: {},
      },
      required: ['city', 'kind', 'floor', 'door', 'near', 'since', 'tags'],
    },
  });
  t.notOk(input!.required, 'no channel has to be given');
  t.strictSame(input!.properties!['words'], { type: 'string' }, 'what a node writes, not what the state holds');
  t.match(input!.properties!['messages'], { langgraph_type: 'messages' });
  t.strictSame(output, state);
  t.strictSame(config!.properties, { model: { type: 'string', enum: ['small', 'large'] } });
  t.strictSame(context, config);

  t.match(await client.assistants.getSchemas('mixed'), {
    state_schema: { properties: { a: { type: 'number' }, b: { type: 'string' } } },
    input_schema: { properties: { a: { type: 'integer' } } },
  });
  t.strictSame(names((await client.assistants.getSchemas('untyped')).state_schema).toSorted(), ['heard', 'said']);
  const task = await client.assistants.getSchemas('task');
  t.match(task, { graph_id: 'task', input_schema: { properties: { count: { type: 'number' } } } });
  t.notOk(task.state_schema, 'a function has no state');
});

t.test('returns schemas of subgraphs under both sets of names', async (t) => {
  const { client, get } = await opened;
  const first = (await client.assistants.getSubgraphs('deep')) as unknown as Record<string, Record<string, Schema>>;
  t.strictSame(Object.keys(first), ['sub']);
  t.strictSame(names(first['sub']!['state']).toSorted(), ['middle', 'outer']);
  for (const kind of ['state', 'input', 'output']) t.strictSame(first['sub']![`${kind}_schema`], first['sub']![kind]);

  const all = (await client.assistants.getSubgraphs('deep', { recurse: true })) as unknown as Record<
    string,
    Record<string, Schema>
  >;
  t.strictSame(Object.keys(all), ['sub', 'sub|below']);
  t.match(all['sub|below'], {
    state_schema: { properties: { middle: { type: 'number' }, inner: { type: 'array', items: { type: 'string' } } } },
  });
  t.strictSame(Object.keys(await client.assistants.getSubgraphs('deep', { namespace: 'sub' })), ['sub']);
  t.strictSame(Object.keys(await client.assistants.getSubgraphs('deep', { namespace: 'sub|below', recurse: true })), [
    'sub|below',
  ]);
  t.strictSame(
    Object.keys((await (await get('/assistants/deep/subgraphs/sub%7Cbelow?recurse=true')).json()) as object),
    ['sub|below'],
  );
  t.strictSame(
    await client.assistants.getSubgraphs('deep', { namespace: 'sub|below' }),
    {},
    'of a subgraph in a subgraph only with recurse',
  );
  t.strictSame(await client.assistants.getSubgraphs('deep', { namespace: 'nobody' }), {});
  t.strictSame(await client.assistants.getSubgraphs('zod'), {});
});
