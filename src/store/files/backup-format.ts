import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../../wire/codec.js';

/**
 * A backup begins with this line, followed by blocks of `length, checksum, msgpack`. The last block has the number of
 * records and a hash of all previous bytes, so that an incomplete file is detected. test/store/saved/ keeps one file of
 * each version of this form, and a test restores it.
 */
const FIRST_LINE = Buffer.from('THREADMILL BACKUP 1\n');
const BLOCK_HEAD_BYTES = 8;

export interface BackupHead {
  /** Version of Threadmill. */
  version: string;
  /** Format of the data folder. */
  storeFormat: number;
  madeAtMs: number;
  /** Approximate number of bytes that follow, for a progress bar. */
  bytes: number;
}

export interface BackupEnd {
  records: number;
  files: number;
  /** SHA-256 of every byte before this block, as hex. */
  hash: string;
}

/** A key in LMDB's encoding, and its record with checksum. */
export type RawRecord = readonly [key: Uint8Array, record: Uint8Array];

export type BackupBlock =
  | { type: 'head'; head: BackupHead }
  /** In key order over all blocks. */
  | { type: 'records'; records: RawRecord[] }
  /** A file beside the data file; `path` is relative to the data folder. */
  | { type: 'file'; path: string; bytes: Uint8Array }
  | { type: 'end'; end: BackupEnd };

export class BackupWriter {
  readonly #hash = createHash('sha256');

  /** The first bytes of the file. */
  begin(head: BackupHead): Buffer {
    return this.#hashed(Buffer.concat([FIRST_LINE, framed({ type: 'head', head })]));
  }

  block(block: BackupBlock): Buffer {
    return this.#hashed(framed(block));
  }

  end(counts: Omit<BackupEnd, 'hash'>): Buffer {
    return framed({ type: 'end', end: { ...counts, hash: this.#hash.digest('hex') } });
  }

  #hashed(bytes: Buffer): Buffer {
    this.#hash.update(bytes);
    return bytes;
  }
}

function framed(block: BackupBlock): Buffer {
  const payload = pack(block);
  const frame = Buffer.allocUnsafe(BLOCK_HEAD_BYTES + payload.byteLength);
  frame.writeUInt32LE(payload.byteLength, 0);
  frame.writeUInt32LE(crc32(payload), 4);
  frame.set(payload, BLOCK_HEAD_BYTES);
  return frame;
}

/** Reads the blocks of a backup as its bytes arrive. Throws STORE_FILE_DAMAGED with the problem and its position. */
export class BackupReader {
  readonly #name: string;
  readonly #hash: Hash = createHash('sha256');
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  /** Number of bytes before `#rest`. */
  #at = 0;
  #begun = false;
  #counts = { records: 0, files: 0 };
  #head: BackupHead | null = null;
  #end: BackupEnd | null = null;

  /** `name` is the file name for errors. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Adds bytes and returns the blocks that they complete. */
  *take(bytes: Uint8Array): Generator<BackupBlock> {
    this.#rest =
      this.#rest.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([this.#rest, bytes]);
    if (!this.#begun) {
      if (this.#rest.length < FIRST_LINE.length) return;
      if (!this.#rest.subarray(0, FIRST_LINE.length).equals(FIRST_LINE))
        throw this.#damaged('it does not begin like a backup of this version of Threadmill');
      this.#begun = true;
      this.#pass(FIRST_LINE.length);
    }
    while (this.#rest.length >= BLOCK_HEAD_BYTES) {
      if (this.#end !== null) throw this.#damaged('there is more data after its end');
      const length = this.#rest.readUInt32LE(0);
      if (length > LIMITS.backupBlockBytesMax) throw this.#damaged(`a block has an invalid length of ${length} bytes`);
      if (this.#rest.length < BLOCK_HEAD_BYTES + length) return;
      const payload = this.#rest.subarray(BLOCK_HEAD_BYTES, BLOCK_HEAD_BYTES + length);
      if (crc32(payload) !== this.#rest.readUInt32LE(4)) throw this.#damaged('a block does not match its checksum');
      const block = this.#read(payload);
      if (block.type === 'end') {
        const hash = this.#hash.copy().digest('hex');
        if (block.end.hash !== hash) throw this.#damaged('its content does not match its hash');
        if (block.end.records !== this.#counts.records || block.end.files !== this.#counts.files)
          throw this.#damaged('its number of records or files is wrong');
        this.#end = block.end;
      }
      this.#pass(BLOCK_HEAD_BYTES + length);
      yield block;
    }
  }

  /** Call this after the last bytes. */
  finish(): BackupEnd {
    if (this.#end === null) throw this.#damaged('it is not complete: its end is missing');
    if (this.#rest.length > 0) throw this.#damaged('there is more data after its end');
    return this.#end;
  }

  #read(payload: Buffer): BackupBlock {
    let block: BackupBlock;
    try {
      block = unpack<BackupBlock>(payload);
    } catch {
      throw this.#damaged('a block cannot be read');
    }
    if ((block.type === 'head') !== (this.#head === null)) throw this.#damaged('its first block is not its header');
    if (block.type === 'head') this.#head = block.head;
    if (block.type === 'records') this.#counts.records += block.records.length;
    if (block.type === 'file') this.#counts.files += 1;
    return block;
  }

  #pass(bytes: number): void {
    if (this.#end === null) this.#hash.update(this.#rest.subarray(0, bytes));
    this.#rest = this.#rest.subarray(bytes);
    this.#at += bytes;
  }

  #damaged(problem: string): ThreadmillError {
    return fail('STORE_FILE_DAMAGED', { file: this.#name, problem: `${problem} (after byte ${this.#at})` });
  }
}
