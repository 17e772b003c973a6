import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../src/base/limits.js';
import { atMost, defineBench, verify } from './bench.js';
import { alternate, median, medianRatio, format } from './measure.js';
import { StreamClient } from './stream-client.js';

const TIMES_MAX = 1.1;
/** Events of a run that readers at different places keep. */
const EVENT_BYTES = LIMITS.runTailBytesMax + LIMITS.creditBytes;

export default defineBench({
  name: 'idle-readers',
  description: 'A run with many subscribers that do not read, compared with the same run alone',
  smoke: { readers: 20, prelude: 500, chunks: 500, size: 30, pairs: 1 },
  real: { readers: 1_000, prelude: 35_000, chunks: 35_000, size: 30, pairs: 15 },
  async run(bench, { readers, prelude, chunks, size, pairs }) {
    const ours = await bench.startServer({ workers: 1 });
    const client = new StreamClient(ours.url);
    bench.onClose(() => client.close());
    const folder = bench.createFolder();
    let runs = 0;
    /**
     * Starts a run that waits until all subscribers have joined. Returns how long the reading client receives events.
     */
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
      const held = await client.openWithoutReading(path, idle);
      // First fills the sockets of the clients that do not read, with less than the server's tail, so that the other
      // client keeps up.
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
      // The server needs time to notice closed sockets, which must not count for the next run.
      await new Promise((resolve) => setTimeout(resolve, idle > 0 ? 200 : 0));
      return ms;
    };
    // The peak of a run alone rises over the first ten runs, by up to 170 MB.
    for (let warmup = 0; warmup < (bench.isSmoke ? 1 : 2 * pairs); warmup += 1) await timed(0)();
    const alone = ours.memory().peak;
    await timed(readers)();
    const paired = await alternate(pairs, timed(readers), bench.isSmoke ? null : timed(0));
    const grown = ours.memory().peak - alone;
    const bound = readers * 2 * LIMITS.writeBytesMax + EVENT_BYTES;
    const times = medianRatio(paired);
    const method: [string, string] = [
      `${pairs} alternating pairs after warm-up, one graph worker: a run of ${chunks.toLocaleString('en-US')} ` +
        `custom chunks of ${size} characters on a thread, with one client that reads and ` +
        `${readers.toLocaleString('en-US')} that join and read nothing. It first writes ` +
        `${prelude.toLocaleString('en-US')} other chunks, which fill their sockets; measured from then to the end ` +
        'of the stream.',
      'Ratio of a pair, median of the pairs; every run counts the events and compares the last one, and every ' +
        'join returned 200.',
    ];
    return [
      {
        what: `${readers.toLocaleString('en-US')} subscribers that do not read: time of the run`,
        ours: format.ms(median(paired.ours)),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} alone`,
        ratio: format.ratio(times),
        budget: `at most ${TIMES_MAX} ×`,
        missed: atMost(times, TIMES_MAX),
        method,
      },
      {
        what: 'the same: memory',
        ours: `+${format.mb(grown)} at the peak`,
        reference: null,
        ratio: null,
        budget: `bounded: under ${format.mb(bound)}`,
        missed: atMost(grown, bound),
        method: [
          `Peak resident memory (VmHWM), minus the peak after ${2 * pairs} runs without such subscribers.`,
          `Bound: two writes of ${LIMITS.writeBytesMax / 1024} KiB per subscriber, plus the events that are kept ` +
            `(${format.mb(EVENT_BYTES)}).`,
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
