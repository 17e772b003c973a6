import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, MiB } from '../src/base/limits.js';
import { atMost, defineBench, verify } from './bench.js';
import { alternate, median, medianRatio, show } from './measure.js';
import { StreamClient } from './stream-client.js';

const TIMES_MAX = 1.1;
/** What does not depend on readers: the tail, credit, a young heap. */
const FIXED_BYTES = LIMITS.runTailBytesMax + LIMITS.creditBytes + 64 * MiB;

export default defineBench({
  name: 'idle-readers',
  description: 'A run that many follow without reading, beside the same run alone',
  smoke: { readers: 20, prelude: 500, chunks: 500, size: 30, pairs: 1 },
  real: { readers: 1_000, prelude: 35_000, chunks: 35_000, size: 30, pairs: 15 },
  async run(bench, { readers, prelude, chunks, size, pairs }) {
    const ours = await bench.ours({ workers: 1 });
    const client = new StreamClient(ours.url);
    bench.defer(() => client.close());
    const folder = bench.folder();
    let runs = 0;
    /** One run that waits at a gate until everyone has joined; how long the reader that reads gets events. */
    const timed = (idle: number) => async (): Promise<number> => {
      const gate = join(folder, `gate-${runs++}`);
      const threadId = randomUUID();
      const opened = resolvers<string>();
      const filled = resolvers<void>();
      const reading = client.read(
        'POST',
        `/threads/${threadId}/runs/stream`,
        {
          assistant_id: 'chunks',
          input: { prelude, n: chunks, size, gate },
          stream_mode: 'custom',
          if_not_exists: 'create',
        },
        {
          onHead: (headers) => opened.resolve(String(headers['content-location'])),
          onEvents: (events) => {
            if (events === prelude + 1) filled.resolve();
          },
        },
      );
      const path = `${await opened.promise}/stream`;
      const held = await client.hold(path, idle);
      // First as much as fills the sockets of those that do not read, less than the server's tail, so that the other keeps up.
      writeFileSync(`${gate}.prelude`, '');
      await Promise.race([filled.promise, reading]);
      const begun = performance.now();
      writeFileSync(gate, '');
      const result = await reading;
      const ms = performance.now() - begun;
      verify(
        result.events === prelude + chunks + 1 &&
          result.lastData === JSON.stringify({ i: chunks - 1, text: 'x'.repeat(size) }),
        `${result.events} events, the last ${result.lastData.slice(0, 100)}`,
      );
      held.close();
      // Readers that left are noticed by their sockets; the next run shall not pay for it.
      await new Promise((resolve) => setTimeout(resolve, idle > 0 ? 200 : 0));
      return ms;
    };
    await timed(0)();
    await timed(0)();
    const alone = ours.memory().peak;
    await timed(readers)();
    const paired = await alternate(pairs, timed(readers), bench.oursOnly ? null : timed(0));
    const grown = ours.memory().peak - alone;
    const bound = readers * 2 * LIMITS.writeBytesMax + FIXED_BYTES;
    const times = medianRatio(paired);
    const method: [string, string] = [
      `${pairs} alternating pairs after warm-up, one graph worker: a run of ${chunks.toLocaleString('en-US')} custom chunks of ${size} characters on a thread, followed by one reader that reads and ${readers.toLocaleString('en-US')} that joined and read nothing; it first writes ${prelude.toLocaleString('en-US')} others, which fill their sockets; timed from then to the stream's end.`,
      'Quotient of a pair, median; events counted and the last compared in every run, every join answered 200.',
    ];
    return [
      {
        what: `${readers.toLocaleString('en-US')} readers that do not read: the run they follow`,
        ours: show.ms(median(paired.ours)),
        reference: bench.oursOnly ? null : `${show.ms(median(paired.reference))} alone`,
        ratio: show.ratio(times),
        budget: `at most ${TIMES_MAX} ×`,
        missed: atMost(times, TIMES_MAX),
        method,
      },
      {
        what: 'the same: memory',
        ours: `+${show.mb(grown)} at the peak`,
        reference: null,
        ratio: null,
        budget: `bounded: under ${show.mb(bound)}`,
        missed: atMost(grown, bound),
        method: [
          'Peak resident memory (VmHWM) over all of it, less the peak after two runs with no such reader.',
          `Bound: two writes of ${LIMITS.writeBytesMax / 1024} KiB a reader, and what runs need anyway (${show.mb(FIXED_BYTES)}).`,
        ],
      },
    ];
  },
});

function resolvers<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
