import { atLeast, defineBench, verify } from './bench.js';
import { ECHO_ANSWER, ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { cpuEvidence } from './evidence.js';
import { perSecond, type InProcessResult } from './contenders/in-process.js';
import { type Length, type LoadResult, ask, load, milliseconds } from './load.js';
import { alternate, median, medianRatio, show } from './measure.js';

const DEV_SERVER_TIMES_MIN = 20;
const IN_PROCESS_SHARE_MIN = 0.8;

export default defineBench({
  name: 'wait-throughput',
  description: 'Runs a second of one graph worker: /runs/wait of a two-node graph',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length },
  real: { clients: 16, rounds: 7, length: { seconds: 4 } as Length },
  async run(bench, { clients, rounds, length }) {
    const ours = await bench.ours({ workers: 1 });
    const inProcess = await bench.inProcess();
    const loadAt = (url: string): Promise<LoadResult> =>
      load({ url, clients, for: length, request: ECHO_REQUEST, check: (body) => body === ECHO_ANSWER });
    const rateAt = (url: string) => async (): Promise<number> => (await loadAt(url)).perSecond;
    const runInProcess = (): Promise<InProcessResult> =>
      inProcess!.run({
        type: 'rate',
        graphId: 'echo',
        input: ECHO_INPUT,
        expect: ECHO_ANSWER,
        how: 'values',
        saver: 'none',
        turnsPerThread: 1,
        clients,
        ms: milliseconds(length),
      });
    const rateInProcess = async (): Promise<number> => perSecond(await runInProcess());
    const check = async (url: string): Promise<void> =>
      verify(
        JSON.stringify(await ask(url, 'POST', '/runs/wait', JSON.parse(ECHO_REQUEST.body!))) === ECHO_ANSWER,
        `the wait at ${url}`,
      );
    const rateOurs = rateAt(ours.url);
    await check(ours.url);
    await rateOurs();
    if (inProcess !== null) await rateInProcess();
    const alone = await alternate(rounds, rateOurs, inProcess === null ? null : rateInProcess);
    const share = medianRatio(alone);
    const evidence = await cpuEvidence(
      'run',
      ours,
      async () => (await loadAt(ours.url)).responses,
      inProcess,
      async () => (await runInProcess()).runs,
    );

    // Started only now: an idle dev server still polls.
    const devServer = await bench.devServer();
    if (devServer !== null) {
      await check(devServer.url);
      await rateAt(devServer.url)();
    }
    const beside =
      devServer === null ? { ours: [], reference: [] } : await alternate(rounds, rateOurs, rateAt(devServer.url));
    const times = medianRatio(beside);
    const method = (other: string): [string, string] => [
      `${clients} clients, ${rounds} alternating rounds of ${milliseconds(length) / 1_000} s after a warm-up, one graph worker; ${other}`,
      'Quotient of a round, median of the rounds; every body compared with the expected bytes.',
    ];
    return [
      {
        what: `\`/runs/wait\`, ${clients} clients, one worker`,
        ours: show.perSecond(median(alone.ours)),
        reference: inProcess === null ? null : `${show.perSecond(median(alone.reference))} in process`,
        ratio: show.ratio(share),
        budget: `at least ${IN_PROCESS_SHARE_MIN}`,
        missed: atLeast(share, IN_PROCESS_SHARE_MIN),
        method: method(
          `the other side keeps ${clients} \`stream\` calls in \`values\` mode going in a process of its own.`,
        ),
        evidence,
      },
      {
        what: 'the same beside the JavaScript dev server',
        ours: devServer === null ? show.perSecond(median(alone.ours)) : show.perSecond(median(beside.ours)),
        reference:
          devServer === null
            ? bench.oursOnly
              ? null
              : `not available: ${bench.devServerProblem}`
            : `${show.perSecond(median(beside.reference))} dev server`,
        ratio: times === null ? null : `${times.toFixed(1)} ×`,
        budget: `at least ${DEV_SERVER_TIMES_MIN} ×`,
        missed: devServer === null && !bench.oursOnly ? 'not measured' : atLeast(times, DEV_SERVER_TIMES_MIN),
        method: method(
          'the other side is `langgraphjs dev` with its defaults (ten queue workers on one thread), the same graph files.',
        ),
      },
    ];
  },
});
