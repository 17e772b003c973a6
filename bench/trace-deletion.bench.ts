import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../src/base/limits.js';
import { atMost, defineBench, verify } from './bench.js';
import { GRAPHS } from './contenders/threadmill.js';
import { ECHO_REQUEST } from './echo.js';
import { durationMs, sendJson, sendLoad, type Length } from './load.js';
import { cpuPerUnit, format } from './measure.js';

interface Params {
  clients: number;
  length: Length;
}

/** Of few-traces.json. */
const KEPT = 500;
const SETTLED_MS = 5_000;
const IDLE_MS = 5_000;
/** How long the deletion may take. */
const DELETION_MS = 12_000;
/** Largest CPU time of the front thread for the deletion of a trace, as a multiple of that for its run. */
const RATIO_MAX = 0.2;

export default defineBench({
  name: 'trace-deletion',
  description: 'CPU time of the front thread for the deletion of old traces',
  smoke: { clients: 16, length: { requests: 64 } } as Params,
  real: { clients: 16, length: { seconds: 40 } } as Params,
  async run(bench, { clients, length }) {
    const startedMs = performance.now();
    const config = join(GRAPHS, 'few-traces.json');
    const { url, pid } = await bench.startServer({ workers: 1, dataFolder: bench.createFolder(), config });
    /** Front thread: microseconds for each unit of the work. */
    const frontUs = async (work: () => Promise<number>): Promise<number> => (await cpuPerUnit(pid, work))?.main ?? NaN;
    const wait = async (ms: number): Promise<number> => sleep(ms, 1);

    let runs = 0;
    const check = (body: string): boolean => body.includes('second hello');
    const ofRun = await frontUs(async () => {
      runs = (await sendLoad({ url, clients, request: ECHO_REQUEST, length, check })).responses;
      return runs;
    });

    const deleted = runs - KEPT;
    let ofDeletion: number | null = null;
    if (!bench.isSmoke) {
      await wait(SETTLED_MS);
      const idle = await frontUs(() => wait(IDLE_MS));
      const untilSweepMs = startedMs + LIMITS.traceSweepMs - performance.now();
      verify(untilSweepMs > 0, 'the traces were deleted too early');
      const ms = untilSweepMs + DELETION_MS;
      ofDeletion = ((await frontUs(() => wait(ms))) - (idle * ms) / IDLE_MS) / deleted;
      const projects = await sendJson<{ run_count: number }[]>(url, 'GET', '/api/v1/sessions?include_stats=true');
      const left = projects.reduce((sum, { run_count: count }) => sum + count, 0);
      verify(left === KEPT, `${left} traces are left`);
    }
    const ratio = ofDeletion === null ? null : ofDeletion / ofRun;
    return [
      {
        what: 'CPU of the front thread for the deletion of an old trace',
        ours: `${ofDeletion === null ? '' : `${format.us(ofDeletion)}, `}its run ${format.us(ofRun)}`,
        reference: null,
        ratio: ratio === null ? null : format.ratio(ratio),
        budget: `at most ${RATIO_MAX}`,
        missed: atMost(ratio, RATIO_MAX),
        method: [
          `${durationMs(length) / 1_000} s of \`/runs/wait\` with ${clients} clients, recorded, one graph worker; then ` +
            `the server deletes all but ${KEPT} traces of three steps. CPU time by the kernel, less that of an idle ` +
            'server.',
          'Each answer of a run, and the number of traces that are left.',
        ],
      },
    ];
  },
});
