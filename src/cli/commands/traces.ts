import type { TracesFlags } from '../traces.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const traces = command('traces', 'write the runs of a project to a file, and read them back')
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('export', 'write the runs of a project, with their scores, as JSON lines'))
      .argument('[file]', 'file to write; it appears only when it is complete (default: standard output)')
      .requiredOption('--project <name>', 'name or id of the project')
      .option('--filter <filter>', 'only runs that match, such as: eq(run_type, "llm")')
      .option('--trace-filter <filter>', 'only runs of traces whose root matches')
      .option('--since <time>', 'only runs that started at this time or later, in ISO 8601')
      .option('--until <time>', 'only runs that started at this time or before, in ISO 8601')
      .option('--force', 'overwrite an existing file')
      .addHelpText('after', '\nExit code: 0 written, 1 not written.')
      .action(async (file: string | undefined, flags: TracesFlags) =>
        (await import('../traces.js')).exportTraces(file, flags),
      ),
  )
  .addCommand(
    withServerOptions(command('import', 'store the runs of such a file; runs that are stored already do not change'))
      .argument('<file>', 'file written by "threadmill traces export"')
      .option('--project <name>', 'project of all runs (default: the project that each line names)')
      .addHelpText('after', '\nExit code: 0 imported, 1 not imported, or not all of it.')
      .action(async (file: string, flags: TracesFlags) => (await import('../traces.js')).importTraces(file, flags)),
  );
