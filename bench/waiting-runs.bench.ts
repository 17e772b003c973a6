import { atMost, defineBench, verify } from './bench.js';
import { sendJson, sendLoad } from './load.js';
import { alternate, median, medianRatio, format } from './measure.js';

const TIMES_MAX = 1.3;

export default defineBench({
  name: 'waiting-runs',
  description: 'Many concurrent runs that mostly wait, default settings',
  smoke: { runs: 50, ms: 50, rounds: 1, warmups: 0 },
  real: { runs: 300, ms: 500, rounds: 9, warmups: 3 },
  async run(bench, { runs, ms, rounds, warmups }) {
    const ours = await bench.startServer();
    const inProcess = await bench.startInProcess();
    const input = { ms };
    const expect = JSON.stringify({ ms, slept: ms });
    const body = { assistant_id: 'pause', input };
    verify(JSON.stringify(await sendJson(ours.url, 'POST', '/runs/wait', body)) === expect, 'the wait');
    const wallOurs = async (): Promise<number> => {
      // The server keeps a wait open with newlines before the JSON.
      const result = await sendLoad({
        url: ours.url,
        clients: runs,
        length: { requests: runs },
        request: { method: 'POST', path: '/runs/wait', body: JSON.stringify(body) },
        check: (text) => text.trim() === expect,
      });
      verify(result.responses === runs, `${result.responses} of ${runs} answers`);
      return result.wallMs;
    };
    const wallInProcess = async (): Promise<number> =>
      (await inProcess!.run({ type: 'together', graphId: 'pause', input, expect, runs })).ms;
    for (let i = 0; i < warmups; i += 1) {
      await wallOurs();
      if (inProcess !== null) await wallInProcess();
    }
    const paired = await alternate(rounds, wallOurs, inProcess === null ? null : wallInProcess);
    const times = medianRatio(paired);
    return [
      {
        what: `${runs} runs that each wait ${ms} ms, at once, default settings`,
        inReadme: true,
        ours: format.ms(median(paired.ours)),
        reference: inProcess === null ? null : `${format.ms(median(paired.reference))} in process`,
        ratio: format.ratio(times),
        budget: `at most ${TIMES_MAX} ×`,
        missed: atMost(times, TIMES_MAX),
        method: [
          `${rounds} alternating rounds after ${warmups} warm-up rounds; ${runs} connections, one wait each; ` +
            `from the first request to the last answer, connecting included; the other side is ${runs} \`stream\` ` +
            'calls at once.',
          'Ratio of a round, median of the rounds; every body is compared.',
        ],
      },
    ];
  },
});
