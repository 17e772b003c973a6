import { rawNumber } from '../api/json.js';
import type { JsonSchema } from './model.js';

/** Larger values are edited as JSON. */
const DEPTH_MAX = 4;
const PROPERTIES_MAX = 40;
const LONG_TEXT_CHARS = 80;

/** What a new property can be. */
const ANY_VALUE: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { title: 'JSON' }],
};

/** A schema that these objects match, for a form that edits one like them. More properties can be added. */
export function inferObjectSchema(objects: readonly Readonly<Record<string, unknown>>[]): JsonSchema {
  return objectSchema(objects, 0);
}

function objectSchema(objects: readonly Readonly<Record<string, unknown>>[], depth: number): JsonSchema {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  if (names.length > PROPERTIES_MAX) return {};
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      inferSchema(
        objects.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]),
        depth + 1,
      ),
    ]),
  );
  return { type: 'object', properties, additionalProperties: ANY_VALUE };
}

function inferSchema(values: readonly unknown[], depth: number): JsonSchema {
  const known = values.filter((value) => value !== null);
  const [kind, ...others] = new Set(known.map(kindOf));
  if (kind === undefined || others.length > 0 || depth > DEPTH_MAX) return {};
  const schema = schemaOfKind(kind, known, depth);
  return known.length < values.length && Object.keys(schema).length > 0
    ? { anyOf: [schema, { type: 'null' }] }
    : schema;
}

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return 'array';
  if (rawNumber(value) !== null) return 'number';
  return typeof value as Kind;
}

function schemaOfKind(kind: Kind, values: readonly unknown[], depth: number): JsonSchema {
  switch (kind) {
    case 'array': {
      const items = inferSchema((values as unknown[][]).flat(), depth + 1);
      return Object.keys(items).length === 0 ? {} : { type: 'array', items };
    }
    case 'object':
      return objectSchema(values as Record<string, unknown>[], depth);
    case 'string':
      return (values as string[]).some((text) => text.length > LONG_TEXT_CHARS || text.includes('\n'))
        ? { type: 'string', format: 'textarea' }
        : { type: 'string' };
    default:
      return { type: kind };
  }
}
