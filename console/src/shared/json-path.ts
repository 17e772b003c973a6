const INDEX = /^-?\d+$/;

/**
 * The part of a value at a path of names and indexes, such as `messages.-1.content`, as the server takes it: a part
 * that is no object is put into one, under the last name of the path. Undefined if there is nothing.
 */
export function partAt(value: unknown, path: string): unknown {
  const names = path.trim() === '' ? [] : path.trim().split('.');
  let found = value;
  for (const name of names) {
    if (Array.isArray(found)) found = INDEX.test(name) ? (found as unknown[]).at(Number(name)) : undefined;
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  if (found === null || found === undefined) return undefined;
  return isObject(found) ? found : { [names.findLast((name) => !INDEX.test(name)) ?? 'value']: found };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
