import type { BlockPosition } from '../../src/store/evaluation/blocks.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { examplesOf } from '../../src/store/evaluation/examples.js';
import type { Reader } from '../../src/store/reader.js';

/** One version of an example, without its content. */
export interface ExampleEntry {
  exampleId: string;
  versionUs: number;
  createdAtUs: number;
  removed: boolean;
  place: BlockPosition;
}

export type ExampleOrder = 'recent' | 'recently_created' | 'id' | 'random';

/** All current and past examples of a dataset, built from its lists once per state of the dataset. */
export class ExampleDirectory {
  readonly seq: number;
  /** Numbers of the lists that it was built from. */
  readonly lists: string;
  /** Versions of each example, oldest first. */
  readonly versions = new Map<string, ExampleEntry[]>();
  /** Times at which the dataset changed, ascending. */
  readonly times: number[];
  readonly #orders = new Map<string, ExampleEntry[]>();

  constructor(reader: Reader, dataset: DatasetRecord) {
    this.seq = dataset.seq;
    this.lists = dataset.lists.join();
    const times = new Set<number>();
    for (const list of dataset.lists) {
      for (const { version, place } of examplesOf(reader, list)) {
        const entry = {
          exampleId: version.exampleId,
          versionUs: version.versionUs,
          createdAtUs: version.createdAtUs,
          removed: version.removed,
          place,
        };
        const known = this.versions.get(entry.exampleId);
        if (known === undefined) this.versions.set(entry.exampleId, [entry]);
        else known.push(entry);
        times.add(version.versionUs);
      }
    }
    for (const known of this.versions.values()) known.sort((a, b) => a.versionUs - b.versionUs);
    this.times = [...times].sort((a, b) => a - b);
  }

  get rows(): number {
    return this.versions.size;
  }

  /** The version of an example at a time (null: now); undefined when it did not exist then. */
  at(exampleId: string, asOfUs: number | null): ExampleEntry | undefined {
    const known = this.versions.get(exampleId);
    if (known === undefined) return undefined;
    const entry = asOfUs === null ? known.at(-1) : known.findLast(({ versionUs }) => versionUs <= asOfUs);
    return entry === undefined || entry.removed ? undefined : entry;
  }

  /** All examples at a time, in their original order. */
  allAt(asOfUs: number | null): ExampleEntry[] {
    const found: ExampleEntry[] = [];
    for (const exampleId of this.versions.keys()) {
      const entry = this.at(exampleId, asOfUs);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** All examples at a time, newest version first. */
  newestFirst(asOfUs: number | null): readonly ExampleEntry[] {
    return this.list(asOfUs, 'recent', 0, true);
  }

  /** All examples at a time, in the requested order. Examples of one commit keep their order of arrival. */
  list(asOfUs: number | null, order: ExampleOrder, seed: number, descending: boolean): readonly ExampleEntry[] {
    const name = `${asOfUs ?? ''} ${order} ${order === 'random' ? seed : ''} ${String(descending)}`;
    let sorted = this.#orders.get(name);
    if (sorted === undefined) {
      sorted = this.#sort(this.allAt(asOfUs), order, seed, descending);
      // Pages are requested one after the other, so caching the last few orders is enough.
      if (this.#orders.size >= 4) this.#orders.delete(this.#orders.keys().next().value!);
      this.#orders.set(name, sorted);
    }
    return sorted;
  }

  #sort(entries: ExampleEntry[], order: ExampleOrder, seed: number, descending: boolean): ExampleEntry[] {
    const sign = descending ? -1 : 1;
    switch (order) {
      case 'id':
        return entries.sort((a, b) => sign * (a.exampleId < b.exampleId ? -1 : 1));
      case 'recently_created':
        return entries.sort((a, b) => sign * (a.createdAtUs - b.createdAtUs) || inOrder(a, b));
      case 'random':
        return entries
          .map((entry) => ({ entry, rank: hash(entry.exampleId, seed) }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ entry }) => entry);
      case 'recent':
        return entries.sort((a, b) => sign * (a.versionUs - b.versionUs) || inOrder(a, b));
    }
  }
}

function inOrder(a: ExampleEntry, b: ExampleEntry): number {
  return a.place.list - b.place.list || a.place.first - b.place.first || a.place.at - b.place.at;
}

/** FNV-1a with a seed: gives a pseudo-random order that is the same for every page. */
function hash(text: string, seed: number): number {
  let value = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
