import { isObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import type { TtlOptions } from '../services/threads/thread-ttl.js';

const MINUTE_MS = 60_000;
/** The defaults of the Agent Server (agent-server.md, 18.1). */
const SWEEP_MINUTES = 5;
const SWEEP_MAX = 1_000;
/** A higher limit has the same effect as keeping all checkpoints. */
const KEEP_LAST_MAX = 1_000_000;

/** Reads `checkpointer` of langgraph.json. `problem` makes an error that names the file. */
export function readThreadTtl(checkpointer: unknown, problem: (text: string) => Error): TtlOptions {
  const options: TtlOptions = {
    defaultTtl: null,
    sweepMs: SWEEP_MINUTES * MINUTE_MS,
    sweepMax: SWEEP_MAX,
    keepLast: null,
  };
  if (checkpointer === undefined || checkpointer === null) return options;
  if (!isObject(checkpointer)) throw problem('checkpointer: must be an object.');
  if (typeof checkpointer['path'] === 'string')
    throw problem(
      'checkpointer.path: is not supported. Threadmill keeps checkpoints in its own data folder; remove the setting.',
    );
  const { ttl, keep_last: keepLast } = checkpointer;
  if (keepLast !== undefined && keepLast !== null) {
    if (typeof keepLast !== 'number' || !Number.isInteger(keepLast) || keepLast < 1 || keepLast > KEEP_LAST_MAX)
      throw problem(`checkpointer.keep_last: must be a whole number from 1 to ${KEEP_LAST_MAX}.`);
    options.keepLast = keepLast;
  }
  if (ttl === undefined || ttl === null) return options;
  if (!isObject(ttl)) throw problem('checkpointer.ttl: must be an object.');
  const number = (name: string, max: number): number | null => {
    const value = ttl[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'number' || !(value > 0) || value > max)
      throw problem(`checkpointer.ttl.${name}: must be a number above 0, at most ${max}.`);
    return value;
  };
  const strategy = ttl['strategy'] ?? 'delete';
  if (strategy !== 'delete' && strategy !== 'keep_latest')
    throw problem('checkpointer.ttl.strategy: must be "delete" or "keep_latest".');
  const minutes = number('default_ttl', LIMITS.ttlMinutesMax);
  return {
    ...options,
    defaultTtl: minutes === null ? null : { strategy, minutes },
    // Node timers take at most 24 days.
    sweepMs: Math.max(1_000, (number('sweep_interval_minutes', 30_000) ?? SWEEP_MINUTES) * MINUTE_MS),
    sweepMax: Math.ceil(number('sweep_limit', 1_000_000) ?? SWEEP_MAX),
  };
}
