import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { configWith, testServer, type TestServer } from '../helpers/server.js';
import { END, fileOf, linesOf, manyRows, START, uploaded, uuid, type Uploaded } from '../helpers/export-files.js';

const config = configWith(t, 'echo');

/** One server for all: each test has a dataset of its own. */
const server = await testServer(t, { config });

/** Everything that is easily lost: digits, signs, names, order, line ends between tokens, what UTF-8 cannot carry. */
const HARD = `{
  "text": "line one\\nline two\\r\\u2028 \\ud83d\\ude00 é \\u0000 \\ud800",\r
  "big": 12345678901234567890, "zero": -0, "huge": 1e400, "small": 0.10, "__proto__": {"deep": [1, 2,
    3]}, "b": null, "a": ""
}`;
const HARD_LINE = HARD.replace(/[\r\n]/g, ' ');

const upload = `{
  "experiment_name": "hard / things: \\"1\\"", "experiment_description": "described é",
  "experiment_start_time": "2024-05-01T10:00:00.000001Z", "experiment_end_time": "2024-05-01T14:00:00+02:00",
  "dataset_id": "${uuid(7)}", "dataset_name": "kept apart", "dataset_description": "of the dataset",
  "experiment_metadata": ${HARD},
  "summary_experiment_scores": [{"key": "overall", "score": 0.5, "comment": "all\\nin all", "created_at": "2024-05-02T00:00:00.123456Z"}, {"key": "overall", "value": {"x": -0}}],
  "results": [
    {"row_id": "${uuid(1).toUpperCase()}", "inputs": ${HARD}, "expected_outputs": ${HARD}, "actual_outputs": ${HARD}, "run_metadata": ${HARD},
     "evaluation_scores": [
       {"key": "exact", "score": true, "value": "yes", "comment": "=1+1", "correction": {"a": -0}, "feedback_source": {"type": "model", "metadata": {"n": 12345678901234567890}},
        "feedback_config": {"type": "continuous", "min": 0, "max": 1.0}, "extra": {"e": 1e1}, "created_at": "2024-05-03T00:00:00.000001Z", "modified_at": "2024-05-04T00:00:00Z",
        "id": "${uuid(99)}", "feedback_group_id": "${uuid(98)}", "comparative_experiment_id": "${uuid(97)}"},
       {"key": "exact", "score": -0}],
     "start_time": "2024-05-01T10:00:00.000001Z", "end_time": "2024-05-01T10:00:01.5Z", "run_name": "first \\"run\\"", "error": "broke\\n\\ud800"},
    {"row_id": "${uuid(2)}", "inputs": {"q": "two"}, "start_time": "${START.replace('Z', '.5Z')}", "end_time": "${END}"},
    {"row_id": "${uuid(1)}", "inputs": ${HARD_LINE}, "expected_outputs": ${HARD}, "actual_outputs": {"again": [true]}, "start_time": "2024-05-01T11:00:00Z", "end_time": "2024-05-01T11:00:00Z", "evaluation_scores": [{"key": "other", "value": "text"}]}
  ]
}`;
const hard = await uploaded(server, upload);

