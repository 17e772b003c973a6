import { array, constantFrom, double, integer, oneof, string, stringMatching, tuple, type Arbitrary } from 'fast-check';
import { schemas } from '../../schemas/compiled/schemas.js';
import { RARE_SCHEDULE } from '../../src/cli/walk/records.js';
import { hostileTree, TEXTS } from './hostile.js';
import { leaf, type IdName, type Tree } from './tree.js';

/** What of JSON Schema our schemas use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  format?: string;
  pattern?: string;
  definitions?: Record<string, Schema>;
}

/** Records by what a name says that they are; the first that fits counts. */
const KINDS: readonly (readonly [RegExp, readonly IdName[]])[] = [
  [/assistant/, ['assistant']],
  [/checkpoint/, ['checkpoint']],
  [/thread/, ['thread', 'openThread', 'statelessThread']],
  [/comparative/, ['comparative']],
  [/session|experiment|project/, ['experiment', 'experiment2', 'uploadedExperiment']],
  [/dataset/, ['dataset', 'uploadedDataset']],
  [/example/, ['example', 'example2']],
  [/feedback/, ['feedback', 'feedback2']],
  [/cron/, ['cron', 'threadCron']],
  [/run|trace/, ['run', 'openRun', 'statelessRun', 'evaluationRun']],
  [/token/, ['token']],
  [/key/, ['item']],
];
const ALL: readonly IdName[] = [...new Set(KINDS.flatMap(([, names]) => names))];

export function recordsNamed(name: string): readonly IdName[] {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? ALL;
}

const NOBODY = ['01a20000-0000-7000-8000-000000000000', '01A2FFFF-0000-4000-8000-00000000000A'];

/** An id: mostly of a record of the kind that the name says, else of another kind, or of none. */
export function idNamed(name: string): Arbitrary<Tree> {
  return oneof(
    { arbitrary: constantFrom(...recordsNamed(name)).map((id): Tree => ({ id })), weight: 5 },
    { arbitrary: constantFrom(...ALL).map((id): Tree => ({ id })), weight: 1 },
    { arbitrary: constantFrom(...NOBODY).map(leaf), weight: 1 },
  );
}

/** What must not do harm, nor go on behind the back of the next request. */
const HARMLESS: Readonly<Record<string, readonly unknown[]>> = {
  after_seconds: [0, 86_400, null],
  schedule: [RARE_SCHEDULE, 'never', '61 * * * *'],
  webhook: ['https://webhook.invalid/x', 'http://127.0.0.1/', 'x'],
  timezone: ['UTC', 'Europe/Berlin', 'Nowhere/At_All'],
  assistant_id: ['walk', 'echo', 'approval', 'nobody'],
  graph_id: ['walk', 'echo', 'nobody'],
  ttl: [null, 525_600, { ttl: 1_000_000, strategy: 'delete' }],
};

/** Values that fit the schema, as far as it says; `name` is what they are called where they stand. */
export function fitting(schema: Schema, name = '', depth = 0): Arbitrary<Tree> {
  const plain = fittingPlain(schema, name, depth);
  const harmless = HARMLESS[name];
  if (harmless === undefined) return plain;
  const given = constantFrom(...harmless).map(leaf);
  return name === 'assistant_id' ? oneof(given, given, idNamed(name)) : given;
}

function fittingPlain(schema: Schema, name: string, depth: number): Arbitrary<Tree> {
  // A condition has conditions in it, and so on.
  if (schema.$ref !== undefined) return depth > 4 ? hostileTree : fitting(resolve(schema.$ref), name, depth + 1);
  if (schema.allOf !== undefined) return fitting(Object.assign({}, ...schema.allOf) as Schema, name, depth);
  if (schema.enum !== undefined) return constantFrom(...schema.enum).map(leaf);
  if (schema.anyOf !== undefined) return oneof(...schema.anyOf.map((one) => fitting(one, name, depth)));
  if (Array.isArray(schema.type))
    return oneof(...schema.type.map((type) => fittingPlain({ ...schema, type }, name, depth)));
  switch (schema.type) {
    case 'null':
      return constantFrom<Tree>({ raw: 'null' });
    case 'boolean':
      return constantFrom<Tree>({ raw: 'true' }, { raw: 'false' });
    case 'integer':
      return integer(bounds(schema)).map(leaf);
    case 'number':
      return double({ ...bounds(schema), noNaN: true }).map(leaf);
    case 'string':
      return text(schema, name);
    case 'array':
      return array(fitting(schema.items ?? {}, name, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, depth > 3 ? 1 : 4, 4 + (schema.minItems ?? 0)),
      }).map((items): Tree => ({ items }));
    case 'object':
      return object(schema, depth);
    default:
      return depth > 4
        ? oneof(text(schema, name))
        : oneof(
            text(schema, name),
            integer().map(leaf),
            hostileTree,
            object({ additionalProperties: true }, depth + 2),
          );
  }
}

function resolve(ref: string): Schema {
  const [, title, definition] = /^#\/components\/schemas\/(\w+)\/definitions\/(\w+)$/.exec(ref) ?? [];
  const found = (schemas[title ?? ''] as Schema | undefined)?.definitions?.[definition ?? ''];
  if (found === undefined) throw new Error(`${ref} is not among the schemas`);
  return found;
}

const SAFE = 2 ** 31;

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): { min: number; max: number } {
  const min = minimum ?? (exclusiveMinimum === undefined ? -10 : exclusiveMinimum + 1);
  const max = maximum ?? (exclusiveMaximum === undefined ? SAFE : exclusiveMaximum - 1);
  return { min, max: Math.max(min, max) };
}

function text(schema: Schema, name: string): Arbitrary<Tree> {
  const { minLength = 0, maxLength = 1_000_000, format, pattern } = schema;
  if (format === 'uuid') return idNamed(name);
  if (pattern !== undefined) return stringMatching(new RegExp(pattern)).map(leaf);
  const strange = TEXTS.filter(({ length }) => length >= minLength && length <= maxLength).map(leaf);
  const words = string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 12) }).map(leaf);
  const all = [
    words,
    constantFrom(...strange),
    constantFrom('walk', 'echo', 'x', '2026-01-01T00:00:00Z', '1').map(leaf),
  ];
  return /id|key|trace|session|example/.test(name) ? oneof(idNamed(name), ...all) : oneof(...all);
}

function object(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  depth: number,
): Arbitrary<Tree> {
  const names = Object.keys(properties);
  const known = Object.entries(properties).map(([name, schema]) => fitting(schema, name, depth + 1));
  const isSchema = typeof additionalProperties === 'object';
  const further =
    additionalProperties === false
      ? constantFrom<[string, Tree][]>([])
      : array(
          tuple(
            oneof(constantFrom('text', 'walk', 'a', '__proto__', 'constructor'), string({ maxLength: 6 })),
            isSchema
              ? fitting(additionalProperties, '', depth + 1)
              : oneof(
                  hostileTree,
                  constantFrom(...ALL).map((id): Tree => ({ id })),
                ),
          ),
          { maxLength: isSchema ? 3 : 1 },
        );
  // What is left out is as much a request as what is there.
  return tuple(
    array(integer({ min: 0, max: 2 }), { minLength: known.length, maxLength: known.length }),
    further,
    tuple(...known),
  ).map(([chosen, more, values]) => ({
    members: [
      ...values.flatMap((value, at): [string, Tree][] =>
        chosen[at] === 0 || required.includes(names[at]!) ? [[names[at]!, value]] : [],
      ),
      ...more,
    ],
  }));
}
