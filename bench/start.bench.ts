import { atMost, defineBench, verify } from './bench.js';
import { spawnSync } from 'node:child_process';
import { alternate, median, show } from './measure.js';

const START_MS_MAX = 1_000;
const REST_MB_MAX = 150;

export default defineBench({
  name: 'start',
  description: 'Start to the first /ok, and memory at rest',
  smoke: { rounds: 1, restMs: 100 },
  real: { rounds: 9, restMs: 2_000 },
  async run(bench, { rounds, restMs }) {
    const resting: number[] = [];
    const startOurs = async (): Promise<number> => {
      const ours = await bench.ours({ workers: 1, fresh: true });
      verify((await (await fetch(`${ours.url}/ok`)).text()) === '{"ok":true}', '/ok');
      await new Promise((resolve) => setTimeout(resolve, restMs));
      resting.push(ours.memory().rss);
      await ours.close();
      return ours.startMs;
    };
    const startNode = async (): Promise<number> => {
      const begun = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      return performance.now() - begun;
    };
    if (!bench.oursOnly) await startOurs();
    resting.length = 0;
    const paired = await alternate(rounds, startOurs, bench.oursOnly ? null : startNode);
    const startMs = median(paired.ours);
    const restMb = median(resting) / 1e6;
    const check = 'Median of the rounds; `/ok` compared.';
    return [
      {
        what: 'start to `/ok`',
        ours: show.ms(startMs),
        reference: bench.oursOnly ? null : `${show.ms(median(paired.reference))} an empty node`,
        ratio: null,
        budget: `under ${START_MS_MAX / 1_000} s`,
        missed: bench.oursOnly ? null : atMost(startMs, START_MS_MAX),
        method: [
          `${rounds} starts with an empty data folder and one graph worker that loads five graphs, after one not counted; from spawn to the answer.`,
          check,
        ],
      },
      {
        what: 'memory at rest, one graph worker',
        ours: `${restMb.toFixed(0)} MB`,
        reference: null,
        ratio: null,
        budget: `under ${REST_MB_MAX} MB`,
        missed: bench.oursOnly ? null : atMost(restMb, REST_MB_MAX),
        method: [
          `Resident memory (VmRSS) of the whole process ${restMs / 1_000} s after the same starts; no run yet.`,
          check,
        ],
      },
    ];
  },
});
