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
const BLOCK_HEADER_BYTES = 8;

export interface BackupHeader {
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
  | { type: 'head'; head: BackupHeader }
  /** In key order over all blocks. */
  | { type: 'records'; records: RawRecord[] }
  /** A file beside the data file; `path` is relative to the data folder. */
  | { type: 'file'; path: string; bytes: Uint8Array }
  | { type: 'end'; end: BackupEnd };

export class BackupWriter {
  readonly #hash = createHash('sha256');

  /** The first bytes of the file. */
  begin(head: BackupHeader): Buffer {
    return this.#addToHash(Buffer.concat([FIRST_LINE, encodeBlock({ type: 'head', head })]));
  }

  block(block: BackupBlock): Buffer {
    return this.#addToHash(encodeBlock(block));
  }

  end(counts: Omit<BackupEnd, 'hash'>): Buffer {
    return encodeBlock({ type: 'end', end: { ...counts, hash: this.#hash.digest('hex') } });
  }

  #addToHash(bytes: Buffer): Buffer {
    this.#hash.update(bytes);
    return bytes;
  }
}

function encodeBlock(block: BackupBlock): Buffer {
  const payload = pack(block);
  const frame = Buffer.allocUnsafe(BLOCK_HEADER_BYTES + payload.byteLength);
  frame.writeUInt32LE(payload.byteLength, 0);
  frame.writeUInt32LE(crc32(payload), 4);
  frame.set(payload, BLOCK_HEADER_BYTES);
  return frame;
}

/** Reads the blocks of a backup as its bytes arrive. Throws STORE_FILE_DAMAGED with the problem and its position. */
export class BackupReader {
  readonly #name: string;
  readonly #hash: Hash = createHash('sha256');
  #buffer: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  /** Number of bytes before `#rest`. */
  #offset = 0;
  #firstLineRead = false;
  #counts = { records: 0, files: 0 };
  #header: BackupHeader | null = null;
  #end: BackupEnd | null = null;

  /** `name` is the file name for errors. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Adds bytes and returns the blocks that they complete. */
  *push(bytes: Uint8Array): Generator<BackupBlock> {
    this.#buffer =
      this.#buffer.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([this.#buffer, bytes]);
    if (!this.#firstLineRead) {
      if (this.#buffer.length < FIRST_LINE.length) return;
      if (!this.#buffer.subarray(0, FIRST_LINE.length).equals(FIRST_LINE))
        throw this.#damageError('it does not begin like a backup of this version of Threadmill');
      this.#firstLineRead = true;
      this.#consume(FIRST_LINE.length);
    }
    while (this.#buffer.length >= BLOCK_HEADER_BYTES) {
      if (this.#end !== null) throw this.#damageError('there is more data after its end');
      const length = this.#buffer.readUInt32LE(0);
      if (length > LIMITS.backupBlockBytesMax)
        throw this.#damageError(`a block has an invalid length of ${length} bytes`);
      if (this.#buffer.length < BLOCK_HEADER_BYTES + length) return;
      const payload = this.#buffer.subarray(BLOCK_HEADER_BYTES, BLOCK_HEADER_BYTES + length);
      if (crc32(payload) !== this.#buffer.readUInt32LE(4))
        throw this.#damageError('a block does not match its checksum');
      const block = this.#parseBlock(payload);
      if (block.type === 'end') {
        const hash = this.#hash.copy().digest('hex');
        if (block.end.hash !== hash) throw this.#damageError('its content does not match its hash');
        if (block.end.records !== this.#counts.records || block.end.files !== this.#counts.files)
          throw this.#damageError('its number of records or files is wrong');
        this.#end = block.end;
      }
      this.#consume(BLOCK_HEADER_BYTES + length);
      yield block;
    }
  }

  /** Call this after the last bytes. */
  finish(): BackupEnd {
    if (this.#end === null) throw this.#damageError('it is not complete: its end is missing');
    if (this.#buffer.length > 0) throw this.#damageError('there is more data after its end');
    return this.#end;
  }

  #parseBlock(payload: Buffer): BackupBlock {
    let block: BackupBlock;
    try {
      block = unpack<BackupBlock>(payload);
    } catch {
      throw this.#damageError('a block cannot be read');
    }
    if ((block.type === 'head') !== (this.#header === null))
      throw this.#damageError('its first block is not its header');
    if (block.type === 'head') this.#header = block.head;
    if (block.type === 'records') this.#counts.records += block.records.length;
    if (block.type === 'file') this.#counts.files += 1;
    return block;
  }

  #consume(bytes: number): void {
    if (this.#end === null) this.#hash.update(this.#buffer.subarray(0, bytes));
    this.#buffer = this.#buffer.subarray(bytes);
    this.#offset += bytes;
  }

  #damageError(problem: string): ThreadmillError {
    return fail('STORE_FILE_DAMAGED', { file: this.#name, problem: `${problem} (after byte ${this.#offset})` });
  }
}
