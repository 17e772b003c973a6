import { createReadStream, existsSync, statSync } from 'node:fs';
import { Client, CommandError, runCommand } from './client.js';
import { byteCount, progress, sizeText } from './output/progress.js';
import { translateStoreErrors } from './data-folder/store-errors.js';
import { writeFileAtomically } from './upload/whole-file.js';

export interface ThreadsFlags {
  url: string;
  apiKey?: string;
  force?: boolean;
  newId?: boolean;
  json?: boolean;
}

/** Writes a thread to a file that is there whole or not at all. */
export function exportThread(threadId: string, file: string | undefined, flags: ThreadsFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const name = file ?? `${threadId}.jsonl`;
      let tail = Buffer.alloc(0);
      const bar = byteCount();
      let [read, bytes] = [0, 0];
      try {
        bytes = await writeFileAtomically(
          name,
          flags.force === true,
          new Client(flags).getStream(`/threads/${encodeURIComponent(threadId)}/export`),
          (piece) => {
            tail = Buffer.concat([tail, piece]).subarray(-END_BYTES);
            bar.update((read += piece.byteLength));
          },
          () => {
            if (!tail.toString('latin1').trimEnd().split('\n').at(-1)!.startsWith('{"end":'))
              throw new CommandError('The server ended the file before its end.');
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

/** The last line is shorter. */
const END_BYTES = 200;

/** Takes a thread in and prints its id, or all of it as JSON. */
export function importThread(file: string, flags: ThreadsFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (!existsSync(file)) throw new CommandError(`${file}: there is no such file.`);
      const answer = await new Client(flags).postStream(`/threads/import?new_id=${flags.newId === true}`, pieces(file));
      process.stdout.write(
        `${flags.json === true ? answer : (JSON.parse(answer) as { thread_id: string }).thread_id}\n`,
      );
      return 0;
    }),
  );
}

/** The file's bytes, with a bar that says how many are sent. */
async function* pieces(file: string): AsyncGenerator<Uint8Array> {
  const { size } = statSync(file);
  const bar = progress(size, `of ${sizeText(size)} sent`);
  let sent = 0;
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      yield piece;
      bar.update((sent += piece.byteLength), sent);
    }
  } finally {
    bar.stop();
  }
}
