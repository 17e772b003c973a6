import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkDataFolder, checkDiskSpace, checkFlushes } from '../doctor/checks/disk.js';
import type { CheckResult } from '../doctor/checks/check.js';
import { CommandError, printable, runCommand } from '../client.js';
import { createProgressBar } from '../output/progress.js';
import { checkStore } from '../../store/files/check/check-store.js';
import { dataFile } from '../../store/files/data-file.js';
import { PageFile } from '../../store/files/page-file.js';
import { runTorture, type TortureResult } from './rounds.js';
import { startServerProcess } from './server-process.js';

export interface TortureFlags {
  torture: string;
  minutes: string;
  json?: boolean;
}

const MINUTES_MAX = 1_440;
const FOLDER_PREFIX = 'threadmill-torture-';
const PROBLEMS_SHOWN_MAX = 20;

type Report = TortureResult & { folder: string; checks: CheckResult[]; records: number };

/**
 * Kills servers on a new folder below `--torture` while clients write, and reports whether everything that was
 * acknowledged is still there. Removes the folder unless something is wrong. The help text lists the exit codes.
 */
export function doctorTorture(flags: TortureFlags): Promise<void> {
  return runCommand(2, async () => {
    const minutes = Number(flags.minutes);
    if (!(minutes > 0 && minutes <= MINUTES_MAX))
      throw new CommandError(`--minutes: must be a number above 0 and at most ${MINUTES_MAX}; got "${flags.minutes}".`);
    const parent = resolve(flags.torture);
    const checks = [
      checkDataFolder(join(parent, FOLDER_PREFIX)),
      checkDiskSpace(parent),
      checkFlushes(parent, () => undefined),
    ];
    // A file system that is known to be unsuitable is tried all the same.
    const refused = checks.slice(1).find(({ status }) => status === 'failed');
    if (refused !== undefined) throw new CommandError(`Not run: ${refused.found}. ${refused.advice ?? ''}`.trimEnd());
    const report = await tortureBelow(parent, minutes * 60_000, checks);
    process.stdout.write(`${flags.json === true ? JSON.stringify(report) : formatText(parent, report)}\n`);
    return report.problems.length > 0 ? 1 : 0;
  });
}

async function tortureBelow(parent: string, durationMs: number, checks: CheckResult[]): Promise<Report> {
  const folder = newFolder(parent);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A normal exit removes the folder. The server ends when it loses its stdin.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
  process.once('exit', remove);
  const bar = createProgressBar(durationMs, 'kills');
  const begun = performance.now();
  try {
    const result = await runTorture(
      folder,
      () => startServerProcess(folder),
      (kills) => {
        const spent = performance.now() - begun;
        bar.update(spent, kills);
        return spent < durationMs;
      },
    );
    const records = result.problems.length > 0 ? 0 : checkFile(folder, result.problems);
    if (result.problems.length > 0) process.removeListener('exit', remove);
    return { folder, checks, records, ...result };
  } finally {
    bar.stop();
  }
}

function newFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, FOLDER_PREFIX));
  } catch (error) {
    throw new CommandError(
      `Not run: ${(error as Error).message}. Name an existing folder that this user may write to.`,
    );
  }
}

/** Reads every record of the file page by page, as `doctor --store` does. Returns how many there are. */
function checkFile(folder: string, problems: string[]): number {
  const pages = PageFile.open(dataFile(folder));
  if (pages === null) {
    problems.push('the data file is missing');
    return 0;
  }
  try {
    const onFinding = ({ place, problem }: { place: string; problem: string }): void => {
      problems.push(`${place}: ${problem}`);
    };
    return checkStore(pages, null, onFinding, () => undefined).records;
  } finally {
    pages.close();
  }
}

function formatText(parent: string, report: Report): string {
  const { kills, killsWhileStarting, acknowledgedWrites, acknowledgedRuns, problems, folder, checks } = report;
  const facts =
    `A server was killed ${kills} times, ${killsWhileStarting} of them while it started. It had acknowledged ` +
    `${acknowledgedWrites} writes and ${acknowledgedRuns} runs.`;
  const notes = checks
    .filter(({ name, status }) => name === 'flush' || status !== 'ok')
    .map(({ name, found, advice }) => printable(`${name}: ${found}. ${advice ?? ''}`.trimEnd()));
  if (problems.length > 0) {
    const more = problems.length - PROBLEMS_SHOWN_MAX;
    return [
      `Acknowledged writes do NOT survive on ${parent}. Do not use it for a data folder.`,
      facts,
      ...problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `  ${printable(problem)}`),
      ...(more > 0 ? [`  and ${more} more; --json has all`] : []),
      `The folder is kept for inspection: ${folder}`,
      ...notes,
    ].join('\n');
  }
  return [
    `Acknowledged writes survive on ${parent} when a server is killed.`,
    `${facts} None of them was lost, undone or stored in part, every run finished, and all ${report.records} records ` +
      'of the file are intact.',
    ...notes,
    'Not tested: a power failure. No program can test whether the disk keeps what it has confirmed without power.',
  ].join('\n');
}
