import { atLeast, defineBench, verify } from './bench.js';
import { ECHO_ANSWER, ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { cpuEvidence } from './evidence.js';
import { perSecond, type InProcessResult } from './contenders/in-process.js';
import { type Length, type LoadResult, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, median, medianRatio, format } from './measure.js';

const DEV_SERVER_TIMES_MIN = 20;
const IN_PROCESS_SHARE_MIN = 0.8;

export default defineBench({
  name: 'wait-throughput',
  description: 'Runs per second of one graph worker: /runs/wait of a two-node graph',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length },
  real: { clients: 16, rounds: 7, length: { seconds: 4 } as Length },
  async run(bench, { clients, rounds, length }) {
    const ours = await bench.startServer({ workers: 1 });
    const inProcess = await bench.startInProcess();
    const loadAt = (url: string): Promise<LoadResult> =>
      sendLoad({ url, clients, length, request: ECHO_REQUEST, check: (body) => body === ECHO_ANSWER });
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
        ms: durationMs(length),
      });
    const rateInProcess = async (): Promise<number> => perSecond(await runInProcess());
    const check = async (url: string): Promise<void> =>
      verify(
        JSON.stringify(await sendJson(url, 'POST', '/runs/wait', JSON.parse(ECHO_REQUEST.body!))) === ECHO_ANSWER,
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

    // Started only now, because an idle dev server still polls.
    const devServer = await bench.startDevServer();
    if (devServer !== null) {
      await check(devServer.url);
      await rateAt(devServer.url)();
    }
    const beside =
      devServer === null ? { ours: [], reference: [] } : await alternate(rounds, rateOurs, rateAt(devServer.url));
    const times = medianRatio(beside);
    const method = (other: string): [string, string] => [
      `${clients} clients, ${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up, one ` +
        `graph worker; ${other}`,
      'Ratio of a round, median of the rounds; every body is compared with the expected bytes.',
    ];
    return [
      {
        what: `\`/runs/wait\`, ${clients} clients, one worker`,
        inReadme: true,
        ours: format.perSecond(median(alone.ours)),
        reference: inProcess === null ? null : `${format.perSecond(median(alone.reference))} in process`,
        ratio: format.ratio(share),
        budget: `at least ${IN_PROCESS_SHARE_MIN}`,
        missed: atLeast(share, IN_PROCESS_SHARE_MIN),
        method: method(
          `the other side keeps ${clients} \`stream\` calls in \`values\` mode in flight in a separate process.`,
        ),
        evidence,
      },
      {
        what: 'the same, compared with the JavaScript dev server',
        inReadme: true,
        ours: devServer === null ? format.perSecond(median(alone.ours)) : format.perSecond(median(beside.ours)),
        reference:
          devServer === null
            ? bench.isSmoke
              ? null
              : `not available: ${bench.devServerProblem}`
            : `${format.perSecond(median(beside.reference))} dev server`,
        ratio: times === null ? null : `${times.toFixed(1)} ×`,
        budget: `at least ${DEV_SERVER_TIMES_MIN} ×`,
        missed: devServer === null && !bench.isSmoke ? 'not measured' : atLeast(times, DEV_SERVER_TIMES_MIN),
        method: method(
          'the other side is `langgraphjs dev` with its defaults (ten queue workers on one thread), the same graph files.',
        ),
      },
    ];
  },
});
