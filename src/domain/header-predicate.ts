/** True for the selected headers, by lower-case name. */
export type HeaderPredicate = (name: string) => boolean;

/** Longer names are never selected, without trying the patterns. No real header has such a name. */
const NAME_CHARS_MAX = 128;

/** Headers with identities or secrets. Never copied, whatever is configured. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'x-api-key',
  'x-tenant-id',
  'x-service-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-threadmill-walk',
  'x-threadmill-client',
]);

/** Selects headers by patterns, in which `*` matches any text. Excluded and secret headers are never selected. */
export function selectHeaders({
  includes,
  excludes,
}: {
  includes: readonly string[];
  excludes: readonly string[];
}): HeaderPredicate {
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
  // Without patterns nothing matches.
  return sources.length === 0 ? /(?!)/ : new RegExp(`^(?:${sources.join('|')})$`);
}
