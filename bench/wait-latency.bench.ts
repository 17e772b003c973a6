import { atMost, defineBench, verify } from './bench.js';
import { ECHO_ANSWER, ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { type Length, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, median, medianDifference, quantile, format } from './measure.js';

const ADDED_MS_MAX = 1;

export default defineBench({
  name: 'wait-latency',
  description: 'Latency that the server adds to one run: /runs/wait of a two-node graph, one client',
  smoke: { rounds: 1, length: { requests: 64 } as Length },
  real: { rounds: 9, length: { seconds: 3 } as Length },
  async run(bench, { rounds, length }) {
    const ours = await bench.startServer({ workers: 1 });
    const inProcess = await bench.startInProcess();
    verify(
      JSON.stringify(await sendJson(ours.url, 'POST', '/runs/wait', JSON.parse(ECHO_REQUEST.body!))) === ECHO_ANSWER,
      'the wait',
    );
    const p50Ours = async (): Promise<number> => {
      const { latenciesMs } = await sendLoad({
        url: ours.url,
        clients: 1,
        length,
        request: ECHO_REQUEST,
        check: (body) => body === ECHO_ANSWER,
      });
      return quantile(latenciesMs, 0.5);
    };
    const p50InProcess = async (): Promise<number> => {
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
      return quantile(latenciesMs, 0.5);
    };
    await p50Ours();
    if (inProcess !== null) await p50InProcess();
    const paired = await alternate(rounds, () => p50Ours(), inProcess === null ? null : () => p50InProcess());
    const added = medianDifference(paired);
    return [
      {
        what: '`/runs/wait`, two-node graph, one client, p50',
        ours: format.ms(median(paired.ours)),
        reference: inProcess === null ? null : `${format.ms(median(paired.reference))} in process`,
        ratio: added === null ? null : format.addedMs(added),
        budget: `at most +${ADDED_MS_MAX} ms`,
        missed: atMost(added, ADDED_MS_MAX),
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up; one graph worker; ` +
            `the other side is \`stream\` in \`values\` mode in a separate process, one run after another.`,
          'Difference of the two p50 of a round, median of the rounds; every body is compared with the expected bytes.',
        ],
      },
    ];
  },
});
