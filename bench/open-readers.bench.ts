import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, defineBench, verify } from './bench.js';
import { sendJson } from './load.js';
import { format, median } from './measure.js';
import { StreamClient, type StreamResult } from './stream-client.js';

const READER_BYTES_MAX = 16 * 1024;
/** Readers that are opened at the same time. */
const OPENING_AT_ONCE = 100;

export default defineBench({
  name: 'open-readers',
  description: 'Many open streams that all read: memory, and the time until each has its events',
  smoke: { runs: 2, readers: 3, chunks: 5, size: 100, rounds: 1 },
  real: { runs: 100, readers: 100, chunks: 10, size: 100, rounds: 3 },
  async run(bench, { runs, readers, chunks, size, rounds }) {
    const ours = await bench.startServer({ workers: 1, fresh: true });
    const client = new StreamClient(ours.url);
    bench.onClose(() => client.close());
    const folder = bench.createFolder();
    const streams = runs * readers;

    /** Opens all streams, and then lets all runs write. */
    const round = async (number: number): Promise<{ bytesPerReader: number; deliveryMs: number }> => {
      const gate = join(folder, `gate-${number}`);
      const input = { n: chunks, size, gate };
      const paths = await Promise.all(
        Array.from({ length: runs }, async () => {
          const threadId = randomUUID();
          const run = await sendJson<{ run_id: string }>(ours.url, 'POST', `/threads/${threadId}/runs`, {
            assistant_id: 'chunks',
            input,
            stream_mode: 'custom',
            if_not_exists: 'create',
          });
          return `/threads/${threadId}/runs/${run.run_id}/stream`;
        }),
      );
      const before = ours.memory().own;
      const reading: Promise<StreamResult>[] = [];
      for (let from = 0; from < streams; from += OPENING_AT_ONCE) {
        const opened = Array.from({ length: Math.min(OPENING_AT_ONCE, streams - from) }, (_, at) => {
          const path = paths[(from + at) % runs]!;
          return new Promise<void>((resolve, reject) => {
            const one = client.read('GET', path, undefined, { onHead: () => resolve() });
            one.catch(reject);
            reading.push(one);
          });
        });
        await Promise.all(opened);
      }
      // Memory of requests that are over is free by then.
      await sleep(bench.isSmoke ? 0 : 1_000);
      const bytesPerReader = (ours.memory().own - before) / streams;
      const begun = performance.now();
      writeFileSync(gate, '');
      const results = await Promise.all(reading);
      const deliveryMs = performance.now() - begun;
      const last = JSON.stringify({ i: chunks - 1, text: 'x'.repeat(size) });
      for (const { events, lastData } of results)
        verify(events >= chunks && lastData === last, `${events} events, the last ${lastData.slice(0, 100)}`);
      return { bytesPerReader, deliveryMs };
    };

    const measured: { bytesPerReader: number; deliveryMs: number }[] = [];
    for (let number = 0; number < rounds; number += 1) measured.push(await round(number));
    // The first streams also let the heap grow to its usual size.
    const bytesPerReader = measured[0]!.bytesPerReader;
    const deliveryMs = median(measured.map((one) => one.deliveryMs));
    const method: [string, string] = [
      `${runs} runs on threads wait, and ${readers} streams join each of them, all from one process; then every run ` +
        `writes ${chunks} custom chunks of ${size} characters. One graph worker, ${rounds} rounds.`,
      'Every stream ends after all its events, whose number and last one are compared.',
    ];
    return [
      {
        what: `${streams.toLocaleString('en-US')} open streams: memory a stream`,
        ours: format.bytes(Math.round(bytesPerReader)),
        reference: null,
        ratio: null,
        budget: `at most ${format.bytes(READER_BYTES_MAX)}`,
        missed: bench.isSmoke ? null : atMost(bytesPerReader, READER_BYTES_MAX),
        method: [`${method[0]} Memory without file pages (RssAnon), in the first round.`, method[1]],
      },
      {
        what: 'the same: until every stream has all its events',
        ours: format.ms(deliveryMs),
        reference: null,
        ratio: `${Math.round((streams * chunks) / (deliveryMs / 1_000)).toLocaleString('en-US')} events/s`,
        budget: 'none',
        missed: null,
        method,
      },
    ];
  },
});
