/** Number of values per field that clients see. */
const FACET_VALUES_MAX = 10;
/** Of one list, so that the most frequent ones of a whole project are likely among them. */
const FACET_VALUES_KEPT = 100;

/** Runs by their value of a field. A count is an object, because setting an entry of a Map anew takes longer. */
type Counts = Map<string, { runs: number }>;

/** Counts names, types and statuses of runs. */
export class Facets {
  readonly #names: Counts = new Map();
  readonly #types: Counts = new Map();
  readonly #statuses: Counts = new Map();
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

function increment(counts: Counts, value: string, by = 1): void {
  const count = counts.get(value);
  if (count === undefined) counts.set(value, { runs: by });
  else count.runs += by;
}

function mostFrequent(counts: Counts, limit: number): [value: string, n: number][] {
  return Array.from(counts, ([value, { runs }]): [string, number] => [value, runs])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit);
}

export function statusOf(run: { failed: boolean; endUs: number | null }): 'error' | 'success' | 'pending' {
  return run.failed ? 'error' : run.endUs === null ? 'pending' : 'success';
}
