import { buildRequest } from '../../src/cli/walk/requests.js';
import type { Records } from '../../src/cli/walk/records.js';
import type { Route } from '../../src/http/route.js';
import { framed, FRAMINGS, type Message } from './framing.js';
import { changedBytes, ENCODINGS } from './hostile.js';
import { recipeOf, type Plan, type Trouble } from './plan.js';
import { changed, textOf, treeOf, type IdName, type Tree } from './tree.js';

/** A request as it goes out, and what may be said of its answer. */
export interface Written {
  method: string;
  bytes: Buffer;
  /** Its form is right, whatever it says: it is answered, and in the form of the API. */
  wellFormed: boolean;
  /** The route is the one that was meant, and not what a mangled path comes to. */
  own: boolean;
  /** Nothing at all is wrong with it, by what is known. */
  fits: boolean;
}

/** What there is to name. */
export interface Known {
  records: Records;
  idOf(name: IdName): string;
}

/** Headers whose value is about the connection: what becomes of the request is uWS's to say. */
const FRAMING_HEADERS = new Set(['content-length', 'transfer-encoding', 'expect', 'upgrade', 'connection', 'host']);
/** Made of what a request target may have, and short enough for a head. */
const PLAIN_TARGET = /^\/[\x21-\x7e]*$/;
const TARGET_BYTES_MAX = 16_000;
const HEADER = /^[\t\x20-\x7e]*$/;

const all = <K extends string>(troubles: readonly Trouble[], kind: K): Extract<Trouble, Record<K, unknown>>[] =>
  troubles.filter((one): one is Extract<Trouble, Record<K, unknown>> => kind in one);

/** The key that every request has: what it makes may shut the door for those without one. */
export const FUZZ_KEY = 'the-key-of-the-fuzzer-and-no-other';

export function requestOf(route: Route, plan: Plan, known: Known): Written {
  const { troubles } = plan;
  const begun =
    'recipe' in plan.base
      ? fromRecipe(route, plan.base.recipe, plan, known)
      : fromSchemas(route, plan.base, plan, known);
  const target = mangled(begun.target, plan);
  let { body } = begun;
  const headers: [string, string][] = [
    ['host', 'localhost'],
    ['accept', 'application/json, text/event-stream, */*'],
    ['x-api-key', FUZZ_KEY],
  ];
  for (const { bytes } of all(troubles, 'bytes')) body = changedBytes(body ?? Buffer.alloc(0), bytes);
  const said = all(troubles, 'type').at(-1)?.type ?? begun.contentType;
  if (said !== null) headers.push(['content-type', said]);
  for (const { encoding } of all(troubles, 'encoding')) {
    const [name, bytes] = ENCODINGS[encoding]!(body ?? Buffer.alloc(0));
    body = bytes;
    headers.push(['content-encoding', name]);
  }
  for (const { header } of all(troubles, 'header')) headers.push([header[0], header[1]]);
  const method = all(troubles, 'method').at(-1)?.method ?? route.method.toUpperCase();
  const framing = all(troubles, 'framing').at(-1)?.framing;
  const message: Message = { method, target, headers, body: body ?? Buffer.alloc(0) };
  const headBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  const goodHeaders = headers.every(
    ([name, value]) => HEADER.test(value) && (!FRAMING_HEADERS.has(name) || value === 'localhost'),
  );
  return {
    method,
    bytes: framing === undefined ? framed(message, body !== null) : FRAMINGS[framing]!(message),
    wellFormed:
      framing === undefined &&
      goodHeaders &&
      PLAIN_TARGET.test(target) &&
      headBytes < TARGET_BYTES_MAX &&
      /^[A-Z]+$/.test(method),
    own:
      all(troubles, 'segment').length === 0 &&
      all(troubles, 'tail').length === 0 &&
      all(troubles, 'method').length === 0,
    fits: 'recipe' in plan.base && plan.base.recipe === 0 && plan.changes.length === 0 && troubles.length === 0,
  };
}

interface Begun {
  target: string;
  contentType: string | null;
  body: Buffer | null;
}

function fromRecipe(route: Route, at: number, { changes }: Plan, { records, idOf }: Known): Begun {
  const parts = recipeOf(route)!.attempts[at]!.build(records, records);
  const { target, contentType, body } = buildRequest(route, parts);
  if (parts.body === undefined) return { target, contentType, body: body === null ? null : Buffer.from(body) };
  return { target, contentType, body: Buffer.from(textOf(changed(treeOf(parts.body), changes), idOf)) };
}

function fromSchemas(
  route: Route,
  base: Exclude<Plan['base'], { recipe: number }>,
  { changes }: Plan,
  { idOf }: Known,
): Begun {
  const path = route.paramNames.reduce(
    (path, name, at) => path.replace(`:${name}`, () => encoded(plain(base.params[at]!, idOf))),
    route.path,
  );
  const query = base.query
    .flatMap(([name, value, apart]) =>
      (apart && 'items' in value ? value.items : [value]).map((one) => `${encoded(name)}=${encoded(plain(one, idOf))}`),
    )
    .join('&');
  const tree = base.body === null ? null : changed(base.body, changes);
  return {
    target: query === '' ? path : `${path}?${query}`,
    contentType: tree === null ? null : 'application/json',
    body: tree === null ? null : Buffer.from(textOf(tree, idOf)),
  };
}

/** Text as it is, all else as JSON. */
function plain(tree: Tree, idOf: Known['idOf']): string {
  if ('id' in tree) return idOf(tree.id);
  const text = textOf(tree, idOf);
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

const encoded = (text: string): string => new URLSearchParams([[text, '']]).toString().slice(0, -1);

/** Segments are counted from the last one: what names records comes late. */
function mangled(target: string, { troubles }: Plan): string {
  const [path, query] = target.split('?') as [string, string?];
  const segments = path.split('/');
  for (const {
    segment: [at, raw],
  } of all(troubles, 'segment'))
    segments[segments.length - 1 - (at % Math.max(1, segments.length - 1))] = raw;
  let pairs = query === undefined ? [] : query.split('&');
  for (const {
    query: [at, raw],
  } of all(troubles, 'query'))
    pairs =
      at % 3 === 0 || pairs.length === 0
        ? [...pairs, raw]
        : pairs.map((pair, which) => (which === at % pairs.length ? `${pair.split('=')[0]!}=${raw}` : pair));
  return `${segments.join('/')}${all(troubles, 'tail')
    .map(({ tail }) => tail)
    .join('')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}
