import { atMost, defineBench, verify } from './bench.js';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { alternate, median, format } from './measure.js';

const START_MS_MAX = 1_000;
const IDLE_MB_MAX = 110;

export default defineBench({
  name: 'start',
  description: 'Time from start to the first /ok, and idle memory',
  smoke: { rounds: 1, idleRounds: 1, idleMs: 100 },
  real: { rounds: 9, idleRounds: 3, idleMs: 15_000 },
  async run(bench, { rounds, idleRounds, idleMs }) {
    const idleBytes: number[] = [];
    const startServer = async (): Promise<number> => {
      const ours = await bench.startServer({ workers: 1, fresh: true });
      verify((await (await fetch(`${ours.url}/ok`)).text()) === '{"ok":true}', '/ok');
      if (idleBytes.length < idleRounds) {
        await sleep(idleMs);
        idleBytes.push(ours.memory().rss);
      }
      await ours.close();
      return ours.startMs;
    };
    const startNode = async (): Promise<number> => {
      const begun = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      return performance.now() - begun;
    };
    if (!bench.isSmoke) await startServer();
    const paired = await alternate(rounds, startServer, bench.isSmoke ? null : startNode);
    const startMs = median(paired.ours);
    const idleMb = median(idleBytes) / 1e6;
    const check = 'Median of the rounds; `/ok` compared.';
    return [
      {
        what: 'start to `/ok`',
        inReadme: true,
        ours: format.ms(startMs),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} an empty node`,
        ratio: null,
        budget: `under ${START_MS_MAX / 1_000} s`,
        missed: bench.isSmoke ? null : atMost(startMs, START_MS_MAX),
        method: [
          `${rounds} starts with an empty data folder and one graph worker that loads five graphs, after one ` +
            'that is not counted; measured from spawn to the response.',
          check,
        ],
      },
      {
        what: 'idle memory, one graph worker',
        inReadme: true,
        ours: `${idleMb.toFixed(0)} MB`,
        reference: null,
        ratio: null,
        budget: `under ${IDLE_MB_MAX} MB`,
        missed: bench.isSmoke ? null : atMost(idleMb, IDLE_MB_MAX),
        method: [
          `Resident memory (VmRSS) of the whole process ${idleMs / 1_000} s after ${idleRounds} of these starts; no run yet.`,
          check,
        ],
      },
    ];
  },
});
