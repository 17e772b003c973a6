import { join } from 'node:path';
import type { Request } from 'autocannon';
import { atMost, defineBench, type Row } from './bench.js';
import { GRAPHS, type ThreadmillServer } from './contenders/threadmill.js';
import { ECHO_REQUEST, streamOnThread } from './echo.js';
import { durationMs, sendLoad, warmUpInTurns, type Length, type Load } from './load.js';
import { alternate, format, median, medianRatio, warmCpuPerUnit, type Paired } from './measure.js';
import type { Workbench } from './workbench.js';

interface Params {
  clients: number;
  pairs: number;
  rounds: number;
  warmUp: Length;
  length: Length;
}

/** Largest CPU time of a recorded run, as a multiple of one that is not recorded. */
const RATIO_MAX = 1.12;

const QUESTION = { role: 'user', content: 'How is the weather in Oslo?' };
const CHAT_MESSAGES = 39;
const MESSAGE_CHARS = 400;

const KINDS: { what: string; request: () => Load['request']; answer: string; steps: number }[] = [
  { what: '`POST /runs/wait`', request: () => ECHO_REQUEST, answer: 'second hello', steps: 3 },
  { what: 'a streamed run on a thread', request: () => streamOnThread(), answer: 'second hello', steps: 3 },
  { what: 'a streamed run of an agent on a thread', request: streamAgent, answer: 'light wind', steps: 9 },
  { what: 'an agent that is given 40 messages', request: waitForChat, answer: 'light wind', steps: 9 },
];

function startServer(bench: Workbench, config: string): Promise<ThreadmillServer> {
  return bench.startServer({ workers: 1, dataFolder: bench.createFolder(), config: join(GRAPHS, config) });
}

/** One question to an agent, which calls a model, a tool and the model again. */
function streamAgent(): Request {
  return streamOnThread({
    assistant_id: 'agent',
    input: { messages: [QUESTION] },
    stream_mode: ['messages-tuple', 'updates'],
  });
}

/** The same question at the end of a chat, nearly all of which is in the inputs of most steps. */
function waitForChat(): Request {
  const messages = Array.from({ length: CHAT_MESSAGES }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `${n} `.padEnd(MESSAGE_CHARS, 'of something that was said '),
  }));
  const body = { assistant_id: 'agent', input: { messages: [...messages, QUESTION] } };
  return { method: 'POST', path: '/runs/wait', body: JSON.stringify(body) };
}

export default defineBench({
  name: 'traces',
  description: 'CPU time of a run that is recorded as a trace, compared with one that is not',
  smoke: { clients: 16, pairs: 1, rounds: 1, warmUp: { requests: 16 }, length: { requests: 64 } } as Params,
  // V8 compiles for 25 s, for 40 s in a server that records. That belongs to the start, not to each run. Two processes
  // of one build differ by 5 %, so a row has four pairs of servers.
  real: { clients: 16, pairs: 4, rounds: 4, warmUp: { seconds: 40 }, length: { seconds: 2 } } as Params,
  async run(bench, { clients, pairs, rounds, warmUp, length }) {
    const rows: Row[] = [];
    for (const { what, request, answer, steps } of KINDS) {
      const fronts: number[] = [];
      const paired: Paired = { ours: [], reference: [] };
      const loadOf = ({ url }: ThreadmillServer): ((of: Length) => Promise<number>) => {
        const load = { url, clients, request: request(), check: (body: string): boolean => body.includes(answer) };
        return async (of) => (await sendLoad({ ...load, length: of })).responses;
      };
      for (let pair = 0; pair < pairs; pair += 1) {
        const recording = await startServer(bench, 'traces.json');
        const plain = bench.isSmoke ? null : await startServer(bench, 'langgraph.json');
        const loadRecording = loadOf(recording);
        const loadPlain = plain === null ? null : loadOf(plain);
        await warmUpInTurns(warmUp, length, loadRecording, loadPlain);
        const cpuOfRecording = await warmCpuPerUnit(
          recording.pid,
          () => loadRecording(length),
          (used) => fronts.push(used?.main ?? NaN),
        );
        const cpuOfPlain =
          plain === null || loadPlain === null ? null : await warmCpuPerUnit(plain.pid, () => loadPlain(length));
        const measured = await alternate(rounds, cpuOfRecording, cpuOfPlain);
        paired.ours.push(...measured.ours);
        paired.reference.push(...measured.reference);
        await Promise.all([recording.close(), plain?.close()]);
      }
      const ratio = medianRatio(paired);
      rows.push({
        what: `CPU of ${what}, recorded as a trace`,
        ours: `${format.us(median(paired.ours))}, of it front thread ${format.us(median(fronts))}`,
        reference: bench.isSmoke ? null : `${format.us(median(paired.reference))} not recorded`,
        ratio: ratio === null ? null : format.ratio(ratio),
        budget: `at most ${RATIO_MAX}`,
        missed: atMost(ratio, RATIO_MAX),
        method: [
          `${pairs} pairs of servers, ${rounds} alternating rounds of ${durationMs(length) / 1_000} s of each after ` +
            `${durationMs(warmUp) / 1_000} s of warm-up in such rounds, ${clients} clients, one graph worker, Node ` +
            `${process.version}; CPU time of all threads by the kernel, divided by the runs.`,
          `A trace of ${steps} steps with their inputs and outputs. Statistics of the project are computed meanwhile.`,
        ],
      });
    }
    return rows;
  },
});
