import { isObject, type JsonObject } from '../base/json/json.js';
import type { Problem } from '../base/errors.js';
import { PREBUILT_SCHEMAS } from './prebuilt-schemas.js';

/**
 * JSON Schemas that clients attach to datasets. Anyone who may create a dataset chooses them, so everything about
 * them is limited. Unknown keywords and formats are annotations.
 */

/** A schema in the sense of JSON Schema: an object, or true or false. */
export type Schema = JsonObject | boolean;

const DEPTH_MAX = 50;
const SCHEMAS_MAX = 5_000;
const PATTERN_CHARS_MAX = 1_000;
const PROBLEMS_MAX = 20;

const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/** Keywords by the form of their value. */
const SCHEMA_KEYWORDS = [
  'additionalProperties',
  'additionalItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
];
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_MAP_KEYWORDS = ['properties', 'patternProperties', 'definitions', '$defs'];
const COUNT_KEYWORDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
/** Keywords of other drafts that would silently allow more than their author meant. */
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas'];

const OR_PREBUILT = `or be one of ${[...PREBUILT_SCHEMAS.keys()].join(', ')}. Schemas at other addresses are not read`;

/** What is wrong with a schema; empty if it can be used. */
export function problemsOfSchema(schema: unknown): Problem[] {
  const check = new SchemaCheck(schema);
  check.schema(schema, [], 0);
  return check.problems;
}

class SchemaCheck {
  readonly problems: Problem[] = [];
  readonly #root: unknown;
  #schemas = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  schema(schema: unknown, loc: (string | number)[], depth: number): void {
    if (this.problems.length >= PROBLEMS_MAX || typeof schema === 'boolean') return;
    if (!isObject(schema)) return this.#add(loc, 'must be a schema: an object, true or false');
    this.#schemas += 1;
    if (depth > DEPTH_MAX) return this.#add(loc, `must not be nested deeper than ${DEPTH_MAX} levels`);
    if (this.#schemas > SCHEMAS_MAX) {
      if (this.#schemas === SCHEMAS_MAX + 1) this.#add(loc, `must not have more than ${SCHEMAS_MAX} parts`);
      return;
    }
    this.#values(schema, loc);
    for (const name of SCHEMA_KEYWORDS)
      if (Object.hasOwn(schema, name)) this.schema(schema[name], [...loc, name], depth + 1);
    for (const name of SCHEMA_LIST_KEYWORDS)
      if (Object.hasOwn(schema, name)) this.#list(schema[name], [...loc, name], depth);
    for (const name of SCHEMA_MAP_KEYWORDS)
      if (Object.hasOwn(schema, name)) this.#map(schema[name], [...loc, name], depth);
    if (Object.hasOwn(schema, 'items')) {
      if (Array.isArray(schema['items'])) this.#list(schema['items'], [...loc, 'items'], depth);
      else this.schema(schema['items'], [...loc, 'items'], depth + 1);
    }
  }

