import { LIMITS } from '../../src/base/limits.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { Datasets } from '../../src/store/evaluation/datasets.js';
import { Experiments } from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';
import type { AttachmentLinks } from '../../src/wire/evaluation/attachment-links.js';
import { ExampleDirectory } from './example-directory.js';
import { ListFacts } from './list-facts.js';

/**
 * What this thread caches between queries, with the least recently used entry evicted first. Entries are
 * refreshed on use and never older than the store.
 */
export class Caches {
  readonly reader: Reader;
  readonly links: AttachmentLinks;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly #facts = new Map<number, ListFacts>();
  readonly #usedInQuery = new Map<number, ListFacts>();
  readonly #directories = new Map<string, ExampleDirectory>();

  constructor(reader: Reader, links: AttachmentLinks) {
    this.reader = reader;
    this.links = links;
    this.datasets = new Datasets(reader);
    this.experiments = new Experiments(reader);
  }

  /** Starts a query. Within a query each list is loaded once and stays loaded, however many lists the query uses. */
  startQuery(): void {
    this.#usedInQuery.clear();
    this.reader.refresh();
  }

  facts(list: number): ListFacts {
    const known = this.#usedInQuery.get(list);
    if (known !== undefined) return known;
    const facts = this.#facts.get(list) ?? new ListFacts(this.reader, list);
    facts.refresh();
    touch(this.#facts, list, facts);
    this.#usedInQuery.set(list, facts);
    return facts;
  }

  /** For a scan over many lists, which must neither evict other entries nor stay in memory. */
  uncachedFacts(list: number): ListFacts {
    if (this.#facts.has(list)) return this.facts(list);
    const facts = new ListFacts(this.reader, list);
    facts.refresh();
    return facts;
  }

  directory(dataset: DatasetRecord): ExampleDirectory {
    const known = this.#directories.get(dataset.datasetId);
    // A dataset that was deleted and created again under the same id has other lists.
    const directory =
      known?.seq === dataset.seq && known.lists === dataset.lists.join()
        ? known
        : new ExampleDirectory(this.reader, dataset);
    touch(this.#directories, dataset.datasetId, directory);
    return directory;
  }
}

/** Marks the entry as the newest, and evicts the oldest entries while the cache is too large. */
function touch<K, V extends { rows: number }>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  let rows = 0;
  for (const one of map.values()) rows += one.rows;
  for (const [oldest, one] of map) {
    if (rows <= LIMITS.cachedRowsMax || oldest === key) return;
    map.delete(oldest);
    rows -= one.rows;
  }
}
