import type { AddFlags, ExportFlags, ImportFlags } from '../datasets.js';
import { collect, command, GROUPS, withServerOptions } from './command.js';

export const datasets = command('datasets', 'add runs to a dataset, and write or read its examples as a file')
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('add', 'add runs of traces to a dataset as examples, each only once'))
      .requiredOption('--dataset <name>', 'name or id of the dataset')
      .option('--create', 'create the dataset if there is none with this name')
      .option('--run <id>', 'this run or step; can be repeated', collect)
      .option('--thread <id>', 'all runs of this thread; can be repeated', collect)
      .option('--filter <filter>', 'the newest runs that match, such as: eq(status, "error")')
      .option('--project <name>', 'only runs of this project; can be repeated (default: of all assistants)', collect)
      .option('--limit <n>', 'at most this many runs of threads or of a filter (default: 100)')
      .option('--inputs-path <path>', 'the part of the inputs to take, such as messages.-1 (default: all)')
      .option('--outputs-path <path>', 'the part of the outputs to take (default: all)')
      .option('--split <name>', 'split of the examples; can be repeated', collect)
      .addHelpText(
        'after',
        `
Name runs, threads, or a filter. Runs that the dataset has already are skipped, so the command can be repeated.

Examples:
  threadmill datasets add --dataset failures --create --filter 'eq(status, "error")' --project agent
  threadmill datasets add --dataset questions --run 01a200b1-f8fe-7011-9ed7-432fad81ba38 --inputs-path messages.-1

Exit code: 0 added, or nothing to add; 1 not added.`,
      )
      .action(async (flags: AddFlags) => (await import('../datasets.js')).addRuns(flags)),
  )
  .addCommand(
    withServerOptions(command('export', 'write the examples of a dataset as JSON lines, or as CSV'))
      .argument('[file]', 'file to write; it appears only when it is complete (default: standard output)')
      .requiredOption('--dataset <name>', 'name or id of the dataset')
      .option('--as-of <version>', 'time or tag of a version (default: the latest)')
      .option('--csv', 'write CSV')
      .option('--force', 'overwrite an existing file')
      .addHelpText('after', '\nExit code: 0 written, 1 not written.')
      .action(async (file: string | undefined, flags: ExportFlags) =>
        (await import('../datasets.js')).exportExamples(file, flags),
      ),
  )
  .addCommand(
    withServerOptions(command('import', 'add the rows of a .csv or .jsonl file to a dataset'))
      .argument('<file>', 'file as "threadmill datasets export" writes it, or any table with the flags for its columns')
      .requiredOption('--dataset <name>', 'name or id of the dataset')
      .option('--create', 'create the dataset if there is none with this name')
      .option('--inputs <column>', 'column of the inputs; can be repeated', collect)
      .option('--outputs <column>', 'column of the reference outputs; can be repeated', collect)
      .option('--metadata <column>', 'column of the metadata; can be repeated', collect)
      .addHelpText('after', '\nExit code: 0 imported, 1 not imported.')
      .action(async (file: string, flags: ImportFlags) => (await import('../datasets.js')).importExamples(file, flags)),
  );
