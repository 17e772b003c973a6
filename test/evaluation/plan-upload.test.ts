import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { ThreadmillError, type Problem } from '../../src/base/errors.js';
import {
  bytesOf,
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  members,
  parse,
  wholeValue,
  type Slice,
} from '../../src/base/json/slices.js';
import { parseMicros } from '../../src/base/micros.js';
import { readUpload, sameJson, type ReadUpload } from '../../workers/evaluation/read-upload.js';
import type { UploadRows, UploadScores } from '../../workers/evaluation/upload-rows.js';

/** One seed for good: a property that fails fails for everyone, and none fails by chance. */
fc.configureGlobal({ seed: 20_260_801, numRuns: 300 });

type Json = Record<string, unknown>;

/**
 * JSON text of arbitrary values in arbitrary spelling: space, escapes, numbers that no double holds, names that come
 * twice.
 */
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r\n  ');
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.constantFrom('-0', '0', '1e400', '-1E+400', '12345678901234567890', '1.0', '1e-7', '0.1e1'),
);
const escaped = fc.constantFrom(
  '\\u0000',
  '\\ud800',
  '\\"',
  '\\\\',
  '\\/',
  '\\n',
  '\\u0041',
  '\\\\\\"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  'é',
  '\u2028',
  '\u{1f600}',
);
const string = fc
  .array(
    fc.oneof(
      escaped,
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join('')}"`);
const name = fc.oneof(string, fc.constantFrom('"__proto__"', '"a"', '"toString"', '"0"', '""'));
const { value: valueText, object: objectText } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    number,
    string,
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(name, tie('value'), space, space), { maxLength: 4 })
    .map((all) => `{${all.map(([key, value, a, b]) => `${a}${key}${b}:${a}${value}${b}`).join(',')}}`),
  array: fc
    .array(fc.tuple(tie('value'), space, space), { maxLength: 4 })
    .map((all) => `[${all.map(([value, a, b]) => `${a}${value}${b}`).join(',')}]`),
}));

/** The value that slices lead to, put together again. */
function rebuilt(bytes: Uint8Array, slice: Slice): unknown {
  if (isObjectSlice(bytes, slice)) {
    const object = {};
    for (const [key, value] of memberMap(bytes, slice))
      Object.defineProperty(object, key, {
        value: rebuilt(bytes, value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return object;
  }
  if (isArraySlice(bytes, slice)) return [...elements(bytes, slice)].map((element) => rebuilt(bytes, element));
  return parse(bytes, slice);
}

/** Runs `work` on bytes that may be anything; what it throws must be one of these. */
function refusesOrReturns<T>(work: () => T, codes: readonly string[]): T | null {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof ThreadmillError, String(error));
    assert.ok(codes.includes(error.code), error.code);
    return null;
  }
}

const codeOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as ThreadmillError).code;
  }
};

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** Bytes that look like JSON and are mostly none. */
const jsonish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '"a"',
        '"results"',
        'null',
        '1',
        '-',
        ' ',
        '\n',
        '\u0000',
        '\ufeff',
        'tru',
      ),
      string,
    ),
    { maxLength: 14 },
  )
  .map((parts) => Buffer.from(parts.join('')));
const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), jsonish);

/** A text with one part of it cut out, doubled or replaced. */
const damaged = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      text,
      fc.nat(),
      fc.nat({ max: 4 }),
      fc.constantFrom<string | null>('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', ' ', '\u0000', null),
    )
    .map(([whole, at, length, instead]) => {
      const bytes = Buffer.from(whole);
      const from = at % (bytes.length + 1);
      const part = bytes.subarray(from, from + length);
      return Buffer.concat([
        bytes.subarray(0, from),
        instead === null ? Buffer.concat([part, part]) : Buffer.from(instead),
        bytes.subarray(from + length),
      ]);
    });

