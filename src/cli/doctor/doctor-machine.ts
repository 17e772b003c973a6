import { resolve } from 'node:path';
import { CommandError, printable, runCommand } from '../client.js';
import type { Check } from './checks/check.js';
import { dataFolder, flushes, room } from './checks/disk.js';
import { addons, clock, files, memory, node } from './checks/machine.js';
import { progress } from '../output/progress.js';
import { table } from '../output/table.js';

export interface MachineFlags {
  config: string;
  data: string;
  host?: string;
  port?: string;
  user?: string[];
  json?: boolean;
}

/** Looks at all that a server would need. Exit codes as the help text has them. */
export function doctorMachine(flags: MachineFlags): Promise<void> {
  // So that what is temporary goes away.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
  return runCommand(2, async () => {
    if (flags.user !== undefined) throw new CommandError('--user is for --auth.');
    const checks = await look(flags);
    process.stdout.write(`${flags.json === true ? JSON.stringify({ checks }) : asText(checks)}\n`);
    return checks.some(({ status }) => status === 'failed') ? 1 : 0;
  });
}

/** Steps of the bar: those that take a while count more. */
const FLUSH_STEPS = 10;
const GRAPH_STEPS = 10;
const STEPS = FLUSH_STEPS + GRAPH_STEPS;

async function look(flags: MachineFlags): Promise<Check[]> {
  const folder = resolve(flags.data);
  const bar = progress(STEPS, 'checks');
  try {
    const checks = [node(), await addons(), memory(), files(), clock(folder), dataFolder(folder)];
    bar.update(0, checks.length);
    // Of a folder that is none there is nothing to say.
    if (checks.at(-1)!.status !== 'failed')
      checks.push(
        room(folder),
        flushes(folder, (done, of) => bar.update((done / of) * FLUSH_STEPS, checks.length)),
      );
    bar.update(FLUSH_STEPS, checks.length);
    checks.push(...(await projectChecks(flags, checks[1]!)));
    return checks;
  } finally {
    bar.stop();
  }
}

/** Loaded late: the server's code needs its add-ons. */
async function projectChecks(
  { config: file, data, host, port: wanted }: MachineFlags,
  loaded: Check,
): Promise<Check[]> {
  if (loaded.status === 'failed') return [];
  const project = await import('./checks/project.js');
  const { check, config } = project.configuration({ config: file, data, host, port: wanted }, process.env);
  if (config === null) return [check];
  return [check, await project.port(config), await project.graphs(config), project.access(config)];
}

function asText(checks: readonly Check[]): string {
  const advice = checks.flatMap(({ name, advice: what }) => (what === null ? [] : [`${name}: ${printable(what)}`]));
  const count = (status: Check['status']): number => checks.filter((one) => one.status === status).length;
  return [
    table(
      ['status', 'check', 'found'],
      checks.map(({ status, name, found }) => [status, name, found]),
    ),
    '',
    ...advice,
    `${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed.`,
  ].join('\n');
}
