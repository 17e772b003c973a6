import { rawNumber } from '../api/json.js';

/** The parts of JSON Schema (draft 7, 2020-12) that a form needs. Pure functions; nothing is compiled at run time. */

export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema | boolean>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[];
  prefixItems?: readonly (JsonSchema | boolean)[];
  anyOf?: readonly (JsonSchema | boolean)[];
  oneOf?: readonly (JsonSchema | boolean)[];
  allOf?: readonly (JsonSchema | boolean)[];
  /** Extension of LangGraph: `messages` marks a list of chat messages. */
  langgraph_type?: string;
}

/** The kind of field that edits a value. `json` is the fallback. */
export type Field =
  | {
      kind: 'object';
      properties: readonly (readonly [name: string, schema: JsonSchema, required: boolean])[];
      extraProperties: JsonSchema | null;
    }
  | { kind: 'array'; items: JsonSchema }
  | { kind: 'text'; long: boolean; format: string | null }
  | { kind: 'enum'; values: readonly unknown[] }
  | { kind: 'number'; integer: boolean; min: number | null; max: number | null }
  | { kind: 'boolean' }
  | { kind: 'null' }
  | { kind: 'choice'; of: readonly JsonSchema[] }
  | { kind: 'messages' }
  | { kind: 'json' };

const DEPTH_MAX = 16;

/** The schema with references resolved and `allOf` merged. An unresolvable reference accepts any value. */
export function resolveSchema(schema: JsonSchema | boolean | undefined, root: JsonSchema, depth = 0): JsonSchema {
  if (schema === undefined || typeof schema === 'boolean' || depth > DEPTH_MAX) return {};
  const { $ref, allOf, ...own } = schema;
  const parts = [...($ref === undefined ? [] : [resolvePointer(root, $ref)]), ...(allOf ?? [])].map((part) =>
    resolveSchema(part, root, depth + 1),
  );
  if (parts.length === 0) return own;
  const all = [...parts, own];
  const properties = Object.assign({}, ...all.map((part) => part.properties ?? {})) as Record<string, JsonSchema>;
  const required = all.flatMap((part) => part.required ?? []);
  return {
    ...(Object.assign({}, ...all) as JsonSchema),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Resolves a JSON pointer into the schema, for example `#/$defs/Name`. */
function resolvePointer(root: JsonSchema, ref: string): JsonSchema | boolean {
  if (!ref.startsWith('#')) return {};
  let found: unknown = root;
  for (const step of ref
    .slice(1)
    .split('/')
    .filter((one) => one !== '')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return {};
    found = (found as Record<string, unknown>)[name];
  }
  return found as JsonSchema;
}

/** Removes `null` from the schema and returns whether it was allowed. */
export function withoutNull(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[];
    const rest = types.filter((type) => type !== 'null');
    const nullable = rest.length < types.length;
    return rest.length > 1
      ? { schema: { ...schema, type: rest }, nullable }
      : { schema: { ...schema, type: rest[0] ?? 'null' }, nullable: nullable && rest.length > 0 };
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several === undefined) return { schema, nullable: false };
  const rest = several.filter((one) => resolveSchema(one, root).type !== 'null');
  if (rest.length === several.length || rest.length === 0) return { schema, nullable: false };
  const { anyOf: _any, oneOf: _one, ...own } = schema;
  if (rest.length > 1) return { schema: { ...own, anyOf: rest }, nullable: true };
  // Annotations next to the choice (title, default) are more specific than those inside it.
  return { schema: { ...withoutNull(resolveSchema(rest[0], root), root).schema, ...own }, nullable: true };
}

export function fieldOf(given: JsonSchema, root: JsonSchema): Field {
  const { schema } = withoutNull(given, root);
  if (schema.langgraph_type === 'messages') return { kind: 'messages' };
  if (schema.const !== undefined) return { kind: 'enum', values: [schema.const] };
  if (schema.enum !== undefined && schema.enum.length > 0) return { kind: 'enum', values: schema.enum };
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined && several.length > 0) {
    const of = several.map((one) => resolveSchema(one, root));
    const constants = of.map((one) => one.const);
    if (constants.every((one) => one !== undefined)) return { kind: 'enum', values: constants };
    return of.length === 1 ? fieldOf(of[0]!, root) : { kind: 'choice', of };
  }
  if (Array.isArray(schema.type))
    return { kind: 'choice', of: (schema.type as readonly string[]).map((type) => ({ ...schema, type, title: type })) };
  switch (schema.type ?? (schema.properties === undefined ? undefined : 'object')) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).map(([name, one]) => {
        const property = resolveSchema(one, root);
        // Schemas of parsed values require properties that have a default, although nobody has to give them.
        const isRequired = property.default === undefined && (schema.required?.includes(name) ?? false);
        return [name, property, isRequired] as const;
      });
      const { additionalProperties: more } = schema;
      // No known properties: a form has nothing to show.
      if (properties.length === 0 && (more === undefined || typeof more === 'boolean')) return { kind: 'json' };
      return {
        kind: 'object',
        properties,
        extraProperties: typeof more === 'object' ? resolveSchema(more, root) : null,
      };
    }
    case 'array':
      return schema.items === undefined || typeof schema.items !== 'object' || Array.isArray(schema.items)
        ? { kind: 'json' }
        : { kind: 'array', items: resolveSchema(schema.items as JsonSchema, root) };
    case 'string':
      return { kind: 'text', long: isMultiline(schema), format: schema.format ?? null };
    case 'number':
    case 'integer': {
      const integer = schema.type === 'integer';
      return {
        kind: 'number',
        integer,
        min: schema.minimum ?? boundOf(schema.exclusiveMinimum, integer, 1),
        max: schema.maximum ?? boundOf(schema.exclusiveMaximum, integer, -1),
      };
    }
    case 'boolean':
      return { kind: 'boolean' };
    case 'null':
      return { kind: 'null' };
    default:
      return { kind: 'json' };
  }
}

