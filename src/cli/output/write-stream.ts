import { once } from 'node:events';
import { writeFileAtomically } from './atomic-file.js';
import { createByteCounter } from './progress.js';

/**
 * Writes the chunks to a file, which appears only when it is complete, or to standard output. `what` they are is said
 * on stderr at the end. Throws what `writeFileAtomically` throws.
 */
export async function writeStream(
  file: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
  { force, what }: { force: boolean; what: string },
): Promise<void> {
  if (file === undefined) {
    for await (const chunk of chunks) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    return;
  }
  const bar = createByteCounter();
  let [read, bytes] = [0, 0];
  try {
    bytes = await writeFileAtomically(file, chunks, {
      force,
      onChunk: (chunk) => bar.update((read += chunk.byteLength)),
      // A response that ends early is an error of the client.
      verify: () => undefined,
    });
  } finally {
    bar.stop();
  }
  process.stderr.write(`${file}: ${what}, ${bytes} bytes.\n`);
}