t.test('exports an uploaded experiment unchanged, value by value', async (t) => {
  const { experiment } = hard;
  const response = await server.get(`/api/v1/sessions/${experiment.id}/export`);
  t.equal(response.headers.get('content-type'), 'application/x-ndjson');
  t.equal(
    response.headers.get('content-disposition'),
    'attachment; filename="hard___things___1_.jsonl"; filename*=UTF-8\'\'hard%20_%20things_%20_1_.jsonl',
  );
  const file = await response.text();
  const [header, first, second, third, ...more] = linesOf(file);
  t.strictSame(more, []);
  t.ok(
    header!.startsWith(
      `{"kind":"experiment","experiment_name":"hard / things: \\"1\\"","experiment_description":"described é","experiment_start_time":"2024-05-01T10:00:00.000001+00:00","experiment_end_time":"2024-05-01T12:00:00.000000+00:00","dataset_id":"${uuid(7)}","dataset_name":"kept apart","dataset_description":"of the dataset","experiment_metadata":${HARD_LINE},"summary_experiment_scores":[{"key":"overall","score":0.5,"comment":"all\\nin all","feedback_source":{"type":"api"},"created_at":"2024-05-02T00:00:00.123456+00:00"`,
    ),
    header!,
  );
  t.ok(
    first!.startsWith(
      `{"row_id":"${uuid(1)}","inputs":${HARD_LINE},"expected_outputs":${HARD_LINE},"actual_outputs":${HARD_LINE},"evaluation_scores":[{"key":"exact","score":true,"value":"yes","comment":"=1+1","correction":{"a": -0},"feedback_source":{"type": "model", "metadata": {"n": 12345678901234567890}},"feedback_config":{"type": "continuous", "min": 0, "max": 1.0},"extra":{"e": 1e1},"feedback_group_id":"${uuid(98)}","comparative_experiment_id":"${uuid(97)}","created_at":"2024-05-03T00:00:00.000001+00:00","modified_at":"2024-05-04T00:00:00.000000+00:00"},{"key":"exact","score":-0,`,
    ),
    first!,
  );
  t.ok(
    first!.endsWith(
      `],"start_time":"2024-05-01T10:00:00.000001+00:00","end_time":"2024-05-01T10:00:01.500000+00:00","run_name":"first \\"run\\"","error":"broke\\n\\ud800","run_metadata":${HARD_LINE}}`,
    ),
    first!,
  );
  t.equal(
    second,
    `{"row_id":"${uuid(2)}","inputs":{"q": "two"},"expected_outputs":null,"actual_outputs":null,"evaluation_scores":[],"start_time":"2024-05-01T10:00:00.500000+00:00","end_time":"2024-05-01T12:00:00.000000+00:00","run_name":"row","error":null,"run_metadata":null}`,
  );
  t.match(JSON.parse(third!), {
    row_id: uuid(1),
    actual_outputs: { again: [true] },
    evaluation_scores: [{ key: 'other', value: 'text' }],
  });
  t.equal(await fileOf(server, `/sessions/${experiment.id}/export?format=jsonl`), file, 'under the other prefix, too');
});

t.test('imports an export into another server unchanged', async (t) => {
  const there = await testServer(t, { config });
  const file = await fileOf(server, `/sessions/${hard.experiment.id}/export`);
  const second = await uploaded(there, file, 'application/x-ndjson');
  t.not(second.experiment.id, hard.experiment.id);
  t.equal(second.dataset.id, hard.dataset.id);
  t.equal(await fileOf(there, `/sessions/${second.experiment.id}/export`), file);
  t.equal(
    (
      await there.post('/datasets/upload-experiment', undefined, {
        body: file,
        headers: { 'content-type': 'application/jsonl; charset=utf-8' },
      })
    ).status,
    409,
    'its name is taken',
  );
  const pairs = (server: TestServer): Promise<string> => fileOf(server, `/datasets/${uuid(7)}/jsonl`);
  t.equal(await pairs(there), await pairs(server));
  const ids = async (server: TestServer): Promise<string[]> =>
    linesOf(await fileOf(server, `/datasets/${uuid(7)}/export`)).map((line) => (JSON.parse(line) as { id: string }).id);
  t.strictSame(await ids(there), await ids(server), 'the same examples');
});

t.test('keeps the expected outputs of an experiment when its examples change', async (t) => {
  const body = (name: string, expected: string): string =>
    JSON.stringify({
      experiment_name: name,
      dataset_name: 'changing',
      experiment_start_time: START,
      experiment_end_time: END,
      results: [
        { row_id: uuid(1), inputs: { q: 1 }, expected_outputs: { expected }, start_time: START, end_time: END },
      ],
    });
  const before = await uploaded(server, body('before', 'old'));
  const after = await uploaded(server, body('after', 'new'));
  const expectedOf = async ({ experiment }: Uploaded): Promise<unknown> =>
    (
      JSON.parse(linesOf(await fileOf(server, `/sessions/${experiment.id}/export`))[1]!) as {
        expected_outputs: unknown;
      }
    ).expected_outputs;
  t.strictSame(await expectedOf(before), { expected: 'old' });
  t.strictSame(await expectedOf(after), { expected: 'new' });
  const examples = async (query: string): Promise<unknown[]> =>
    linesOf(await fileOf(server, `/datasets/${before.dataset.id}/export${query}`)).map(
      (line) => JSON.parse(line) as unknown,
    );
  const [now] = (await examples('')) as { modified_at: string; created_at: string }[];
  t.matchStrict(now, {
    outputs: { expected: 'new' },
    inputs: { q: 1 },
    metadata: { dataset_split: ['base'] },
    source_run_id: null,
  });
  t.match(await examples(`?as_of=${encodeURIComponent(now!.created_at)}`), [{ outputs: { expected: 'old' } }]);
  t.strictSame(await examples('?as_of=2001-01-01T00:00:00Z'), [], 'nothing was there yet');
});

