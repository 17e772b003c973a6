import { isObject, type JsonObject } from '../base/json/json.js';
import type { Problem } from '../base/errors.js';
import { createPattern, resolveRef, type Schema } from './json-schema.js';
import { hasFormat } from './formats.js';

/** Parts of a schema that one value may visit. Nested alternatives multiply, and references may be circular. */
const STEPS_MAX = 100_000;
const REFERENCES_MAX = 200;
/** Problems of one value. */
const PROBLEMS_MAX = 10;

/** The value cannot be checked within the limits. */
export class SchemaTooComplexError extends Error {}

/**
 * Checks values against the schema of a dataset, without generating code. The schema has been checked by
 * `problemsOfSchema`. A pattern or a format may take very long, so call it with a time limit.
 */
export class SchemaValidator {
  readonly #root: Schema;
  readonly #patterns = new Map<string, RegExp>();
  #steps = 0;
  #path: (string | number)[] = [];
  #problems: Problem[] = [];
  /** More than 0 while the alternatives of `anyOf` and the like are tried: they report nothing themselves. */
  #silent = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Throws SchemaTooComplexError. */
  problemsOf(value: unknown): Problem[] {
    this.#steps = 0;
    this.#path = [];
    this.#problems = [];
    this.#silent = 0;
    this.#check(this.#root, value, 0);
    return this.#problems;
  }

