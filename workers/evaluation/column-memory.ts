import { KiB, MiB } from '../../src/base/limits.js';
import { MAPPED_BYTES_MIN } from '../../src/base/mapped-memory.js';

const INITIAL_BYTES = 2 * KiB;
const GROWTH = 1.5;
/** Addresses that a resizable buffer reserves, as a multiple of its bytes. Reserved addresses take no memory. */
const RESERVED_FACTOR = 8;
const RESERVED_BYTES_MIN = MiB;

/**
 * Zeroed memory that grows. V8 maps a resizable buffer itself, so its pages return to the system at once. Ordinary
 * buffers of a few megabytes come from the C library, which keeps them for later ones: glibc keeps buffers up to twice
 * the size of the largest one that was freed.
 */
export class ColumnMemory {
  #buffer = new ArrayBuffer(0);

  get buffer(): ArrayBuffer {
    return this.#buffer;
  }

  /** Makes the buffer at least so large. Views of it have to be created again. Throws a RangeError without memory. */
  grow(bytes: number): void {
    if (bytes <= this.#buffer.byteLength) return;
    const size = Math.max(INITIAL_BYTES, multipleOf8(bytes), multipleOf8(this.#buffer.byteLength * GROWTH));
    if (this.#buffer.resizable && size <= this.#buffer.maxByteLength) {
      this.#buffer.resize(size);
      return;
    }
    const larger =
      size < MAPPED_BYTES_MIN
        ? new ArrayBuffer(size)
        : new ArrayBuffer(size, { maxByteLength: Math.max(RESERVED_BYTES_MIN, size * RESERVED_FACTOR) });
    new Uint8Array(larger).set(new Uint8Array(this.#buffer));
    this.free();
    this.#buffer = larger;
  }

  /** Returns the memory to the system. Views of it are empty afterwards. */
  free(): void {
    if (this.#buffer.resizable) this.#buffer.resize(0);
    this.#buffer = new ArrayBuffer(0);
  }
}

/** The largest element of a column has 8 bytes. */
function multipleOf8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
