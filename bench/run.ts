import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findTransport } from '../src/http/transport/create-app.js';
import type { Bench, Row } from './bench.js';
import { benches } from './benches.js';
import { ROOT } from './contenders/threadmill.js';
import {
  commitLabel,
  markdown,
  missingResults,
  reasonNotToStore,
  verdict,
  withReadmeTable,
  type Results,
} from './results.js';
import { Workbench } from './workbench.js';

/** The table for readers. In git. */
const RESULTS_MD = join(ROOT, 'bench', 'RESULTS.md');
const README_MD = join(ROOT, 'README.md');
/** The latest results of this machine. Not in git. */
const RESULTS_JSON = join(ROOT, 'bench', 'results.json');
const NAMES = benches.map(({ name }) => name);

/**
 * Runs the named benches, or all of them. A full run replaces the stored results and writes RESULTS.md and
 * the README's table. A run of named
 * benches adds to the stored results of the same commit, and writes RESULTS.md if every bench then has a result. From
 * another commit or a changed working tree it only prints its rows. Exits with 1 if a bench fails.
 */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no bench ${unknown.join(', ')}. Choose from: ${NAMES.join(', ')}.\n`);
    process.exit(1);
  }
  const commit = currentCommit();
  const results = names.length === 0 ? {} : readResults();
  const refusal = names.length === 0 ? null : reasonNotToStore(results, commit);
  const failed: string[] = [];
  for (const bench of benches) {
    if (names.length > 0 && !names.includes(bench.name)) continue;
    process.stdout.write(`${bench.name}: ${bench.description}\n`);
    try {
      const { rows, notes } = await measure(bench);
      for (const row of rows) printRow(row);
      results[bench.name] = {
        commit,
        date: new Date().toISOString().slice(0, 10),
        machine: await machine(),
        rows,
        notes,
      };
      if (refusal === null) writeFileSync(RESULTS_JSON, `${JSON.stringify(results, null, 1)}\n`);
    } catch (error) {
      failed.push(bench.name);
      process.stderr.write(`  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    }
  }
  const notWritten = names.length === 0 ? null : (refusal ?? whyIncomplete(results));
  if (notWritten === null) {
    writeFileSync(RESULTS_MD, markdown(results, NAMES, failed));
    writeFileSync(README_MD, withReadmeTable(readFileSync(README_MD, 'utf8'), results, NAMES));
  }
  process.stdout.write(
    notWritten === null
      ? 'Wrote bench/RESULTS.md and the table of README.md.\n'
      : `bench/RESULTS.md is unchanged: ${notWritten}. To write it, run all benches on a clean working tree: make ` +
          `bench\n`,
  );
  process.exit(failed.length > 0 ? 1 : 0);
}

async function measure(bench: Bench): Promise<{ rows: Row[]; notes: string[] }> {
  const workbench = new Workbench({ oursOnly: false });
  try {
    const rows = await bench.run(workbench, bench.real);
    const problem = workbench.devServerProblem;
    return {
      rows,
      notes: problem === null ? [] : [`The JavaScript dev server could not be started on this machine: ${problem}`],
    };
  } finally {
    await workbench.close();
  }
}

function printRow(row: Row): void {
  process.stdout.write(
    `  ${row.what}: ${row.ours} | ${row.reference ?? '-'} | ${row.ratio ?? '-'} | ${row.budget}: ${verdict(row)}\n` +
      (row.evidence ? `    ${row.evidence}\n` : ''),
  );
}

function whyIncomplete(results: Results): string | null {
  const missing = missingResults(results, NAMES);
  return missing.length === 0 ? null : `these benches have no result of this commit yet: ${missing.join(', ')}`;
}

/** The checked-out commit. The files that benches write may differ. */
function currentCommit(): string {
  const git = (...args: string[]): string => {
    const { status, stdout, error } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`git ${args[0]} failed in ${ROOT}`);
    return stdout.trim();
  };
  const changes = git('status', '--porcelain', '--', '.', ':!bench/RESULTS.md', ':!README.md');
  return commitLabel(git('rev-parse', '--short', 'HEAD'), changes === '');
}

/** What the figures depend on: the processor, and the versions of everything that is measured. */
async function machine(): Promise<string> {
  const [cpu] = cpus();
  const transportTitle = (await findTransport('auto')).name === 'uws' ? 'uWebSockets.js' : 'node:http';
  const versionOf = (...folder: string[]): string =>
    (JSON.parse(readFileSync(join(ROOT, ...folder, 'package.json'), 'utf8')) as { version: string }).version;
  const { dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'bench', 'contenders', 'dev-server', 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  return [
    cpu?.model.trim() ?? 'unknown CPU',
    `${cpus().length} cores`,
    `Node ${process.version}`,
    transportTitle,
    `Threadmill ${versionOf()}`,
    `LangGraph ${versionOf('node_modules', '@langchain', 'langgraph')}`,
    `langgraph-api ${dependencies['@langchain/langgraph-api']}`,
    `langgraph-cli ${dependencies['@langchain/langgraph-cli']}`,
  ].join(', ');
}

/** The stored results; none if the file is missing, unreadable or of an older form without commits. */
function readResults(): Results {
  try {
    const stored = JSON.parse(readFileSync(RESULTS_JSON, 'utf8')) as Results;
    return Object.values(stored).every(({ commit }) => typeof commit === 'string') ? stored : {};
  } catch {
    return {};
  }
}

await main(process.argv.slice(2));
