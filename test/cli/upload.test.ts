import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CommandError } from '../../src/cli/client.js';
import { parseExperimentFlags, UploadBody } from '../../src/cli/upload/upload-body.js';
import { readItems } from '../../src/cli/upload/upload-file.js';
import { cli, type Said } from '../helpers/cli.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'questions');

interface Session {
  id: string;
  start_time: string;
}

interface Example {
  id: string;
  outputs: Record<string, unknown> | null;
}

interface Uploader {
  server: TestServer;
  /** Writes the file and uploads it. */
  upload(name: string, content: string | Buffer, ...flags: string[]): Promise<Said>;
  /** The runs of an experiment, as text: parsed, long numbers would come out as others. */
  runsOf(experiment: string): Promise<string>;
  session(name: string): Promise<Session | undefined>;
  examples(dataset: string): Promise<Example[]>;
}

async function uploader(t: Test, env: Record<string, string> = {}): Promise<Uploader> {
  const server = await testServer(t, { config, env });
  const folder = temporaryFolder(t);
  const list = async <T>(path: string): Promise<T[]> => (await server.get(path)).json() as Promise<T[]>;
  const session = async (name: string): Promise<Session | undefined> =>
    (await list<Session>(`/api/v1/sessions?name=${encodeURIComponent(name)}`))[0];
  return {
    server,
    session,
    async upload(name, content, ...flags) {
      const file = join(folder, name);
      writeFileSync(file, content);
      const said = await cli(['upload', file, '--url', server.url, ...flags]);
      return { ...said, stderr: said.stderr.replaceAll(`${folder}/`, '') };
    },
    async runsOf(experiment) {
      return (
        await server.post('/api/v1/runs/query', {
          session: [(await session(experiment))?.id],
          order: 'asc',
          select: ['inputs', 'outputs', 'error', 'name', 'extra', 'start_time', 'end_time', 'feedback_stats'],
        })
      ).text();
    },
    async examples(dataset) {
      const [found] = await list<{ id: string }>(`/api/v1/datasets?name=${encodeURIComponent(dataset)}`);
      return list<Example>(`/api/v1/examples?dataset=${found!.id}`);
    },
  };
}

const shared = await uploader(t);

/** What the command says of a file, without a process for each. */
async function fault(
  name: string,
  content: string | Buffer,
  flags: Parameters<typeof parseExperimentFlags>[0],
): Promise<string> {
  const folder = temporaryFolder(t);
  const file = join(folder, name);
  writeFileSync(file, content);
  try {
    for await (const _ of new UploadBody({
      file,
      items: readItems(file),
      flags: parseExperimentFlags(flags),
      defaultName: 'other',
      onProgress: () => undefined,
    }).chunks());
    return '';
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.message.replaceAll(`${folder}/`, '');
  }
}

const TIMES = '"start_time":"2026-01-01T00:00:00Z","end_time":"2026-01-01T00:00:02Z"';
const ODD =
  '{"long":12345678901234567890,"zero":-0,"huge":1e400,"precise":0.1000000000000000055511151231257827,"__proto__":{"a":1},"text":"\u2028 \\u0000 é"}';

