import { atMost, defineBench, verify, type Row } from './bench.js';
import { ECHO_ANSWER, ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { type Length, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, format, median, medianDifference, quantile, type Paired } from './measure.js';

/** What the server may add to a run. */
const P50 = { name: 'p50', q: 0.5, addedMsMax: 1 };
const P99 = { name: 'p99', q: 0.99, addedMsMax: 3 };

interface Params {
  rounds: number;
  length: Length;
  freshServers: number;
  /** Requests to a fresh server: those after which it is to be warm, and those that are measured then. */
  first: number;
  next: number;
}

async function latenciesOf(url: string, length: Length): Promise<number[]> {
  const check = (body: string): boolean => body === ECHO_ANSWER;
  return (await sendLoad({ url, clients: 1, length, request: ECHO_REQUEST, check })).latenciesMs;
}

export default defineBench({
  name: 'wait-latency',
  description: 'Latency that the server adds to one run: /runs/wait of a two-node graph, one client',
  smoke: { rounds: 1, length: { requests: 64 }, freshServers: 1, first: 16, next: 16 } as Params,
  real: { rounds: 9, length: { seconds: 3 }, freshServers: 5, first: 200, next: 100 } as Params,
  async run(bench, { rounds, length, freshServers, first, next }) {
    const { url } = await bench.startServer({ workers: 1 });
    const inProcess = await bench.startInProcess();
    verify(
      JSON.stringify(await sendJson(url, 'POST', '/runs/wait', JSON.parse(ECHO_REQUEST.body!))) === ECHO_ANSWER,
      'the wait',
    );
    const ours = (): Promise<number[]> => latenciesOf(url, length);
    const reference = async (): Promise<number[]> => {
      const { latenciesMs } = await inProcess!.run({
        type: 'rate',
        graphId: 'echo',
        input: ECHO_INPUT,
        expect: ECHO_ANSWER,
        how: 'values',
        saver: 'none',
        turnsPerThread: 1,
        clients: 1,
        ms: durationMs(length),
      });
      return latenciesMs;
    };
    await ours();
    if (inProcess !== null) await reference();
    const measured = await alternate(rounds, ours, inProcess === null ? null : reference);
    // The last ones, because the client has to be warm for them: it is compiled in its first thousand requests, too.
    const fresh: number[] = [];
    for (let at = 0; at < freshServers; at += 1) {
      const server = await bench.startServer({ workers: 1, fresh: true });
      await latenciesOf(server.url, { requests: first });
      fresh.push(quantile(await latenciesOf(server.url, { requests: next }), P50.q));
      await server.close();
    }
    const at = (q: number): Paired => ({
      ours: measured.ours.map((latenciesMs) => quantile(latenciesMs, q)),
      reference: measured.reference.map((latenciesMs) => quantile(latenciesMs, q)),
    });
    const rowOf = ({ name, q, addedMsMax }: typeof P50): Row => {
      const paired = at(q);
      const added = medianDifference(paired);
      return {
        what: `\`/runs/wait\`, two-node graph, one client, ${name}`,
        ours: format.ms(median(paired.ours)),
        reference: inProcess === null ? null : `${format.ms(median(paired.reference))} in process`,
        ratio: added === null ? null : format.addedMs(added),
        budget: `at most +${addedMsMax} ms`,
        missed: atMost(added, addedMsMax),
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up; one graph worker; ` +
            `the other side is \`stream\` in \`values\` mode in a separate process, one run after another.`,
          `Difference of the two ${name} of a round, median of the rounds; every body is compared with the expected bytes.`,
        ],
      };
    };
    const warmMs = median(at(P50.q).reference);
    const addedFresh = inProcess === null ? null : median(fresh) - warmMs;
    return [
      rowOf(P50),
      rowOf(P99),
      {
        what: `the same after the first ${first} requests to a server, p50 of the next ${next}`,
        ours: format.ms(median(fresh)),
        reference: inProcess === null ? null : `${format.ms(warmMs)} in process, warm`,
        ratio: addedFresh === null ? null : format.addedMs(addedFresh),
        budget: `at most +${P50.addedMsMax} ms`,
        missed: atMost(addedFresh, P50.addedMsMax),
        method: [
          `Median of ${freshServers} servers with a new data folder, whose first requests these are.`,
          'Every body is compared with the expected bytes.',
        ],
      },
    ];
  },
});
