const SLOTS_FIRST = 1_024;

/**
 * Sums by name for very many names, in 16 to 64 bytes each: a name is kept as a hash of 53 bits. Among a million names,
 * two have the same hash with a probability of 1 to 18,000; their sums are then added.
 */
export class SumTable {
  readonly #namesMax: number;
  /** Open addressing; 0 is a free slot. At most half of the slots are used. */
  #hashes = new Float64Array(SLOTS_FIRST);
  #sums = new Float64Array(SLOTS_FIRST);
  #size = 0;

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds to the sum of a name and returns it. Null if the table is full and does not have the name. */
  add(hash: number, amount: number): number | null {
    let slot = this.#slotOf(hash);
    if (this.#hashes[slot] === 0) {
      if (this.#size >= this.#namesMax) return null;
      if (this.#size >= this.#hashes.length / 2) {
        this.#grow();
        slot = this.#slotOf(hash);
      }
      this.#hashes[slot] = hash;
      this.#size += 1;
    }
    return (this.#sums[slot]! += amount);
  }

  /** 0 for an unknown name. */
  sumOf(hash: number): number {
    return this.#sums[this.#slotOf(hash)]!;
  }

  /** The slot of the name, or the free slot for it. */
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hashes, sums] = [this.#hashes, this.#sums];
    this.#hashes = new Float64Array(hashes.length * 2);
    this.#sums = new Float64Array(hashes.length * 2);
    for (const [at, hash] of hashes.entries()) {
      if (hash === 0) continue;
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#sums[slot] = sums[at]!;
    }
  }
}

/** A hash from 1 to 2^53 of the bytes in this range (cyrb53). Not for secrets. */
export function hashOfName(bytes: Uint8Array, from = 0, to = bytes.byteLength): number {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = from; at < to; at += 1) {
    one = Math.imul(one ^ bytes[at]!, 2_654_435_761);
    two = Math.imul(two ^ bytes[at]!, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & two) + (one >>> 0) + 1;
}