t.test('reconstructs any value from its slices', (t) => {
  fc.assert(
    fc.property(valueText, space, space, (text, before, after) => {
      const bytes = Buffer.from(`${before}${text}${after}`);
      const whole = wholeValue(bytes);
      assert.equal(Buffer.from(bytesOf(bytes, whole)).toString(), text, 'without the space around it');
      assert.deepEqual(rebuilt(bytes, whole), JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      assert.deepEqual(rebuilt(bytes, wholeValue(bytes)), JSON.parse(bytes.toString()));
    }),
  );
  t.pass('as JSON.parse reads it');
  t.end();
});

t.test('covers a value with ordered slices', (t) => {
  fc.assert(
    fc.property(objectText, (text) => {
      const bytes = Buffer.from(text);
      let at = 0;
      for (const { key, value } of members(bytes, wholeValue(bytes))) {
        assert.ok(value.start > at && value.end > value.start && value.end < bytes.length, 'one after the other');
        const between = bytes.subarray(at, value.start).toString();
        assert.match(between, /^\s*[{,]/);
        assert.equal(
          JSON.parse(
            between
              .trimStart()
              .slice(1)
              .replace(/\s*:\s*$/, ''),
          ),
          key,
          'only the name stands between',
        );
        at = value.end;
      }
      assert.match(bytes.subarray(at).toString(), /^(\s*|\{\s*)\}$/);
    }),
  );
  t.pass('nothing is left out and nothing comes twice');
  t.end();
});

t.test('reads arbitrary bytes or refuses them as malformed', (t) => {
  const walk = (bytes: Uint8Array): unknown => rebuilt(bytes, wholeValue(bytes));
  const check = (bytes: Uint8Array): void => {
    const result = refusesOrReturns(() => ({ value: walk(bytes) }), ['MALFORMED_JSON']);
    const reference = parsed(Buffer.from(bytes).toString());
    // Both decode bytes that are no UTF-8 alike; the upload reader refuses them first.
    assert.deepEqual(result, reference);
  };
  fc.assert(fc.property(anyBytes, check), { numRuns: 3_000 });
  fc.assert(fc.property(damaged(valueText), check), { numRuns: 2_000 });
  t.pass('exactly as JSON.parse reads or refuses them');
  t.end();
});

const ORIGIN = Date.UTC(2024, 4, 1);
const time = fc
  .tuple(fc.integer({ min: 0, max: 2_000 }), fc.constantFrom('Z', '', '+02:00', '-0530'))
  .map(([ms, offset]) => {
    const east = { Z: 0, '': 0, '+02:00': 120, '-0530': -330 }[offset]!;
    return `${new Date(ORIGIN + ms + east * 60_000).toISOString().slice(0, -1)}${String(ms % 1_000).padStart(3, '0')}${offset}`;
  });
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.replaceAll('-', '').toUpperCase()),
  fc.constantFrom(
    '00000000-0000-4000-8000-000000000001',
    '00000000000040008000000000000001',
    '00000000-0000-4000-8000-000000000002',
  ),
);

const quoted = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => text.map((one) => JSON.stringify(one));
/** Mostly what fits; once in a while something else. */
const mostly = (right: fc.Arbitrary<string>, weight = 60): fc.Arbitrary<string> =>
  fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: valueText });
const maybe = (right: fc.Arbitrary<string>): fc.Arbitrary<string | null> =>
  fc.option(mostly(fc.oneof(right, fc.constant('null')), 100));
const text = fc.oneof(quoted(fc.string({ minLength: 1, maxLength: 8 })), string);

function objectOf(fields: Record<string, fc.Arbitrary<string | null>>): fc.Arbitrary<string> {
  const entries = Object.entries(fields);
  return fc
    .tuple(space, fc.tuple(...entries.map(([, value]) => value)), fc.option(valueText, { freq: 5 }))
    .map(([gap, values, unknown]) => {
      const parts = entries.flatMap(([key], at) =>
        values[at] === null ? [] : [`${gap}"${key}"${gap}:${gap}${values[at]!}`],
      );
      if (unknown !== null) parts.push(`"unknown":${unknown}`);
      return `{${parts.join(',')}${gap}}`;
    });
}

