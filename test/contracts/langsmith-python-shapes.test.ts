import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { until } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

/** What the Python client sends, byte for byte where it matters, and the keys without which its models raise. */
const server = await testServer(t, { config });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
type Json = Record<string, unknown>;

async function ask<T = Json>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: T }> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as T };
}
const good = async <T = Json>(...args: Parameters<typeof ask>): Promise<T> => {
  const { status, json } = await ask<T>(...args);
  if (status >= 300) throw new Error(`${args[0]} ${args[1]}: ${status} ${JSON.stringify(json)}`);
  return json;
};

/** Parts as `requests_toolbelt` writes them: each with its own length. */
function multipart(parts: readonly [name: string, value: unknown][]): {
  body: Uint8Array;
  headers: Record<string, string>;
} {
  const boundary = `boundary-${randomUUID()}`;
  const chunks = parts.map(([name, value]) => {
    const bytes = JSON.stringify(value);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(bytes)}\r\n\r\n${bytes}\r\n`;
  });
  const body = Buffer.from(`${chunks.join('')}--${boundary}--\r\n`);
  return {
    body,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'x-pre-compressed-size': String(body.length),
      'user-agent': 'langsmith-py/0.14.0-requests',
    },
  };
}

async function dataset(more: Json = {}): Promise<Json & { id: string; name: string }> {
  return good('POST', '/datasets', {
    name: `py-${randomUUID()}`,
    data_type: 'kv',
    created_at: '2024-05-01T10:00:00.000001+00:00',
    description: null,
    extra: { source: 'sdk', metadata: { team: 'py', runtime: { sdk: 'langsmith-py' } } },
    ...more,
  });
}
async function experiment(datasetId: string | null, more: Json = {}): Promise<Json & { id: string; name: string }> {
  return good('POST', '/sessions?upsert=False', {
    name: `py-${randomUUID()}`,
    id: randomUUID(),
    extra: null,
    description: null,
    start_time: '2024-05-01T10:00:00+00:00',
    reference_dataset_id: datasetId,
    ...more,
  });
}
const stamp = (id: string): string => `20240501T100000000000Z${id}`;

t.test('describes the server', async (t) => {
  for (const path of ['/info', '/api/v1/info']) {
    const info = await good('GET', path, undefined, { 'x-api-key': 'any' });
    t.match(info, {
      version: /^\d+\.\d+\.\d+$/,
      instance_flags: {
        dataset_examples_multipart_enabled: true,
        gzip_body_enabled: true,
        zstd_compression_enabled: Boolean,
        sdb_query_enabled: false,
      },
    });
    t.strictSame(info['batch_ingest_config'], {
      use_multipart_endpoint: true,
      scale_up_qsize_trigger: 1_000,
      scale_up_nthreads_limit: 16,
      scale_down_nempty_trigger: 4,
      size_limit: 100,
      size_limit_bytes: 20_971_520,
    });
  }
  const [any] = await good<Json[]>('GET', '/sessions?limit=1&offset=0');
  t.matchStrict(any, { id: UUID, tenant_id: UUID, name: String, start_time: ISO, reference_dataset_id: null });
});

t.test('serves the dataset requests of the Python client', async (t) => {
  const made = await dataset();
  t.matchStrict(made, {
    id: UUID,
    tenant_id: UUID,
    created_at: '2024-05-01T10:00:00.000001+00:00',
    modified_at: ISO,
    data_type: 'kv',
    metadata: { team: 'py', runtime: { sdk: 'langsmith-py' } },
    example_count: 0,
    session_count: 0,
    last_session_start_time: null,
    description: null,
    inputs_schema_definition: null,
  });
  t.strictSame(await good('GET', `/datasets?limit=1&name=${encodeURIComponent(made.name)}`), [made]);
  t.strictSame(await good('GET', `/datasets/${made.id}?`), made, 'an empty query');
  t.strictSame(
    await good('GET', `/datasets/${made.id.replaceAll('-', '')}?limit=1`),
    made,
    'an id without dashes, and what does not matter',
  );
  t.strictSame(
    await good(
      'GET',
      `/datasets?id=${made.id}&data_type=kv&metadata=${encodeURIComponent('{"team": "py"}')}&sort_by_desc=True&limit=100&offset=0`,
    ),
    [made],
  );
  t.strictSame(await good('GET', '/datasets?name=nobody&limit=1'), []);
  t.match(await ask('POST', '/datasets', { name: made.name }), { status: 409, json: { detail: /already exists/ } });
  t.match(await ask('GET', `/datasets/${randomUUID()}`), { status: 404, json: { detail: 'Dataset not found' } });
  t.match(await ask('POST', '/datasets', { name: 7 }), {
    status: 422,
    json: { detail: [{ loc: ['body', 'name'], msg: String, type: String }] },
  });
});

t.test(
  'serves JSON example requests, times in every format, and a DELETE with a content type and no body',
  async (t) => {
    const { id: datasetId } = await dataset();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const one = await good('POST', '/examples', {
      id: ids[0],
      inputs: { n: 0 },
      outputs: null,
      dataset_id: datasetId,
      metadata: null,
      split: null,
      created_at: '2024-05-01T10:00:00.123456+00:00',
      source_run_id: null,
      use_source_run_io: false,
      attachments: null,
    });
    t.matchStrict(one, {
      id: ids[0],
      name: String,
      dataset_id: datasetId,
      inputs: { n: 0 },
      outputs: null,
      metadata: { dataset_split: ['base'] },
      created_at: '2024-05-01T10:00:00.123456+00:00',
      modified_at: ISO,
      source_run_id: null,
    });
    const many = await good<Json[]>(
      'POST',
      '/examples/bulk',
      [1, 2].map((n) => ({
        id: ids[n],
        inputs: { n },
        outputs: { twice: n * 2 },
        dataset_id: datasetId,
        metadata: { n },
        split: n === 1 ? 'train' : ['test', 'late'],
      })),
    );
    t.strictSame(
      many.map(({ id, metadata }) => [id, metadata]),
      [
        [ids[1], { n: 1, dataset_split: ['train'] }],
        [ids[2], { n: 2, dataset_split: ['test', 'late'] }],
      ],
    );
    t.match(await good('GET', `/examples/${ids[0]}?`), one);

    const version = String(many[0]!['modified_at']);
    await good('PATCH', `/examples/${ids[1]}`, {
      inputs: null,
      outputs: { twice: 'changed' },
      metadata: null,
      split: null,
      dataset_id: null,
    });
    t.match(
      await good('GET', `/examples/${ids[1]}`),
      { inputs: { n: 1 }, outputs: { twice: 'changed' }, metadata: { n: 1 } },
      'null changes nothing',
    );
    await good('PATCH', '/examples/bulk', [{ id: ids[2], outputs: { twice: 'too' }, dataset_id: datasetId }]);
    const listed = async (query: string): Promise<unknown[]> =>
      (
        await good<{ outputs: { twice?: unknown } | null }[]>(
          'GET',
          `/examples?dataset=${datasetId}&inline_s3_urls=True&offset=0&limit=100${query}`,
        )
      )
        .map(({ outputs }) => outputs?.twice)
        .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    for (const asOf of [version, version.replace('T', ' '), version.replace('+00:00', 'Z')])
      t.strictSame(await listed(`&as_of=${encodeURIComponent(asOf)}`), [2, 4, undefined], asOf);
    t.strictSame(await listed(`&as_of=${version.replace('T', '+').replaceAll('+00:00', '%2B00:00')}`), [
      2,
      4,
      undefined,
    ]);
    t.strictSame(await listed('&as_of=latest'), ['changed', 'too', undefined]);
    t.strictSame(await listed('&id='), ['changed', 'too', undefined], 'an empty list of ids is none');
    t.strictSame(
      await listed(`&id=${ids[1]}&id=${ids[2]}&splits=train&splits=late&metadata=${encodeURIComponent('{"n": 2}')}`),
      ['too'],
    );
    t.equal(await good<unknown>('GET', `/examples/count?dataset=${datasetId}`), 3);
    t.match(
      await good('GET', `/datasets/${datasetId}/version?as_of=${encodeURIComponent(version.replace('T', ' '))}`),
      { as_of: version },
    );
    t.matchStrict(await good('GET', `/datasets/${datasetId}/versions?search=&limit=100&offset=0`), [
      { as_of: ISO, tags: ['latest'] },
      { as_of: ISO, tags: null },
      { as_of: version, tags: null },
    ]);
    t.match(await good('PUT', `/datasets/${datasetId}/tags`, { as_of: version, tag: 'prod' }), {
      as_of: version,
      tags: ['prod'],
    });
    t.match(await ask('GET', `/examples/${randomUUID()}`), { status: 404, json: { detail: /not found/ } });

    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        `${server.url}/examples?example_ids=${ids[0]}&example_ids=${ids[1]}`,
        { method: 'DELETE', headers: { 'content-type': 'application/json', 'content-length': '0' } },
        (answer) => {
          answer.resume();
          answer.on('end', () => {
            resolve(answer.statusCode!);
          });
        },
      );
      sent.on('error', reject);
      sent.end();
    });
    t.equal(status, 200);
    t.strictSame(await listed(''), ['too']);
  },
);

t.test('accepts multipart examples with a content length', async (t) => {
  const { id: datasetId } = await dataset();
  const [a, b] = [randomUUID(), randomUUID()];
  for (const prefix of ['/v1/platform', '/api/v1/platform']) {
    const made = multipart([
      [a, { created_at: '2024-05-01T10:00:00+00:00', metadata: { m: 'ä' }, split: ['x'] }],
      [`${a}.inputs`, { text: 'ä€😀\r\n--' }],
      [`${a}.outputs`, { ok: true }],
      [b, { created_at: '2024-05-01T10:00:01+00:00' }],
      [`${b}.inputs`, {}],
    ]);
    const { status, json } = await ask('POST', `${prefix}/datasets/${datasetId}/examples`, made.body, made.headers);
    if (prefix === '/v1/platform')
      t.match({ status, json }, { status: 201, json: { count: 2, example_ids: [a, b], as_of: ISO } });
    else t.match({ status, json }, { status: 409, json: { error: String } });
  }
  t.match(await good('GET', `/examples/${a}`), {
    inputs: { text: 'ä€😀\r\n--' },
    outputs: { ok: true },
    metadata: { m: 'ä', dataset_split: ['x'] },
  });
  const changed = multipart([
    [b, { metadata: { n: 1 } }],
    [`${b}.outputs`, { late: true }],
  ]);
  t.match(await ask('PATCH', `/api/v1/platform/datasets/${datasetId}/examples`, changed.body, changed.headers), {
    status: 201,
    json: { count: 1 },
  });
  t.match(await good('GET', `/examples/${b}`), {
    inputs: Empty,
    outputs: { late: true },
    metadata: { n: 1, dataset_split: ['base'] },
  });
});

const SESSION_KEYS = [
  'id',
  'tenant_id',
  'name',
  'description',
  'start_time',
  'end_time',
  'extra',
  'default_dataset_id',
  'reference_dataset_id',
  'trace_tier',
  'test_run_number',
  'run_count',
  'latency_p50',
  'latency_p99',
  'first_token_p50',
  'first_token_p99',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_cost',
  'prompt_cost',
  'completion_cost',
  'last_run_start_time',
  'feedback_stats',
  'session_feedback_stats',
  'run_facets',
  'error_rate',
  'streaming_rate',
];

t.test('serves the session requests of the Python client', async (t) => {
  const { id: datasetId } = await dataset();
  const id = randomUUID();
  const made = await experiment(datasetId, { id, num_examples: 3, num_repetitions: 2, evaluator_keys: ['a'] });
  t.matchStrict(made, {
    id,
    tenant_id: UUID,
    extra: null,
    start_time: '2024-05-01T10:00:00.000000+00:00',
    end_time: null,
    reference_dataset_id: datasetId,
    description: null,
  });
  const read = await good('GET', `/sessions/${id}?include_stats=True`);
  for (const key of SESSION_KEYS) t.ok(Object.hasOwn(read, key), key);
  t.matchStrict(
    await good('PATCH', `/sessions/${id}`, {
      name: null,
      extra: { metadata: { __ls_runner: 'py_sdk_evaluate', dataset_version: '2024-05-01T10:00:00+00:00' } },
      description: null,
      end_time: null,
    }),
    { name: made.name, extra: { metadata: { __ls_runner: 'py_sdk_evaluate' } }, end_time: null },
  );
  t.match(
    await good('GET', `/sessions/${id}?include_stats=False`),
    { experiment_progress: { expected_run_count: 6, evaluator_keys: ['a'] } },
    'what was announced is kept when extra is replaced',
  );
  t.match(await good('GET', `/sessions?name=${made.name}&include_stats=False&limit=1`), [{ id, run_count: 0 }]);
  t.match(
    await good(
      'GET',
      `/sessions?reference_dataset=${datasetId}&reference_free=False&dataset_version=${encodeURIComponent('2024-05-01 10:00:00+00:00')}&limit=100&offset=0`,
    ),
    [{ id }],
  );
  t.match(await ask('POST', '/sessions', { name: made.name, extra: null }), {
    status: 409,
    json: { detail: 'Session already exists.' },
  });
  t.match(await good('POST', '/sessions?upsert=True', { name: made.name, extra: null }), { id });
  const project = await experiment(null);
  t.ok(Object.hasOwn(project, 'reference_dataset_id'), 'there even when it is null');
});

t.test('accepts multipart runs, ignores nulls and stores their feedback', async (t) => {
  const { id: datasetId } = await dataset();
  const session = await experiment(datasetId);
  const exampleId = String((await good('POST', '/examples', { dataset_id: datasetId, inputs: { n: 1 } }))['id']);
  const [root, child, feedbackId] = [randomUUID(), randomUUID(), randomUUID()];
  const place = { trace_id: root, session_name: session.name };
  const sent = multipart([
    [
      `post.${root}`,
      {
        id: root,
        name: 'Target',
        run_type: 'chain',
        start_time: '2024-05-01T10:00:00.000001',
        dotted_order: stamp(root),
        parent_run_id: null,
        session_id: null,
        reference_example_id: exampleId,
        tags: [],
        ...place,
      },
    ],
    [`post.${root}.inputs`, { n: 1 }],
    [`post.${root}.extra`, { metadata: { who: 'py' }, runtime: { sdk: 'langsmith-py' } }],
    [
      `post.${child}`,
      {
        id: child,
        name: 'step',
        run_type: 'llm',
        start_time: '2024-05-01T10:00:00.5Z',
        dotted_order: `${stamp(root)}.${stamp(child)}`,
        parent_run_id: root,
        ...place,
      },
    ],
    [`post.${child}.inputs`, { messages: [] }],
    [
      `patch.${child}`,
      {
        id: child,
        end_time: '2024-05-01T10:00:01.000002+00:00',
        trace_id: root,
        dotted_order: `${stamp(root)}.${stamp(child)}`,
        parent_run_id: root,
        session_id: null,
        session_name: null,
      },
    ],
    [
      `patch.${child}.outputs`,
      {
        generations: [
          [
            {
              text: 'hi',
              message: { kwargs: { usage_metadata: { input_tokens: 7, output_tokens: 2, total_tokens: 9 } } },
            },
          ],
        ],
      },
    ],
    [
      `patch.${root}`,
      {
        id: root,
        end_time: '2024-05-01T12:00:02.000001+02:00',
        trace_id: root,
        dotted_order: stamp(root),
        parent_run_id: null,
        session_id: null,
        reference_example_id: null,
        name: null,
        run_type: null,
        tags: null,
      },
    ],
    [`patch.${root}.outputs`, { answer: 2 }],
    [`patch.${root}.error`, "ValueError('late')"],
    [
      `feedback.${feedbackId}`,
      {
        id: feedbackId,
        key: 'right',
        score: 0.5,
        value: null,
        comment: null,
        correction: null,
        run_id: root,
        trace_id: root,
        session_id: session.id,
        created_at: '2024-05-01T10:00:03',
        modified_at: '2024-05-01T10:00:03',
        feedback_source: { type: 'model', metadata: { __run: { run_id: randomUUID() } }, user_id: null },
        feedback_config: null,
        feedback_group_id: null,
        comparative_experiment_id: null,
        extra: null,
        error: null,
      },
    ],
  ]);
  t.match(await ask('POST', '/api/v1/runs/multipart', sent.body, sent.headers), { status: 202 });
  t.match(await ask('POST', '/runs/multipart', sent.body, sent.headers), { status: 202 }, 'and again');
  const read = await good('GET', `/runs/${root}?`);
  t.matchStrict(read, {
    id: root,
    name: 'Target',
    run_type: 'chain',
    start_time: '2024-05-01T10:00:00.000001+00:00',
    end_time: '2024-05-01T10:00:02.000001+00:00',
    error: "ValueError('late')",
    status: 'error',
    inputs: { n: 1 },
    outputs: { answer: 2 },
    extra: { metadata: { who: 'py' } },
    session_id: session.id,
    trace_id: root,
    dotted_order: stamp(root),
    parent_run_id: null,
    parent_run_ids: Empty,
    reference_example_id: exampleId,
    total_tokens: 9,
    prompt_tokens: 7,
    completion_tokens: 2,
    app_path: String,
  });
  t.match(
    await ask('PATCH', `/runs/${root}`, {
      id: root,
      parent_run_id: null,
      session_id: null,
      trace_id: root,
      dotted_order: stamp(root),
      end_time: null,
      outputs: null,
      inputs: null,
      error: null,
      extra: null,
      tags: null,
      events: null,
    }),
    { status: 202 },
  );
  t.same(await good('GET', `/runs/${root}`), read, 'null changes nothing');

  const found = await good<{ runs: Json[]; cursors: Json }>('POST', '/runs/query', {
    session: [session.id],
    run_type: null,
    reference_example: null,
    query: null,
    filter: null,
    trace_filter: null,
    tree_filter: null,
    is_root: true,
    parent_run: null,
    start_time: null,
    error: null,
    id: null,
    trace: null,
    limit: 100,
    select: ['id', 'name', 'outputs', 'feedback_stats', 'reference_example_id'],
  });
  t.strictSame([found.runs.length, found.cursors['next']], [1, null]);
  t.match(found.runs[0], {
    id: root,
    outputs: { answer: 2 },
    feedback_stats: { right: { n: 1, avg: 0.5 } },
    dotted_order: String,
    start_time: ISO,
    trace_id: root,
  });

  // An evaluator that threw, one that is about the whole, and a value that is an object.
  t.match(
    await good('POST', '/feedback', {
      id: randomUUID(),
      key: 'broken',
      run_id: root,
      trace_id: null,
      session_id: session.id,
      score: null,
      comment: "ValueError('no')",
      error: true,
      extra: { error: true },
      feedback_source: { type: 'model', metadata: {} },
    }),
    { run_id: root, trace_id: root, error: true, created_at: ISO, modified_at: ISO },
  );
  const whole = await good('POST', '/feedback', {
    id: randomUUID(),
    key: 'overall',
    score: 1,
    run_id: null,
    project_id: session.id,
    trace_id: null,
    session_id: null,
    feedback_source: { type: 'api', metadata: {} },
  });
  t.matchStrict(whole, { run_id: null, trace_id: null, session_id: session.id });
  const listed = await good<Json[]>(
    'GET',
    `/feedback?run=${root}&limit=100&offset=0&include_user_names=True&has_comment=False`,
  );
  t.match(listed, [
    {
      id: feedbackId,
      key: 'right',
      score: 0.5,
      feedback_source: { type: 'model' },
      created_at: '2024-05-01T10:00:03.000000+00:00',
    },
  ]);
  t.equal(listed.length, 1);
  t.match(await good('GET', `/feedback?session=${session.id}&level=session&key=overall&source=api`), [
    { id: whole['id'] },
  ]);

  const results = await good<{ id: string; runs: Json[] }[]>('POST', `/datasets/${datasetId}/runs`, {
    session_ids: [session.id],
    offset: 0,
    limit: 100,
    preview: false,
    comparative_experiment_id: null,
    filters: null,
  });
  t.match(results, [
    {
      id: exampleId,
      inputs: { n: 1 },
      runs: [
        {
          id: root,
          name: 'Target',
          run_type: 'chain',
          start_time: ISO,
          outputs: { answer: 2 },
          session_id: session.id,
          reference_example_id: exampleId,
          feedback_stats: { right: { avg: 0.5 } },
        },
      ],
    },
  ]);
  t.equal(results[0]!.runs[0]!['dotted_order'], stamp(root), 'text, never null');
  for (const one of results[0]!.runs[0]!['feedbacks'] as Json[])
    for (const key of ['id', 'key', 'run_id', 'trace_id', 'created_at', 'modified_at', 'feedback_source'])
      t.ok(Object.hasOwn(one, key), key);
  const stats = await until(
    async () => good('GET', `/sessions/${session.id}?include_stats=True`),
    ({ session_feedback_stats: scores }) => scores !== null && Object.hasOwn(scores as object, 'overall'),
  );
  t.matchStrict(stats, {
    run_count: 1,
    error_rate: 1,
    latency_p50: 2,
    total_tokens: 9,
    feedback_stats: { right: { n: 1, avg: 0.5, errors: 0 }, broken: { n: 1, avg: null, errors: 1 } },
    session_feedback_stats: { overall: { n: 1, avg: 1 } },
  });
});

t.test('reports errors in the format of each route', async (t) => {
  t.match(await ask('GET', `/runs/${randomUUID()}`), { status: 404, json: { detail: 'Run not found' } });
  t.match(await ask('POST', '/runs/batch', { post: [{ name: 'no id' }], patch: [] }), {
    status: 422,
    json: { error: String },
  });
  t.match(
    await ask('POST', '/runs/multipart', Buffer.from('nothing'), { 'content-type': 'multipart/form-data; boundary=x' }),
    { status: 400, json: { error: String } },
  );
  t.match(await ask('POST', '/feedback', { key: 'x', score: 1 }), {
    status: 422,
    json: { detail: [{ loc: ['body', 'run_id'] }] },
  });
  t.match(await ask('POST', '/feedback', { key: 'x', run_id: 'no-uuid' }), {
    status: 422,
    json: { detail: [{ loc: ['body', 'run_id'], type: 'uuid_parsing' }] },
  });
});
