/** Columns of a table that a person chose, by their ids. Those of metadata begin with a prefix. */
const METADATA_PREFIX = 'metadata:';
export const METADATA_COLUMNS_MAX = 5;
const COLUMNS_MAX = 30;
const ID_CHARS_MAX = 200;

export function metadataColumn(key: string): string {
  return `${METADATA_PREFIX}${key.slice(0, ID_CHARS_MAX - METADATA_PREFIX.length)}`;
}

export function isMetadataColumn(id: string): boolean {
  return id.startsWith(METADATA_PREFIX);
}

export function metadataKey(id: string): string {
  return id.slice(METADATA_PREFIX.length);
}

/** The stored choice without what this version does not know; null if there is none. */
export function parseColumnChoice(stored: unknown, known: readonly string[]): readonly string[] | null {
  if (!Array.isArray(stored)) return null;
  const ids = stored.filter(
    (id): id is string =>
      typeof id === 'string' && id.length <= ID_CHARS_MAX && (known.includes(id) || isMetadataColumn(id)),
  );
  return [...new Set(ids)].slice(0, COLUMNS_MAX);
}

/** A value of metadata as a short text; null if there is none. */
export function metadataText(metadata: unknown, key: string): string | null {
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, key)) return null;
  const value = (metadata as Record<string, unknown>)[key];
  return value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
}