t.test('uploads a .jsonl file, fills in missing fields and prints a summary', async (t) => {
  const { upload, session, runsOf, examples } = shared;
  const rows = [
    `{"inputs":${ODD},"expected_outputs":{"a":1},"actual_outputs":${ODD},"evaluation_scores":[{"key":"correct","score":1},{"key":"tone","value":"warm"}],${TIMES},"run_name":"mine"}`,
    '',
    `{"evaluation_scores":[{"key":"correct","score":false}],"error":"boom","inputs":{"q":"a"},"row_id":"4a2b2d3c-0000-4000-8000-000000000001","start_time":"2026-01-01T00:00:01Z","end_time":"2026-01-01T00:00:05.123456+00:00"}\r`,
  ];
  const { code, stdout, stderr } = await upload(
    'first try.jsonl',
    `\ufeff${rows.join('\n')}`,
    '--dataset',
    'questions',
    '--description',
    'a "try"',
    '--metadata',
    '{"seed":12345678901234567890}',
  );
  t.equal(stderr, '', 'no progress bar without a terminal');
  t.equal(code, 0);
  t.match(
    stdout,
    /^dataset +questions\nexperiment +first try \d{4}-.*Z \(number 1 of its dataset\)\nrows +2\nlatency +p50 3\.06\d* s, p99 .* s\nerrors +50 %\naddress +http:\/\/127.0.0.1:\d+\/api\/v1\/sessions\/([\w-]{36})\nconsole +http:\/\/127.0.0.1:\d+\/console\/experiments\/\1\n/,
  );
  t.match(stdout, /^score +n +average +values\ncorrect +2 +0\.5\ntone +1 +warm: 1$/m);

  const name = /^experiment +(.*) \(/m.exec(stdout)![1]!;
  t.match(
    await session(name),
    {
      description: 'a "try"',
      start_time: /^2026-01-01T00:00:00\.000000/,
      end_time: /^2026-01-01T00:00:05\.123456/,
      run_count: 2,
    },
    'the times of the experiment are those around its rows',
  );
  const runs = await runsOf(name);
  t.equal(runs.split(ODD).length, 3, 'inputs and outputs come back as they were written');
  t.match(runs, /"name":"mine"/);
  t.match(runs, /"error":"boom"/);
  t.equal((await examples('questions')).length, 2);
});

t.test('matches rows without row_id by their inputs, whatever the key order and format', async (t) => {
  const { upload, examples, runsOf } = shared;
  const one = await upload(
    'one.jsonl',
    [
      `{"inputs":{"q":"a","l":"[1]"},${TIMES}}`,
      `{"inputs":{"q":"a", "l":"[1]"},${TIMES}}`,
      `{"inputs":{"q":"b","l":"x"},${TIMES}}`,
    ].join('\n'),
    '--dataset',
    'd2',
    '--experiment',
    'one',
  );
  t.equal(one.code, 0, one.stderr);
  const ids = (await examples('d2')).map(({ id }) => id);
  t.equal(ids.length, 2, 'repeated inputs are repetitions');
  t.equal((JSON.parse(await runsOf('one')) as { runs: unknown[] }).runs.length, 3);

  const two = await upload(
    'two.json',
    `[{"inputs":{"l":"[1]","q":"\\u0061"},${TIMES}},\n{"inputs":{"q":"a","l":"[1]"},${TIMES}},\n{"inputs":{"l":"x","q":"b"},${TIMES}}]`,
    '--dataset',
    'd2',
    '--experiment',
    'two',
  );
  t.equal(two.code, 0, two.stderr);
  const later = (await examples('d2')).map(({ id }) => id);
  t.ok(
    ids.every((id) => later.includes(id)),
    'the same examples',
  );
  t.equal(later.length, 3, 'within one upload, which takes one form for one example, a second form is its own');
});

t.test('gives rows without times those of the row before, of the experiment, or the present', async (t) => {
  const { upload, session, runsOf } = shared;
  const now = await upload('now.jsonl', '{"inputs":{"q":1}}', '--dataset', 'd3', '--experiment', 'now');
  t.equal(now.code, 0, now.stderr);
  t.match(now.stdout, /1 of 1 rows had no start or end time, so their latency counts as 0\./);
  t.ok(Math.abs(Date.parse((await session('now'))!.start_time) - Date.now()) < 60_000);

  const told = await upload(
    'told.jsonl',
    `{"kind":"experiment","experiment_name":"told","experiment_start_time":"2025-05-05T00:00:00","dataset_name":"d3"}\n{"inputs":{"q":1}}\n{"inputs":{"q":2},"start_time":"2025-05-05T00:00:07Z"}\n{"inputs":{"q":3},"start_time":null}`,
  );
  t.equal(told.code, 0, told.stderr);
  const { runs } = JSON.parse(await runsOf('told')) as { runs: { start_time: string; end_time: string }[] };
  t.strictSame(runs.map((run) => run.start_time.slice(0, 19)).toSorted(), [
    '2025-05-05T00:00:00',
    '2025-05-05T00:00:07',
    '2025-05-05T00:00:07',
  ]);
  t.match(await session('told'), { start_time: /^2025-05-05T00:00:00/, end_time: /^2025-05-05T00:00:07/ });
});

t.test('takes experiment fields from a complete body or a header line, below flags', async (t) => {
  const { upload, session, examples } = shared;
  const header =
    '"experiment_name":"theirs","experiment_description":"why","dataset_name":"theirs","dataset_id":"4a2b2d3c-0000-4000-8000-00000000000d","experiment_start_time":"2026-01-01T00:00:00Z","experiment_end_time":"2026-02-01T00:00:00Z","summary_experiment_scores":[{"key":"f1","score":0.75}],"experiment_metadata":{"long":12345678901234567890}';
  const row = `{"row_id":"4a2b2d3c-0000-4000-8000-000000000001","inputs":{"q":1},${TIMES}}`;

  const whole = await upload('whole.json', `{"results":[\n${row}\n],${header}}`);
  t.equal(whole.code, 0, whole.stderr);
  t.match(whole.stdout, /^f1 \(experiment\) +1 +0\.75$/m);
  t.match(await session('theirs'), {
    description: 'why',
    end_time: /^2026-02-01/,
    reference_dataset_id: '4a2b2d3c-0000-4000-8000-00000000000d',
    test_run_number: 1,
  });
  t.equal((await examples('theirs')).length, 1);

  const again = await upload(
    'lines.jsonl',
    `{"kind":"experiment",${header}}\n${row}\n`,
    '--experiment',
    'ours',
    '--json',
  );
  t.equal(again.code, 0, again.stderr);
  t.match(again.stdout, /"long":12345678901234567890/);
  t.match(JSON.parse(again.stdout), {
    experiment: { name: 'ours', run_count: 1, error_rate: 0, test_run_number: 2 },
    dataset: { name: 'theirs', example_count: 1, session_count: 2 },
  });

  const elsewhere = await upload(
    'lines.jsonl',
    `{"kind":"experiment",${header}}\n${row}\n`,
    '--experiment',
    'third',
    '--dataset',
    'ours',
  );
  t.equal(elsewhere.code, 0, elsewhere.stderr);
  t.equal((await examples('ours')).length, 1, 'a dataset that a flag names replaces both of the file');
  const byId = await upload(
    'lines.jsonl',
    row,
    '--experiment',
    'fourth',
    '--dataset-id',
    '4a2b2d3c-0000-4000-8000-00000000000d',
  );
  t.equal(byId.code, 0, byId.stderr);
  t.match(byId.stdout, /^dataset +theirs$/m);
});

t.test('uploads a .csv file', async (t) => {
  const { upload, runsOf, examples } = shared;
  const { code, stdout, stderr } = await upload(
    'table.csv',
    [
      '\ufeffinputs.q,inputs.list,expected.a,outputs.a,scores.correct,scores.tone,start_time,end_time,row_id,run_name,error,run_metadata.model',
      '"what, ""really""","[12345678901234567890, -0]",4,7,0.50,warm,2026-01-01T00:00:00Z,2026-01-01T00:00:01Z,4a2b2d3c-0000-4000-8000-000000000001,mine,,small',
      '"two\r\nlines",{not json,,,TRUE,,2026-01-01T00:00:00Z,2026-01-01T00:00:03Z,,,boom,',
      '',
      'x,,,,1e-3,7 of 9,2026-01-01T00:00:00Z,2026-01-01T00:00:03Z,,,,',
    ].join('\r\n'),
    '--dataset',
    'd5',
    '--experiment',
    'csv',
  );
  t.equal(code, 0, stderr);
  t.match(stdout, /^correct +3 +0\.5003$/m);
  t.match(stdout, /^tone +2 +(warm: 1, 7 of 9: 1|7 of 9: 1, warm: 1)$/m);
  const runs = await runsOf('csv');
  t.match(runs, '"inputs":{"q":"what, \\"really\\"","list":[12345678901234567890, -0]}');
  t.match(runs, '"outputs":{"a":"7"}');
  t.match(runs, '"inputs":{"q":"two\\r\\nlines","list":"{not json"}');
  t.match(runs, '"inputs":{"q":"x"}', 'an empty cell is left out');
  t.match(runs, /"error":"boom"/);
  t.match(runs, /"model":"small"/);
  t.ok((await examples('d5')).some(({ outputs }) => outputs?.['a'] === '4'));
});

t.test('reports a refusal of the server with the lines of the file and stores nothing', async (t) => {
  const { upload, session } = shared;
  const bad = `{"inputs":{"q":1},"start_time":"2026-01-01T00:00:05Z","end_time":"2026-01-01T00:00:02Z"}`;
  const good = `{"inputs":{"q":2},${TIMES}}`;
  const lines = await upload(
    'bad.jsonl',
    `{"kind":"experiment","experiment_name":"bad","dataset_name":"d6"}\n${good}\n\n${bad}\n{"inputs":7,"row_id":"no",${TIMES}}`,
  );
  t.equal(lines.code, 1);
  t.match(lines.stderr, /^bad\.jsonl was refused, and nothing was stored\.$/m);
  t.match(lines.stderr, /^results\.1\.end_time: must not be before start_time \(line 4\)$/m);
  t.match(lines.stderr, /^results\.2\.inputs: must be object \(line 5\)$/m);
  t.match(lines.stderr, /^results\.2\.row_id: must be a UUID \(line 5\)$/m);
  t.equal(await session('bad'), undefined);

  const list = await upload('bad.json', `[\n${good},\n\n  ${bad}\n]`, '--dataset', 'd6');
  t.match(list.stderr, /^results\.1\.end_time: .* \(line 4\)$/m);
  const csv = await upload(
    'bad.csv',
    'inputs.q,start_time\r\n"a\r\nb",2026-01-01T00:00:00Z\r\n\r\nc,2026-01-01T00:00:00Z\r\nd,yesterday\r\n',
    '--dataset',
    'd6',
  );
  t.match(csv.stderr, /^results\.2\.start_time: must be an ISO 8601 date-time .* \(line 6\)$/m);
  const conflict = await upload(
    'conflict.jsonl',
    `{"inputs":{"q":1},"expected_outputs":{"a":1},${TIMES}}\n{"inputs":{"q":1},"expected_outputs":{"a":2},${TIMES}}`,
    '--dataset',
    'd6',
  );
  t.match(
    conflict.stderr,
    /^results\.1\.row_id: is also the row_id of results\.0.*\(line 2\)\nRows without row_id are identified by their inputs/m,
  );
  const external = await upload('ids.jsonl', good, '--dataset', '');
  t.match(external, { code: 1, stderr: '--dataset: must not be empty\n' });
});

t.test('reports invalid files before it stores anything', async (t) => {
  const { server } = shared;
  const d = { dataset: 'd7' };
  const before = await (await server.get('/api/v1/sessions?limit=1000')).text();
  const cases: [string, string | Buffer, RegExp, Parameters<typeof parseExperimentFlags>[0]?][] = [
    [
      'rows.jsonl',
      `{"inputs":{"q":1},${TIMES}}\n{"question":"x","answer":"y"}\n{nope\n[]\n`,
      /^rows\.jsonl:2: a row needs "inputs"; this one has question, answer\nrows\.jsonl:3: not valid JSON: .*\nrows\.jsonl:4: a row must be an object\nA row looks like this.*\n\{"inputs": \{"question"/,
    ],
    [
      'broken.json',
      '[{"inputs":{}}\n"x"]',
      /^broken\.json:2: not valid JSON: expected a comma or the end of the list \(at byte 15\)$/m,
    ],
    ['other.json', '{"rows":[]}', /^other\.json: must be a list of rows, or an object with a list "results"$/m],
    ['latin.json', Buffer.from('[{"inputs":{"q":"é"}}]', 'latin1'), /^latin\.json: not UTF-8$/m],
    ['latin.jsonl', Buffer.from('{"inputs":{"q":"é"}}', 'latin1'), /^latin\.jsonl:1: not UTF-8$/m],
    ['latin.csv', Buffer.from('inputs.q\né\n', 'latin1'), /^latin\.csv: not UTF-8$/m],
    ['empty.csv', '', /^empty\.csv: the file is empty\. Its first line must have the column names\.$/m],
    [
      'columns.csv',
      'inputs.q,answer\na,b\n',
      /^columns\.csv: unknown column "answer"\. Known columns: inputs\.<name>, expected_outputs\.<name>, .*, error\.$/m,
    ],
    [
      'twice.csv',
      'inputs.q,expected.a,expected_outputs.a\na,b,c\n',
      /^twice\.csv: the column "expected_outputs\.a" occurs twice\.$/m,
    ],
    ['inputs.csv', 'expected.q\na\n', /^inputs\.csv: a column inputs\.<name> is required\./m],
    ['semicolon.csv', 'inputs.q;expected.a\na;b\n', /^semicolon\.csv: the columns must be separated by commas\.$/m],
    ['long.csv', 'inputs.q\na,b\n', /^long\.csv: Invalid Record Length: expect 1, got 2 on line 2$/m],
    ['open.csv', 'inputs.q\n"a\n', /^open\.csv: Quote Not Closed/m],
    ['rows.txt', '', /^rows\.txt: the file name must end in \.jsonl, \.json or \.csv\.$/m],
    [
      'no-dataset.jsonl',
      '{"inputs":{}}',
      /no-dataset\.jsonl names no dataset\. Name one with --dataset <name> or --dataset-id <uuid>\.$/m,
      {},
    ],
    ['flags.jsonl', '', /^--dataset-id: "7" is not a UUID$/m, { datasetId: '7' }],
    ['other-flags.jsonl', '', /^--metadata: must be a JSON object/m, { ...d, metadata: '[]' }],
  ];
  for (const [name, content, message, flags = d] of cases) t.match(await fault(name, content, flags), message, name);
  const said = await shared.upload('shape.jsonl', '{"question":"x"}', '--dataset', 'd7');
  t.match(said, {
    code: 1,
    stdout: '',
    stderr: /^shape\.jsonl:1: a row needs "inputs"; this one has question\nA row looks like this/,
  });
  const missing = await cli(['upload', 'nowhere.jsonl', '--dataset', 'd7']);
  t.match(missing, { code: 1, stderr: 'nowhere.jsonl: the file does not exist\n' });
  t.equal(await (await server.get('/api/v1/sessions?limit=1000')).text(), before);
});

t.test('explains a name that is already used', async (t) => {
  const { upload } = shared;
  t.equal((await upload('a.jsonl', `{"inputs":{},${TIMES}}`, '--dataset', 'd8', '--experiment', 'same')).code, 0);
  const { code, stderr } = await upload('a.jsonl', `{"inputs":{},${TIMES}}`, '--dataset', 'd8', '--experiment', 'same');
  t.equal(code, 1);
  t.match(
    stderr,
    /^Session already exists\. An experiment with this name exists\. Choose another name with --experiment\.\n.*GET http:.*\/api\/v1\/sessions\?name=…/,
  );
});

t.test('refuses empty uploads and splits long ones at the limit', async (t) => {
  const { upload } = await uploader(t, { THREADMILL_MAX_UPLOAD_BYTES: '3000000' });
  t.match(await upload('none.json', '[]', '--dataset', 'd9'), { code: 0, stdout: /^rows +0$/m });
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, at) => `{"inputs":{"q":${at},"text":"${'x'.repeat(1_000)}"},${TIMES}}`).join(
      '\n',
    );
  t.match(await upload('many.jsonl', rows(2_000), '--dataset', 'd9'), { code: 0, stdout: /^rows +2000$/m });
  const { code, stderr } = await upload('large.jsonl', rows(6_000), '--dataset', 'd9');
  t.equal(code, 1);
  t.match(stderr, /over the (server's )?limit/);
});

t.test('reports an unreachable server and one of another kind', async (t) => {
  const file = join(temporaryFolder(t), 'a.jsonl');
  writeFileSync(file, `{"inputs":{},${TIMES}}`);
  let key: unknown;
  const other = createServer((request, response) => {
    key = request.headers['x-api-key'];
    request.resume().on('end', () => response.end('<html>'));
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const to = (url: string): string[] => ['upload', file, '--dataset', 'd10', '--url', url];
  t.match(await cli(to(`http://127.0.0.1:${port}/`), { LANGSMITH_API_KEY: 'from-env' }), {
    code: 1,
    stderr: `The server at http://127.0.0.1:${port} is not a Threadmill server: its response is not JSON. Check --url.\n`,
  });
  t.equal(key, 'from-env');
  await cli([...to(`http://127.0.0.1:${port}`), '--api-key', 'from-flag'], { LANGSMITH_API_KEY: 'from-env' });
  t.equal(key, 'from-flag');
  other.close();
  await once(other, 'close');
  t.match(await cli(to(`http://127.0.0.1:${port}`)), {
    code: 1,
    stderr: new RegExp(
      `^No server is listening at http://127\\.0\\.0\\.1:${port}\\. Start one with "threadmill serve"`,
    ),
  });
  t.match(await cli(to('localhost:8123')), {
    code: 1,
    stderr: /^--url: "localhost:8123" is not an http or https address, such as http:\/\/127\.0\.0\.1:8123$/m,
  });
});

t.test('uploads once even if the server stops before its statistics exist', async (t) => {
  const file = join(temporaryFolder(t), 'a.jsonl');
  writeFileSync(file, `{"inputs":{},${TIMES}}`);
  const records = {
    experiment: {
      id: 'x',
      name: 'e',
      test_run_number: 1,
      run_count: null,
      error_rate: null,
      latency_p50: null,
      latency_p99: null,
      feedback_stats: null,
      session_feedback_stats: null,
    },
    dataset: { id: 'y', name: 'd' },
  };
  const going = createServer((request, response) => {
    response.writeHead(request.method === 'POST' ? 200 : 503, { 'content-type': 'application/json' });
    request.resume().on('end', () => response.end(JSON.stringify(records)));
  }).listen(0, '127.0.0.1');
  await once(going, 'listening');
  t.teardown(() => going.close());
  const { port } = going.address() as { port: number };
  t.match(await cli(['upload', file, '--dataset', 'd', '--url', `http://127.0.0.1:${port}`]), {
    code: 0,
    stdout: /The statistics are not ready yet\. Read them at the address above\./,
  });
});
