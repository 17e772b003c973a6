import { encodeKey } from '../key-codec.js';
import type { Lookup } from '../lookup.js';
import type { Key } from '../keys.js';
import { LEAF, readUint64, PAGE_HEADER_BYTES, type PageFile } from './page-file.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { valueOfRawRecord } from '../record-codec.js';

const NODE_HEADER_BYTES = 8;

/** Reads single records of a data file without LMDB. Finds nothing on damaged pages; a page walk reports the damage. */
export class PageLookup implements Lookup {
  readonly #file: PageFile;
  readonly #cipher: RecordCipher | null;

  constructor(file: PageFile, cipher: RecordCipher | null = null) {
    this.#file = file;
    this.#cipher = cipher;
  }

  has(key: Key): boolean {
    return this.#find(this.storedKey(key)) !== null;
  }

  /** Undefined also when the checksum does not match or decryption fails. */
  get(key: Key): Uint8Array | undefined {
    const at = this.storedKey(key);
    const record = this.rawRecord(at);
    return record === undefined ? undefined : (this.decodeValue(encodeKey(at), record) ?? undefined);
  }

  /** The key under which a record is stored. */
  storedKey(key: Key): Key {
    return this.#cipher === null ? key : this.#cipher.storedKey(key);
  }

  /** The value of a record. Null when the checksum does not match or decryption fails. */
  decodeValue(key: Uint8Array, record: Uint8Array): Uint8Array | null {
    const value = valueOfRawRecord(key, record);
    return value === null || this.#cipher === null ? value : this.#cipher.decrypt(key, value);
  }

  /** The record with this stored key, including its checksum, which is not verified. */
  rawRecord(key: Key): Uint8Array | undefined {
    const found = this.#find(key);
    if (found === null) return undefined;
    const { page, start, keyLength } = found;
    const size = page.readUInt16LE(start) + page.readUInt16LE(start + 2) * 0x1_0000;
    const at = start + NODE_HEADER_BYTES + keyLength;
    if (page.readUInt16LE(start + 4) === 0) return page.subarray(at, at + size);
    if (at + 8 > page.length || size > this.#file.fileBytes) return undefined;
    return this.#file.read(readUint64(page, at), PAGE_HEADER_BYTES + size).subarray(PAGE_HEADER_BYTES);
  }

  #find(wanted: Key): { page: Buffer; start: number; keyLength: number } | null {
    const key = encodeKey(wanted);
    const { main, lastPage } = this.#file.snapshot;
    let number = main.root;
    for (let depth = 1; number !== null && depth <= main.depth; depth += 1) {
      if (number < 2 || number > lastPage) return null;
      const page = this.#file.readCached(number);
      const count = page.length < this.#file.pageBytes ? 0 : page.readUInt16LE(20) >> 1;
      if (count === 0 || PAGE_HEADER_BYTES + count * 2 > page.length) return null;
      const isLeaf = page.readUInt16LE(18) === LEAF;
      // Finds the last entry that is not after the key. The first entry of a branch is before every key.
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        const found = nodeAt(page, middle);
        if (found === null) return null;
        if (Buffer.compare(found.key, key) <= 0) low = middle;
        else high = middle - 1;
      }
      const node = nodeAt(page, low);
      if (node === null) return null;
      if (isLeaf) return node.key.equals(key) ? { page, start: node.start, keyLength: node.key.length } : null;
      number =
        page.readUInt16LE(node.start) +
        page.readUInt16LE(node.start + 2) * 0x1_0000 +
        page.readUInt16LE(node.start + 4) * 0x1_0000_0000;
    }
    return null;
  }
}

function nodeAt(page: Buffer, at: number): { start: number; key: Buffer } | null {
  const start = PAGE_HEADER_BYTES + page.readUInt16LE(PAGE_HEADER_BYTES + at * 2);
  if (start + NODE_HEADER_BYTES > page.length) return null;
  return {
    start,
    key: page.subarray(start + NODE_HEADER_BYTES, start + NODE_HEADER_BYTES + page.readUInt16LE(start + 6)),
  };
}
