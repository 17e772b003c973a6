/** Headers by name, in lower case: whether one is meant. */
export type HeaderRule = (name: string) => boolean;

/** No header that anyone sends on purpose has a longer name, and the patterns are not tried on it. */
const NAME_CHARS_MAX = 128;

/** What says who asks, or is a secret by its name: never copied anywhere, whatever is configured. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'x-api-key',
  'x-tenant-id',
  'x-service-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-threadmill-walk',
]);

/** Patterns with `*` for any text. What is excluded is not included; a secret never is. */
export function headerRule({
  includes,
  excludes,
}: {
  includes: readonly string[];
  excludes: readonly string[];
}): HeaderRule {
  const included = matcher(includes);
  const excluded = matcher(excludes);
  return (name) =>
    name.length <= NAME_CHARS_MAX && included.test(name) && !excluded.test(name) && !SECRET_HEADERS.has(name);
}

function matcher(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) =>
    pattern
      .toLowerCase()
      .replace(/\*+/g, '*')
      .replace(/[^\w*-]/g, '\\$&')
      .replaceAll('*', '.*'),
  );
  // None matches nothing.
  return sources.length === 0 ? /(?!)/ : new RegExp(`^(?:${sources.join('|')})$`);
}
