/** Number of values per field that clients see. */
const FACET_VALUES_MAX = 10;
/** Of one list, so that the most frequent ones of a whole project are likely among them. */
const FACET_VALUES_KEPT = 100;

/** Counts names, types and statuses of runs. */
export class Facets {
  readonly #names = new Map<string, number>();
  readonly #types = new Map<string, number>();
  readonly #statuses = new Map<string, number>();
  readonly #counts = new Map([
    ['name', this.#names],
    ['run_type', this.#types],
    ['status', this.#statuses],
  ]);

  static merged(parts: readonly Facets[]): Facets {
    return new Facets(parts.flatMap(({ counts }) => Object.entries(counts)));
  }

  /** `counts`: those of other facets. */
  constructor(counts: Iterable<[field: string, values: Iterable<[value: string, runs: number]>]> = []) {
    for (const [field, values] of counts)
      for (const [value, runs] of values) increment(this.#counts.get(field)!, value, runs);
  }

  /** The most frequent ones of each field. */
  get counts(): Record<string, [value: string, runs: number][]> {
    return Object.fromEntries(
      [...this.#counts].map(([field, counts]) => [field, mostFrequent(counts, FACET_VALUES_KEPT)]),
    );
  }

  add(run: { name: string; runType: string; failed: boolean; endUs: number | null }): void {
    increment(this.#names, run.name);
    increment(this.#types, run.runType);
    increment(this.#statuses, statusOf(run));
  }

  /** The most frequent ones, with the filter that selects each. */
  json(): { key: string; value: string; query: string; n: number }[] {
    return [...this.#counts].flatMap(([key, counts]) =>
      mostFrequent(counts, FACET_VALUES_MAX).map(([value, n]) => ({
        key,
        value,
        query: `eq(${key}, ${JSON.stringify(value)})`,
        n,
      })),
    );
  }
}

function increment(counts: Map<string, number>, value: string, by = 1): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}

function mostFrequent(counts: ReadonlyMap<string, number>, limit: number): [value: string, n: number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, limit);
}

export function statusOf(run: { failed: boolean; endUs: number | null }): 'error' | 'success' | 'pending' {
  return run.failed ? 'error' : run.endUs === null ? 'pending' : 'success';
}