const scoreText = objectOf({
  key: mostly(text),
  score: maybe(fc.oneof(number, fc.constantFrom('true', 'false'))),
  value: maybe(fc.oneof(number, text, objectText)),
  comment: maybe(string),
  correction: maybe(fc.oneof(objectText, string)),
  feedback_source: maybe(objectOf({ type: text, metadata: maybe(objectText) })),
  feedback_config: maybe(
    objectOf({ type: fc.constantFrom('"continuous"', '"categorical"', '"freeform"'), min: maybe(number) }),
  ),
  id: maybe(quoted(uuid)),
  created_at: maybe(quoted(time)),
  modified_at: maybe(quoted(time)),
  extra: maybe(objectText),
});
const scoresText = fc.array(mostly(scoreText, 200), { maxLength: 2 }).map((all) => `[${all.join(' , ')}]`);
const rowText = objectOf({
  row_id: mostly(quoted(uuid), 200),
  inputs: mostly(fc.oneof(objectText, fc.constant('{"a":1}'), fc.constant('{ "a" :1}')), 200),
  expected_outputs: maybe(objectText),
  actual_outputs: maybe(objectText),
  evaluation_scores: maybe(scoresText),
  start_time: mostly(quoted(time.map((one) => one.replace(/T../, 'T00'))), 200),
  end_time: mostly(quoted(time), 200),
  run_name: maybe(text),
  error: maybe(string),
  run_metadata: maybe(objectText),
});
const uploadText = objectOf({
  experiment_name: mostly(text, 200),
  experiment_description: maybe(text),
  experiment_start_time: mostly(fc.constant('"2024-05-01"'), 200),
  experiment_end_time: mostly(
    fc.constantFrom('"2024-05-01T00:00:02Z"', '"2024-05-01T00:00:01.5"', '"2024-05-02"'),
    200,
  ),
  dataset_id: maybe(quoted(uuid)),
  dataset_name: maybe(text),
  dataset_description: maybe(text),
  experiment_metadata: maybe(objectText),
  summary_experiment_scores: maybe(scoresText),
  results: mostly(
    fc.array(mostly(rowText, 200), { maxLength: 3 }).map((all) => `[${all.join('\n,')}]`),
    200,
  ),
});

/**
 * What the text says, by the plain way: JSON.parse, and the rules one after the other. Null when it is not to be taken.
 */
class Reference {
  readonly wrong = new Set<string>();
  readonly #feedbackIds = new Set<string>();

