import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { schemas } from '../../schemas/compiled/schemas.js';
import { isUuid } from '../../src/base/ids.js';
import { at, everything, row, sent, upload, type Json } from '../helpers/uploads.js';
import { configWith, testServer } from '../helpers/server.js';
import { uniform } from '../helpers/random.js';

const config = configWith(t, 'echo');

/**
 * Uploads that break one rule each, made from the schemas: every one is refused as the client's mistake, changes
 * nothing, and the server goes on.
 */
const server = await testServer(t, { config, env: { THREADMILL_MAX_UPLOAD_BYTES: String(4 * 1024 * 1024) } });
const target = at(server.url);
await sent(target, upload({ dataset_name: 'there already', results: [row(), row()] }));
const before = await everything(target);
const MANY = 8;

// Thousands of requests, on a machine that may have others to serve.
t.setTimeout(120_000);

/** What of a schema the tests go by. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  $ref?: string;
  items?: Schema;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  definitions?: Record<string, Schema>;
}
const schemaOf = (name: string): Schema => schemas[name] as Schema;

type Path = (string | number)[];

/** An upload with every field of the schemas. */
function full(): Json {
  const score = (): Json => ({
    key: 'k',
    score: 0.5,
    value: 'v',
    comment: 'c',
    correction: { a: 1 },
    feedback_source: { type: 'api', metadata: { a: 1 } },
    feedback_config: { type: 'continuous', min: 0, max: 1, categories: [{ value: 1, label: 'one' }] },
    created_at: '2024-05-01T10:00:00Z',
    modified_at: '2024-05-01T10:00:00Z',
    feedback_group_id: randomUUID(),
    comparative_experiment_id: null,
    extra: { a: 1 },
  });
  const one = (): Json =>
    row({
      expected_outputs: { a: 1 },
      actual_outputs: { a: 1 },
      run_name: 'n',
      error: 'e',
      run_metadata: { m: 1 },
      evaluation_scores: [score(), score()],
    });
  return upload({
    experiment_description: 'd',
    dataset_id: randomUUID(),
    dataset_name: `dataset ${randomUUID()}`,
    dataset_description: 'd',
    experiment_metadata: { m: 1 },
    summary_experiment_scores: [score()],
    results: [one(), one(), one()],
  });
}

