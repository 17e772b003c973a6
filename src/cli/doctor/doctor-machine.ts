import { resolve } from 'node:path';
import { CommandError, printable, runCommand } from '../client.js';
import type { CheckResult } from './checks/check.js';
import { checkDataFolder, checkFlushes, checkDiskSpace } from './checks/disk.js';
import { checkAddons, checkClock, checkOpenFiles, checkMemory, checkNode, checkTransport } from './checks/machine.js';
import { createProgressBar } from '../output/progress.js';
import { formatTable } from '../output/table.js';

export interface MachineFlags {
  config: string;
  data: string;
  host?: string;
  port?: string;
  user?: string[];
  json?: boolean;
}

/** Checks everything that a server needs. The help text lists the exit codes. */
export function doctorMachine(flags: MachineFlags): Promise<void> {
  // A normal exit removes temporary files.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
  return runCommand(2, async () => {
    if (flags.user !== undefined) throw new CommandError('--user is for --auth. Add --auth, or leave out --user.');
    const checks = await runChecks(flags);
    process.stdout.write(`${flags.json === true ? JSON.stringify({ checks }) : formatText(checks)}\n`);
    return checks.some(({ status }) => status === 'failed') ? 1 : 0;
  });
}

/** Steps of the progress bar. Slow checks have more steps. */
const FLUSH_STEPS = 10;
const GRAPH_STEPS = 10;
const STEPS = FLUSH_STEPS + GRAPH_STEPS;

async function runChecks(flags: MachineFlags): Promise<CheckResult[]> {
  const folder = resolve(flags.data);
  const bar = createProgressBar(STEPS, 'checks');
  try {
    const checks = [
      checkNode(),
      await checkAddons(),
      await checkTransport(process.env),
      checkMemory(),
      checkOpenFiles(),
      checkClock(folder),
      checkDataFolder(folder),
    ];
    bar.update(0, checks.length);
    // Disk checks need a usable data folder.
    if (checks.at(-1)!.status !== 'failed')
      checks.push(
        checkDiskSpace(folder),
        checkFlushes(folder, (done, of) => bar.update((done / of) * FLUSH_STEPS, checks.length)),
      );
    bar.update(FLUSH_STEPS, checks.length);
    checks.push(...(await runProjectChecks(flags, checks[1]!)));
    return checks;
  } finally {
    bar.stop();
  }
}

/** Loads the server's code only if its native add-ons load. */
async function runProjectChecks(
  { config: file, data, host, port: wanted }: MachineFlags,
  addons: CheckResult,
): Promise<CheckResult[]> {
  if (addons.status === 'failed') return [];
  const project = await import('./checks/project.js');
  const { check, config } = project.checkConfiguration({ config: file, data, host, port: wanted }, process.env);
  if (config === null) return [check];
  return [check, await project.checkPort(config), await project.checkGraphs(config), project.checkAccess(config)];
}

function formatText(checks: readonly CheckResult[]): string {
  const adviceLines = checks.flatMap(({ name, advice }) => (advice === null ? [] : [`${name}: ${printable(advice)}`]));
  const count = (status: CheckResult['status']): number => checks.filter((one) => one.status === status).length;
  return [
    formatTable(
      ['status', 'check', 'found'],
      checks.map(({ status, name, found }) => [status, name, found]),
    ),
    '',
    ...adviceLines,
    `${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed.`,
  ].join('\n');
}
