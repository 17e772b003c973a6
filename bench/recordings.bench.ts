import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { atMost, defineBench } from './bench.js';
import { GRAPHS, type ThreadmillServer } from './contenders/threadmill.js';
import { durationMs, sendLoad, type Length } from './load.js';
import { alternate, format, median, medianRatio, warmCpuPerUnit } from './measure.js';

/** Largest CPU time of a run that keeps its calls, as a multiple of one that is only recorded as a trace. */
const RATIO_MAX = 1.5;

const ANSWER = JSON.stringify({ text: 'light wind '.repeat(400) });

export default defineBench({
  name: 'recordings',
  description: 'CPU time of a run that keeps what it gets from outside, compared with one that is only traced',
  smoke: { clients: 8, rounds: 1, length: { requests: 32 } as Length },
  real: { clients: 16, rounds: 7, length: { seconds: 2 } as Length },
  async run(bench, { clients, rounds, length }) {
    const outside = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end(ANSWER));
    });
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = outside.address() as AddressInfo;
      const input = { url: `http://127.0.0.1:${port}/` };
      const request = { method: 'POST', path: '/runs/wait', body: JSON.stringify({ assistant_id: 'calls', input }) };
      const check = (body: string): boolean => body.includes(`${ANSWER.length} and ${ANSWER.length} characters`);
      const cpuOf = ({ url, pid }: ThreadmillServer): Promise<() => Promise<number>> =>
        warmCpuPerUnit(pid, async () => (await sendLoad({ url, clients, length, request, check })).responses);
      const start = (config: string): Promise<ThreadmillServer> =>
        bench.startServer({ workers: 1, dataFolder: bench.createFolder(), config: join(GRAPHS, config) });
      const recording = await start('recordings.json');
      const traced = bench.isSmoke ? null : await start('calls.json');
      const paired = await alternate(rounds, await cpuOf(recording), traced === null ? null : await cpuOf(traced));
      const ratio = medianRatio(paired);
      return [
        {
          what: 'CPU of `POST /runs/wait` with two calls that are recorded',
          ours: format.us(median(paired.ours)),
          reference: traced === null ? null : `${format.us(median(paired.reference))} only traced`,
          ratio: ratio === null ? null : format.ratio(ratio),
          budget: `at most ${RATIO_MAX}`,
          missed: atMost(ratio, RATIO_MAX),
          method: [
            `${rounds} alternating rounds of ${durationMs(length) / 1_000} s, ${clients} clients, one graph worker, ` +
              `Node ${process.version}; CPU time of all threads by the kernel, divided by the runs.`,
            'One request over `fetch` and one over `node:http`, with answers of 4.4 kB, beside times and ids.',
          ],
        },
      ];
    } finally {
      outside.closeAllConnections();
      outside.close();
    }
  },
});
