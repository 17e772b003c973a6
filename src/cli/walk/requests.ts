import { randomUUID } from 'node:crypto';
import type { Route } from '../../http/route.js';
import type { Sent } from './asker.js';
import type { RecordName, Records } from './records.js';

/** What of a request a recipe decides; method and path are the route's. */
export interface Parts {
  params?: Readonly<Record<string, string>>;
  /** A list is a name that comes several times. */
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: { contentType: string; text: string };
  /** The answer may go on for ever: what came in the first moment is enough. */
  endless?: boolean;
}

export type Making = (of: Records, own: Records) => Parts;

/**
 * What a 2xx to a stranger means:
 * `names`: the request names a record as its subject, and it was found. A leak.
 * `filters`: the request only looks for what belongs to a record; an empty answer is right.
 * `all`: the request names nothing: the answer is the same as before the record was made.
 * `makes`: the request makes something of one's own.
 */
export type Kind = 'names' | 'filters' | 'all' | 'makes';

export interface Try {
  kind: Kind;
  make: Making;
  /** The body that says nothing was found, where ids or texts would not show that something was. */
  nothing?: string;
}

/** How a route is walked: the first request is made by the owner too, of its own records; the rest are other ways in. */
export interface Recipe {
  tries: readonly [Try, ...Try[]];
  /** Takes records away, so that they must be made anew: such routes are walked last, in this order. */
  ends?: number;
  /** Why the owner may be refused: there is one of it for the whole server. */
  shared?: string;
}

/** The request names a record in its path. */
export function named(params: Readonly<Record<string, RecordName>>, parts: Making = () => ({})): Making {
  return (of, own) => ({
    ...parts(of, own),
    params: Object.fromEntries(Object.entries(params).map(([name, record]) => [name, of.get(record)])),
  });
}

export const names = (make: Making): { kind: 'names'; make: Making } => ({ kind: 'names', make });
export const filters = (make: Making): { kind: 'filters'; make: Making } => ({ kind: 'filters', make });
export const all = (make: Making = () => ({})): { kind: 'all'; make: Making } => ({ kind: 'all', make });
export const makes = (make: Making): { kind: 'makes'; make: Making } => ({ kind: 'makes', make });

/** How routes are told apart, here and in the tables that are shown. */
export function nameOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path}`;
}

export function sentOf(route: Route, { params = {}, query = {}, body, raw, endless = false }: Parts): Sent {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`the recipe of ${nameOf(route)} says nothing of ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    ),
  );
  return {
    method: route.method.toUpperCase(),
    target: search.size === 0 ? path : `${path}?${search.toString()}`,
    contentType: raw?.contentType ?? (body === undefined ? null : 'application/json'),
    body: raw?.text ?? (body === undefined ? null : JSON.stringify(body)),
    endless,
  };
}

/** Multipart form data. A part without a type is a plain field. */
export function form(parts: readonly { name: string; type?: string; file?: string; value: unknown }[]): {
  contentType: string;
  text: string;
} {
  const boundary = `walk-${randomUUID()}`;
  const text = parts
    .map(({ name, type, file, value }) =>
      [
        `--${boundary}`,
        `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`,
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
        '',
        typeof value === 'string' ? value : JSON.stringify(value),
      ].join('\r\n'),
    )
    .join('\r\n');
  return { contentType: `multipart/form-data; boundary=${boundary}`, text: `${text}\r\n--${boundary}--\r\n` };
}