t.test('refuses an invalid row by its line number', async (t) => {
  const header = JSON.stringify({
    experiment_name: 'lines',
    dataset_name: 'lines',
    experiment_start_time: START,
    experiment_end_time: END,
  });
  const row = (n: number, more = {}): string =>
    JSON.stringify({ row_id: uuid(n), inputs: {}, start_time: START, end_time: END, ...more });
  const post = async (...lines: string[]): Promise<{ status: number; detail: unknown }> => {
    const response = await server.post('/datasets/upload-experiment', undefined, {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    return { status: response.status, detail: ((await response.json()) as { detail: unknown }).detail };
  };
  t.match(await post(header, row(1), row(2, { end_time: 5 })), {
    status: 422,
    detail: [{ loc: ['body', 'results', 1, 'end_time'] }],
  });
  t.match(await post(header, '17'), { status: 422, detail: [{ loc: ['body', 'results', 0], msg: 'must be object' }] });
  t.match(await post(`${header.slice(0, -1)},"results":[]}`, row(1)), {
    status: 422,
    detail: [{ loc: ['body', 'results'] }],
  });
  t.match(await post(''), { status: 400 });
  t.match(await post(header, row(1).slice(0, -1), row(2)), { status: 400 });
  t.match(await post(header, `${row(1)},`, row(2)), { status: 400 });
  t.strictSame(await (await server.get('/sessions?name=lines')).json(), [], 'nothing was kept');
  t.match(await post(header, '', row(1), row(2), '', ''), { status: 200 });
  t.match(await post(header.replace('"lines"', '"none"')), { status: 200 }, 'an experiment may have no rows');
});

t.test('reads back CSV unchanged', async (t) => {
  const { experiment, dataset } = hard;
  const response = await server.get(`/sessions/${experiment.id}/export?format=csv`);
  t.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.match(response.headers.get('content-disposition'), /\.csv"/);
  const text = await response.text();
  const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  t.equal(rows.length, 3);
  const free = ['text', 'big', 'zero', 'huge', 'small', '__proto__', 'b', 'a'];
  t.strictSame((parse(text, { record_delimiter: '\r\n' }) as string[][])[0], [
    'row_id',
    ...free.map((name) => `inputs.${name}`),
    'inputs.q',
    ...free.map((name) => `expected_outputs.${name}`),
    ...free.map((name) => `actual_outputs.${name}`),
    'actual_outputs.again',
    'scores.exact',
    'scores.other',
    'start_time',
    'end_time',
    'latency',
    'run_name',
    'error',
    ...free.map((name) => `run_metadata.${name}`),
  ]);
  t.match(rows[0], {
    row_id: uuid(1),
    'inputs.text': 'line one\nline two\r\u2028 😀 é \0 \ufffd',
    'inputs.big': '12345678901234567890',
    'inputs.zero': '-0',
    'inputs.huge': '1e400',
    'inputs.small': '0.10',
    'inputs.__proto__': '{"deep": [1, 2,     3]}',
    'inputs.b': '',
    'inputs.a': '',
    'inputs.q': '',
    'scores.exact': '[true,-0]',
    'scores.other': '',
    latency: '1.499999',
    run_name: 'first "run"',
    error: 'broke\n\ufffd',
  });
  t.match(rows[1], { 'inputs.q': 'two', 'inputs.text': '', latency: '7199.5', run_name: 'row' });
  t.match(rows[2], { 'scores.other': 'text', 'actual_outputs.again': '[true]' });
  const examples = parse(await fileOf(server, `/datasets/${dataset.id}/csv`), {
    columns: true,
    record_delimiter: '\r\n',
  }) as Record<string, string>[];
  t.equal(examples.length, 2);
  t.match(examples[1], { 'inputs.q': 'two', 'metadata.dataset_split': '["base"]' });
  t.equal(
    await fileOf(server, `/datasets/${dataset.id}/export?format=csv`),
    await fileOf(server, `/datasets/${dataset.id}/csv`),
  );
});

t.test('escapes text that a spreadsheet would read as a formula, but not numbers', async (t) => {
  const inputs = {
    formula: '=1+1',
    plus: '+cmd',
    minus: '-2+3',
    at: '@SUM(A1)',
    tab: '\t=1',
    phone: '+49 30 1',
    number: '-5',
    exponent: '+1.5e3',
    mail: 'a@b.c',
    negative: -5,
    quoted: 'say "=1", twice',
  };
  const { experiment } = await uploaded(
    server,
    JSON.stringify({
      experiment_name: 'formulas',
      dataset_name: 'formulas',
      experiment_start_time: START,
      experiment_end_time: END,
      results: [{ row_id: uuid(1), inputs, start_time: START, end_time: END, run_name: '=now()' }],
    }),
  );
  const [row] = parse(await fileOf(server, `/sessions/${experiment.id}/export?format=csv`), {
    columns: true,
    record_delimiter: '\r\n',
  }) as Record<string, string>[];
  const cells = Object.fromEntries(Object.keys(inputs).map((name) => [name, row![`inputs.${name}`]]));
  t.strictSame(cells, {
    formula: "'=1+1",
    plus: "'+cmd",
    minus: "'-2+3",
    at: "'@SUM(A1)",
    tab: "'\t=1",
    phone: "'+49 30 1",
    number: '-5',
    exponent: '+1.5e3',
    mail: 'a@b.c',
    negative: '-5',
    quoted: 'say "=1", twice',
  });
  t.equal(row!['run_name'], "'=now()");
});

t.test('refuses a table with more columns than a spreadsheet supports', async (t) => {
  const results = Array.from({ length: 20 }, (_, at) => ({
    row_id: uuid(at + 1),
    inputs: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${at} ${n}`, n])),
    start_time: START,
    end_time: END,
  }));
  const { experiment } = await uploaded(
    server,
    JSON.stringify({
      experiment_name: 'wide',
      dataset_name: 'wide',
      experiment_start_time: START,
      experiment_end_time: END,
      results,
    }),
  );
  const response = await server.get(`/sessions/${experiment.id}/export?format=csv`);
  t.equal(response.status, 422);
  t.match(await response.json(), { detail: [{ loc: ['query', 'format'] }] });
  t.equal(linesOf(await fileOf(server, `/sessions/${experiment.id}/export`)).length, 21);
});

t.test('exports conversations for fine-tuning and refuses other examples', async (t) => {
  const user = { role: 'user', content: 'hi' };
  const assistant = { role: 'assistant', content: 'hello' };
  const examples = [
    [{ messages: [user] }, { messages: [assistant] }],
    [{ messages: [user] }, { messages: [user, assistant] }],
    [
      {
        input: [
          { type: 'system', data: { content: 'be kind' } },
          { type: 'human', content: 'hi' },
        ],
      },
      { output: { type: 'ai', content: '', tool_calls: [{ id: 'c', name: 'f', args: { x: 1 } }] } },
    ],
    [
      {
        messages: [
          { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'], kwargs: { content: 'hi' } },
        ],
      },
      { choices: [{ message: assistant }] },
    ],
    [{ question: 'hi' }, { answer: 'hello' }],
    [{ messages: [user] }, null],
    [{ messages: [user] }, { messages: [user] }],
    [{ messages: [user, 'text'] }, { messages: [assistant] }],
  ];
  const { dataset } = await uploaded(
    server,
    JSON.stringify({
      experiment_name: 'chats',
      dataset_name: 'chats',
      experiment_start_time: START,
      experiment_end_time: END,
      results: examples.map(([inputs, outputs], at) => ({
        row_id: uuid(at + 1),
        inputs,
        expected_outputs: outputs,
        start_time: START,
        end_time: END,
      })),
    }),
  );
  const lines = linesOf(await fileOf(server, `/datasets/${dataset.id}/openai_ft`)).map(
    (line) => (JSON.parse(line) as { messages: unknown }).messages,
  );
  t.strictSame(lines, [
    [user, assistant],
    [user, assistant],
    [
      { role: 'system', content: 'be kind' },
      user,
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
      },
    ],
    [user, assistant],
  ]);
});

t.test('returns errors for missing data and unknown formats', async (t) => {
  const { experiment, dataset } = await uploaded(server, manyRows(1, 1));
  for (const prefix of ['', '/api/v1']) {
    for (const file of ['export', 'export?format=csv', 'jsonl', 'csv', 'openai_ft']) {
      const response = await server.get(`${prefix}/datasets/${uuid(404)}/${file}`);
      t.equal(response.status, 404, file);
      t.strictSame(await response.json(), { detail: 'Dataset not found' });
      const known = await server.get(`${prefix}/datasets/${dataset.id}/${file}`);
      t.equal(known.status, 200, file);
      await known.text();
    }
    const response = await server.get(`${prefix}/sessions/${uuid(404)}/export`);
    t.equal(response.status, 404);
    t.strictSame(await response.json(), { detail: 'Session not found' });
  }
  t.equal((await server.get(`/sessions/${experiment.id}/export?format=xls`)).status, 422);
  t.equal((await server.get(`/datasets/${dataset.id}/export?as_of=yesterday`)).status, 422);
  const head = await server.get(`/sessions/${experiment.id}/export`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(head.headers.get('content-type'), 'application/x-ndjson');
});

t.test('exports an experiment that was run against the server', async (t) => {
  const there = await testServer(t, { config });
  const [datasetId, exampleId, sessionId] = [uuid(501), uuid(502), uuid(503)];
  const sent = async (path: string, body: unknown): Promise<void> => {
    const response = await server.post(path, body);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await sent('/datasets', { id: datasetId, name: 'run here' });
  await sent('/examples', { id: exampleId, dataset_id: datasetId, inputs: { q: 1 }, outputs: { a: 2 } });
  await sent('/sessions', {
    id: sessionId,
    name: 'run here',
    reference_dataset_id: datasetId,
    start_time: END,
    extra: { metadata: { model: 'm' }, other: 1 },
  });
  const run = (id: string, more: object): object => ({
    id,
    trace_id: id,
    dotted_order: `20240501T100000000000Z${id}`,
    name: 'Target',
    run_type: 'chain',
    session_id: sessionId,
    inputs: { q: 1 },
    start_time: START,
    ...more,
  });
  await sent('/runs/batch', {
    post: [
      run(uuid(504), {
        outputs: { a: 3 },
        end_time: END,
        reference_example_id: exampleId,
        extra: { metadata: { n: 1 }, runtime: {} },
      }),
      run(uuid(505), {
        trace_id: uuid(504),
        parent_run_id: uuid(504),
        dotted_order: `20240501T100000000000Z${uuid(504)}.20240501T100000000000Z${uuid(505)}`,
        end_time: END,
      }),
      run(uuid(506), { end_time: '2024-05-01T13:00:00Z', error: 'boom' }),
    ],
  });
  await sent('/feedback', { run_id: uuid(504), key: 'right', score: 0.5, trace_id: uuid(504) });
  let file = '';
  for (let tries = 0; linesOf(file).length < 3 && tries < 100; tries += 1) {
    await sleep(50);
    file = await fileOf(server, `/sessions/${sessionId}/export`);
  }
  const [header, ...rows] = linesOf(file).map((line) => JSON.parse(line) as Record<string, unknown>);
  t.match(
    header,
    {
      experiment_name: 'run here',
      dataset_id: datasetId,
      experiment_metadata: { model: 'm' },
      experiment_start_time: '2024-05-01T10:00:00.000000+00:00',
      experiment_end_time: '2024-05-01T13:00:00.000000+00:00',
    },
    'its times enclose the runs',
  );
  t.equal(rows.length, 2, 'root runs only');
  t.match(rows[0], {
    row_id: exampleId,
    inputs: { q: 1 },
    expected_outputs: { a: 2 },
    actual_outputs: { a: 3 },
    run_name: 'Target',
    run_metadata: { n: 1 },
    evaluation_scores: [{ key: 'right', score: 0.5 }],
  });
  t.matchStrict(rows[1], { row_id: uuid(506), expected_outputs: null, error: 'boom' });
  const imported = await uploaded(there, file, 'application/x-ndjson');
  t.equal(await fileOf(there, `/sessions/${imported.experiment.id}/export`), file);
});
