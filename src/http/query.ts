import { schemas } from '../../schemas/compiled/schemas.js';
import { isTooDeep } from '../base/json/json.js';

/** Parses the values of one query parameter, chosen by its schema. */
type ParamParser = (values: string[]) => unknown;

/**
 * Parses query strings in all forms that clients send: lists as one JSON array, as repeated parameters or
 * joined with commas; booleans as true, 1 or yes; empty values as absent (agent-server.md, section 1). A value
 * of the wrong type stays text, so that the validator reports it.
 */
export function createQueryParser(schemaName: string): (query: string) => Record<string, unknown> {
  const properties = (schemas[schemaName]!['properties'] ?? {}) as Record<
    string,
    { type?: string | string[]; $comment?: string }
  >;
  const readers = new Map(
    Object.entries(properties).map(([name, { type, $comment }]) => [
      name,
      $comment === 'repeated'
        ? repeated
        : $comment === 'labels'
          ? labels
          : $comment === 'empty counts'
            ? withEmpty
            : readerOf(type),
    ]),
  );
  return (query) => {
    const found: Record<string, unknown> = {};
    if (query === '') return found;
    const params = new URLSearchParams(query);
    for (const [name, read] of readers) {
      const all = params.getAll(name);
      // Among several labels, an empty one is an error, not an absent value.
      const values =
        read === labels && all.length > 1 ? all : all.filter((value) => value !== '' || read === withEmpty);
      if (values.length > 0) found[name] = read(values);
    }
    return found;
  };
}

/** Lists of API A are never joined with commas: a feedback key may contain a comma (evaluation-api.md, 0.3). */
function repeated(values: string[]): unknown {
  return values;
}

/**
 * A namespace: clients join its labels with periods. The API description has one value per label
 * (agent-server.md, trap 13).
 */
function labels(values: string[]): unknown {
  return values.length === 1 ? values[0]!.split('.') : values;
}

/**
 * Lists in which an empty text is a value, such as the root namespace. Not split at commas, because node names
 * may contain them.
 */
function withEmpty(values: string[]): unknown {
  const [first] = values;
  return values.length === 1 && first!.startsWith('[') ? (parsed(first!) ?? values) : values;
}

function readerOf(type: string | string[] | undefined): ParamParser {
  if (Array.isArray(type)) {
    // The first type that fits, in the order of the schema. A value that fits none stays text.
    const readers = type.map(readerOf);
    return (values) => readers.map((read) => read(values)).find((value) => typeof value !== 'string') ?? values[0];
  }
  switch (type) {
    case 'array':
      return (values) => (values.length > 1 ? values : list(values[0]!));
    case 'boolean':
      return ([value]) => boolean(value!);
    case 'integer':
    case 'number':
      return ([value]) => (value!.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value);
    case 'object':
      return ([value]) => parsed(value!) ?? value;
    default:
      return ([value]) => value;
  }
}

function list(value: string): unknown {
  if (value.startsWith('[')) return parsed(value) ?? [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function boolean(value: string): unknown {
  if (/^(true|1|yes)$/i.test(value)) return true;
  if (/^(false|0|no)$/i.test(value)) return false;
  return value;
}

function parsed(value: string): unknown {
  try {
    const found = JSON.parse(value) as unknown;
    // Validators recurse as deep as the value is nested.
    return isTooDeep(found) ? undefined : found;
  } catch {
    return undefined;
  }
}
