import { createReadStream, existsSync, statSync } from 'node:fs';
import { projectIdOf } from './named-records.js';
import { Client, CommandError, HttpError, runCommand } from './client.js';
import { createProgressBar, formatSize } from './output/progress.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { writeStream } from './output/write-stream.js';

export interface TracesFlags {
  url: string;
  apiKey?: string;
  project?: string;
  filter?: string;
  traceFilter?: string;
  since?: string;
  until?: string;
  force?: boolean;
}

/** Lines are sent in requests of about this size. */
const REQUEST_BYTES = 4 * 1024 * 1024;

/** Writes the runs of a project to a file, atomically, or to standard output. */
export function exportTraces(file: string | undefined, flags: TracesFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const client = new Client(flags);
      const stream = client.getStream(await exportPath(client, flags));
      await writeStream(file, stream, { force: flags.force === true, what: `runs of ${flags.project!}` });
      return 0;
    }),
  );
}

async function exportPath(
  client: Client,
  { project = '', filter, traceFilter, since, until }: TracesFlags,
): Promise<string> {
  const query = new URLSearchParams(
    Object.entries({ filter, trace_filter: traceFilter, start_time: since, end_time: until }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  );
  return `/api/v1/sessions/${await projectIdOf(client, project)}/runs?${query.toString()}`;
}

/** Sends the lines of a file in requests of bounded size. */
export function importTraces(file: string, flags: TracesFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (!existsSync(file)) throw new CommandError(`${file}: the file does not exist.`);
      const client = new Client(flags);
      const query = flags.project === undefined ? '' : `?project=${encodeURIComponent(flags.project)}`;
      const { size } = statSync(file);
      const bar = createProgressBar(size, `of ${formatSize(size)} sent`);
      let [line, sent] = [1, 0];
      try {
        for await (const lines of requestsOf(file)) {
          const count = countLines(lines);
          try {
            await client.postLines(`/api/v1/runs/import${query}`, lines);
          } catch (error) {
            if (!(error instanceof CommandError)) throw error;
            throw new CommandError(
              `${file}: lines ${line} to ${line + count - 1} were not imported. ${reasonOf(error, line)}`,
            );
          }
          line += count;
          bar.update((sent += lines.byteLength), sent);
        }
      } finally {
        bar.stop();
      }
      process.stderr.write(`${file}: ${line - 1} runs imported.\n`);
      return 0;
    }),
  );
}

/** The server counts the lines of a request from 0. */
function reasonOf(error: CommandError, firstLine: number): string {
  const [problem] = error instanceof HttpError ? error.problems : [];
  const [, at, ...place] = problem?.loc ?? [];
  if (problem === undefined || typeof at !== 'number') return error.message;
  return `Line ${firstLine + at}: ${place.length === 0 ? '' : `${place.join('.')}: `}${problem.msg}`;
}

const NEWLINE = 0x0a;

/** Whole lines of the file, as many as a request has. A longer line is a request of its own. */
async function* requestsOf(file: string): AsyncGenerator<Buffer<ArrayBuffer>> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (bytes + chunk.byteLength < REQUEST_BYTES || end === 0) {
      parts.push(chunk);
      bytes += chunk.byteLength;
      continue;
    }
    yield Buffer.concat([...parts, chunk.subarray(0, end)]);
    parts = [chunk.subarray(end)];
    bytes = chunk.byteLength - end;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

function countLines(lines: Buffer): number {
  let count = lines.at(-1) === NEWLINE ? 0 : 1;
  for (let at = lines.indexOf(NEWLINE); at !== -1; at = lines.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
