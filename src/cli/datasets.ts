import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isUuid } from '../base/ids.js';
import { Client, CommandError, runCommand, type Connection } from './client.js';
import { findByName, projectIdOf } from './named-records.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { writeStream } from './output/write-stream.js';
import { wholeNumber } from './whole-number.js';

interface DatasetFlags extends Connection {
  dataset: string;
  create?: boolean;
}

export interface AddFlags extends DatasetFlags {
  run?: string[];
  thread?: string[];
  filter?: string;
  project?: string[];
  limit?: string;
  inputsPath?: string;
  outputsPath?: string;
  split?: string[];
}

export interface ExportFlags extends DatasetFlags {
  asOf?: string;
  csv?: boolean;
  force?: boolean;
}

export interface ImportFlags extends DatasetFlags {
  inputs?: string[];
  outputs?: string[];
  metadata?: string[];
}

interface AddedRuns {
  count: number;
  skipped: { run_id: string; reason: string }[];
}

/** What the reasons of the API mean. */
const REASONS: Readonly<Record<string, string>> = {
  already_added: 'in the dataset already',
  running: 'not ended',
  no_inputs: 'without inputs at the path',
  no_outputs: 'without outputs at the path',
  truncated: 'longer than the trace stores',
};

/** Adds runs as examples, and says how many were skipped and why. */
export function addRuns(flags: AddFlags): Promise<void> {
  return runCommand(1, async () => {
    const { run, thread, filter, project, limit } = flags;
    if ([run, thread, filter].filter((one) => one !== undefined).length !== 1)
      throw new CommandError('Name the runs with one of --run, --thread and --filter.');
    const client = new Client(flags);
    const sessions = await Promise.all((project ?? []).map((one) => projectIdOf(client, one)));
    const body = {
      runs: run,
      threads: thread,
      filter,
      session: project === undefined ? undefined : sessions,
      limit: wholeNumber('--limit', limit) ?? undefined,
      inputs_path: flags.inputsPath,
      outputs_path: flags.outputsPath,
      split: flags.split,
    };
    const path = `/api/v1/datasets/${await datasetOf(client, flags)}/add-runs`;
    const { count, skipped } = JSON.parse(await client.post(path, body)) as AddedRuns;
    const reasons = [...new Set(skipped.map(({ reason }) => reason))];
    const lines = reasons.map((reason) => {
      const runs = skipped.filter((one) => one.reason === reason);
      return `${runs.length} skipped: ${REASONS[reason] ?? reason}.`;
    });
    process.stdout.write([`${count} ${count === 1 ? 'run' : 'runs'} added.`, ...lines, ''].join('\n'));
    return 0;
  });
}

/** Writes the examples of a dataset to a file, atomically, or to standard output. */
export function exportExamples(file: string | undefined, flags: ExportFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const client = new Client(flags);
      const query = flags.asOf === undefined ? '' : `?as_of=${encodeURIComponent(flags.asOf)}`;
      const id = await datasetOf(client, flags);
      const stream = client.getStream(`/api/v1/datasets/${id}/${flags.csv === true ? 'csv' : 'jsonl'}${query}`);
      await writeStream(file, stream, { force: flags.force === true, what: `examples of ${flags.dataset}` });
      return 0;
    }),
  );
}

/** Adds the rows of a file to a dataset, all or none. */
export function importExamples(file: string, flags: ImportFlags): Promise<void> {
  return runCommand(1, async () => {
    if (!existsSync(file)) throw new CommandError(`${file}: the file does not exist.`);
    const form = new FormData();
    form.append('file', new Blob([readFileSync(file)]), basename(file));
    for (const [name, columns] of Object.entries({
      input_keys: flags.inputs,
      output_keys: flags.outputs,
      metadata_keys: flags.metadata,
    }))
      for (const column of columns ?? []) form.append(name, column);
    const client = new Client(flags);
    const path = `/api/v1/datasets/${await datasetOf(client, flags)}/import`;
    const { count } = JSON.parse(await client.postForm(path, form)) as { count: number };
    process.stdout.write(`${count} ${count === 1 ? 'example' : 'examples'} imported.\n`);
    return 0;
  });
}

/** The id of the dataset, which is created if the flags say so. */
async function datasetOf(client: Client, { dataset, create = false }: DatasetFlags): Promise<string> {
  if (isUuid(dataset) && !create) return dataset;
  const found = await findByName(client, 'datasets', dataset);
  if (found !== null) return found;
  if (!create) throw new CommandError(`--dataset: there is no dataset "${dataset}". --create makes one.`);
  return (JSON.parse(await client.post('/api/v1/datasets', { name: dataset })) as { id: string }).id;
}
