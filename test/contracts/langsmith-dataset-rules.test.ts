import { randomUUID } from 'node:crypto';
import type { KVMap } from 'langsmith/schemas';
import t from 'tap';
import { langsmithOf } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';
import { row, send, sent, upload, type Json } from '../helpers/uploads.js';

const server = await testServer(t, { config: configWith(t, 'echo') });
const { clientOf } = await langsmithOf(server);
const client = clientOf({ callerOptions: { maxRetries: 0 } });
t.capture(console, 'warn');

const PREBUILT = 'https://api.smith.langchain.com/public/schemas/v1';
const QUESTION = {
  type: 'object',
  properties: { q: { type: 'string', minLength: 2 }, tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
  required: ['q'],
  additionalProperties: false,
  $defs: { tag: { enum: ['a', 'b'] } },
};
const ANSWER = { type: 'object', properties: { a: { type: ['integer', 'null'] } }, required: ['a'] };

const dataset = async (more: { inputsSchema?: KVMap; outputsSchema?: KVMap } = {}): Promise<string> =>
  (await client.createDataset(`rules-${randomUUID()}`, { inputsSchema: QUESTION, outputsSchema: ANSWER, ...more })).id;
/** The client has no option for transformations. */
const transforming = async (body: object): Promise<string> => {
  const made = await request('POST', '/api/v1/datasets', { name: `transforming ${randomUUID()}`, ...body });
  return made.body['id'] as string;
};
const request = async (method: string, path: string, body: unknown): Promise<{ status: number; body: Json }> => {
  const response = await server.post(path, body, { method });
  return { status: response.status, body: (await response.json()) as Json };
};
const places = (answer: { status: number; body: Json }): unknown[] =>
  (answer.body['detail'] as { loc: unknown[]; msg: string }[]).map(({ loc, msg }) => [loc.join('.'), msg]);
const count = async (datasetId: string): Promise<number | undefined> =>
  (await client.readDataset({ datasetId })).example_count;

t.test('refuses examples that do not match the schemas, with example and path', async (t) => {
  const datasetId = await dataset();
  const wrong = { dataset_id: datasetId, inputs: { q: 5, tags: ['a', 'c'], more: 1 }, outputs: { a: 1.5 } };
  const single = await request('POST', '/api/v1/examples', wrong);
  t.equal(single.status, 422);
  t.strictSame(places(single), [
    ['body.inputs.q', 'must be string'],
    ['body.inputs.tags.1', 'must be one of "a", "b"'],
    ['body.inputs.more', 'is not in the schema'],
    ['body.outputs.a', 'must be integer or null'],
  ]);
  const right = { dataset_id: datasetId, inputs: { q: 'why' }, outputs: { a: null } };
  const many = await request('POST', '/api/v1/examples/bulk', [right, { ...right, inputs: {} }]);
  t.strictSame(places(many), [['body.1.inputs.q', 'is required']]);
  t.equal(await count(datasetId), 0, 'all or nothing');

  const id = randomUUID();
  await t.rejects(client.createExample({ id, dataset_id: datasetId, inputs: { q: 'x' } }), {
    message: new RegExp(`${id}.inputs.q: must have at least 2 characters`),
  });
  const example = await client.createExample(right);
  await client.createExample({ dataset_id: datasetId, inputs: { q: 'no outputs' } });
  await t.rejects(client.updateExample({ id: example.id, dataset_id: datasetId, outputs: {} }), {
    message: /outputs.a: is required/,
  });
  t.match(await request('PATCH', `/api/v1/examples/${example.id}`, { inputs: { q: 'x' } }), { status: 422 });
  t.match(await request('PATCH', `/api/v1/examples/${example.id}`, { metadata: { checked: true } }), { status: 200 });
  const lines = await server.post(
    `/api/v1/datasets/${datasetId}/import`,
    '{"inputs":{"q":"ok"}}\n\n{"inputs":{"r":1}}\n',
    {
      headers: { 'content-type': 'application/x-ndjson' },
    },
  );
  t.equal(lines.status, 422);
  t.match(await lines.text(), /"loc":\["body",1,"inputs","q"\]/);
  const other = (await client.createDataset(`source-${randomUUID()}`)).id;
  const source = await client.createExample({ dataset_id: other, inputs: { q: 1 } });
  const copy = { source_dataset_id: other, target_dataset_id: datasetId };
  t.strictSame(places(await request('POST', '/api/v1/datasets/clone', copy)), [
    [`body.examples.${source.id}.inputs.q`, 'must be string'],
  ]);
  t.equal(await count(datasetId), 2);
});

t.test('checks formats', async (t) => {
  const formats = [
    'date-time',
    'date',
    'time',
    'email',
    'uri',
    'uuid',
    'ipv4',
    'ipv6',
    'hostname',
    'regex',
    'duration',
  ];
  const datasetId = await dataset({
    inputsSchema: {
      properties: {
        ...Object.fromEntries(formats.map((format) => [format, { format }])),
        any: { format: 'color' },
        int32: { format: 'int32' },
        either: { anyOf: [{ format: 'email' }, { const: 'none' }] },
      },
    },
    outputsSchema: {},
  });
  const inputs = {
    'date-time': '2026-02-28T23:59:60Z',
    date: '2024-02-29',
    time: '10:00:00+02:00',
    email: 'a@b.example',
    uri: 'urn:a:b',
    uuid: randomUUID(),
    ipv4: '1.2.3.4',
    ipv6: '::1',
    hostname: 'b.example',
    regex: '^a',
    duration: 'P1D',
    any: 'no format is known by this name',
    int32: 5,
    either: 'none',
  };
  t.match(await request('POST', '/api/v1/examples', { dataset_id: datasetId, inputs }), { status: 200 });
  t.match(await request('POST', '/api/v1/examples', { dataset_id: datasetId, inputs: { email: 5, date: null } }), {
    status: 200,
  });
  for (const [name, value] of [
    ['date-time', '2026-02-28'],
    ['date', '2026-02-29'],
    ['time', '25:00:00Z'],
    ['email', 'a b@c'],
    ['uri', '/a'],
    ['uuid', 'x'],
    ['ipv4', '1.2.3.256'],
    ['ipv6', '1'],
    ['hostname', '-'],
    ['regex', '('],
    ['duration', '1D'],
    ['int32', 2 ** 40],
  ] as const)
    t.strictSame(
      places(await request('POST', '/api/v1/examples', { dataset_id: datasetId, inputs: { [name]: value } })),
      [[`body.inputs.${name}`, `must have the format ${name}`]],
    );
  t.match(places(await request('POST', '/api/v1/examples', { dataset_id: datasetId, inputs: { either: 'some' } })), [
    ['body.inputs.either', /anyOf/],
  ]);
});

t.test('resolves the message and tool schemas of LangSmith without a request to it', async (t) => {
  const datasetId = await transforming({
    inputs_schema_definition: {
      type: 'object',
      properties: {
        messages: { type: 'array', items: { $ref: `${PREBUILT}/message.json` } },
        tools: { type: 'array', items: { $ref: `${PREBUILT}/tooldef.json` } },
      },
      required: ['messages'],
    },
    outputs_schema_definition: {
      type: 'object',
      properties: { message: { $ref: `${PREBUILT}/message.json#` } },
      required: ['message'],
    },
    transformations: [{ path: ['inputs', 'messages'], transformation_type: 'remove_extra_fields' }],
  });
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
  const look = { type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object' } } };
  const messages = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'seen' },
  ];
  const created = await request('POST', '/api/v1/examples', {
    dataset_id: datasetId,
    inputs: { messages: messages.map((one) => ({ ...one, extra: 1 })), tools: [look] },
    outputs: { message: { role: 'assistant', content: 'Done.' } },
  });
  t.match(created, { status: 200 });
  t.strictSame(created.body['inputs'], { messages, tools: [look] });
  const refused = await request('POST', '/api/v1/examples', {
    dataset_id: datasetId,
    inputs: {
      messages: [
        { content: 'no role' },
        { role: 'human', content: 'x' },
        { role: 'user', content: null },
        { role: 'user', content: [{ text: 'no type' }, { type: 'text' }, { type: 'image_url', image_url: 5 }] },
        { role: 'assistant', tool_calls: [{ ...call, function: { name: 'look', arguments: {} } }] },
        { role: 'tool', content: 'x' },
      ],
      tools: [{ name: 'look' }, { type: 'function', function: { parameters: 5 } }],
    },
    outputs: { message: 'text' },
  });
  t.equal(refused.status, 422);
  t.match(places(refused), [
    ['body.inputs.messages.0.role', 'is required'],
    ['body.inputs.messages.1.role', /must be one of "system"/],
    ['body.inputs.messages.2.content', 'must be string or array'],
    ['body.inputs.messages.3.content.0.type', 'is required'],
    ['body.inputs.messages.3.content.1.text', 'is required'],
    ['body.inputs.messages.3.content.2.image_url', /anyOf/],
    ['body.inputs.messages.4.tool_calls.0.function.arguments', 'must be string'],
    ['body.inputs.messages.5.tool_call_id', 'is required'],
    ['body.inputs.tools.0.type', 'is required'],
    ['body.inputs.tools.1.function.name', 'is required'],
    ['body.outputs.message', 'must be object'],
  ]);
});

