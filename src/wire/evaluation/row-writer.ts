import { pack } from '../codec.js';

/** A text this short is gone through faster than the encoder is called. */
const SHORT_TEXT = 12;
const SHORT_BYTES = 16;
const BYTES_AT_FIRST = 64 * 1024;
/** Memory that a large row needed is not kept for the small ones after it. */
const BYTES_KEPT = 2 * 1024 * 1024;

/**
 * Writes rows one after the other into memory that is used again: the same bytes as codec.ts makes of them, without an
 * object, an array and a buffer for each. An upload writes seven rows for each of its own (bench/upload-experiment).
 */
export class RowWriter {
  #bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #at = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#at;
  }

  clear(): void {
    this.#at = 0;
    if (this.#bytes.length > BYTES_KEPT) this.#bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  }

  /** Good until the next write. */
  view(start: number, end: number): Buffer {
    return this.#bytes.subarray(start, end);
  }

  /** The named fields in their order; that order is part of the stored format. */
  row<T extends object>(record: T, fields: readonly (keyof T)[]): void {
    this.#reserve(3);
    if (fields.length < 16) this.#bytes[this.#at++] = 0x90 | fields.length;
    else {
      this.#bytes[this.#at] = 0xdc;
      this.#at = this.#bytes.writeUInt16BE(fields.length, this.#at + 1);
    }
    for (const field of fields) this.#value(record[field]);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#copy(bytes);
  }

  /** Puts other bytes in the place of all that was written from `start` on. */
  replace(start: number, bytes: Uint8Array): void {
    this.#at = start;
    this.raw(bytes);
  }

  /** Room for four bytes, which `fill` writes when what follows is known. Returns where it is. */
  hole(): number {
    this.#reserve(4);
    this.#at += 4;
    return this.#at - 4;
  }

  /** `value`: unsigned, written with its lowest byte first. */
  fill(hole: number, value: number): void {
    this.#bytes.writeUInt32LE(value, hole);
  }

  #value(value: unknown): void {
    if (value === null || value === undefined) this.#byte(0xc0);
    else if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'boolean') this.#byte(value ? 0xc3 : 0xc2);
    else if (value instanceof Uint8Array) this.#binary(value);
    else this.raw(pack(value));
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  #text(text: string): void {
    const chars = text.length;
    // UTF-8 has no lone surrogate; the packer writes it all the same while a text is short.
    if (!text.isWellFormed()) {
      this.raw(pack(text));
      return;
    }
    // No UTF-16 unit takes more than three bytes.
    this.#reserve(5 + chars * 3);
    const start = this.#at;
    if (chars <= SHORT_TEXT && this.#shortText(text)) return;
    const head = chars < 0x20 ? 1 : chars < 0x100 ? 2 : chars < 0x10000 ? 3 : 5;
    const bytes = this.#bytes;
    const size = bytes.write(text, start + head);
    if (size < 0x20) this.#at = start + 1;
    else if (size < 0x100) this.#at = start + 2;
    else this.#at = start + (size < 0x10000 ? 3 : 5);
    // It has more bytes than characters.
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

  /** False, with nothing written, when a character takes more than one byte. */
  #shortText(text: string): boolean {
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

  /** Whole numbers of at most 32 bits as such, everything else, times among them, as a double. */
  #number(value: number): void {
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
      this.raw(pack(value));
      return;
    }
    bytes[this.#at] = 0xcb;
    this.#at = bytes.writeDoubleBE(value, this.#at + 1);
  }

  #binary(value: Uint8Array): void {
    const size = value.byteLength;
    this.#reserve(5 + size);
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
    this.#copy(value);
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