/** A copy with what stands at the path replaced; undefined removes it. */
function changed(body: Json, path: Path, value: unknown): Json {
  const copy = structuredClone(body);
  let at: Record<string | number, unknown> = copy;
  for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const VALUES: Record<string, unknown[]> = {
  string: ['text'],
  number: [7, -0.5],
  boolean: [true, false],
  object: [{}, { a: 1 }],
  array: [[], ['a'], [{}]],
  null: [null],
};

/** Types that a value may have; what `anyOf` and `$ref` lead to is looked into. */
function typesOf(schema: Schema, root: Schema): Set<string> {
  if (schema.$ref !== undefined) return typesOf(root.definitions![schema.$ref.split('/').at(-1)!]!, root);
  if (schema.anyOf !== undefined) return new Set(schema.anyOf.flatMap((one) => [...typesOf(one, root)]));
  if (schema.enum !== undefined) return new Set(schema.enum.map((one) => (one === null ? 'null' : typeof one)));
  return new Set([schema.type ?? []].flat());
}

interface Bad {
  what: string;
  body: string | Uint8Array;
  /** 422 with this place when the mistake has one. */
  loc?: Path;
}

/** Every required property dropped and every property mistyped, at each place where the schema holds. */
function fromSchema(name: string, places: Path[]): Bad[] {
  const root = schemaOf(name);
  const bad: Bad[] = [];
  const visit = (schema: Schema, path: Path): void => {
    const resolved = schema.$ref === undefined ? schema : root.definitions![schema.$ref.split('/').at(-1)!]!;
    for (const branch of resolved.anyOf ?? []) visit(branch, path);
    for (const required of resolved.required ?? [])
      bad.push({
        what: `no ${[...path, required].join('.')}`,
        body: JSON.stringify(changed(full(), [...path, required], undefined)),
        loc: [...path, required],
      });
    for (const [property, own] of Object.entries(resolved.properties ?? {})) {
      const at = [...path, property];
      const allowed = typesOf(own, root);
      for (const [type, values] of Object.entries(VALUES)) {
        if (allowed.has(type)) continue;
        for (const value of values)
          bad.push({
            what: `${at.join('.')} = ${JSON.stringify(value)}`,
            body: JSON.stringify(changed(full(), at, value)),
            loc: at,
          });
      }
      if ((own.minLength ?? 0) > 0)
        bad.push({ what: `${at.join('.')} is empty`, body: JSON.stringify(changed(full(), at, '')), loc: at });
      if (own.maxLength !== undefined)
        bad.push({
          what: `${at.join('.')} is long`,
          body: JSON.stringify(changed(full(), at, 'x'.repeat(own.maxLength + 1))),
          loc: at,
        });
      if (own.enum !== undefined)
        bad.push({
          what: `${at.join('.')} is no choice`,
          body: JSON.stringify(changed(full(), at, 'none of them')),
          loc: at,
        });
      visit(own, at);
    }
    const { items } = resolved;
    if (items !== undefined) {
      if (resolved.maxItems !== undefined)
        bad.push({
          what: `${path.join('.')} has many`,
          body: JSON.stringify(
            changed(
              full(),
              path,
              Array.from({ length: resolved.maxItems + 1 }, () => ({ value: 1 })),
            ),
          ),
          loc: path,
        });
      visit(items, [...path, 0]);
    }
  };
  for (const place of places) visit(root, place);
  return bad;
}

const DATES = [
  '',
  ' ',
  'now',
  'NaN',
  'null',
  '0000-00-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999+00:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2024-13-01',
  '2024-00-01T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-05-01T24:00:00Z',
  '2024-05-01T10:60:00Z',
  '2024-05-01T10:10:60Z',
  '2024-05-01T10:10:00+24:00',
  '2024-05-01T10:10:00 Z',
  '20240501T101000Z',
  '1714557600',
  '1714557600000',
  '2024-05-01T10:10:00Z\u0000',
  '\u0000',
  '\ud800',
  '1e400',
  `2024-05-01T10:10:00.${'9'.repeat(50)}x`,
  'x'.repeat(100_000),
  '2200-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999999Z',
];
const UUIDS = [
  '',
  'none',
  '7',
  'x'.repeat(36),
  '0'.repeat(31),
  '0'.repeat(33),
  `${randomUUID()}0`,
  randomUUID().slice(1),
  `${randomUUID().slice(0, 35)}g`,
  '\u0000',
  '\ud800',
  '１'.repeat(32),
  'x'.repeat(100_000),
  "'; drop table",
];
const LONE = ['\ud800', '\udc00', 'a\ud800b', '\udfff\ud800'];
const DEEP = `${'['.repeat(202)}${']'.repeat(202)}`;

/** Text put in the place of a value, as it stands: what JSON.stringify would not write. */
function raw(path: Path, text: string, body = full()): string {
  return JSON.stringify(changed(body, path, '@raw@')).replace('"@raw@"', () => text);
}

const SUMMARY: Path = ['summary_experiment_scores', 0];
const SCORE: Path = ['results', 1, 'evaluation_scores', 1];
const ROW: Path = ['results', 1];
const under = (path: Path, ...more: Path): Path => [...path, ...more];

function hostile(): Bad[] {
  const bad: Bad[] = [];
  const value = (path: Path, given: unknown): void => {
    bad.push({
      what: `${path.join('.')} = ${JSON.stringify(given).slice(0, 40)}`,
      body: JSON.stringify(changed(full(), path, given)),
      loc: path,
    });
  };
  const text = (path: Path, given: string, loc?: Path): void => {
    bad.push({
      what: `${path.join('.')} = ${given.slice(0, 40)}`,
      body: raw(path, given),
      ...(loc === undefined ? {} : { loc }),
    });
  };
  for (const path of [
    ['experiment_start_time'],
    ['experiment_end_time'],
    under(ROW, 'start_time'),
    under(ROW, 'end_time'),
    under(SCORE, 'created_at'),
    under(SCORE, 'modified_at'),
    under(SUMMARY, 'created_at'),
  ]) {
    for (const date of DATES) value(path, date);
    for (const number of ['0', '-1', '1714557600000', '1e400', '-1e400']) text(path, number, path);
  }
  for (const path of [
    ['dataset_id'],
    under(ROW, 'row_id'),
    under(SCORE, 'id'),
    under(SCORE, 'feedback_group_id'),
    under(SCORE, 'comparative_experiment_id'),
  ]) {
    for (const uuid of UUIDS) value(path, uuid);
  }
  for (const path of [
    ['experiment_name'],
    ['experiment_description'],
    ['dataset_name'],
    ['dataset_description'],
    under(ROW, 'run_name'),
    under(SCORE, 'key'),
    under(SUMMARY, 'key'),
  ]) {
    for (const lone of LONE) value(path, lone);
  }
  const scores = [SCORE, SUMMARY];
  for (const path of scores.flatMap((score) => [
    under(score, 'score'),
    under(score, 'value'),
    under(score, 'feedback_config', 'min'),
    under(score, 'feedback_config', 'max'),
    under(score, 'feedback_config', 'categories', 0, 'value'),
  ])) {
    for (const number of ['1e400', '-1e400', '1e999999999', '-1E+400', `1${'0'.repeat(400)}`]) text(path, number, path);
    for (const number of [
      'NaN',
      'Infinity',
      '-Infinity',
      '0x10',
      '1_000',
      '.5',
      '5.',
      '+1',
      '01',
      '-',
      '1e',
      'undefined',
      "'x'",
      'True',
      '1n',
    ])
      text(path, number);
  }
  const free = [
    ['experiment_metadata'],
    under(ROW, 'inputs'),
    under(ROW, 'expected_outputs'),
    under(ROW, 'actual_outputs'),
    under(ROW, 'run_metadata'),
  ];
  const ofScores = scores.flatMap((score) =>
    ['value', 'correction', 'feedback_source', 'feedback_config', 'extra'].map((name) => under(score, name)),
  );
  for (const path of [...free, ...ofScores]) {
    const name = path.at(-1);
    text(path, name === 'feedback_source' ? `{"type":"x","metadata":{"deep":${DEEP}}}` : `{"deep":${DEEP}}`, path);
    for (const broken of [
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
      '{a:1}',
      "{'a':1}",
      '{"a":1 "b":2}',
      '{"a":[1,]}',
      '{"a":[1}',
      '{"a":"\\x"}',
      '{"a":"\\u12"}',
      '{"a":"\n"}',
      '{"a":"\t"}',
      '{"a":tru}',
      '{"a":1}}',
      '[{]}',
    ])
      text(path, broken);
  }
  for (const path of [['summary_experiment_scores'], ['results'], under(ROW, 'evaluation_scores')]) {
    for (const given of ['[[]]', '[7]', '["x"]', '[null]', '[true]']) text(path, given, under(path, 0));
    for (const broken of ['[,]', '[{},]', '[{}', '[{}}', '[{} {}]', '[}', '[nul]', '[1 2]', '[{"key":"k"}{"key":"k"}]'])
      text(path, broken);
  }
  for (const given of [
    '[]',
    '[{}]',
    '7',
    '"text"',
    'null',
    'true',
    '[[[[',
    '{}',
    '{"results":[]}',
    '{"results":{}}',
    '{"results":null}',
  ])
    bad.push({ what: `the body ${given}`, body: given });
  for (const given of [
    '',
    ' ',
    '\n',
    'NaN',
    '\u0000',
    '{',
    '}',
    '{}{}',
    '{} x',
    '<html>',
    'a=b&c=d',
    '--boundary',
    '\ufeff{}',
    '[',
    '"',
    '"\\',
    '\\',
    '{"a":1,"a"',
    ',',
    ':',
    '// comment\n{}',
    '/**/{}',
  ])
    bad.push({ what: `the body ${JSON.stringify(given)}`, body: given });
  bad.push({
    what: 'two rows of one id that differ',
    body: JSON.stringify(
      changed(
        changed(full(), ['results', 0, 'row_id'], '0'.repeat(32)),
        ['results', 2],
        row({ row_id: '0'.repeat(32), inputs: { other: 1 } }),
      ),
    ),
    loc: ['results', 2, 'row_id'],
  });
  bad.push({ what: 'very deep', body: `{"results":${'['.repeat(1_000_000)}` });
  bad.push({
    what: 'very deep and closed',
    body: raw(['results', 0, 'inputs'], `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  });
  bad.push({
    what: 'many scores',
    body: JSON.stringify(
      changed(
        full(),
        ['results', 0, 'evaluation_scores'],
        Array.from({ length: 1_001 }, () => ({ key: 'k' })),
      ),
    ),
    loc: ['results', 0, 'evaluation_scores'],
  });
  bad.push({
    what: 'many members',
    body: raw(['results', 0, 'inputs'], `{"a":[${'1,'.repeat(1_000_000)}1]}`),
    loc: ['results', 0, 'inputs'],
  });
  bad.push({
    what: 'over the limit',
    body: JSON.stringify(changed(full(), ['experiment_description'], 'x'.repeat(4 * 1024 * 1024))),
  });
  return bad;
}

/** Bytes that are no UTF-8, no JSON, or not all of it. */
function broken(): Bad[] {
  const bad: Bad[] = [];
  const random = uniform(20_240_501);
  const whole = Buffer.from(JSON.stringify(full()));
  for (let count = 0; count < 150; count += 1) {
    const end = Math.floor(random() * whole.length);
    bad.push({ what: `cut at ${end}`, body: whole.subarray(0, end) });
  }
  const wrong = [
    [0xff],
    [0xc0, 0x80],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0x80],
    [0xf0, 0x9f, 0x98],
  ];
  for (let count = 0; count < 150; count += 1) {
    const at = Math.floor(random() * whole.length);
    const bytes = wrong[count % wrong.length]!;
    bad.push({
      what: `${bytes.map((byte) => byte.toString(16)).join(' ')} at ${at}`,
      body: Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at)]),
    });
  }
  // A control character stands in no JSON but as space between values.
  for (let count = 0; count < 100; count += 1) {
    const at = 1 + Math.floor(random() * (whole.length - 1));
    const control = [0x00, 0x01, 0x08, 0x0b, 0x0c, 0x1f][count % 6]!;
    bad.push({
      what: `a control character ${control} at ${at}`,
      body: Buffer.concat([whole.subarray(0, at), Buffer.from([control]), whole.subarray(at)]),
    });
  }
  for (const more of ['}', ']', 'x', ',', '{}', '""', '\u0000', ' 7', '\n\n[]', '\ufeff', whole.toString()])
    bad.push({
      what: `${JSON.stringify(more).slice(0, 20)} after it`,
      body: Buffer.concat([whole, Buffer.from(more)]),
    });
  for (const more of ['\ufeff', '\u0000', ',', '[', '{', '"', ")]}',\n", 'x'])
    bad.push({ what: `${JSON.stringify(more)} before it`, body: Buffer.concat([Buffer.from(more), whole]) });
  for (const hidden of ['nul', '{"a"}', '[1,]', '01', '"\\x"']) {
    bad.push({
      what: `${hidden} under a name that comes again`,
      body: Buffer.from(`{"unknown":${hidden},"unknown":1,${whole.toString().slice(1)}`),
    });
    bad.push({
      what: `${hidden} for rows that come again`,
      body: Buffer.from(`{"results":${hidden},${whole.toString().slice(1)}`),
    });
  }
  bad.push({ what: 'UTF-16', body: Buffer.from(whole.toString(), 'utf16le') });
  return bad;
}

/** Seeded changes of any byte, kept when what comes of them is no JSON any more. */
function mutated(): Bad[] {
  const bad: Bad[] = [];
  const random = uniform(7);
  const whole = Buffer.from(JSON.stringify(full()));
  const pick = (length: number): number => Math.floor(random() * length);
  while (bad.length < 400) {
    const bytes = Buffer.from(whole);
    const kind = pick(3);
    const [at, other] = [pick(bytes.length), pick(bytes.length)];
    const length = 1 + pick(8);
    let result = bytes;
    if (kind === 0) bytes[at] = pick(256);
    else if (kind === 1) result = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    else result = Buffer.concat([bytes.subarray(0, at), bytes.subarray(other, other + length), bytes.subarray(at)]);
    if (!isJson(result)) bad.push({ what: `mutation ${bad.length} (${kind} at ${at})`, body: result });
  }
  return bad;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

async function refuse(t: Test, bads: readonly Bad[]): Promise<void> {
  const waiting = [...bads.entries()];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { what, body, loc }] = next;
      const response = await fetch(`${server.url}${index % 2 === 0 ? '/api/v1' : ''}/datasets/upload-experiment`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await response.text();
      const { detail } = JSON.parse(text) as { detail: unknown };
      const name = what.replaceAll(/[^\x20-\x7e]|[#\\]/g, '?');
      if (loc === undefined)
        t.ok([400, 413, 422].includes(response.status) && detail !== undefined, `${name}: ${response.status}`, {
          text: text.slice(0, 500),
        });
      else {
        const places = Array.isArray(detail) ? (detail as { loc: Path }[]).map((place) => place.loc.join('.')) : [];
        const wanted = ['body', ...loc].join('.');
        t.ok(
          response.status === 422 && places.some((place) => place === wanted || place.startsWith(`${wanted}.`)),
          `${name}: ${response.status}`,
          { text: text.slice(0, 500), wanted },
        );
      }
    }
  };
  await Promise.all(Array.from({ length: MANY }, one));
  t.strictSame(await everything(target), before, 'nothing was changed');
}

let count = 0;

t.test('accepts the complete valid upload', async (t) => {
  const own = await testServer(t, { config });
  const answer = await sent(at(own.url), full());
  t.ok(isUuid(answer.experiment.id), 'so what is refused below is refused for its one mistake');
});

const kinds: Record<string, () => Bad[]> = {
  'what the schema of an upload forbids': () => fromSchema('UploadExperiment', [[]]),
  'what the schema of a row forbids': () =>
    fromSchema('UploadedRow', [
      ['results', 0],
      ['results', 2],
    ]),
  'what the schema of feedback forbids': () =>
    fromSchema('UploadedFeedback', [
      ['results', 1, 'evaluation_scores', 1],
      ['summary_experiment_scores', 0],
    ]),
  'hostile values in typed places': hostile,
  'bytes that are no JSON': broken,
  'an upload with bytes changed by chance': mutated,
};

for (const [name, make] of Object.entries(kinds)) {
  t.test(`${name} is refused and changes nothing`, async (t) => {
    const bads = make();
    count += bads.length;
    await refuse(t, bads);
  });
}

t.test('accepts a valid upload afterwards', async (t) => {
  t.ok(count > 1_000, `${count} uploads were refused`);
  t.equal((await sent(target, full())).experiment.test_run_number, 1);
});
