import { isObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { parseModuleSpec } from './auth.js';
import type { ItemTtl } from '../store/items/items.js';

/** `store.index`: vector search over items. */
export interface ItemIndexConfig {
  /** Number of dimensions of a vector. */
  dims: number;
  /** Absolute path. */
  file: string;
  exportName: string;
  /** As written in langgraph.json, for messages. */
  path: string;
  /** Paths into an item's value whose texts are embedded. */
  fields: string[];
}

/** `store` of langgraph.json: long-term memory. */
export interface StoreConfig {
  ttl: ItemTtl;
  sweepMs: number;
  /** Null: vector search is off. */
  index: ItemIndexConfig | null;
}

/** One week. A timer takes at most about three weeks. */
const SWEEP_MINUTES_MAX = 10_080;

/** Throws the error that `problem` makes, which names the place. */
export function readStore(value: unknown, root: string, problem: (text: string) => Error): StoreConfig {
  if (value !== undefined && value !== null && !isObject(value))
    throw problem('store: must be an object such as {"ttl": {"default_ttl": 60}}.');
  const ttl = value?.['ttl'] ?? {};
  if (!isObject(ttl))
    throw problem('store.ttl: must be an object {refresh_on_read, default_ttl, sweep_interval_minutes}.');
  const minutes = (name: string, max: number): number | null => {
    const set = ttl[name];
    if (set === undefined || set === null) return null;
    if (typeof set !== 'number' || !(set > 0 && set <= max))
      throw problem(`store.ttl.${name}: must be a number of minutes above 0, at most ${max}.`);
    return set * 60_000;
  };
  const refresh = ttl['refresh_on_read'] ?? true;
  if (typeof refresh !== 'boolean') throw problem('store.ttl.refresh_on_read: must be true or false.');
  return {
    ttl: { refreshOnRead: refresh, defaultMs: minutes('default_ttl', LIMITS.itemTtlMinutesMax) },
    sweepMs: minutes('sweep_interval_minutes', SWEEP_MINUTES_MAX) ?? LIMITS.itemSweepMs,
    index: readIndex(value?.['index'], root, problem),
  };
}

/** Matches a module of the project, and not a provider name such as `openai:text-embedding-3-small`. */
const MODULE_SPEC = /\.[cm]?[jt]sx?(:|$)/;

function readIndex(value: unknown, root: string, problem: (text: string) => Error): ItemIndexConfig | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value))
    throw problem('store.index: must be an object such as {"dims": 384, "embed": "./embed.ts:embed"}.');
  const { dims, embed, fields = ['$'] } = value;
  if (typeof dims !== 'number' || !Number.isInteger(dims) || dims < 1 || dims > LIMITS.vectorDimsMax)
    throw problem(`store.index.dims: must be a whole number from 1 to ${LIMITS.vectorDimsMax}.`);
  if (typeof embed !== 'string' || !MODULE_SPEC.test(embed)) {
    throw problem(
      'store.index.embed: must be "path:function", such as "./embed.ts:embed": a function of the project that takes texts and returns a list of numbers for each. Provider names such as "openai:text-embedding-3-small" are not supported; call the provider from that function.',
    );
  }
  if (!Array.isArray(fields) || fields.length === 0 || !fields.every((one) => typeof one === 'string' && one !== ''))
    throw problem('store.index.fields: must be a list of paths, such as ["$"] or ["title", "parts[*].text"].');
  return { dims, ...parseModuleSpec(embed, root), path: embed, fields: fields as string[] };
}