  #list(list: unknown, loc: (string | number)[], depth: number): void {
    if (!Array.isArray(list) || list.length === 0) return this.#add(loc, 'must be a list of schemas');
    for (const [at, one] of (list as unknown[]).entries()) this.schema(one, [...loc, at], depth + 1);
  }

  #map(map: unknown, loc: (string | number)[], depth: number): void {
    if (!isObject(map)) return this.#add(loc, 'must be an object of schemas');
    for (const [name, one] of Object.entries(map)) {
      if (loc.at(-1) === 'patternProperties') this.#pattern(name, [...loc, name]);
      this.schema(one, [...loc, name], depth + 1);
    }
  }

  #values(schema: JsonObject, loc: (string | number)[]): void {
    const check = (name: string, isRight: (value: unknown) => boolean, msg: string): void => {
      if (Object.hasOwn(schema, name) && !isRight(schema[name])) this.#add([...loc, name], msg);
    };
    const isText = (value: unknown): boolean => typeof value === 'string';
    check('type', (value) => [value].flat().every((one) => TYPES.has(one)), 'must be a type of JSON Schema');
    check('enum', Array.isArray, 'must be a list');
    check('required', (value) => Array.isArray(value) && value.every(isText), 'must be a list of names');
    check(
      'dependentRequired',
      (value) => isObject(value) && Object.values(value).every((one) => Array.isArray(one) && one.every(isText)),
      'must be an object of lists of names',
    );
    check('uniqueItems', (value) => typeof value === 'boolean', 'must be true or false');
    for (const name of COUNT_KEYWORDS)
      check(name, (value) => Number.isSafeInteger(value) && (value as number) >= 0, 'must be a whole number from 0');
    for (const name of NUMBER_KEYWORDS) check(name, (value) => Number.isFinite(value), 'must be a number');
    check('multipleOf', (value) => (value as number) > 0, 'must be above 0');
    for (const name of UNSUPPORTED) check(name, () => false, 'is not supported');
    check('format', isText, 'must be the name of a format');
    if (Object.hasOwn(schema, 'pattern')) this.#pattern(schema['pattern'], [...loc, 'pattern']);
    if (Object.hasOwn(schema, '$ref') && resolveRef(this.#root, schema['$ref']) === undefined)
      this.#add([...loc, '$ref'], `must refer to a part of this schema, such as #/$defs/message, ${OR_PREBUILT}`);
  }

  #pattern(pattern: unknown, loc: (string | number)[]): void {
    if (typeof pattern !== 'string') return this.#add(loc, 'must be a regular expression');
    if (pattern.length > PATTERN_CHARS_MAX)
      return this.#add(loc, `must not have more than ${PATTERN_CHARS_MAX} characters`);
    try {
      createPattern(pattern);
    } catch {
      this.#add(loc, 'must be a regular expression of JavaScript');
    }
  }

  #add(loc: (string | number)[], msg: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ loc, msg, type: 'json_schema' });
  }
}

/** Throws SyntaxError. */
export function createPattern(pattern: string): RegExp {
  return new RegExp(pattern, 'u');
}

/** What a reference names: a part of the schema, or a prebuilt schema. Undefined for any other reference. */
export function resolveRef(root: unknown, ref: unknown): Schema | undefined {
  if (typeof ref !== 'string') return undefined;
  const prebuilt = PREBUILT_SCHEMAS.get(ref.replace(/#$/, ''));
  if (prebuilt !== undefined) return prebuilt;
  if (!/^#(?:\/|$)/.test(ref)) return undefined;
  let at: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return isObject(at) || typeof at === 'boolean' ? at : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const TRANSFORMATION_TYPES = [
  'convert_to_openai_message',
  'convert_to_openai_tool',
  'remove_system_messages',
  'remove_extra_fields',
  'extract_tools_from_run',
] as const;
export type TransformationType = (typeof TRANSFORMATION_TYPES)[number];

/** A change of examples before they are stored. The path begins with `inputs` or `outputs`. */
export interface Transformation {
  path: [side: 'inputs' | 'outputs', ...names: string[]];
  transformation_type: TransformationType;
}

const TRANSFORMATIONS_MAX = 100;

/** What is wrong with the transformations of a dataset. */
export function problemsOfTransformations(list: unknown): Problem[] {
  const problems: Problem[] = [];
  const add = (loc: (string | number)[], msg: string): void => {
    problems.push({ loc, msg, type: 'transformation' });
  };
  if (!Array.isArray(list) || list.length > TRANSFORMATIONS_MAX) {
    add([], `must be a list of at most ${TRANSFORMATIONS_MAX} transformations`);
    return problems;
  }
  for (const [at, one] of (list as unknown[]).entries()) {
    const { path, transformation_type: type } = isObject(one) ? one : {};
    if (
      !Array.isArray(path) ||
      !path.every((name) => typeof name === 'string') ||
      (path[0] !== 'inputs' && path[0] !== 'outputs')
    )
      add([at, 'path'], 'must be a list of names that begins with "inputs" or "outputs"');
    if (!(TRANSFORMATION_TYPES as readonly unknown[]).includes(type))
      add([at, 'transformation_type'], `must be one of ${TRANSFORMATION_TYPES.join(', ')}`);
  }
  return problems;
}
