import { randomUUID } from 'node:crypto';
import { atMost, defineBench, verify } from './bench.js';
import { ECHO_STREAM } from './echo.js';
import { durationMs, type Length } from './load.js';
import { format, median, quantile } from './measure.js';
import { StreamClient } from './stream-client.js';

const P50_MS_MAX = 5;
const RUN = { ...ECHO_STREAM, if_not_exists: 'create' };

interface Params {
  clients: number;
  rounds: number;
  warmUp: Length;
  length: Length;
}

/** Times from sending a request to the first event of its stream. Every client sends its next request at the end. */
async function readStreams(url: string, clients: number, length: Length): Promise<number[]> {
  const client = new StreamClient(url);
  const endMs = 'seconds' in length ? performance.now() + durationMs(length) : Infinity;
  let left = 'requests' in length ? length.requests : Infinity;
  const firstEventsMs: number[] = [];
  const readOneByOne = async (): Promise<void> => {
    while (left > 0 && performance.now() < endMs) {
      left -= 1;
      const { firstEventMs, lastData } = await client.read('POST', `/threads/${randomUUID()}/runs/stream`, RUN);
      verify(lastData.includes('second hello'), `the last event was ${lastData}`);
      firstEventsMs.push(firstEventMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, readOneByOne));
  client.close();
  return firstEventsMs;
}

export default defineBench({
  name: 'first-event',
  description: 'Time to the first event of a streamed run on a new thread',
  smoke: { clients: 4, rounds: 1, warmUp: { requests: 4 }, length: { requests: 16 } } as Params,
  real: { clients: 16, rounds: 7, warmUp: { seconds: 20 }, length: { seconds: 3 } } as Params,
  async run(bench, { clients, rounds, warmUp, length }) {
    const { url } = await bench.startServer({ workers: 1 });
    await readStreams(url, clients, warmUp);
    const measured: number[][] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await readStreams(url, clients, length));
    const middle = (q: number): number => median(measured.map((firstEventsMs) => quantile(firstEventsMs, q)));
    const p50 = middle(0.5);
    const perSecond = median(measured.map(({ length: streams }) => (streams / durationMs(length)) * 1_000));
    return [
      {
        what: `the first event of a streamed run on a new thread, ${clients} clients, p50`,
        ours: `${format.ms(p50)} (p99 ${format.ms(middle(0.99))})`,
        reference: null,
        ratio: null,
        budget: `at most ${P50_MS_MAX} ms`,
        missed: bench.isSmoke ? null : atMost(p50, P50_MS_MAX),
        method: [
          `${rounds} rounds of ${durationMs(length) / 1_000} s after ${durationMs(warmUp) / 1_000} s of warm-up, one ` +
            'graph worker; from sending the request to the event, by a client that reads all streams in one process.',
          'Every stream is read to its end and has the last text of the graph.',
        ],
        evidence: `${format.perSecond(perSecond)} in all.`,
      },
    ];
  },
});
