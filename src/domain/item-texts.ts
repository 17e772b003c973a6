import { isObject, type JsonObject } from '../base/json/json.js';

/**
 * Texts at a path of an item's value, with the paths of LangGraph's own stores: `$` is the whole value, `a.b` a member,
 * `a[0]`, `a[-1]` and `a[*]` elements, `*` all members, `{a,b.c}` several. A missing value has no text.
 */
export function textsAtPath(value: JsonObject, path: string): string[] {
  return path === '' || path === '$' ? [textOf(value)!] : walk(value, tokensOf(path), 0);
}

function walk(value: unknown, tokens: readonly string[], at: number): string[] {
  const token = tokens[at];
  if (token === undefined) return [textOf(value) ?? []].flat();
  const on = (next: unknown): string[] => walk(next, tokens, at + 1);
  if (token.startsWith('[') && token.endsWith(']')) {
    if (!Array.isArray(value)) return [];
    const inner = token.slice(1, -1);
    if (inner === '*') return value.flatMap(on);
    const index = Number.parseInt(inner, 10);
    return Number.isNaN(index) ? [] : on(value.at(index));
  }
  if (token.startsWith('{') && token.endsWith('}')) {
    return token
      .slice(1, -1)
      .split(',')
      .flatMap((path) => {
        const found = tokensOf(path.trim()).reduce<unknown>((here, name) => member(here, name), value);
        return textOf(found) ?? [];
      });
  }
  if (token === '*') return typeof value === 'object' && value !== null ? Object.values(value).flatMap(on) : [];
  return on(member(value, token));
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value as string | number | boolean);
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Splits `chapters[*].title` into `chapters`, `[*]`, `title`. */
function tokensOf(path: string): string[] {
  const tokens: string[] = [];
  let name = '';
  const end = (): void => {
    if (name !== '') tokens.push(name);
    name = '';
  };
  for (let at = 0; at < path.length; at += 1) {
    const char = path[at]!;
    const closing = CLOSING[char];
    if (closing !== undefined) {
      end();
      const close = path.indexOf(closing, at);
      tokens.push(close === -1 ? path.slice(at) : path.slice(at, close + 1));
      at = close === -1 ? path.length : close;
    } else if (char === '.') end();
    else name += char;
  }
  end();
  return tokens;
}
