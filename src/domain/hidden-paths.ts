/** What takes the place of a hidden value. */
const HIDDEN = '[hidden]';
/** Values nested deeper are hidden, whatever the paths say. */
const DEPTH_MAX = 200;

/** A path, and how many of its parts have been found. */
interface Progress {
  parts: readonly string[];
  found: number;
}

/**
 * Hides members of JSON values. A path has names and indexes that are joined by dots: `user.email`. `*` stands for any
 * one of them, and `**` for any number: `messages.*.content`, `**.password`. Texts that are JSON are searched like the
 * values that they stand for.
 */
export class HiddenPaths {
  readonly #start: readonly Progress[];

  constructor(paths: readonly string[]) {
    this.#start = paths.map((path) => ({ parts: path.split('.'), found: 0 }));
  }

  /** The JSON text without the hidden values. */
  applyTo(text: string): string {
    return this.#start.length === 0 ? text : JSON.stringify(this.shown(JSON.parse(text)));
  }

  /** A JSON value without the hidden values. */
  shown(value: unknown): unknown {
    return hide(value, this.#start, 0);
  }
}

function hide(value: unknown, paths: readonly Progress[], depth: number): unknown {
  if (paths.length === 0) return value;
  if (typeof value === 'string') return hideInText(value, paths, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return HIDDEN;
  const member = (name: string, inner: unknown): unknown => {
    const next = paths.flatMap((path) => stepsTo(name, path));
    return next.some(({ parts, found }) => found === parts.length) ? HIDDEN : hide(inner, next, depth + 1);
  };
  if (Array.isArray(value)) return value.map((inner: unknown, index) => member(String(index), inner));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, member(name, inner)]));
}

/** The arguments of tools, for example, are a text that is JSON. */
function hideInText(text: string, paths: readonly Progress[], depth: number): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(hide(JSON.parse(text), paths, depth + 1));
  } catch {
    return text;
  }
}

/** How the path goes on after a member of this name. */
function stepsTo(name: string, { parts, found }: Progress): Progress[] {
  const part = parts[found];
  if (part === '**') return [{ parts, found }, ...stepsTo(name, { parts, found: found + 1 })];
  return part === '*' || part === name ? [{ parts, found: found + 1 }] : [];
}
