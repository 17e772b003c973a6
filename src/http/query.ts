import { schemas } from '../../schemas/compiled/schemas.js';
import { isTooDeep } from '../base/json/json.js';

/** How one query parameter is read, from its schema. */
type Reader = (values: string[]) => unknown;

/**
 * Query strings as the clients send them: lists as one JSON array, as repeated parameters or comma-joined; booleans as
 * true, 1, yes; empty values as absent (agent-server.md, section 1). What does not fit is left as text for the validator
 * to name.
 */
export function queryReader(schemaName: string): (query: string) => Record<string, unknown> {
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
      // Among several labels an empty one is a mistake, not nothing.
      const values =
        read === labels && all.length > 1 ? all : all.filter((value) => value !== '' || read === withEmpty);
      if (values.length > 0) found[name] = read(values);
    }
    return found;
  };
}

/** Lists of API A are never joined: a feedback key may have a comma (evaluation-api.md, 0.3). */
function repeated(values: string[]): unknown {
  return values;
}

/** A namespace: clients join its labels with periods; the API's own description has a value for each (agent-server.md, trap 13). */
function labels(values: string[]): unknown {
  return values.length === 1 ? values[0]!.split('.') : values;
}

/** Lists in which empty text says something: the root among namespaces. Names of nodes may have commas. */
function withEmpty(values: string[]): unknown {
  const [first] = values;
  return values.length === 1 && first!.startsWith('[') ? (parsed(first!) ?? values) : values;
}

function readerOf(type: string | string[] | undefined): Reader {
  if (Array.isArray(type)) {
    // The first that it fits, in the schema's order; what fits none is left as text.
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
    // Validators go as deep as the value does.
    return isTooDeep(found) ? undefined : found;
  } catch {
    return undefined;
  }
}
