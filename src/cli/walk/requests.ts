import { randomUUID } from 'node:crypto';
import type { Route } from '../../http/route.js';
import type { RecordName, Records } from './records.js';
import type { WalkRequest } from './walk-client.js';

/** The parts of a request that a recipe chooses. The route supplies method and path. */
export interface RequestParts {
  params?: Readonly<Record<string, string>>;
  /** A list repeats the parameter. */
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent without conversion. */
  raw?: { contentType: string; text: string };
  /** The response may never end, so only its beginning is read. */
  isStream?: boolean;
}

/** Builds a request from the records of the owner under attack (`theirs`) and of the user who sends it (`own`). */
export type RequestBuilder = (theirs: Records, own: Records) => RequestParts;

/**
 * What a 2xx response to the other user means:
 * `targets`: the request names a record as its subject and the server found it. This is a leak.
 * `filters`: the request searches for something that belongs to a record. An empty result is correct.
 * `lists`: the request names no record. The response must be the same as before the record was created.
 * `creates`: the request creates a record of the sender's own.
 */
export type AttemptKind = 'targets' | 'filters' | 'lists' | 'creates';

export interface Attempt {
  kind: AttemptKind;
  build: RequestBuilder;
  /** Body of a response that found nothing, for responses in which neither ids nor texts would show a find. */
  emptyBody?: string;
}

/**
 * How to walk a route. The owner sends the first attempt too, with its own records. The other attempts reach the same
 * records in other ways.
 */
export interface Recipe {
  attempts: readonly [Attempt, ...Attempt[]];
  /** Set if the route removes records, which are then created again. Such routes are walked last, in this order. */
  destructiveOrder?: number;
  /** Why the server may refuse even the owner: all users share the one record. */
  sharedReason?: string;
}

/** Puts ids of the owner's records into the path. */
export function withIds(
  params: Readonly<Record<string, RecordName>>,
  parts: RequestBuilder = () => ({}),
): RequestBuilder {
  return (theirs, own) => ({
    ...parts(theirs, own),
    params: Object.fromEntries(Object.entries(params).map(([name, record]) => [name, theirs.get(record)])),
  });
}

export const targets = (build: RequestBuilder): Attempt => ({ kind: 'targets', build });
export const filters = (build: RequestBuilder): Attempt => ({ kind: 'filters', build });
export const lists = (build: RequestBuilder = () => ({})): Attempt => ({ kind: 'lists', build });
export const creates = (build: RequestBuilder): Attempt => ({ kind: 'creates', build });

/** The name of a route, for recipes and for printed tables: `GET /threads/:thread_id`. */
export function routeName({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path}`;
}

export function buildRequest(
  route: Route,
  { params = {}, query = {}, body, raw, isStream = false }: RequestParts,
): WalkRequest {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined)
      throw new Error(`The recipe of ${routeName(route)} has no value for the path parameter "${name}".`);
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
    isStream,
  };
}

/** Multipart form data. A part without a type is a plain field. */
export function multipartForm(parts: readonly { name: string; type?: string; file?: string; value: unknown }[]): {
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
