/**
 * Messages of a run's worker that its owner may not have on disk. The next owner gets them again if this one is lost.
 * Credit bounds their bytes (LIMITS.creditBytes).
 */
export class KeptMessages {
  #messages: Uint8Array[] = [];

  add(message: Uint8Array): void {
    this.#messages.push(message);
  }

  /** The oldest messages, `bytes` in all, are finished. */
  drop(bytes: number): void {
    let count = 0;
    for (let left = bytes; left > 0 && count < this.#messages.length; count += 1)
      left -= this.#messages[count]!.byteLength;
    this.#messages.splice(0, count);
  }

  /** In the order in which they came. */
  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#messages[Symbol.iterator]();
  }
}
