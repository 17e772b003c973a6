import type { Row } from './bench.js';

/** The latest result of one bench, as stored in bench/results.json. */
export interface BenchResult {
  /** Short hash of the measured commit. Ends in `-dirty` if the working tree had uncommitted changes. */
  commit: string;
  date: string;
  machine: string;
  rows: Row[];
  notes: string[];
}

/** Results by the name of their bench. */
export type Results = Record<string, BenchResult>;

const DIRTY = '-dirty';

/** The label of a commit in results. */
export function commitLabel(shortHash: string, isClean: boolean): string {
  return isClean ? shortHash : `${shortHash}${DIRTY}`;
}

/**
 * Why the results of named benches must not be stored, or null if they may. Rows of one table must be measured on the
 * same commit, so named benches are stored only beside results of the same commit, and only from a clean working tree.
 */
export function reasonNotToStore(stored: Results, commit: string): string | null {
  if (commit.endsWith(DIRTY)) return 'the working tree has uncommitted changes';
  const others = [...new Set(Object.values(stored).map((result) => result.commit))].filter((one) => one !== commit);
  return others.length === 0
    ? null
    : `bench/results.json has rows of another commit (${others.join(', ')}), and these rows are of ${commit}`;
}

/** Names of the benches that have no result yet. RESULTS.md is written only if there are none. */
export function missingResults(results: Results, names: readonly string[]): string[] {
  return names.filter((name) => results[name] === undefined);
}

/** The text of RESULTS.md. `names` gives the order of the benches, `failed` those without a result. */
export function markdown(results: Results, names: readonly string[], failed: readonly string[] = []): string {
  const known = names.flatMap((name) => (results[name] === undefined ? [] : [[name, results[name]] as const]));
  const distinct = (of: (result: BenchResult) => string): string[] => [
    ...new Set(known.map(([, result]) => of(result))),
  ];
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `# Benchmark results (commit ${distinct(({ commit }) => commit).join(', ')})`,
    '',
    'Written by `npm run bench`; do not edit. The load generator, the server and each contender are separate ' +
      'processes on one machine. Compare figures only within a row: each is the median of alternating rounds, and the ' +
      'budget applies to the ratio. "In process" is the same graph without a server, with LangGraph as npm has it.',
    '',
    `Machine: ${distinct(({ machine }) => machine).join('; ')}. Measured: ${distinct(({ date }) => date)
      .toSorted()
      .join(', ')}.`,
    '',
    line(['what', 'ours', 'reference', 'ratio', 'budget', 'met']),
    line(['---', '---', '---', '---', '---', '---']),
    ...known.flatMap(([, { rows }]) =>
      rows.map((row) => line([row.what, row.ours, row.reference ?? '', row.ratio ?? '', row.budget, verdict(row)])),
    ),
    '',
    ...known.flatMap(([, { notes }]) => notes.map((note) => `${note}\n`)),
    ...(failed.length === 0 ? [] : [`These benches failed and have no row: ${failed.join(', ')}.\n`]),
    '## Method',
    '',
    ...known.flatMap(([name, { rows }]) =>
      rows.flatMap((row) => [
        `**${row.what}** (\`${name}\`)  `,
        `${row.method[0]}  `,
        row.evidence ? `${row.method[1]}  \n${row.evidence}` : row.method[1],
        '',
      ]),
    ),
  ].join('\n');
}

/** Where the README has its table. */
const README_TABLE = /(<!-- The table is written by make bench. -->\n)[^]*?(?=<!-- End of the table. -->)/;

/** The README with the rows that belong in it. Throws if it has no place for the table. */
export function withReadmeTable(readme: string, results: Results, names: readonly string[]): string {
  if (!README_TABLE.test(readme)) throw new Error('README.md has no place for the table of benchmarks');
  const known = names.flatMap((name) => results[name] ?? []);
  const rows = known.flatMap(({ rows }) => rows.filter(({ inReadme }) => inReadme === true));
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const dates = [...new Set(known.map(({ date }) => date))].toSorted();
  const lines = [
    `\nMeasured on ${dates.join(' and ')}: ${[...new Set(known.map(({ machine }) => machine))].join('; ')}.\n`,
    line(['Measurement', 'Threadmill', 'Reference', 'Ratio']),
    line(['---', '---', '---', '---']),
    ...rows.map((row) => line([row.what, row.ours, row.reference ?? '', row.ratio ?? ''])),
  ];
  return readme.replace(README_TABLE, (_all, begin: string) => `${begin}${lines.join('\n')}\n\n`);
}

/** Whether the row meets its budget, in words. */
export function verdict({ missed }: Row): string {
  return missed === null ? 'yes' : `no: ${missed}`;
}