  read(body: unknown): Json | null {
    if (!this.#isObject(body)) {
      this.wrong.add('body');
      return null;
    }
    const { wrong } = this;
    this.#text(body, 'experiment_name', [], { required: true, filled: true, wellFormed: true });
    for (const field of ['experiment_description', 'dataset_description'])
      this.#text(body, field, [], { wellFormed: true });
    this.#text(body, 'dataset_name', [], { filled: true, wellFormed: true });
    const startUs = this.#time(body, 'experiment_start_time', [], true);
    const endUs = this.#time(body, 'experiment_end_time', [], true);
    if (startUs !== null && endUs !== null && endUs < startUs) this.wrong.add('experiment_end_time');
    const datasetId = this.#uuid(body, 'dataset_id', []);
    if ((body['dataset_id'] ?? null) === null && (body['dataset_name'] ?? null) === null) wrong.add('dataset_id');
    this.#shape(body, 'experiment_metadata', [], ['object']);
    const summary = this.#scores(body['summary_experiment_scores'], ['summary_experiment_scores']);
    const rows: Json[] = [];
    if (!Array.isArray(body['results'])) wrong.add('results');
    else body['results'].forEach((row, index) => rows.push(this.#row(row, index, startUs, endUs)));
    const first = new Map<unknown, Json>();
    const other = rows.flatMap((row, index) => {
      const known = first.get(row['rowId']);
      if (known === undefined) first.set(row['rowId'], row);
      return known !== undefined &&
        !(this.#same(known['inputs'], row['inputs']) && this.#same(known['expected'], row['expected']))
        ? [index]
        : [];
    });
    // A row with another mistake is not compared.
    if (wrong.size === 0) for (const index of other) wrong.add(`results.${index}.row_id`);
    return wrong.size > 0
      ? null
      : {
          experimentName: body['experiment_name'],
          description: body['experiment_description'] ?? null,
          startUs,
          endUs,
          datasetId,
          datasetName: body['dataset_name'] ?? null,
          datasetDescription: body['dataset_description'] ?? null,
          metadata: body['experiment_metadata'] ?? null,
          summary,
          rows,
        };
  }

  /**
   * As texts without space: names in another order, or a number in another spelling, are another value; the test looks
   * at what comes out alike.
   */
  #same(a: unknown, b: unknown): boolean {
    return JSON.stringify(a) === JSON.stringify(b);
  }

  #row(row: unknown, index: number, fromUs: number | null, toUs: number | null): Json {
    const at = ['results', index];
    if (!this.#isObject(row)) {
      this.wrong.add(at.join('.'));
      return {};
    }
    if (typeof row['row_id'] !== 'string') this.wrong.add([...at, 'row_id'].join('.'));
    const rowId = this.#uuid(row, 'row_id', at);
    if (!this.#isObject(row['inputs'])) this.wrong.add([...at, 'inputs'].join('.'));
    for (const field of ['expected_outputs', 'actual_outputs', 'run_metadata']) this.#shape(row, field, at, ['object']);
    this.#text(row, 'error', at, {});
    this.#text(row, 'run_name', at, { wellFormed: true });
    const startUs = this.#time(row, 'start_time', at, true);
    const endUs = this.#time(row, 'end_time', at, true);
    for (const [field, us] of [
      ['start_time', startUs],
      ['end_time', endUs],
    ] as const) {
      if (us !== null && ((fromUs !== null && us < fromUs) || (toUs !== null && us > toUs)))
        this.wrong.add([...at, field].join('.'));
    }
    if (startUs !== null && endUs !== null && endUs < startUs) this.wrong.add([...at, 'end_time'].join('.'));
    return {
      rowId,
      inputs: row['inputs'],
      expected: row['expected_outputs'] ?? null,
      actual: row['actual_outputs'] ?? null,
      metadata: row['run_metadata'] ?? null,
      error: row['error'] ?? null,
      name: row['run_name'] ?? null,
      startUs,
      endUs,
      scores: this.#scores(row['evaluation_scores'], [...at, 'evaluation_scores']),
      attachments: null,
    };
  }

  #scores(scores: unknown, at: (string | number)[]): Json[] {
    if (scores === undefined || scores === null) return [];
    if (!Array.isArray(scores)) {
      this.wrong.add(at.join('.'));
      return [];
    }
    return scores.map((score, index) => this.#score(score, [...at, index]));
  }

  #score(score: unknown, at: (string | number)[]): Json {
    if (!this.#isObject(score)) {
      this.wrong.add(at.join('.'));
      return {};
    }
    this.#text(score, 'key', at, { required: true, filled: true, wellFormed: true });
    this.#shape(score, 'score', at, ['number', 'boolean']);
    this.#shape(score, 'value', at, ['number', 'boolean', 'string', 'object']);
    this.#text(score, 'comment', at, {});
    this.#shape(score, 'correction', at, ['object', 'string']);
    this.#shape(score, 'extra', at, ['object']);
    const [source, config] = [score['feedback_source'], score['feedback_config']];
    if (source !== undefined && source !== null) {
      if (!this.#isObject(source)) this.wrong.add([...at, 'feedback_source'].join('.'));
      else {
        this.#text(source, 'type', [...at, 'feedback_source'], { required: true });
        this.#shape(source, 'metadata', [...at, 'feedback_source'], ['object']);
      }
    }
    if (config !== undefined && config !== null) {
      if (!this.#isObject(config)) this.wrong.add([...at, 'feedback_config'].join('.'));
      else this.#shape(config, 'min', [...at, 'feedback_config'], ['number']);
    }
    const id = this.#uuid(score, 'id', at);
    if (id !== null && this.#feedbackIds.has(id)) this.wrong.add([...at, 'id'].join('.'));
    if (id !== null) this.#feedbackIds.add(id);
    return {
      id,
      key: score['key'],
      score: score['score'] ?? null,
      value: score['value'] ?? null,
      comment: score['comment'] ?? null,
      correction: score['correction'] ?? null,
      source: source ?? null,
      config: config ?? null,
      extra: score['extra'] ?? null,
      createdAtUs: this.#time(score, 'created_at', at),
      modifiedAtUs: this.#time(score, 'modified_at', at),
    };
  }

  #isObject(value: unknown): value is Json {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }

  /** Null and nothing are as good as one of the types; a number must be finite. */
  #shape(object: Json, field: string, at: (string | number)[], types: string[]): void {
    const value = object[field];
    if (!Object.hasOwn(object, field) || value === null) return;
    const type = Array.isArray(value) ? 'array' : typeof value;
    if (!types.includes(type) || (type === 'number' && !Number.isFinite(value)))
      this.wrong.add([...at, field].join('.'));
  }

  #text(
    object: Json,
    field: string,
    at: (string | number)[],
    rules: { required?: boolean; filled?: boolean; wellFormed?: boolean },
  ): void {
    const value = Object.hasOwn(object, field) ? object[field] : undefined;
    const missing = value === undefined || (value === null && rules.required !== true);
    if (
      missing
        ? rules.required === true
        : typeof value !== 'string' ||
          (rules.filled === true && value === '') ||
          (rules.wellFormed === true && !isWellFormed(value))
    )
      this.wrong.add([...at, field].join('.'));
  }

  #time(object: Json, field: string, at: (string | number)[], required = false): number | null {
    this.#text(object, field, at, { required });
    const value = object[field];
    if (typeof value !== 'string') return null;
    const us = parseMicros(value);
    if (us === null) this.wrong.add([...at, field].join('.'));
    return us;
  }

  #uuid(object: Json, field: string, at: (string | number)[]): string | null {
    this.#text(object, field, at, {});
    const value = object[field];
    if (typeof value !== 'string') return null;
    const digits = value.replaceAll('-', '').toLowerCase();
    if (/^[0-9a-f]{32}$/.test(digits)) return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
    this.wrong.add([...at, field].join('.'));
    return null;
  }
}

