import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { v5 } from 'uuid';
import { exampleIdOf, positionedId, positionOf } from '../../src/base/ids.js';
import { knownName } from '../../src/base/json/name-cache.js';
import { packRow, unpackRow } from '../../src/wire/codec.js';
import { RowWriter } from '../../src/wire/evaluation/row-writer.js';

fc.configureGlobal({ seed: 20_260_801, numRuns: 2_000 });

const text = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(
      fc.constantFrom('a', 'é', '漢', '😀'),
      fc.constantFrom(
        1,
        10,
        11,
        16,
        31,
        32,
        63,
        64,
        85,
        86,
        127,
        128,
        255,
        256,
        21_845,
        21_846,
        65_535,
        65_536,
        70_000,
      ),
    )
    .map(([one, times]) => one.repeat(times)),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    0,
    -0,
    0x7f,
    0x80,
    0xff,
    0x100,
    0xffff,
    0x10000,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -1,
    -32,
    -33,
    -128,
    -129,
    -(2 ** 31),
    1_795_338_341_836_000,
  ),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(0, 16, 17, 255, 256, 65_535, 65_536, 300_000).map((size) => new Uint8Array(size).fill(7)),
);
const value = fc.oneof(
  fc.constantFrom(null, undefined, true, false),
  text,
  number,
  bytes,
  fc.record({ threadId: fc.string(), metadata: fc.option(bytes) }),
);

t.test('writes the same bytes as the packer', (t) => {
  const out = new RowWriter();
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), fc.array(value, { maxLength: 3 }), (values, before) => {
      const fields: string[] = values.map((_, at) => `f${at}`);
      const record: Record<string, unknown> = Object.fromEntries(fields.map((field, at) => [field, values[at]]));
      out.clear();
      out.writeRow(before);
      const start = out.length;
      out.writeRow(values);
      const written = out.slice(start, out.length);
      assert.ok(written.equals(packRow(record, fields)));
      assert.deepEqual(Object.keys(unpackRow<Record<string, unknown>>(written, fields)), fields);
    }),
  );
  t.pass('whatever stands before them');
  t.end();
});

t.test('writes JSON texts as their bytes', (t) => {
  const out = new RowWriter();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), fc.array(text, { maxLength: 20 }), (before, texts) => {
      const values = [...before, ...texts.map((one) => Buffer.from(one))];
      const fields = values.map((_, at) => `f${at}`);
      out.clear();
      out.writeRow([...before, ...texts], before.length);
      const record: Record<string, unknown> = Object.fromEntries(fields.map((field, at) => [field, values[at]]));
      assert.ok(out.slice(0, out.length).equals(packRow(record, fields)));
    }),
  );
  t.pass('of any length');
  t.end();
});

t.test('derives the id of an example as the UUIDv5 of its dataset and row', (t) => {
  fc.assert(
    fc.property(fc.uuid(), fc.array(fc.uuid(), { minLength: 1, maxLength: 4 }), (datasetId, rowIds) => {
      for (const rowId of rowIds) assert.equal(exampleIdOf(datasetId, rowId), v5(rowId, datasetId));
    }),
  );
  t.pass('as the library makes it');
  t.end();
});

t.test('encodes the place of a record in its id', (t) => {
  const ids = new Set<string>();
  const place = fc.record({
    list: fc.integer({ min: 0, max: 0xffffffff }),
    first: fc.integer({ min: 0, max: 0xffffffff }),
    at: fc.integer({ min: 0, max: 255 }),
  });
  fc.assert(
    fc.property(fc.constantFrom('run' as const, 'feedback' as const), place, (kind, wanted) => {
      const id = positionedId(kind, wanted.list, wanted.first, wanted.at);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.deepEqual(positionOf(kind, id), { ...wanted });
      ids.add(id);
    }),
  );
  t.equal(ids.size, 2_000, 'and none comes twice');
  t.end();
});

t.test('finds a known name by its bytes', (t) => {
  const names = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('a\\u0062', '__proto__', 'naïve'),
  );
  let known = 0;
  fc.assert(
    fc.property(names, names, (name, before) => {
      const bytes = Buffer.from(before + name);
      const found = knownName(bytes, Buffer.byteLength(before), bytes.length);
      if (found === null) return;
      known += 1;
      assert.equal(found, name);
      assert.match(found, /^[ -[\]-~]{1,32}$/);
    }),
    { numRuns: 10_000 },
  );
  t.ok(known > 3_000, `${known} known`);
  t.end();
});
