import { isObject } from './base/json.js';
import { LIMITS } from './base/limits.js';
import type { ItemTtl } from './store/items.js';

/** `store` of langgraph.json: long-term memory. */
export interface StoreConfig {
  ttl: ItemTtl;
  sweepMs: number;
}

/** A week: a timer takes no more than three of them. */
const SWEEP_MINUTES_MAX = 10_080;

/** Throws `problem`, which names the place. */
export function readStore(value: unknown, problem: (text: string) => Error): StoreConfig {
  if (value !== undefined && value !== null && !isObject(value)) throw problem('store: must be an object such as {"ttl": {"default_ttl": 60}}.');
  const ttl = value?.['ttl'] ?? {};
  if (!isObject(ttl)) throw problem('store.ttl: must be an object {refresh_on_read, default_ttl, sweep_interval_minutes}.');
  const minutes = (name: string, max: number): number | null => {
    const set = ttl[name];
    if (set === undefined || set === null) return null;
    if (typeof set !== 'number' || !(set > 0 && set <= max)) throw problem(`store.ttl.${name}: must be a number of minutes above 0, at most ${max}.`);
    return set * 60_000;
  };
  const refresh = ttl['refresh_on_read'] ?? true;
  if (typeof refresh !== 'boolean') throw problem('store.ttl.refresh_on_read: must be true or false.');
  return {
    ttl: { refreshOnRead: refresh, defaultMs: minutes('default_ttl', LIMITS.itemTtlMinutesMax) },
    sweepMs: minutes('sweep_interval_minutes', SWEEP_MINUTES_MAX) ?? LIMITS.itemSweepMs,
  };
}
