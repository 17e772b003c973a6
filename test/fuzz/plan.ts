import { array, boolean, constant, constantFrom, integer, nat, oneof, record, tuple, type Arbitrary } from 'fast-check';
import { schemas } from '../../schemas/compiled/schemas.js';
import { recipes } from '../../src/cli/walk/recipes.js';
import { routeName, type Recipe } from '../../src/cli/walk/requests.js';
import { routes } from '../../src/http/routes/index.js';
import type { Route } from '../../src/http/route.js';
import { fitting, idNamed, type Schema } from './from-schema.js';
import {
  byteChange,
  change,
  CONTENT_TYPES,
  ENCODINGS,
  HEADERS,
  hostileTree,
  QUERY_TEXTS,
  SEGMENTS,
  type ByteChange,
} from './hostile.js';
import { FRAMINGS } from './framing.js';
import { leaf, type Change, type Tree } from './tree.js';

/** What a request begins as: one that is known to fit, or one that the schemas say fits. */
export type Base =
  | { recipe: number }
  | { params: Tree[]; query: [name: string, value: Tree, apart: boolean][]; body: Tree | null };

/** One thing that is wrong with a request besides what its body says. */
export type Trouble =
  | { segment: [at: number, raw: string] }
  | { tail: string }
  | { query: [at: number, raw: string] }
  | { header: readonly [name: string, value: string] }
  | { type: string }
  | { encoding: string }
  | { bytes: ByteChange }
  | { method: string }
  | { framing: string };

/**
 * A request as it is drawn; `requestOf` writes it. Nothing in it is of one server, so that it can be shrunk and sent
 * again.
 */
export interface Plan {
  base: Base;
  changes: Change[];
  troubles: Trouble[];
}

/** A route under another prefix is walked as the one that is documented. */
export function recipeOf(route: Route): Recipe | null {
  const documented = routes.find(({ handle, alias }) => handle === route.handle && !alias) ?? route;
  return recipes[routeName(documented)] ?? null;
}

function schemaOf(name: string | null): Schema | null {
  return name === null ? null : (schemas[name] as Schema);
}

function fromSchemas(route: Route): Arbitrary<Base> {
  const query = schemaOf(route.schemas.query)?.properties ?? {};
  const names = Object.keys(query);
  const values = tuple(...names.map((name) => tuple(nat(2), fitting(query[name]!, name), boolean())));
  const body = schemaOf(route.schemas.body);
  return record({
    params: tuple(
      ...route.paramNames.map((name) =>
        name === 'namespace'
          ? constantFrom('first', 'a|b', 'x').map(leaf)
          : /^(agent|file)$/.test(name)
            ? constantFrom('walk', 'entrypoint.js').map(leaf)
            : idNamed(name),
      ),
    ),
    query: values.map((all) =>
      all.flatMap(([chosen, value, apart], at): [string, Tree, boolean][] =>
        chosen === 0 ? [[names[at]!, value, apart]] : [],
      ),
    ),
    // What a schema leaves open is a message of another protocol, or text of a form that no schema describes.
    body:
      body === null
        ? constant(null)
        : body.type === undefined && body.anyOf === undefined
          ? hostileTree
          : fitting(body),
  });
}

const TAILS = [
  '/',
  '//',
  '/.',
  '/..',
  '/../../ok',
  '/%2e%2e/ok',
  ';x=1',
  '#x',
  '?',
  '??',
  '%20',
  '%00',
  '/x',
  '\\',
  '/*',
];
const METHODS = [
  'HEAD',
  'OPTIONS',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'X',
];

function trouble(route: Route): Arbitrary<Trouble> {
  const path = tuple(nat(8), constantFrom(...SEGMENTS)).map((segment): Trouble => ({ segment }));
  const query = tuple(nat(30), constantFrom(...QUERY_TEXTS)).map((one): Trouble => ({ query: one }));
  const bytes = byteChange.map((one): Trouble => ({ bytes: one }));
  const hasBody = route.method !== 'get';
  return oneof(
    { arbitrary: path, weight: route.paramNames.length === 0 ? 1 : 4 },
    { arbitrary: constantFrom(...TAILS).map((tail): Trouble => ({ tail })), weight: 1 },
    { arbitrary: query, weight: route.schemas.query === null ? 1 : 5 },
    { arbitrary: constantFrom(...HEADERS).map((header): Trouble => ({ header })), weight: 3 },
    { arbitrary: constantFrom(...CONTENT_TYPES).map((type): Trouble => ({ type })), weight: hasBody ? 2 : 0 },
    {
      arbitrary: constantFrom(...Object.keys(ENCODINGS)).map((encoding): Trouble => ({ encoding })),
      weight: hasBody ? 3 : 0,
    },
    { arbitrary: bytes, weight: hasBody ? 4 : 0 },
    { arbitrary: constantFrom(...METHODS).map((method): Trouble => ({ method })), weight: 1 },
    { arbitrary: constantFrom(...Object.keys(FRAMINGS)).map((framing): Trouble => ({ framing })), weight: 2 },
  );
}

/** Requests to a route: such that fit, nearly fit, and do not. */
export function plans(route: Route): Arbitrary<Plan> {
  const tries = recipeOf(route)?.attempts.length ?? 0;
  const made = fromSchemas(route);
  const known = tries === 0 ? made : integer({ min: 0, max: tries - 1 }).map((recipe): Base => ({ recipe }));
  const hasBody = route.method !== 'get' && (route.schemas.body !== null || tries > 0);
  const none = constant<never[]>([]);
  const some = hasBody ? array(change, { minLength: 1, maxLength: 3 }) : none;
  const bad = array(trouble(route), { minLength: 1, maxLength: 2 });
  return oneof(
    { arbitrary: record({ base: known, changes: none, troubles: none }), weight: 1 },
    { arbitrary: record({ base: made, changes: none, troubles: none }), weight: 4 },
    { arbitrary: record({ base: known, changes: some, troubles: none }), weight: hasBody ? 4 : 0 },
    { arbitrary: record({ base: made, changes: some, troubles: none }), weight: hasBody ? 2 : 0 },
    { arbitrary: record({ base: known, changes: none, troubles: bad }), weight: 4 },
    { arbitrary: record({ base: made, changes: some, troubles: bad }), weight: 2 },
  );
}
