import { AsyncLocalStorage } from 'node:async_hooks';
import type { Library } from '../library.js';

/** What one run gets from outside, while it is recorded or replayed. `lane`: see `laneOf`. */
export interface RunScope {
  readonly lane: string;
  /** The time that the run's code sees, in milliseconds since 1970. `real` is the time of this machine. */
  time(real: number): number;
  /** The number that `Math.random` returns. */
  random(real: number): number;
  /** The bytes of an id. The result has the same length. */
  idBytes(real: Uint8Array): Uint8Array;
}

/** The scope of the run whose code executes. */
export const runScope = new AsyncLocalStorage<RunScope>();

interface TaskConfig {
  metadata?: Record<string, unknown>;
}

const TASK_IDS = /:[0-9a-f-]{36}/g;
const lanes = new WeakMap<object, string>();

/**
 * Names the part of a run whose code executes: its subgraphs, step and task, without ids. Tasks of a step execute at
 * the same time, and their order differs from run to run. Within a lane, the order is that of the code.
 */
export function laneOf({ langgraph }: Library): string {
  // Undefined outside of a task, whatever its type says.
  const config = langgraph.getConfig() as TaskConfig | undefined;
  const metadata = config?.metadata;
  if (metadata === undefined) return '';
  let lane = lanes.get(metadata);
  if (lane === undefined) {
    const { langgraph_step: step, langgraph_node: node, langgraph_path: path, checkpoint_ns: ns } = metadata;
    const place = Array.isArray(path) ? path.filter((part) => ['string', 'number'].includes(typeof part)) : [];
    const parents = typeof ns === 'string' ? ns.replaceAll(TASK_IDS, '') : '';
    lane = step === undefined ? '' : `${parents}#${String(step)}#${String(node)}#${place.join('/')}`;
    lanes.set(metadata, lane);
  }
  return lane;
}