t.test('checks the rows of uploads', async (t) => {
  const { dataset: external } = await sent(server, upload({ dataset_name: `external ${randomUUID()}`, results: [] }));
  t.match(
    await request('PATCH', `/api/v1/datasets/${external.id}`, {
      inputs_schema_definition: QUESTION,
      outputs_schema_definition: ANSWER,
    }),
    { status: 200 },
  );
  const results = [
    row({ inputs: { q: 'why' }, expected_outputs: { a: 1 }, actual_outputs: { anything: true } }),
    row({ inputs: { q: 'why' }, expected_outputs: { b: 1 } }),
  ];
  const refused = await send(server, upload({ dataset_id: external.id, results }));
  t.equal(refused.status, 422);
  t.strictSame(places(refused), [['body.results.1.expected_outputs.a', 'is required']]);
  await sent(server, upload({ dataset_id: external.id, results: results.slice(0, 1) }));
  t.equal(await count(external.id), 1);
});

t.test('refuses schemas that it cannot or must not evaluate', async (t) => {
  let deep: unknown = true;
  for (let level = 0; level < 60; level += 1) deep = { items: deep };
  for (const [schema, place, msg] of [
    [{ $ref: 'https://example.com/schema.json' }, '$ref', /part of this schema/],
    [{ properties: { a: { $ref: '#/$defs/none' } } }, 'properties.a.$ref', /part of this schema/],
    [{ items: { $ref: 'http://127.0.0.1:9/message.json' } }, 'items.$ref', /other addresses are not read/],
    [{ $ref: `${PREBUILT}/other.json` }, '$ref', /message\.json.*tooldef\.json/],
    [{ properties: { a: { format: 5 } } }, 'properties.a.format', /name of a format/],
    [{ properties: { a: { type: 'text' } } }, 'properties.a.type', /type of JSON Schema/],
    [{ properties: { a: 5 } }, 'properties.a', /must be a schema/],
    [{ pattern: '(' }, 'pattern', /regular expression/],
    [{ pattern: 'a'.repeat(1_001) }, 'pattern', /1000 characters/],
    [{ minLength: -1 }, 'minLength', /whole number/],
    [{ unevaluatedProperties: false }, 'unevaluatedProperties', /not supported/],
    [deep, null, /deeper than 50/],
    [{ anyOf: Array.from({ length: 5_001 }, () => ({})) }, null, /5000 parts/],
  ] as const) {
    const answer = await request('POST', '/api/v1/datasets', {
      name: `bad ${randomUUID()}`,
      inputs_schema_definition: schema,
    });
    t.equal(answer.status, 422, String(place));
    const [[found, text] = []] = places(answer) as [string, string][];
    if (place !== null) t.equal(found, `body.inputs_schema_definition.${place}`);
    t.match(text, msg);
  }
  t.match(
    places(
      await request('POST', '/api/v1/datasets', {
        name: `bad ${randomUUID()}`,
        transformations: [{ path: ['metadata'], transformation_type: 'invent' }],
      }),
    ),
    [
      ['body.transformations.0.path', /begins with "inputs"/],
      ['body.transformations.0.transformation_type', /must be one of/],
    ],
  );
});

