import type { InProcess } from './contenders/in-process.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { cpuPerUnit, format } from './measure.js';

/**
 * Runs one more round of each side and compares CPU time per unit of work. The thread of the graph limits the
 * throughput of a worker, so it is compared with the whole process of the other side.
 */
export async function cpuEvidence(
  unit: string,
  ours: ThreadmillServer,
  oursRound: () => Promise<number>,
  inProcess: InProcess | null,
  inProcessRound: () => Promise<number>,
): Promise<string | null> {
  if (inProcess === null) return null;
  const here = await cpuPerUnit(ours.pid, oursRound);
  const there = await cpuPerUnit(inProcess.pid, inProcessRound);
  if (here === null || there === null) return null;
  return (
    `CPU per ${unit}: graph worker ${format.us(here.busiest)}, front thread ${format.us(here.main)}, other threads ` +
    `(mostly garbage collection) ${format.us(here.rest)}; in process ${format.us(there.main)}, other threads ` +
    `${format.us(there.busiest + there.rest)}. Graph worker: ${(here.busiest / there.main).toFixed(2)} × in ` +
    'process.'
  );
}
