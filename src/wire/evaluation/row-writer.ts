import { pack } from '../codec.js';

/** For texts up to this length, a loop is faster than a call of the encoder. */
const SHORT_TEXT_CHARS = 12;
const SHORT_BYTES = 16;
const INITIAL_BYTES = 64 * 1024;
/** A larger buffer, allocated for a large row, is dropped on `clear`. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024;

/**
 * The values of these fields of a record. Whoever writes rows lists the values one by one: to read the members of a
 * record by the names of a list takes longer than to write them.
 */
export type ValuesOf<T, Fields extends readonly (keyof T)[]> = { readonly [At in keyof Fields]: T[Fields[At]] };

/** Bytes of the type and the size before binary data of this size. */
function binaryHeadBytes(size: number): number {
  return size < 0x100 ? 2 : size < 0x10000 ? 3 : 5;
}

/**
 * Writes rows into a reused buffer. The bytes are the same as those of codec.ts, without an object, an array
 * and a buffer for each row. An upload writes seven rows for each row that it receives
 * (bench/upload-experiment).
 */
export class RowWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #at = 0;

  /** Number of bytes written so far. */
  get length(): number {
    return this.#at;
  }

  clear(): void {
    this.#at = 0;
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  /** Valid until the next write. */
  slice(start: number, end: number): Buffer {
    return this.#bytes.subarray(start, end);
  }

  /**
   * Writes the values of a row's fields in their order, which is part of the stored format. Of those from `jsonStart`
   * on, a text is JSON and written as the bytes that it has in UTF-8.
   */
  writeRow(values: readonly unknown[], jsonStart = values.length): void {
    this.#reserve(3);
    if (values.length < 16) this.#bytes[this.#at++] = 0x90 | values.length;
    else {
      this.#bytes[this.#at] = 0xdc;
      this.#at = this.#bytes.writeUInt16BE(values.length, this.#at + 1);
    }
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      if (at >= jsonStart && typeof value === 'string') this.#writeJson(value);
      else this.#writeValue(value);
    }
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#copy(bytes);
  }

  /** Replaces everything written from `start` on. */
  replace(start: number, bytes: Uint8Array): void {
    this.#at = start;
    this.writeBytes(bytes);
  }

  /** Reserves four bytes for a number that is known later (`fillUint32`). Returns their position. */
  reserveUint32(): number {
    this.#reserve(4);
    this.#at += 4;
    return this.#at - 4;
  }

  /** Writes an unsigned number, little-endian. */
  fillUint32(position: number, value: number): void {
    this.#bytes.writeUInt32LE(value, position);
  }

  #writeValue(value: unknown): void {
    if (value === null || value === undefined) this.#writeByte(0xc0);
    else if (typeof value === 'string') this.#writeText(value);
    else if (typeof value === 'number') this.#writeNumber(value);
    else if (typeof value === 'boolean') this.#writeByte(value ? 0xc3 : 0xc2);
    else if (value instanceof Uint8Array) this.#writeBinary(value);
    else this.writeBytes(pack(value));
  }

  #writeByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  #writeText(text: string): void {
    const chars = text.length;
    // UTF-8 cannot encode a lone surrogate, but the packer writes one anyway in a short text.
    if (!text.isWellFormed()) {
      this.writeBytes(pack(text));
      return;
    }
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(5 + chars * 3);
    const start = this.#at;
    if (chars <= SHORT_TEXT_CHARS && this.#writeAscii(text)) return;
    const head = chars < 0x20 ? 1 : chars < 0x100 ? 2 : chars < 0x10000 ? 3 : 5;
    const bytes = this.#bytes;
    const size = bytes.write(text, start + head);
    if (size < 0x20) this.#at = start + 1;
    else if (size < 0x100) this.#at = start + 2;
    else this.#at = start + (size < 0x10000 ? 3 : 5);
    // The size in bytes needs a longer or shorter header than the number of characters suggested.
    if (this.#at !== start + head) bytes.copyWithin(this.#at, start + head, start + head + size);
    if (size < 0x20) bytes[start] = 0xa0 | size;
    else if (size < 0x100) {
      bytes[start] = 0xd9;
      bytes[start + 1] = size;
    } else if (size < 0x10000) {
      bytes[start] = 0xda;
      bytes.writeUInt16BE(size, start + 1);
    } else {
      bytes[start] = 0xdb;
      bytes.writeUInt32BE(size, start + 1);
    }
    this.#at += size;
  }

  /** Returns false and writes nothing if a character needs more than one byte. */
  #writeAscii(text: string): boolean {
    const start = this.#at;
    const bytes = this.#bytes;
    let at = start + 1;
    for (let n = 0; n < text.length; n += 1) {
      const code = text.charCodeAt(n);
      if (code > 0x7f) return false;
      bytes[at++] = code;
    }
    bytes[start] = 0xa0 | text.length;
    this.#at = at;
    return true;
  }

  /** Integers of up to 32 bits are written as integers, all other numbers (including times) as doubles. */
  #writeNumber(value: number): void {
    this.#reserve(9);
    const bytes = this.#bytes;
    if (value >>> 0 === value) {
      if (value < 0x80) bytes[this.#at++] = value;
      else if (value < 0x100) {
        bytes[this.#at++] = 0xcc;
        bytes[this.#at++] = value;
      } else if (value < 0x10000) {
        bytes[this.#at++] = 0xcd;
        bytes[this.#at++] = value >> 8;
        bytes[this.#at++] = value;
      } else {
        bytes[this.#at] = 0xce;
        this.#at = bytes.writeUInt32BE(value, this.#at + 1);
      }
      return;
    }
    if (value >> 0 === value) {
      this.writeBytes(pack(value));
      return;
    }
    bytes[this.#at] = 0xcb;
    this.#at = bytes.writeDoubleBE(value, this.#at + 1);
  }

  #writeJson(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(5 + text.length * 3);
    const guess = this.#at + binaryHeadBytes(text.length);
    const size = this.#bytes.write(text, guess);
    const start = this.#at + binaryHeadBytes(size);
    // The size in bytes needs a longer header than the number of characters suggested.
    if (start !== guess) this.#bytes.copyWithin(start, guess, guess + size);
    this.#writeBinaryHead(size);
    this.#at += size;
  }

  #writeBinary(value: Uint8Array): void {
    this.#reserve(5 + value.byteLength);
    this.#writeBinaryHead(value.byteLength);
    this.#copy(value);
  }

  #writeBinaryHead(size: number): void {
    const bytes = this.#bytes;
    if (size < 0x100) {
      bytes[this.#at++] = 0xc4;
      bytes[this.#at++] = size;
    } else if (size < 0x10000) {
      bytes[this.#at] = 0xc5;
      this.#at = bytes.writeUInt16BE(size, this.#at + 1);
    } else {
      bytes[this.#at] = 0xc6;
      this.#at = bytes.writeUInt32BE(size, this.#at + 1);
    }
  }

  #copy(value: Uint8Array): void {
    const bytes = this.#bytes;
    const size = value.byteLength;
    if (size > SHORT_BYTES) bytes.set(value, this.#at);
    else for (let n = 0; n < size; n += 1) bytes[this.#at + n] = value[n]!;
    this.#at += size;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + size));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}