t.test('limits the time and the steps that a hostile schema may take', async (t) => {
  const slow = await dataset({ inputsSchema: { properties: { q: { pattern: '^(a+)+$' } } }, outputsSchema: {} });
  const started = performance.now();
  const answer = await request('POST', '/api/v1/examples', { dataset_id: slow, inputs: { q: `${'a'.repeat(60)}b` } });
  t.match(answer, { status: 422, body: { detail: [{ type: 'json_schema_time' }] } });
  t.ok(performance.now() - started < 60_000);
  t.match(await request('POST', '/api/v1/examples', { dataset_id: slow, inputs: { q: 'aaa' } }), { status: 200 });
  for (const inputsSchema of [
    { $ref: '#' },
    { $defs: { n: { anyOf: [{ allOf: [{ $ref: '#/$defs/n' }] }] } }, $ref: '#/$defs/n' },
  ]) {
    const endless = await dataset({ inputsSchema, outputsSchema: {} });
    t.match(places(await request('POST', '/api/v1/examples', { dataset_id: endless, inputs: {} })), [
      ['body.inputs', /too complex/],
    ]);
  }
});

t.test('transforms examples before it checks them', async (t) => {
  const lc = (name: string, kwargs: object): object => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', name],
    kwargs,
  });
  const datasetId = await transforming({
    inputs_schema_definition: {
      type: 'object',
      properties: {
        messages: { type: 'array', items: { required: ['role', 'content'] } },
        tools: { type: 'array', items: { required: ['function'] } },
      },
    },
    outputs_schema_definition: { type: 'object', properties: { message: { required: ['role'] } } },
    transformations: [
      { path: ['inputs', 'messages'], transformation_type: 'remove_system_messages' },
      { path: ['inputs', 'messages'], transformation_type: 'convert_to_openai_message' },
      { path: ['inputs', 'tools'], transformation_type: 'extract_tools_from_run' },
      { path: ['inputs', 'tools'], transformation_type: 'convert_to_openai_tool' },
      { path: ['outputs', 'message'], transformation_type: 'convert_to_openai_message' },
      { path: ['inputs'], transformation_type: 'remove_extra_fields' },
    ],
  });
  const runId = randomUUID();
  await client.createRun({
    id: runId,
    name: 'model',
    run_type: 'llm',
    inputs: {},
    project_name: `tools ${randomUUID()}`,
    extra: { invocation_params: { tools: [{ name: 'look', description: 'Looks', input_schema: { type: 'object' } }] } },
  });
  await client.awaitPendingTraceBatches();
  const { id } = await client.createExample({
    dataset_id: datasetId,
    source_run_id: runId,
    use_source_run_io: true,
    inputs: {
      messages: [
        lc('SystemMessage', { content: 'Be brief.' }),
        { role: 'system', content: 'Be kind.' },
        lc('HumanMessage', { content: 'Hello' }),
        { type: 'ai', content: '', tool_calls: [{ id: 'c1', name: 'look', args: { at: 1 } }] },
        { type: 'tool', data: { content: 'seen', tool_call_id: 'c1' } },
        { role: 'user', content: 'Thanks' },
      ],
      secret: 'left out',
    },
    outputs: { message: lc('AIMessage', { content: 'Bye' }) },
  });
  const stored = await client.readExample(id);
  t.strictSame(stored.inputs, {
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', content: 'seen', tool_call_id: 'c1' },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object' } } }],
  });
  t.strictSame(stored.outputs, { message: { role: 'assistant', content: 'Bye' } });
});

t.test('keeps the bytes of examples that no transformation changes', async (t) => {
  const datasetId = await transforming({
    transformations: [{ path: ['inputs', 'messages'], transformation_type: 'remove_system_messages' }],
  });
  const response = await server.post(
    '/api/v1/examples',
    `{"dataset_id":"${datasetId}","inputs":{"n":12345678901234567890}}`,
  );
  t.match(await response.text(), /"n":12345678901234567890\b/);
});
