import type { InProcess } from './contenders/in-process.js';
import type { Ours } from './contenders/ours.js';
import { cpuPerUnit, show } from './measure.js';

/**
 * One more round of each side, in CPU instead of time. The graph's thread is what limits one worker: beside the whole
 * process of the other side it says what the same graph costs here.
 */
export async function cpuEvidence(
  unit: string,
  ours: Ours,
  oursRound: () => Promise<number>,
  inProcess: InProcess | null,
  inProcessRound: () => Promise<number>,
): Promise<string | null> {
  if (inProcess === null) return null;
  const here = await cpuPerUnit(ours.pid, oursRound);
  const there = await cpuPerUnit(inProcess.pid, inProcessRound);
  if (here === null || there === null) return null;
  return `CPU per ${unit}: graph worker ${show.us(here.busiest)}, front ${show.us(here.main)}, other threads (mostly garbage collection) ${show.us(here.rest)}; in process ${show.us(there.main)}, other threads ${show.us(there.busiest + there.rest)}. The graph's thread: ${(here.busiest / there.main).toFixed(2)} × in process.`;
}
