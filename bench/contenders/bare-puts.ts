import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { open } from 'lmdb';

const RECORD = randomBytes(300);

/** Measures what the disk and LMDB can do: each loop awaits its put, which is then on disk, before the next one. */
const db = open<Uint8Array, string[]>({
  path: join(process.argv[2]!, 'bare.mdb'),
  noSubdir: true,
  encoding: 'binary',
  mapSize: 1024 ** 4,
  maxReaders: 126,
  remapChunks: false,
});

process.on('message', ({ loops, ms }: { loops: number; ms: number }) => {
  const begun = performance.now();
  let puts = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begun < ms) {
      await db.put(['t', randomBytes(16).toString('hex')], RECORD);
      puts += 1;
    }
  };
  void Promise.all(Array.from({ length: loops }, loop)).then(() =>
    process.send!((puts / (performance.now() - begun)) * 1_000),
  );
});
