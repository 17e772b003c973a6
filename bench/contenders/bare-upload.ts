import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';

/**
 * The minimal cost of storing an upload on disk: JSON.parse, one record per row, one transaction. It has no HTTP, no
 * validation and no index.
 */
const db = open<Uint8Array, [string, number, number]>({
  path: join(process.argv[2]!, 'bare.mdb'),
  noSubdir: true,
  encoding: 'binary',
  mapSize: 1024 ** 4,
  maxReaders: 126,
  remapChunks: false,
});
let uploads = 0;

process.on('message', (file: string) => {
  const bytes = readFileSync(file);
  const begun = performance.now();
  const { results } = JSON.parse(bytes.toString('utf8')) as { results: unknown[] };
  uploads += 1;
  let last: Promise<boolean> = Promise.resolve(true);
  results.forEach((row, at) => {
    last = db.put(['r', uploads, at], Buffer.from(JSON.stringify(row)));
  });
  void last.then(() => process.send!(performance.now() - begun));
});
process.on('disconnect', () => process.exit(0));
