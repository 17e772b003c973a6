import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../../wire/codec.js';

/**
 * The form of a backup: a line that says what it is, then blocks of `length, checksum, msgpack`. The last one counts what
 * is there and has a hash of all before it, so that a part is never taken for the whole. A file of each form stays in
 * test/store/saved/ and is restored.
 */
const FIRST_LINE = Buffer.from('THREADMILL BACKUP 1\n');
const BLOCK_HEAD_BYTES = 8;

export interface BackupHead {
  /** Of Threadmill. */
  version: string;
  /** Of the data folder. */
  storeFormat: number;
  madeAtMs: number;
  /** About how many bytes will follow, for a progress bar. */
  bytes: number;
}

export interface BackupEnd {
  records: number;
  files: number;
  /** SHA-256 of every byte before this block, as hex. */
  hash: string;
}

/** A key as LMDB has it, and the record with its checksum. */
export type RawRecord = readonly [key: Uint8Array, record: Uint8Array];

export type BackupBlock =
  | { type: 'head'; head: BackupHead }
  /** In the order of keys, over all blocks. */
  | { type: 'records'; records: RawRecord[] }
  /** A file beside the data file, by its path in the folder. */
  | { type: 'file'; path: string; bytes: Uint8Array }
  | { type: 'end'; end: BackupEnd };

export class BackupWriter {
  readonly #hash = createHash('sha256');

  /** What the file begins with. */
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

/** The blocks of a backup as its bytes come. Throws STORE_FILE_DAMAGED, and names what is wrong and where. */
export class BackupReader {
  readonly #name: string;
  readonly #hash: Hash = createHash('sha256');
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  /** Bytes before those of `#rest`. */
  #at = 0;
  #begun = false;
  #counts = { records: 0, files: 0 };
  #head: BackupHead | null = null;
  #end: BackupEnd | null = null;

  /** `name`: what errors call it. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Blocks that are complete with these bytes. */
  *take(bytes: Uint8Array): Generator<BackupBlock> {
    this.#rest =
      this.#rest.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([this.#rest, bytes]);
    if (!this.#begun) {
      if (this.#rest.length < FIRST_LINE.length) return;
      if (!this.#rest.subarray(0, FIRST_LINE.length).equals(FIRST_LINE))
        throw this.#damaged('it does not begin as a backup of this version of Threadmill does');
      this.#begun = true;
      this.#pass(FIRST_LINE.length);
    }
    while (this.#rest.length >= BLOCK_HEAD_BYTES) {
      if (this.#end !== null) throw this.#damaged('it goes on after its end');
      const length = this.#rest.readUInt32LE(0);
      if (length > LIMITS.backupBlockBytesMax) throw this.#damaged('a block says that it is longer than any is');
      if (this.#rest.length < BLOCK_HEAD_BYTES + length) return;
      const payload = this.#rest.subarray(BLOCK_HEAD_BYTES, BLOCK_HEAD_BYTES + length);
      if (crc32(payload) !== this.#rest.readUInt32LE(4)) throw this.#damaged('a block does not have its checksum');
      const block = this.#read(payload);
      if (block.type === 'end') {
        const hash = this.#hash.copy().digest('hex');
        if (block.end.hash !== hash) throw this.#damaged('what it has is not what was written');
        if (block.end.records !== this.#counts.records || block.end.files !== this.#counts.files)
          throw this.#damaged('it does not have as many records as it says');
        this.#end = block.end;
      }
      this.#pass(BLOCK_HEAD_BYTES + length);
      yield block;
    }
  }

  /** Call after the last bytes. */
  finish(): BackupEnd {
    if (this.#end === null) throw this.#damaged('it is not complete: its end is missing');
    if (this.#rest.length > 0) throw this.#damaged('it goes on after its end');
    return this.#end;
  }

  #read(payload: Buffer): BackupBlock {
    let block: BackupBlock;
    try {
      block = unpack<BackupBlock>(payload);
    } catch {
      throw this.#damaged('a block cannot be read');
    }
    if ((block.type === 'head') !== (this.#head === null)) throw this.#damaged('its head is not where it belongs');
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
