import { LIMITS } from '../../src/base/limits.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { Datasets } from '../../src/store/evaluation/datasets.js';
import { Experiments } from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';
import { ExampleDirectory } from './example-directory.js';
import { ListFacts } from './list-facts.js';

/** What this thread remembers between questions, least recently used out first. Nothing in it is older than the store. */
export class Caches {
  readonly reader: Reader;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly #facts = new Map<number, ListFacts>();
  readonly #asked = new Map<number, ListFacts>();
  readonly #directories = new Map<string, ExampleDirectory>();

  constructor(reader: Reader) {
    this.reader = reader;
    this.datasets = new Datasets(reader);
    this.experiments = new Experiments(reader);
  }

  /** A new question: what it asks for twice is looked up once, and stays for it however much it asks for. */
  begin(): void {
    this.#asked.clear();
    this.reader.refresh();
  }

  facts(list: number): ListFacts {
    const asked = this.#asked.get(list);
    if (asked !== undefined) return asked;
    const facts = this.#facts.get(list) ?? new ListFacts(this.reader, list);
    facts.refresh();
    touch(this.#facts, list, facts);
    this.#asked.set(list, facts);
    return facts;
  }

  /** For a walk over many lists, which must not push out what others need, nor keep all of it. */
  passing(list: number): ListFacts {
    if (this.#facts.has(list)) return this.facts(list);
    const facts = new ListFacts(this.reader, list);
    facts.refresh();
    return facts;
  }

  directory(dataset: DatasetRecord): ExampleDirectory {
    const known = this.#directories.get(dataset.datasetId);
    // A dataset that was deleted and made again under its id has other lists.
    const directory =
      known?.seq === dataset.seq && known.lists === dataset.lists.join()
        ? known
        : new ExampleDirectory(this.reader, dataset);
    touch(this.#directories, dataset.datasetId, directory);
    return directory;
  }
}

/** Makes it the newest, and drops the oldest while there is too much. */
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