function boundOf(bound: number | undefined, integer: boolean, by: number): number | null {
  // Some generators write the limits of a double when there is no bound.
  if (bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) return null;
  return integer ? bound + by : bound;
}

const MULTILINE_NAMES = /(text|prompt|instructions?|description|content|body|notes?|summary|question)$/i;

function isMultiline({ format, maxLength, title, default: preset }: JsonSchema): boolean {
  if (format === 'textarea' || format === 'multiline') return true;
  if (format !== undefined) return false;
  return (
    (maxLength ?? 0) > 200 ||
    MULTILINE_NAMES.test(title ?? '') ||
    (typeof preset === 'string' && (preset.includes('\n') || preset.length > 80))
  );
}

/** The initial value of a form: defaults and required properties. */
export function initialValue(schema: JsonSchema, root: JsonSchema, required: boolean, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default;
  if (depth > DEPTH_MAX) return undefined;
  const field = fieldOf(schema, root);
  const { nullable } = withoutNull(schema, root);
  if (field.kind === 'messages') return depth <= 1 ? [{ role: 'user', content: '' }] : [];
  if (field.kind === 'object' && (required || depth === 0)) {
    const filled: Record<string, unknown> = {};
    for (const [name, property, must] of field.properties) {
      const value = initialValue(property, root, must, depth + 1);
      if (value !== undefined) filled[name] = value;
    }
    return filled;
  }
  if (!required) return undefined;
  if (nullable) return null;
  switch (field.kind) {
    case 'array':
      return [];
    case 'enum':
      return field.values[0];
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'text':
      return '';
    case 'choice':
      return initialValue(field.of[0]!, root, true, depth + 1);
    default:
      return undefined;
  }
}

/** Whether a field of this kind can show the value. Otherwise the value is edited as JSON, so that nothing is lost. */
export function fieldAccepts(field: Field, value: unknown): boolean {
  if (value === undefined) return true;
  switch (field.kind) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'messages':
      return (
        Array.isArray(value) &&
        value.every(
          (one) =>
            typeof one === 'object' &&
            one !== null &&
            !Array.isArray(one) &&
            'content' in one &&
            ('role' in one || 'type' in one),
        )
      );
    case 'text':
      return typeof value === 'string';
    case 'enum':
      return field.values.some((one) => sameJson(one, value));
    // Null stands for a number that is not entered yet, because lists cannot have gaps.
    case 'number':
      return typeof value === 'number' || value === null || rawNumber(value) !== null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'choice':
    case 'json':
      return true;
  }
}