function isWellFormed(text: string): boolean {
  return Array.from(text).every((character) => character.length === 2 || !/[\ud800-\udfff]/.test(character));
}

const plain = (bytes: Uint8Array | null): unknown =>
  bytes === null ? null : JSON.parse(Buffer.from(bytes).toString());

/** A score as values, without what only follows from the rest: that is checked here. */
function plainScore(scores: UploadScores, at: number): Json {
  const [number, value, comment] = (['score', 'value', 'comment'] as const).map((name) =>
    plain(scores.bytes(at, name)),
  );
  const words = scores.words(at);
  if (words !== null) {
    const label =
      typeof value === 'string'
        ? value
        : typeof value === 'number' || typeof value === 'boolean'
          ? Buffer.from(scores.bytes(at, 'value')!).toString()
          : null;
    assert.deepEqual(words, { number: number === null ? null : Number(number), label });
  }
  return {
    id: scores.id(at),
    key: scores.key(at),
    score: number,
    value,
    comment,
    correction: plain(scores.bytes(at, 'correction')),
    source: plain(scores.bytes(at, 'source')),
    config: plain(scores.bytes(at, 'config')),
    extra: plain(scores.bytes(at, 'extra')),
    createdAtUs: scores.timeUs(at, 'createdAtUs'),
    modifiedAtUs: scores.timeUs(at, 'modifiedAtUs'),
  };
}

const plainScores = (scores: UploadScores, start = 0, end = scores.count): Json[] =>
  Array.from({ length: end - start }, (_, index) => plainScore(scores, start + index));

function plainRows(rows: UploadRows): Json[] {
  const rowIds = Array.from({ length: rows.count }, (_, at) => rows.rowId(at));
  return rowIds.map((rowId, at) => {
    assert.equal(rows.first(at), rowIds.indexOf(rowId));
    return {
      rowId,
      inputs: plain(rows.bytes(at, 'inputs')),
      expected: plain(rows.bytes(at, 'expected')),
      actual: plain(rows.bytes(at, 'actual')),
      metadata: plain(rows.bytes(at, 'metadata')),
      error: plain(rows.bytes(at, 'error')),
      name: rows.name(at),
      startUs: rows.startUs(at),
      endUs: rows.endUs(at),
      scores: plainScores(rows.scores, rows.scoresStart(at), rows.scoresEnd(at)),
      attachments: plain(rows.bytes(at, 'attachments')),
    };
  });
}

function plainUpload({ body: _body, ownIds, ...read }: ReadUpload): Json {
  const rows = plainRows(read.rows);
  const summary = plainScores(read.summary);
  assert.equal(
    ownIds,
    [...summary, ...rows.flatMap(({ scores }) => scores as Json[])].some((score) => score['id'] !== null),
  );
  return {
    ...read,
    metadata: read.metadata === null ? null : JSON.parse(Buffer.from(read.metadata).toString()),
    summary,
    rows,
  };
}

