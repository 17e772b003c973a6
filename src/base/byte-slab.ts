/** Bytes of a slab: dozens of small copies for one allocation. */
const SLAB_BYTES = 64 * 1024;

/**
 * Memory for many small copies of bytes that live for a short time. An `ArrayBuffer` for each would cost more than the
 * copy, most of it in the garbage collector. A slab is kept until no copy in it is used any more.
 */
export class ByteSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  copyOf(bytes: Uint8Array): Buffer {
    const { byteLength } = bytes;
    if (byteLength > SLAB_BYTES / 4) return Buffer.from(bytes);
    if (this.#used + byteLength > this.#slab.byteLength) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const copy = this.#slab.subarray(this.#used, this.#used + byteLength);
    copy.set(bytes);
    this.#used += byteLength;
    return copy;
  }
}
