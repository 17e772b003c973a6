/** Filters of a list that a person gave a name. */
export interface SavedFilter {
  name: string;
  /** Query of the address, without the question mark. */
  query: string;
}

export const SAVED_MAX = 20;
export const NAME_CHARS_MAX = 40;
const QUERY_CHARS_MAX = 4_000;

/** Reads what the browser has stored. Everything else that is there is ignored. */
export function parseSavedFilters(stored: unknown): readonly SavedFilter[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .filter(
      (one: unknown): one is SavedFilter =>
        typeof one === 'object' &&
        one !== null &&
        typeof (one as SavedFilter).name === 'string' &&
        typeof (one as SavedFilter).query === 'string' &&
        (one as SavedFilter).query.length <= QUERY_CHARS_MAX,
    )
    .map(({ name, query }) => ({ name: name.slice(0, NAME_CHARS_MAX), query }))
    .slice(0, SAVED_MAX);
}

/** The named parameters in a fixed order, so that equal filters are equal text. */
export function filterQuery(params: URLSearchParams, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = params.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  return query.toString();
}

/** Adds a filter, or gives a name that exists these filters. */
export function withSaved(saved: readonly SavedFilter[], added: SavedFilter): readonly SavedFilter[] {
  return saved.some(({ name }) => name === added.name)
    ? saved.map((one) => (one.name === added.name ? added : one))
    : [...saved, added];
}