  #check(schema: Schema, value: unknown, references: number): boolean {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX || references > REFERENCES_MAX) throw new SchemaTooComplexError();
    if (schema === true) return true;
    if (schema === false) return this.#fail('is not allowed', 'false_schema');
    let isValid = true;
    const require = (holds: boolean): void => {
      isValid &&= holds;
    };
    if (typeof schema['$ref'] === 'string')
      require(this.#check(resolveRef(this.#root, schema['$ref'])!, value, references + 1));
    if (schema['type'] !== undefined) require(this.#type(schema, value));
    if (Array.isArray(schema['enum']))
      require(
        schema['enum'].some((one) => isEqual(one, value)) ||
          this.#fail(`must be one of ${listText(schema['enum'])}`, 'enum'),
      );
    if (Object.hasOwn(schema, 'const'))
      require(isEqual(schema['const'], value) || this.#fail(`must be ${shortText(schema['const'])}`, 'const'));
    if (typeof value === 'string') require(this.#text(schema, value));
    else if (typeof value === 'number') require(this.#number(schema, value));
    else if (Array.isArray(value)) require(this.#array(schema, value, references));
    else if (isObject(value)) require(this.#object(schema, value, references));
    if (typeof value === 'string' || typeof value === 'number') require(this.#format(schema, value));
    require(this.#alternatives(schema, value, references));
    return isValid;
  }

  #type(schema: JsonObject, value: unknown): boolean {
    const types = [schema['type']].flat() as string[];
    return types.some((type) => hasType(value, type)) || this.#fail(`must be ${types.join(' or ')}`, 'type');
  }

  #format({ format }: JsonObject, value: string | number): boolean {
    return (
      typeof format !== 'string' || hasFormat(value, format) || this.#fail(`must have the format ${format}`, 'format')
    );
  }

  #text(schema: JsonObject, value: string): boolean {
    const { minLength, maxLength, pattern } = schema as { minLength?: number; maxLength?: number; pattern?: string };
    let isValid = true;
    if (minLength !== undefined || maxLength !== undefined) {
      const length = codePoints(value);
      if (length < (minLength ?? 0)) isValid = this.#fail(`must have at least ${minLength} characters`, 'minLength');
      if (length > (maxLength ?? Infinity))
        isValid = this.#fail(`must have at most ${maxLength} characters`, 'maxLength');
    }
    if (pattern !== undefined && !this.#pattern(pattern).test(value))
      isValid = this.#fail(`must match the pattern ${shortText(pattern)}`, 'pattern');
    return isValid;
  }

  #number(schema: JsonObject, value: number): boolean {
    const limit = (name: string): number | undefined => schema[name] as number | undefined;
    let isValid = true;
    const refuse = (name: string, text: string): void => {
      isValid = this.#fail(`must be ${text} ${limit(name)}`, name);
    };
    if (value < (limit('minimum') ?? -Infinity)) refuse('minimum', 'at least');
    if (value > (limit('maximum') ?? Infinity)) refuse('maximum', 'at most');
    if (value <= (limit('exclusiveMinimum') ?? -Infinity)) refuse('exclusiveMinimum', 'above');
    if (value >= (limit('exclusiveMaximum') ?? Infinity)) refuse('exclusiveMaximum', 'below');
    const step = limit('multipleOf');
    if (step !== undefined && !Number.isInteger(Number((value / step).toPrecision(12))))
      refuse('multipleOf', 'a multiple of');
    return isValid;
  }

  #array(schema: JsonObject, value: unknown[], references: number): boolean {
    const { minItems, maxItems } = schema as { minItems?: number; maxItems?: number };
    let isValid = true;
    if (value.length < (minItems ?? 0)) isValid = this.#fail(`must have at least ${minItems} items`, 'minItems');
    if (value.length > (maxItems ?? Infinity)) isValid = this.#fail(`must have at most ${maxItems} items`, 'maxItems');
    if (schema['uniqueItems'] === true && new Set(value.map(canonicalText)).size < value.length)
      isValid = this.#fail('must have no equal items', 'uniqueItems');
    const items = schema['items'] as Schema | Schema[] | undefined;
    const first = (schema['prefixItems'] ?? (Array.isArray(items) ? items : [])) as Schema[];
    const rest = Array.isArray(items) ? (schema['additionalItems'] as Schema | undefined) : items;
    for (const [at, item] of value.entries()) {
      const own = first[at] ?? rest;
      if (own !== undefined) isValid = this.#member(own, item, at, references) && isValid;
    }
    const contains = schema['contains'] as Schema | undefined;
    if (contains !== undefined && !value.some((item) => this.#holds(contains, item, references)))
      isValid = this.#fail('must contain an item of the schema in contains', 'contains');
    return isValid;
  }

  #object(schema: JsonObject, value: JsonObject, references: number): boolean {
    const names = Object.keys(value);
    const { minProperties, maxProperties } = schema as { minProperties?: number; maxProperties?: number };
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    const additional = schema['additionalProperties'] as Schema | undefined;
    const propertyNames = schema['propertyNames'] as Schema | undefined;
    let isValid = true;
    for (const name of (schema['required'] ?? []) as string[])
      if (!Object.hasOwn(value, name)) isValid = this.#failAt(name, 'is required', 'missing');
    for (const [name, needed] of Object.entries((schema['dependentRequired'] ?? {}) as Record<string, string[]>)) {
      if (!Object.hasOwn(value, name)) continue;
      for (const one of needed)
        if (!Object.hasOwn(value, one)) isValid = this.#failAt(one, `is required with ${name}`, 'missing');
    }
    if (names.length < (minProperties ?? 0))
      isValid = this.#fail(`must have at least ${minProperties} members`, 'minProperties');
    if (names.length > (maxProperties ?? Infinity))
      isValid = this.#fail(`must have at most ${maxProperties} members`, 'maxProperties');
    for (const name of names) {
      const member = value[name];
      let isKnown = false;
      if (Object.hasOwn(properties, name)) {
        isKnown = true;
        isValid = this.#member(properties[name]!, member, name, references) && isValid;
      }
      for (const [pattern, own] of patterns) {
        if (!this.#pattern(pattern).test(name)) continue;
        isKnown = true;
        isValid = this.#member(own, member, name, references) && isValid;
      }
      if (!isKnown && additional === false)
        isValid = this.#failAt(name, 'is not in the schema', 'additionalProperties');
      else if (!isKnown && additional !== undefined)
        isValid = this.#member(additional, member, name, references) && isValid;
      if (propertyNames !== undefined && !this.#holds(propertyNames, name, references))
        isValid = this.#failAt(name, 'is not an allowed name', 'propertyNames');
    }
    return isValid;
  }

  #alternatives(schema: JsonObject, value: unknown, references: number): boolean {
    let isValid = true;
    for (const one of (schema['allOf'] ?? []) as Schema[]) isValid = this.#check(one, value, references + 1) && isValid;
    const { anyOf, oneOf } = schema as { anyOf?: Schema[]; oneOf?: Schema[] };
    if (anyOf !== undefined && !anyOf.some((one) => this.#holds(one, value, references)))
      isValid = this.#fail('must match one of the schemas in anyOf', 'anyOf');
    if (oneOf !== undefined && oneOf.filter((one) => this.#holds(one, value, references)).length !== 1)
      isValid = this.#fail('must match exactly one of the schemas in oneOf', 'oneOf');
    if (schema['not'] !== undefined && this.#holds(schema['not'] as Schema, value, references))
      isValid = this.#fail('must not match the schema in not', 'not');
    if (schema['if'] !== undefined) {
      const then = schema[this.#holds(schema['if'] as Schema, value, references) ? 'then' : 'else'];
      if (then !== undefined) isValid = this.#check(then as Schema, value, references + 1) && isValid;
    }
    return isValid;
  }

  #member(schema: Schema, value: unknown, name: string | number, references: number): boolean {
    this.#path.push(name);
    const isValid = this.#check(schema, value, references);
    this.#path.pop();
    return isValid;
  }

  #holds(schema: Schema, value: unknown, references: number): boolean {
    this.#silent += 1;
    const isValid = this.#check(schema, value, references + 1);
    this.#silent -= 1;
    return isValid;
  }

  #pattern(pattern: string): RegExp {
    let compiled = this.#patterns.get(pattern);
    if (compiled === undefined) this.#patterns.set(pattern, (compiled = createPattern(pattern)));
    return compiled;
  }

  #failAt(name: string, msg: string, type: string): false {
    this.#path.push(name);
    this.#fail(msg, type);
    this.#path.pop();
    return false;
  }

  #fail(msg: string, type: string): false {
    if (this.#silent === 0 && this.#problems.length < PROBLEMS_MAX)
      this.#problems.push({ loc: [...this.#path], msg, type });
    return false;
  }
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The same text for equal values, whatever the order of their names. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  return canonicalText(a) === canonicalText(b);
}

const TEXT_CHARS_MAX = 80;

function shortText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}…` : text;
}

function listText(values: readonly unknown[]): string {
  return values.slice(0, 10).map(shortText).join(', ') + (values.length > 10 ? ', …' : '');
}