/** Index of the schema that fits a value best, by the number of matching property names. */
export function matchingSchema(of: readonly JsonSchema[], value: unknown, root: JsonSchema): number {
  if (value === undefined) return 0;
  const scores = of.map((one) => {
    const field = fieldOf(one, root);
    if (!fieldAccepts(field, value)) return -1;
    if (field.kind === 'json') return 0;
    if (field.kind !== 'object') return 1;
    const given = Object.keys(value as object);
    const constants = field.properties.filter(([, property]) => property.const !== undefined);
    if (
      constants.some(
        ([name, property]) =>
          name in (value as object) && !sameJson(property.const, (value as Record<string, unknown>)[name]),
      )
    )
      return -1;
    return 1 + field.properties.filter(([name]) => given.includes(name)).length + constants.length * 10;
  });
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

export function schemaName(schema: JsonSchema, at: number): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return typeof schema.type === 'string' ? schema.type : `Option ${at + 1}`;
}

export interface ValidationProblem {
  path: readonly (string | number)[];
  message: string;
}

/** Client-side validation. The server makes the final decision. */
export function validateValue(
  schema: JsonSchema,
  value: unknown,
  root: JsonSchema,
  required = true,
  path: ValidationProblem['path'] = [],
): ValidationProblem[] {
  const { schema: one, nullable } = withoutNull(schema, root);
  if (value === undefined) return required && path.length > 0 ? [{ path, message: 'is required' }] : [];
  if (value === null && nullable) return [];
  const field = fieldOf(schema, root);
  if (!fieldAccepts(field, value))
    return [
      {
        path,
        message:
          field.kind === 'enum'
            ? `must be one of ${field.values.map((known) => JSON.stringify(known)).join(', ')}`
            : `must be ${KIND_NAMES[field.kind]}`,
      },
    ];
  switch (field.kind) {
    case 'object': {
      const given = value as Record<string, unknown>;
      return field.properties.flatMap(([name, property, must]) =>
        validateValue(property, given[name], root, must, [...path, name]),
      );
    }
    case 'array':
      return [
        ...lengthProblems((value as unknown[]).length, 'entries', one.minItems, one.maxItems, path),
        ...(value as unknown[]).flatMap((item, at) => validateValue(field.items, item, root, true, [...path, at])),
      ];
    case 'text':
      return lengthProblems((value as string).length, 'characters', one.minLength, one.maxLength, path);
    case 'number': {
      if (value === null) return [{ path, message: 'must be a number' }];
      const number = typeof value === 'number' ? value : Number(rawNumber(value));
      if (field.integer && !Number.isInteger(number)) return [{ path, message: 'must be a whole number' }];
      if (field.min !== null && number < field.min) return [{ path, message: `must be at least ${field.min}` }];
      return field.max !== null && number > field.max ? [{ path, message: `must be at most ${field.max}` }] : [];
    }
    case 'choice':
      return validateValue(field.of[matchingSchema(field.of, value, root)]!, value, root, required, path);
    default:
      return [];
  }
}

const KIND_NAMES: Readonly<Record<Field['kind'], string>> = {
  object: 'an object',
  array: 'a list',
  text: 'text',
  enum: 'one of the choices',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  choice: 'one of the options',
  messages: 'a list of messages',
  json: 'JSON',
};

function lengthProblems(
  length: number,
  what: string,
  min: number | undefined,
  max: number | undefined,
  path: ValidationProblem['path'],
): ValidationProblem[] {
  if (min !== undefined && length < min) return [{ path, message: `must have at least ${min} ${what}` }];
  return max !== undefined && length > max ? [{ path, message: `must have at most ${max} ${what}` }] : [];
}

export function pathText(path: ValidationProblem['path']): string {
  return path.map(String).join(' › ');
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
