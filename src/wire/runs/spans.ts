import type { ValueSettings } from '../../domain/trace-values.js';

/** Prices of a model in US dollars for a million tokens. Cached tokens without a price cost as much as others. */
export interface TokenPrices {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** How runs are recorded as traces. The same for all runs of an assistant. */
export interface RecorderSettings extends ValueSettings {
  /** The worker's own function (`GraphWorkerData.hideFunction`) gets inputs and outputs after `hide`. */
  hidesByFunction: boolean;
  /** By model; they take precedence over the list of the package. */
  prices: Readonly<Record<string, TokenPrices>>;
}

/** How a run is recorded as a trace. */
export interface TraceJob {
  /** RecorderSettings as JSON: their members would be a third of the time of packing a job, and of unpacking it. */
  settings: string;
  /** False for a run whose thread is deleted with it. */
  hasThread: boolean;
  /** Whether what the run gets from outside is recorded, too, and of which runs it is kept. */
  calls: 'none' | 'failed' | 'all';
  /** When the run began, if an earlier attempt has recorded that. In microseconds since 1970. */
  startUs: number | null;
  /** Short form of the hash of the run's code; null or absent if it is unknown. */
  codeVersion?: string | null;
}

/** Characters of a run's id that the ids of its steps begin with. */
const PREFIX_CHARS = 28;
const LEASES = 0x80;
const STEPS = 0x100_0000;

/**
 * Id of a step. The run itself is step 0 and has the run's id. The ids of the others begin like it, so that they are
 * found by it, and end in the run's lease and the number of the step.
 */
export function spanIdOf(runId: string, lease: number, step: number): string {
  if (step === 0) return runId;
  const last = (lease % LEASES) * STEPS + step;
  const id = runId.slice(0, PREFIX_CHARS) + last.toString(16).padStart(8, '0');
  // The last digits of a run's id are random.
  return id === runId ? runId.slice(0, PREFIX_CHARS) + (last + LEASES * STEPS).toString(16) : id;
}

/** What the ids of all steps of a run begin with. */
export function spanPrefix(runId: string): string {
  return runId.slice(0, PREFIX_CHARS);
}
