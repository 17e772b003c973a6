import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benches } from './benches.js';
import type { Row } from './bench.js';
import { ROOT } from './contenders/ours.js';
import { Workbench } from './workbench.js';

const RESULTS = join(ROOT, 'bench', 'RESULTS.md');
const KEPT = join(ROOT, 'bench', 'results.json');

interface Result {
  date: string;
  machine: string;
  rows: Row[];
  notes: string[];
}

/** Runs the named benches (all without a name) and writes RESULTS.md; benches not named keep their last figures. */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    process.stderr.write(
      `No bench is called ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.\n`,
    );
    process.exit(1);
  }
  const results = read();
  let broken = false;
  for (const bench of benches) {
    if (names.length > 0 && !names.includes(bench.name)) continue;
    process.stdout.write(`${bench.name}: ${bench.description}\n`);
    const workbench = new Workbench({ oursOnly: false });
    try {
      const rows = await bench.run(workbench, bench.real);
      const notes =
        workbench.devServerProblem === null
          ? []
          : [`The JavaScript dev server could not be started here: ${workbench.devServerProblem}`];
      results[bench.name] = { date: new Date().toISOString().slice(0, 10), machine: machine(), rows, notes };
      for (const row of rows)
        process.stdout.write(
          `  ${row.what}: ${row.ours} | ${row.reference ?? '-'} | ${row.ratio ?? '-'} | ${row.budget}: ${verdict(row)}\n${row.evidence ? `    ${row.evidence}\n` : ''}`,
        );
    } catch (error) {
      broken = true;
      process.stderr.write(`  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    } finally {
      await workbench.close();
    }
    writeFileSync(KEPT, `${JSON.stringify(results, null, 1)}\n`);
    writeFileSync(RESULTS, markdown(results));
  }
  process.exit(broken ? 1 : 0);
}

function markdown(results: Record<string, Result>): string {
  const known = benches.flatMap((bench) =>
    results[bench.name] === undefined ? [] : [[bench.name, results[bench.name]!] as const],
  );
  const machines = [...new Set(known.map(([, result]) => result.machine))];
  const dates = [...new Set(known.map(([, result]) => result.date))].sort();
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Bench results',
    '',
    'Written by `npm run bench`; do not edit. Load generator, server and every contender are processes of their own on one machine. Figures compare only side by side: each is the median of alternating rounds, and what is promised is the quotient (docs/DESIGN, budgets).',
    '',
    ...machines.map((one) => `Machine: ${one}. ${dates.join(', ')}.`),
    '',
    line(['what', 'ours', 'reference', 'ratio', 'budget', 'met']),
    line(['---', '---', '---', '---', '---', '---']),
    ...known.flatMap(([, { rows }]) =>
      rows.map((row) => line([row.what, row.ours, row.reference ?? '', row.ratio ?? '', row.budget, verdict(row)])),
    ),
    '',
    ...known.flatMap(([, { notes }]) => notes.map((note) => `${note}\n`)),
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

function verdict({ missed }: Row): string {
  return missed === null ? 'yes' : `no: ${missed}`;
}

function machine(): string {
  const [cpu] = cpus();
  const version = (file: string[]): string =>
    (JSON.parse(readFileSync(join(ROOT, ...file, 'package.json'), 'utf8')) as { version: string }).version;
  const { dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'bench', 'contenders', 'dev-server', 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  return `${cpu?.model.trim() ?? 'unknown CPU'}, ${cpus().length} cores, Node ${process.version}, Threadmill ${version([])}, LangGraph ${version(['node_modules', '@langchain', 'langgraph'])}, langgraph-api ${dependencies['@langchain/langgraph-api']}, langgraph-cli ${dependencies['@langchain/langgraph-cli']}`;
}

function read(): Record<string, Result> {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, Result>;
  } catch {
    return {};
  }
}

await main(process.argv.slice(2));
