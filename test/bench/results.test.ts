import t from 'tap';
import type { Row } from '../../bench/bench.js';
import {
  commitLabel,
  markdown,
  missingResults,
  reasonNotToStore,
  withReadmeTable,
  type Results,
} from '../../bench/results.js';

const row: Row = {
  what: 'waits',
  ours: '1 ms',
  reference: null,
  ratio: null,
  budget: 'under 2 ms',
  missed: null,
  method: ['how', 'checked'],
};

function results(commits: Record<string, string>): Results {
  return Object.fromEntries(
    Object.entries(commits).map(([name, commit]) => [
      name,
      { commit, date: '2026-11-23', machine: 'a CPU', rows: [row], notes: [] },
    ]),
  );
}

void t.test('a named run is stored beside results of the same commit only', async (t) => {
  t.equal(reasonNotToStore(results({ one: 'abc1234' }), 'abc1234'), null);
  t.equal(reasonNotToStore({}, 'abc1234'), null);
  t.match(reasonNotToStore(results({ one: 'abc1234', two: 'def5678' }), 'abc1234'), /another commit \(def5678\)/);
  t.match(reasonNotToStore(results({ one: 'abc1234-dirty' }), 'abc1234'), /another commit \(abc1234-dirty\)/);
});

void t.test('a named run is not stored when the working tree has changes', async (t) => {
  const commit = commitLabel('abc1234', false);
  t.match(reasonNotToStore(results({ one: commit }), commit), /uncommitted changes/);
});

void t.test('a fresh clone has no results, so a named run leaves RESULTS.md alone', async (t) => {
  t.strictSame(missingResults(results({ one: 'abc1234' }), ['one', 'two']), ['two']);
});

void t.test('RESULTS.md names the commit in its heading', async (t) => {
  const text = markdown(results({ one: 'abc1234', two: 'abc1234' }), ['two', 'one']);
  t.match(text, /^# Benchmark results \(commit abc1234\)\n/);
  t.match(text, /^\| waits \| 1 ms \|  \|  \| under 2 ms \| yes \|$/m);
  t.ok(text.indexOf('(`two`)') < text.indexOf('(`one`)'), 'in the order of the benches');
  t.match(markdown(results({ one: 'abc1234' }), ['one', 'two'], ['two']), /failed and have no row: two\./);
});

void t.test('the README gets the rows that are meant for it, and nothing else changes', async (t) => {
  const stored = results({ one: 'abc1234' });
  stored['one']!.rows = [row, { ...row, what: 'starts', ratio: '2.0', inReadme: true }];
  const page = (inside: string): string =>
    `Before\n<!-- The table is written by make bench. -->\n${inside}<!-- End of the table. -->\nAfter\n`;
  const text = withReadmeTable(page('old\n'), stored, ['one', 'two']);
  t.match(text, /\| Measurement \|.*\n\| ---.*\n\| starts \| 1 ms \|  \| 2\.0 \|\n\n<!-- End/);
  t.match(text, /^Before\n[^]*Measured on 2026-11-23: a CPU\.\n[^]*\nAfter\n$/);
  t.notMatch(text, /waits|old/);
  t.equal(withReadmeTable(text, stored, ['one', 'two']), text);
  t.throws(() => withReadmeTable('no table', stored, []), /no place/);
});
