import { hashOfName, SumTable } from './sum-table.js';

/** The `max` largest of many values, in memory for a few times as many. */
export class Largest<T> {
  readonly #max: number;
  readonly #sizeOf: (value: T) => number;
  #values: T[] = [];
  /** Size of the smallest of the largest that are known so far. */
  #least = Number.NEGATIVE_INFINITY;

  constructor(max: number, sizeOf: (value: T) => number) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  add(value: T): void {
    if (this.#sizeOf(value) <= this.#least) return;
    this.#values.push(value);
    if (this.#values.length >= this.#max * 4) this.#cut();
  }

  /** Largest first. */
  toSorted(): T[] {
    this.#cut();
    return [...this.#values];
  }

  #cut(): void {
    this.#values.sort((a, b) => this.#sizeOf(b) - this.#sizeOf(a));
    this.#values.length = Math.min(this.#values.length, this.#max);
    if (this.#values.length === this.#max) this.#least = this.#sizeOf(this.#values.at(-1)!);
  }
}

export interface NamedSum {
  name: string;
  bytes: number;
  count: number;
}

/** The names with the largest sums among many names. */
export class LargestSums {
  readonly #max: number;
  readonly #bytes: SumTable;
  readonly #counts: SumTable;
  readonly #candidates = new Map<string, NamedSum>();
  /** True if there were more names than the table takes. Those have no sums. */
  isFull = false;

  constructor(max: number, namesMax: number) {
    this.#max = max;
    this.#bytes = new SumTable(namesMax);
    this.#counts = new SumTable(namesMax);
  }

  add(name: string, bytes: number): void {
    const hash = hashOfName(Buffer.from(name));
    const sum = this.#bytes.add(hash, bytes);
    const count = this.#counts.add(hash, 1);
    if (sum === null || count === null) {
      this.isFull = true;
      return;
    }
    // Each addition adds the whole sum again, so a name that was removed here comes back when it has grown.
    this.#candidates.set(name, { name, bytes: sum, count });
    if (this.#candidates.size < this.#max * 8) return;
    const kept = new Set(this.#sorted().slice(0, this.#max));
    for (const one of [...this.#candidates.values()]) if (!kept.has(one)) this.#candidates.delete(one.name);
  }

  /** Largest first. */
  toSorted(): NamedSum[] {
    return this.#sorted().slice(0, this.#max);
  }

  #sorted(): NamedSum[] {
    return [...this.#candidates.values()].toSorted((a, b) => b.bytes - a.bytes);
  }
}
