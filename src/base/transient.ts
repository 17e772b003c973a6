/**
 * Collections of objects that do not stay long, such as the runs that execute.
 *
 * When a Map or Set makes a new table, V8 lets the old table refer to it. Once one table of a collection is in the old
 * generation, all later ones live until the next full garbage collection, and with them every object that was in one of
 * them: a server under load copied each run twice. The tables of these collections refer to boxes, which are emptied.
 */

interface Box<T> {
  /** Undefined once it was removed. */
  value: T | undefined;
}

/** As a Map. */
export class TransientMap<K extends string | number, V extends object | null> {
  readonly #boxes = new Map<K, Box<V>>();

  get size(): number {
    return this.#boxes.size;
  }

  get(key: K): V | undefined {
    return this.#boxes.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#boxes.has(key);
  }

  set(key: K, value: V): void {
    const box = this.#boxes.get(key);
    if (box === undefined) this.#boxes.set(key, { value });
    else box.value = value;
  }

  delete(key: K): boolean {
    const box = this.#boxes.get(key);
    if (box === undefined) return false;
    box.value = undefined;
    return this.#boxes.delete(key);
  }

  keys(): Iterable<K> {
    return this.#boxes.keys();
  }

  /** In the order of `set`. */
  *values(): Generator<V> {
    for (const { value } of this.#boxes.values()) if (value !== undefined) yield value;
  }

  *entries(): Generator<[K, V]> {
    for (const [key, { value }] of this.#boxes) if (value !== undefined) yield [key, value];
  }
}

/** As a Set, except that an object is removed by what `add` returns. */
export class TransientSet<T extends object> {
  readonly #boxes = new Set<Box<T>>();

  get size(): number {
    return this.#boxes.size;
  }

  /** Returns a function that removes the object. */
  add(value: T): () => void {
    const box: Box<T> = { value };
    this.#boxes.add(box);
    return () => {
      box.value = undefined;
      this.#boxes.delete(box);
    };
  }

  /** In the order of `add`. */
  *values(): Generator<T> {
    for (const { value } of this.#boxes) if (value !== undefined) yield value;
  }
}
