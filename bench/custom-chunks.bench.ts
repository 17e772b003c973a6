import { atLeast, defineBench, verify, type Row } from './bench.js';
import { cpuEvidence } from './evidence.js';
import { alternate, median, medianRatio, format, type Paired } from './measure.js';
import { StreamClient, parseEvents } from './stream-client.js';

const SHARE_MIN = 0.9;

export default defineBench({
  name: 'custom-chunks',
  description: 'Custom chunks to one client and to several, compared with the rate of the graph alone',
  smoke: { chunks: 1_000, size: 40, rounds: 1, clients: 2 },
  real: { chunks: 50_000, size: 40, rounds: 11, clients: 8 },
  async run(bench, { chunks, size, rounds, clients }) {
    const ours = await bench.startServer({ workers: 1 });
    const inProcess = await bench.startInProcess();
    const client = new StreamClient(ours.url);
    bench.onClose(() => client.close());
    const body = (n: number) => ({ assistant_id: 'chunks', input: { n, size }, stream_mode: 'custom' });

    const whole = parseEvents((await client.read('POST', '/runs/stream', body(1_000), { keep: true })).text);
    verify(
      whole.length === 1_001 && whole[0]!.event === 'metadata',
      `metadata and 1,000 chunks, found ${whole.length} events`,
    );
    const text = 'x'.repeat(size);
    whole
      .slice(1)
      .forEach(({ event, data }, i) =>
        verify(event === 'custom' && JSON.stringify(data) === JSON.stringify({ i, text }), `chunk ${i}`),
      );

    const lastData = JSON.stringify({ i: chunks - 1, text });
    const readAll = async (): Promise<void> => {
      const { events, lastData: last } = await client.read('POST', '/runs/stream', body(chunks));
      verify(events === chunks + 1 && last === lastData, `${events - 1} chunks, the last ${last}`);
    };
    /** Chunks per second of all clients, each with a run of its own. */
    const rateOurs = async (clients: number): Promise<number> => {
      const begun = performance.now();
      await Promise.all(Array.from({ length: clients }, readAll));
      return ((clients * chunks) / (performance.now() - begun)) * 1_000;
    };
    const rateInProcess = async (runs: number): Promise<number> => {
      const input = { n: chunks, size };
      const { ms } = await inProcess!.run({ type: 'chunks', graphId: 'chunks', input, expect: chunks, runs });
      return ((runs * chunks) / ms) * 1_000;
    };
    const compare = (clients: number): Promise<Paired> =>
      alternate(rounds, () => rateOurs(clients), inProcess === null ? null : () => rateInProcess(clients));
    const figuresOf = (paired: Paired): Pick<Row, 'ours' | 'reference' | 'ratio' | 'budget' | 'missed'> => {
      const share = medianRatio(paired);
      return {
        ours: format.perSecond(median(paired.ours)),
        reference: inProcess === null ? null : `${format.perSecond(median(paired.reference))} in process`,
        ratio: format.ratio(share),
        budget: `at least ${SHARE_MIN}`,
        missed: atLeast(share, SHARE_MIN),
      };
    };
    await rateOurs(1);
    if (inProcess !== null) await rateInProcess(1);
    const alone = await compare(1);
    const together = await compare(clients);
    const several = (rate: (clients: number) => Promise<number>) => async (): Promise<number> => {
      for (let i = 0; i < 5; i += 1) await rate(1);
      return 5 * chunks;
    };
    const evidence = await cpuEvidence('chunk', ours, several(rateOurs), inProcess, several(rateInProcess));
    return [
      {
        what: 'custom chunks to one client',
        inReadme: true,
        ...figuresOf(alone),
        method: [
          `${rounds} alternating runs of ${chunks.toLocaleString('en-US')} chunks of ${size} characters, 64 per ` +
            `turn of the graph's loop, after a warm-up; from the request to the end of the stream, one graph ` +
            'worker.',
          'Ratio of a round, median of the rounds. 1,000 chunks are compared one by one before; every measured ' +
            'run counts the events and compares the last one.',
        ],
        evidence,
      },
      {
        what: `custom chunks to ${clients} clients, in all`,
        ...figuresOf(together),
        method: [
          `${rounds} alternating rounds of the same, with a run for each client at the same time, on both sides.`,
          'Ratio of a round, median of the rounds. Every run counts the events and compares the last one.',
        ],
      },
    ];
  },
});
