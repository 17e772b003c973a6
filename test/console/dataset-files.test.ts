import * as fc from 'fast-check';
import { stringify } from 'csv-stringify/sync';
import t from 'tap';
import { consoleCode } from '../helpers/console-code.js';

interface Summary {
  rowCount: number;
  errorCount: number;
  mapping: { uses: Record<string, string> | null; readsCells: boolean };
}
interface Modules {
  readSummary(file: object, options: object): Promise<Summary>;
  readExamples(file: object, mapping: object, options: object): Promise<{ body: Blob; rowNumbers: number[] }>;
  guessUses(columns: string[]): Record<string, string>;
}

const { readSummary, readExamples, guessUses } = await consoleCode<Modules>(
  t,
  `export { guessUses } from './pages/datasets/upload/examples.js';
  export { readExamples, readSummary } from './pages/datasets/upload/read-file.js';`,
);

const PIECE_BYTES = 64 * 1024;
const { signal } = new AbortController();

/** A file that is read in pieces which end at any byte. */
function fileOf(name: string, text: string, ends: readonly number[]): object {
  const bytes = Buffer.from(text);
  const cuts = [0, ...ends.map((end) => Math.min(end, bytes.length)).toSorted((a, b) => a - b), bytes.length];
  const pieces = cuts.slice(1).map((end, at) => new Uint8Array(bytes.subarray(cuts[at], end)));
  return {
    name,
    size: pieces.length * PIECE_BYTES,
    slice: (start: number) => new Blob([pieces[start / PIECE_BYTES]!]),
  };
}

async function examplesOf(file: object): Promise<unknown[]> {
  const { mapping } = await readSummary(file, { signal });
  const { body } = await readExamples(file, mapping, { signal, skipsErrors: false });
  const text = await body.text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

const ENDS = fc.array(fc.nat(400), { maxLength: 12 });
const ROWS = fc.array(fc.record({ question: fc.jsonValue(), more: fc.dictionary(fc.string(), fc.jsonValue()) }), {
  minLength: 1,
  maxLength: 8,
});

t.test('reads a JSON list and JSON lines as JSON.parse does, wherever the pieces end', async (t) => {
  await fc.assert(
    fc.asyncProperty(ROWS, ENDS, fc.constantFrom('', '\t', '  '), async (rows, ends, indent) => {
      const wanted = JSON.parse(JSON.stringify(rows.map((inputs) => ({ inputs })))) as unknown[];
      t.same(await examplesOf(fileOf('a.json', JSON.stringify(rows, null, indent), ends)), wanted);
      const lines = rows.map((row) => `${JSON.stringify(row)}\r\n`).join('\n');
      t.same(await examplesOf(fileOf('a.jsonl', lines, ends)), wanted);
    }),
    { numRuns: 60 },
  );
});

t.test('reads CSV wherever the pieces end, with each delimiter', async (t) => {
  const cells = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string()), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(cells, ENDS, fc.constantFrom(',', ';', '\t'), async (rows, ends, delimiter) => {
      const text = stringify([['question', 'answer'], ...rows], { delimiter, quoted: true, bom: true });
      t.same(
        // The first piece has the header, from which the delimiter is read.
        await examplesOf(fileOf('a.csv', text, [100, ...ends.map((end) => end + 100)])),
        rows.map(([question, answer]) => ({ inputs: { question }, outputs: { answer } })),
      );
    }),
    { numRuns: 60 },
  );
});

t.test('reads the columns of an export, and guesses from other names', async (t) => {
  const text = 'id,inputs.q,inputs.n,outputs.a,metadata.of\n1,\'=1+1,42,"{""b"":[1]}",\n2,text,,,x\n';
  t.same(await examplesOf(fileOf('export.csv', text, [])), [
    { inputs: { q: '=1+1', n: 42 }, outputs: { a: { b: [1] } } },
    { inputs: { q: 'text' }, metadata: { of: 'x' } },
  ]);
  t.same(guessUses(['question', 'expected_output', 'tags', 'created_at']), {
    question: 'inputs',
    expected_output: 'outputs',
    tags: 'metadata',
    created_at: 'ignore',
  });
  t.same(await examplesOf(fileOf('a.json', '[{"q": 1, "metadata": {"level": 2}}]', [])), [
    { inputs: { q: 1 }, metadata: { level: 2 } },
  ]);
});

t.test('names the rows that become no examples, and keeps the numbers of the others', async (t) => {
  const file = fileOf('a.jsonl', '{"inputs": {"n": 1}}\n{"outputs": {}}\n{"inputs": {"n": 3}}\n', []);
  const { mapping, rowCount, errorCount } = await readSummary(file, { signal });
  t.same([mapping.uses, rowCount, errorCount], [null, 3, 0]);
  await t.rejects(readExamples(file, mapping, { signal, skipsErrors: false }), {
    errors: [{ number: 2, line: 2, reason: '“inputs” is missing or not an object.' }],
  });
  const { rowNumbers } = await readExamples(file, mapping, { signal, skipsErrors: true });
  t.same(rowNumbers, [1, 3]);
  const wide = JSON.stringify([Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`c${n}`, n]))]);
  await t.rejects(readSummary(fileOf('a.json', wide, []), { signal }), { message: /more than 200 columns/ });
  const work = new AbortController();
  work.abort();
  await t.rejects(readSummary(file, { signal: work.signal }), { name: 'AbortError' });
});
