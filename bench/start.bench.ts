import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, defineBench, verify } from './bench.js';
import { streamOnThread } from './echo.js';
import { durationMs, sendLoad, type Length } from './load.js';
import { alternate, format, median, medianRatio, type Paired } from './measure.js';

const START_MS_MAX = 400;
const IDLE_MB_MAX = 110;
const FIRST_SHARE_MIN = 0.75;

interface Params {
  rounds: number;
  idleRounds: number;
  idleMs: number;
  freshServers: number;
  clients: number;
  /** How long the first and the later runs are counted, and the time between them. */
  counted: Length;
  between: Length;
}

export default defineBench({
  name: 'start',
  description: 'Time from start to the first /ok, idle memory, and the first runs',
  smoke: {
    rounds: 1,
    idleRounds: 1,
    idleMs: 100,
    freshServers: 1,
    clients: 4,
    counted: { requests: 16 },
    between: { requests: 4 },
  } as Params,
  real: {
    rounds: 9,
    idleRounds: 3,
    idleMs: 15_000,
    freshServers: 3,
    clients: 16,
    counted: { seconds: 10 },
    between: { seconds: 20 },
  } as Params,
  async run(bench, { rounds, idleRounds, idleMs, freshServers, clients, counted, between }) {
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
    /** Runs per second in the first seconds of a server, and later. */
    const rates: Paired = { ours: [], reference: [] };
    for (let at = 0; at < freshServers; at += 1) {
      const server = await bench.startServer({ workers: 1, fresh: true });
      const rateFor = async (length: Length): Promise<number> => {
        const load = { url: server.url, clients, length, request: streamOnThread() };
        return (await sendLoad({ ...load, check: (body) => body.includes('second hello') })).perSecond;
      };
      rates.ours.push(await rateFor(counted));
      await rateFor(between);
      rates.reference.push(await rateFor(counted));
      await server.close();
    }
    const share = bench.isSmoke ? null : medianRatio(rates);
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
      {
        what: `streamed runs on threads in the first ${durationMs(counted) / 1_000} s, ${clients} clients`,
        ours: format.perSecond(median(rates.ours)),
        reference: bench.isSmoke ? null : `${format.perSecond(median(rates.reference))} later`,
        ratio: format.ratio(share),
        budget: `at least ${FIRST_SHARE_MIN}`,
        missed: atLeast(share, FIRST_SHARE_MIN),
        method: [
          `${freshServers} servers with a new data folder and one graph worker; from the first request, and again ` +
            `after ${durationMs(between) / 1_000} s of the same load.`,
          'Ratio of a server, median of the servers; every body has the last text of the graph.',
        ],
      },
    ];
  },
});
