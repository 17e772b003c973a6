import { basename } from 'node:path';
import type { Command } from 'commander';
import { effectiveSettings, type EffectiveSetting } from '../config/effective.js';
import { readConfig, type Flags } from '../config/config.js';
import { runCommand } from './client.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { formatTable } from './output/table.js';

export interface ConfigFlags extends Flags {
  all?: boolean;
  json?: boolean;
}

/** Prints the settings. Warnings about settings without effect go to stderr. */
export function config({ all, json, ...flags }: ConfigFlags, command: Command): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      // Commander also fills in defaults. Only flags on the command line count as given.
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
          : `${formatTable(
              ['setting', 'from', 'value'],
              shown.map((one) => [one.name, sourceText(one, basename(read.project.file)), valueText(one.value)]),
            )}\n`,
      );
      const hidden = settings.length - shown.length;
      if (hidden > 0)
        process.stderr.write(`${hidden} more settings have their default value. Add --all to see them.\n`);
      for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
      return 0;
    }),
  );
}

function valueText(value: unknown): string {
  return value === null ? '-' : typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function sourceText({ source, place }: EffectiveSetting, file: string): string {
  return source === 'default' ? 'default' : source === 'file' ? `${file}: ${place!}` : place!;
}
