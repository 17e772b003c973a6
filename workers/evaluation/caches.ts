import type { StatisticsRecord } from '../../src/store/evaluation/experiments.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { Datasets } from '../../src/store/evaluation/datasets.js';
import { Experiments } from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';
import type { AttachmentLinks } from '../../src/wire/evaluation/attachment-links.js';
import { ExampleDirectory } from './example-directory.js';
import { ListFacts } from './list-facts.js';
import { RowCache } from './row-cache.js';
import type { ListTotals } from './statistics-parts.js';

/** The totals of so many root runs take the memory of a cached row. */
const TOTALS_PER_ROW = 20;

/** The caches of an evaluation thread. An entry is brought up to date each time a query uses it. */
export class Caches {
  readonly reader: Reader;
  readonly links: AttachmentLinks;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly #facts = new RowCache<number, ListFacts>();
  readonly #usedInQuery = new RowCache<number, ListFacts>();
  readonly #directories = new RowCache<string, ExampleDirectory>();
  readonly #totals = new RowCache<number, { seq: number; rows: number; value: ListTotals }>();
  readonly #projects = new RowCache<string, { state: string; record: StatisticsRecord; rows: 1 }>();

  constructor(reader: Reader, links: AttachmentLinks) {
    this.reader = reader;
    this.links = links;
    this.datasets = new Datasets(reader);
    this.experiments = new Experiments(reader);
  }

  /** Starts a query. Within a query a list is refreshed once, so that all of the response is of one state. */
  startQuery(): void {
    this.#usedInQuery.clear();
    this.reader.refresh();
  }

  /** Forgets what no query has used for a while. Returns the number of rows. */
  dropUnused(): number {
    this.#usedInQuery.clear();
    const caches = [this.#facts, this.#directories, this.#totals, this.#projects];
    return caches.reduce((rows, cache) => rows + cache.dropUnused(), 0);
  }

  facts(list: number): ListFacts {
    const known = this.#usedInQuery.get(list);
    if (known !== undefined) return known;
    const facts = this.#facts.get(list) ?? new ListFacts(this.reader, list);
    facts.refresh();
    this.#facts.put(list, facts);
    this.#usedInQuery.put(list, facts);
    return facts;
  }

  /** For a scan over many lists, which must neither evict other entries nor stay in memory. */
  uncachedFacts(list: number): ListFacts {
    if (this.#facts.has(list)) return this.facts(list);
    const facts = new ListFacts(this.reader, list);
    facts.refresh();
    return facts;
  }

  /** Totals of a list at this change of it. */
  listTotals(list: number, seq: number, compute: () => ListTotals): ListTotals {
    const known = this.#totals.get(list);
    const value = known?.seq === seq ? known.value : compute();
    this.#totals.put(list, { seq, rows: Math.ceil(value.totals.roots / TOTALS_PER_ROW), value });
    return value;
  }

  /** Statistics of a project in this state. */
  projectStatistics(experimentId: string, state: string, compute: () => StatisticsRecord): StatisticsRecord {
    const known = this.#projects.get(experimentId);
    const record = known?.state === state ? known.record : compute();
    this.#projects.put(experimentId, { state, record, rows: 1 });
    return record;
  }

  directory(dataset: DatasetRecord): ExampleDirectory {
    const known = this.#directories.get(dataset.datasetId);
    // A dataset that was deleted and created again under the same id has other lists.
    const directory =
      known?.seq === dataset.seq && known.lists === dataset.lists.join()
        ? known
        : new ExampleDirectory(this.reader, dataset);
    this.#directories.put(dataset.datasetId, directory);
    return directory;
  }
}
