import { isObject, isTooDeep, setOwn, type JsonObject } from '../../../src/base/json/json.js';

/** Attributes below a prefix, as a tree. */
export type AttributeTree = Map<string, AttributeTree | AttributeValue>;
type AttributeValue = string | number | boolean | null | unknown[] | JsonObject;

/** Names with more parts keep the rest as one part. */
const PARTS_MAX = 16;

/**
 * Attributes of a span, an event or a resource. `take…` also marks an attribute as used: those that nobody has used
 * become metadata.
 */
export class Attributes {
  /** True if a value is nested too deeply. Such values are not kept. */
  isTooDeep = false;
  readonly #values = new Map<string, unknown>();
  readonly #used = new Set<string>();
  /** First parts of the names. */
  readonly #spaces = new Set<string>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** The last of repeated names counts. */
  set(name: string, value: unknown): void {
    if (value === undefined || value === null) return;
    this.#values.set(name, value);
    const dot = name.indexOf('.');
    if (dot !== -1) this.#spaces.add(name.slice(0, dot));
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): unknown {
    return this.#values.get(name);
  }

  take(...names: readonly string[]): unknown {
    let found: unknown;
    for (const name of names) {
      const value = this.#values.get(name);
      if (value === undefined) continue;
      this.#used.add(name);
      found ??= value;
    }
    return found;
  }

  /** Null for an empty text too. */
  takeText(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.take(name);
      if (typeof value === 'string' && value !== '') return value.toWellFormed();
    }
    return null;
  }

  /** Also of a text that is a number. */
  takeNumber(...names: readonly string[]): number | null {
    for (const name of names) {
      const value = this.take(name);
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number === 'number' && Number.isFinite(number)) return number;
    }
    return null;
  }

  /** A value, or the one that its text contains as JSON. */
  takeJson(...names: readonly string[]): unknown {
    for (const name of names) {
      const value = this.take(name);
      if (value !== undefined && value !== '') return parsedText(value);
    }
    return undefined;
  }

  /** Names and values that begin with `prefix`, without it. */
  takeUnder(prefix: string): [name: string, value: unknown][] {
    const found: [string, unknown][] = [];
    if (!this.#spaces.has(prefix.slice(0, prefix.indexOf('.')))) return found;
    for (const [name, value] of this.#values) {
      if (!name.startsWith(prefix)) continue;
      this.#used.add(name);
      found.push([name.slice(prefix.length), value]);
    }
    return found;
  }

  /** `a.0.b` below the prefix `a.` becomes the path 0, b. Null without such attributes. */
  takeTree(prefix: string): AttributeTree | null {
    const found = this.takeUnder(prefix);
    if (found.length === 0) return null;
    const tree: AttributeTree = new Map();
    for (const [name, value] of found) {
      const parts = name.split('.');
      const path =
        parts.length > PARTS_MAX ? [...parts.slice(0, PARTS_MAX - 1), parts.slice(PARTS_MAX - 1).join('.')] : parts;
      let at = tree;
      for (const part of path.slice(0, -1)) {
        const inside = at.get(part);
        if (inside instanceof Map) at = inside;
        else {
          const created: AttributeTree = new Map();
          at.set(part, created);
          at = created;
        }
      }
      // A name and a longer one that begins with it: the longer one has more to say.
      if (!(at.get(path.at(-1)!) instanceof Map)) at.set(path.at(-1)!, value as AttributeValue);
    }
    return tree;
  }

  /** Those that nothing has used. */
  *unused(): Generator<[name: string, value: unknown]> {
    for (const one of this.#values) if (!this.#used.has(one[0])) yield one;
  }

  toObject(): JsonObject {
    const object: JsonObject = {};
    for (const [name, value] of this.#values) setOwn(object, name, value);
    return object;
  }
}

/** Elements of a list in a tree, in the order of their numbers. */
export function elementsOf(tree: AttributeTree | AttributeValue | undefined): AttributeTree[] {
  if (!(tree instanceof Map)) return [];
  return [...tree]
    .filter((one): one is [string, AttributeTree] => /^\d+$/.test(one[0]) && one[1] instanceof Map)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, element]) => element);
}

/** The value at a path. */
export function valueAt(tree: AttributeTree, ...path: readonly string[]): unknown {
  let at: AttributeTree | AttributeValue | undefined = tree;
  for (const part of path) at = at instanceof Map ? at.get(part) : undefined;
  return at instanceof Map ? objectOf(at) : at;
}

/** The subtree at a path; undefined if there is none. */
export function treeAt(tree: AttributeTree, ...path: readonly string[]): AttributeTree | undefined {
  let at: AttributeTree | AttributeValue | undefined = tree;
  for (const part of path) at = at instanceof Map ? at.get(part) : undefined;
  return at instanceof Map ? at : undefined;
}

/** Numbers as names become a list. */
export function objectOf(tree: AttributeTree): JsonObject | unknown[] {
  const entries = [...tree].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value] as const);
  if (entries.every(([name]) => /^\d+$/.test(name)))
    return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
  const object: JsonObject = {};
  for (const [name, value] of entries) setOwn(object, name, value);
  return object;
}

/** The value that a text contains as a JSON object or list; any other value unchanged. */
export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed = JSON.parse(value) as unknown;
    return isTooDeep(parsed) ? value : parsed;
  } catch {
    return value;
  }
}

/** The object that a value is, or that its text contains; null for any other. */
export function parsedObject(value: unknown): JsonObject | null {
  const parsed = parsedText(value);
  return isObject(parsed) ? parsed : null;
}