t.test('reads and refuses uploads like a plain implementation', (t) => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(uploadText, (text) => {
      const reference = new Reference();
      const wanted = reference.read(JSON.parse(text));
      let read: ReadUpload;
      try {
        read = readUpload(Buffer.from(text));
      } catch (error) {
        seen.refused += 1;
        assert.ok(error instanceof ThreadmillError && error.code === 'INVALID_REQUEST', String(error));
        const places = new Set(
          (error.params['places'] as Problem[]).map(({ loc }) => loc.join('.').replace(/^body\./, '')),
        );
        assert.equal(wanted, null, `refused for ${[...places].join()}`);
        const conflicts = [...places].filter((place) => /^results\.\d+\.row_id$/.test(place));
        for (const place of reference.wrong)
          assert.ok(places.has(place), `${place} is wrong and not named; named are ${[...places].join()}`);
        for (const place of places)
          assert.ok(reference.wrong.has(place) || conflicts.includes(place), `${place} is named and not wrong`);
        return;
      }
      seen.taken += 1;
      assert.deepEqual([...reference.wrong], []);
      assert.deepEqual(plainUpload(read), wanted);
    }),
    { numRuns: 3_000 },
  );
  t.ok(seen.taken > 300 && seen.refused > 300, `${seen.taken} taken, ${seen.refused} refused`);
  t.end();
});

t.test('stores an upload as the bytes that were sent', (t) => {
  const row = (inputs: string): string =>
    `{"row_id":"00000000-0000-4000-8000-000000000001","inputs":${inputs},"start_time":"2024-05-01","end_time":"2024-05-01"}`;
  fc.assert(
    fc.property(objectText, space, (inputs, gap) => {
      const { rows, metadata } = readUpload(
        Buffer.from(
          `{"experiment_name":"e","dataset_name":"d","experiment_start_time":"2024-05-01","experiment_end_time":"2024-05-01","experiment_metadata":${gap}${inputs}${gap},"results":[${row(`${gap}${inputs}${gap}`)}]}`,
        ),
      );
      assert.equal(Buffer.from(rows.bytes(0, 'inputs')!).toString(), inputs);
      assert.equal(Buffer.from(metadata!).toString(), inputs);
    }),
  );
  t.pass('without the space around a value');
  t.end();
});

t.test('accepts arbitrary bytes as an upload or refuses them as malformed or invalid', (t) => {
  const codes = ['MALFORMED_JSON', 'INVALID_REQUEST'];
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      assert.equal(
        refusesOrReturns(() => readUpload(bytes), codes),
        null,
      );
    }),
    { numRuns: 3_000 },
  );
  fc.assert(
    fc.property(damaged(uploadText), (bytes) => {
      const code = codeOf(() => readUpload(bytes));
      const isJson = parsed(bytes.toString()) !== null && Buffer.from(bytes.toString()).equals(bytes);
      if (!isJson) assert.ok(code !== null && codes.includes(code), `no JSON, but ${code}`);
      else assert.ok(code === null || code === 'INVALID_REQUEST', `JSON, but ${code}`);
    }),
    { numRuns: 3_000 },
  );
  t.pass('and nothing else');
  t.end();
});

t.test('ignores white space between values, and nothing else', (t) => {
  const spaced = (text: string, gap: string): string =>
    text.replace(
      /("(?:[^"\\]|\\.)*")|\s+|([{}[\],:])/g,
      (_, quote: string | undefined, mark: string | undefined) =>
        quote ?? (mark === undefined ? '' : `${gap}${mark}${gap}`),
    );
  fc.assert(
    fc.property(valueText, valueText, space, (a, b, gap) => {
      assert.ok(sameJson(Buffer.from(a), Buffer.from(spaced(a, gap))));
      const same = sameJson(Buffer.from(a), Buffer.from(b));
      assert.equal(same, spaced(a, '') === spaced(b, ''));
      if (same) assert.deepEqual(JSON.parse(a), JSON.parse(b));
    }),
  );
  t.ok(
    sameJson(null, null) &&
      !sameJson(null, Buffer.from('null')) &&
      !sameJson(Buffer.from('"a b"'), Buffer.from('"ab"')),
  );
  t.end();
});
