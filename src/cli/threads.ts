import { createReadStream, existsSync, statSync } from 'node:fs';
import { Client, CommandError, runCommand } from './client.js';
import { createByteCounter, createProgressBar, formatSize } from './output/progress.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { writeFileAtomically } from './output/atomic-file.js';

export interface ThreadsFlags {
  url: string;
  apiKey?: string;
  force?: boolean;
  newId?: boolean;
  json?: boolean;
}

/** Writes a thread to a file, atomically. */
export function exportThread(threadId: string, file: string | undefined, flags: ThreadsFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const name = file ?? `${threadId}.jsonl`;
      let end = Buffer.alloc(0);
      const bar = createByteCounter();
      let [read, bytes] = [0, 0];
      try {
        bytes = await writeFileAtomically(
          name,
          new Client(flags).getStream(`/threads/${encodeURIComponent(threadId)}/export`),
          {
            force: flags.force === true,
            onChunk(chunk) {
              end = Buffer.concat([end, chunk]).subarray(-LAST_LINE_BYTES_MAX);
              bar.update((read += chunk.byteLength));
            },
            verify() {
              if (!end.toString('latin1').trimEnd().split('\n').at(-1)!.startsWith('{"end":'))
                throw new CommandError(
                  `${name}: not written, because the export is incomplete. See the server's log for the reason.`,
                );
            },
          },
        );
      } finally {
        bar.stop();
      }
      process.stderr.write(`${name}: thread ${threadId}, ${bytes} bytes.\n`);
      return 0;
    }),
  );
}

/** Upper bound for the last line of an export. */
const LAST_LINE_BYTES_MAX = 200;

/** Imports a thread and prints its id, or the thread as JSON. */
export function importThread(file: string, flags: ThreadsFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (!existsSync(file)) throw new CommandError(`${file}: the file does not exist.`);
      const answer = await new Client(flags).postStream(
        `/threads/import?new_id=${flags.newId === true}`,
        readWithProgress(file),
      );
      process.stdout.write(
        `${flags.json === true ? answer : (JSON.parse(answer) as { thread_id: string }).thread_id}\n`,
      );
      return 0;
    }),
  );
}

/** The bytes of the file, with a progress bar. */
async function* readWithProgress(file: string): AsyncGenerator<Uint8Array> {
  const { size } = statSync(file);
  const bar = createProgressBar(size, `of ${formatSize(size)} sent`);
  let sent = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      yield chunk;
      bar.update((sent += chunk.byteLength), sent);
    }
  } finally {
    bar.stop();
  }
}
