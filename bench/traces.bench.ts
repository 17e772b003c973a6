import { join } from 'node:path';
import type { Request } from 'autocannon';
import { atMost, defineBench, type Row } from './bench.js';
import { GRAPHS, type ThreadmillServer } from './contenders/threadmill.js';
import { ECHO_REQUEST, streamOnThread } from './echo.js';
import { durationMs, sendLoad, type Length, type Load } from './load.js';
import { alternate, format, median, medianRatio, warmCpuPerUnit, type ThreadsCpu } from './measure.js';

/** Largest CPU time of a recorded run, as a multiple of one that is not recorded. */
const RATIO_MAX = 1.12;

const KINDS: { what: string; request: () => Load['request']; answer: string; steps: number }[] = [
  { what: '`POST /runs/wait`', request: () => ECHO_REQUEST, answer: 'second hello', steps: 3 },
  { what: 'a streamed run on a thread', request: () => streamOnThread(), answer: 'second hello', steps: 3 },
  { what: 'a streamed run of an agent on a thread', request: streamAgent, answer: 'light wind', steps: 7 },
];

/** One question to an agent, which calls a model, a tool and the model again. */
function streamAgent(): Request {
  return streamOnThread({
    assistant_id: 'agent',
    input: { messages: [{ role: 'user', content: 'How is the weather in Oslo?' }] },
    stream_mode: ['messages-tuple', 'updates'],
  });
}

export default defineBench({
  name: 'traces',
  description: 'CPU time of a run that is recorded as a trace, compared with one that is not',
  smoke: { clients: 16, rounds: 1, warmUp: { requests: 16 } as Length, length: { requests: 64 } as Length },
  // V8 compiles for 20 s, more for a server that records. That belongs to the start, not to each run.
  real: { clients: 16, rounds: 7, warmUp: { seconds: 20 } as Length, length: { seconds: 2 } as Length },
  async run(bench, { clients, rounds, warmUp, length }) {
    const recording = await bench.startServer({
      workers: 1,
      dataFolder: bench.createFolder(),
      config: join(GRAPHS, 'traces.json'),
    });
    const plain = bench.isSmoke
      ? null
      : await bench.startServer({
          workers: 1,
          dataFolder: bench.createFolder(),
          config: join(GRAPHS, 'langgraph.json'),
        });
    const rows: Row[] = [];
    for (const { what, request, answer, steps } of KINDS) {
      const fronts: number[] = [];
      const check = (body: string): boolean => body.includes(answer);
      const cpuOf = async (
        { url, pid }: ThreadmillServer,
        onMeasured?: (used: ThreadsCpu | null) => void,
      ): Promise<() => Promise<number>> => {
        const load = { url, clients, request: request(), check };
        await sendLoad({ ...load, length: warmUp });
        return warmCpuPerUnit(pid, async () => (await sendLoad({ ...load, length })).responses, onMeasured);
      };
      const cpuOfRecording = await cpuOf(recording, (used) => fronts.push(used?.main ?? NaN));
      const paired = await alternate(rounds, cpuOfRecording, plain === null ? null : await cpuOf(plain));
      const ratio = medianRatio(paired);
      rows.push({
        what: `CPU of ${what}, recorded as a trace`,
        ours: `${format.us(median(paired.ours))}, of it front thread ${format.us(median(fronts))}`,
        reference: plain === null ? null : `${format.us(median(paired.reference))} not recorded`,
        ratio: ratio === null ? null : format.ratio(ratio),
        budget: `at most ${RATIO_MAX}`,
        missed: atMost(ratio, RATIO_MAX),
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s after ${durationMs(warmUp) / 1_000} s of ` +
            `warm-up, ${clients} clients, one graph worker, Node ${process.version}; CPU time of all threads by the ` +
            'kernel, divided by the runs.',
          `A trace of ${steps} steps with their inputs and outputs. Statistics of the project are computed meanwhile.`,
        ],
      });
    }
    return rows;
  },
});
