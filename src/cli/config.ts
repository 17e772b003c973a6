import { basename } from 'node:path';
import type { Command } from 'commander';
import { effectiveSettings, type Effective } from '../config/effective.js';
import { readConfig, type Flags } from '../config/config.js';
import { runCommand } from './client.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { table } from './output/table.js';

export interface ConfigFlags extends Flags {
  all?: boolean;
  json?: boolean;
}

/** Prints the settings; what changes nothing goes to stderr. */
export function config({ all, json, ...flags }: ConfigFlags, command: Command): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      // Commander fills in what holds by default, which nobody said.
      const given = Object.fromEntries(
        Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
      ) as Flags;
      const read = readConfig(flags, process.env);
      const settings = effectiveSettings(read, given, process.env);
      const warnings = [...read.warnings, ...read.project.warnings];
      if (json === true) {
        process.stdout.write(`${JSON.stringify({ settings, warnings })}\n`);
        return 0;
      }
      const shown = settings.filter(({ source }) => all === true || source !== 'default');
      process.stdout.write(
        shown.length === 0
          ? ''
          : `${table(
              ['setting', 'from', 'value'],
              shown.map((one) => [one.name, placeOf(one, basename(read.project.file)), textOf(one.value)]),
            )}\n`,
      );
      const others = settings.length - shown.length;
      if (others > 0) process.stderr.write(`${others} more are as they are by default; --all has them.\n`);
      for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
      return 0;
    }),
  );
}

function textOf(value: unknown): string {
  return value === null ? '-' : typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function placeOf({ source, place }: Effective, file: string): string {
  return source === 'default' ? 'default' : source === 'file' ? `${file}: ${place!}` : place!;
}
