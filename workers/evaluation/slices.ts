import { crc32 } from 'node:zlib';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import {
  fitsBlock,
  writeBlock,
  writePosition,
  type BlockPosition,
  type ListEnd,
} from '../../src/store/evaluation/blocks.js';
import { keys, type BlockKind, type Key } from '../../src/store/keys.js';
import type { RecordCipher } from '../../src/store/encryption/record-cipher.js';
import { CHECKSUM_BYTES, encryptValue, keyChecksumStart } from '../../src/store/record-codec.js';
import type { SliceMessage } from '../../src/wire/evaluation/evaluation.js';
import { RowWriter } from '../../src/wire/evaluation/row-writer.js';

/** A channel over which puts are transferred. */
interface SliceChannel {
  sendWithBytes(message: SliceMessage): void;
  receive(): Promise<{ type: string }>;
}

/** Collects records with their checksums and sends them in slices. The main thread confirms each slice. */
export class Slices {
  readonly #channel: SliceChannel;
  readonly #cipher: RecordCipher | null;
  readonly #out = new RowWriter();
  #puts: SliceMessage['puts'] = [];
  #awaitsConfirmation = false;

  constructor(channel: SliceChannel, cipher: RecordCipher | null) {
    this.#channel = channel;
    this.#cipher = cipher;
  }

  /** Adds a record. `write` writes its value. */
  put(logical: Key, write: (out: RowWriter) => void): void {
    const cipher = this.#cipher;
    const key = cipher === null ? logical : cipher.storedKey(logical);
    const out = this.#out;
    const checksum = out.reserveUint32();
    write(out);
    if (cipher !== null)
      out.replace(
        checksum + CHECKSUM_BYTES,
        encryptValue(key, out.slice(checksum + CHECKSUM_BYTES, out.length), cipher),
      );
    out.fillUint32(checksum, crc32(out.slice(checksum + CHECKSUM_BYTES, out.length), keyChecksumStart(key)));
    this.#puts.push([key, out.length - checksum]);
  }

  /** Sends a full slice. Call it between records that need not be in the same slice. */
  async sendIfFull(): Promise<void> {
    if (this.#out.length >= LIMITS.sliceBytes || this.#puts.length >= LIMITS.slicePuts) await this.#send();
  }

  async finish(): Promise<void> {
    if (this.#puts.length > 0) await this.#send();
    await this.#confirmed();
  }

  async #send(): Promise<void> {
    await this.#confirmed();
    this.#channel.sendWithBytes({
      type: 'slice',
      puts: this.#puts,
      bytes: new Uint8Array(this.#out.slice(0, this.#out.length)),
    });
    this.#awaitsConfirmation = true;
    this.#puts = [];
    this.#out.clear();
  }

  /** Waits until the previous slice is confirmed. One slice is in transit while the next one is built. */
  async #confirmed(): Promise<void> {
    if (!this.#awaitsConfirmation) return;
    this.#awaitsConfirmation = false;
    const { type } = await this.#channel.receive();
    if (type !== 'more') throw fail('REQUEST_ABORTED', {});
  }
}

/** Items to write. */
interface BlockItems {
  count: number;
  /** Writes the item with this index. `place` is where it goes. Called again if the item does not fit there. */
  write(out: RowWriter, index: number, place: BlockPosition): void;
  /** Key that points to the item; null for none. */
  keyOf?(index: number): Key | null;
}

/**
 * Appends items to a list in blocks, and sends each block together with the keys that point into it. A block is
 * never put after its index entries, so that a crash leaves no dangling ones. An item may contain an id that
 * depends on its place. It is written for the current block, and written again for the next block if it does not
 * fit.
 */
export async function putBlocks(
  slices: Slices,
  kind: BlockKind,
  { list, next }: ListEnd,
  source: BlockItems,
): Promise<void> {
  const items = new RowWriter();
  let first = next;
  let ends: number[] = [];
  const close = async (): Promise<void> => {
    slices.put(keys.block(kind, list, first), (out) => writeBlock(out, items.slice(0, ends.at(-1)!), ends));
    for (let at = 0; at < ends.length; at += 1) {
      const key = source.keyOf?.(first - next + at) ?? null;
      if (key !== null) slices.put(key, (out) => writePosition(out, { list, first, at }));
    }
    await slices.sendIfFull();
  };
  for (let at = 0; at < source.count; at += 1) {
    const end = ends.at(-1) ?? 0;
    source.write(items, at, { list, first, at: ends.length });
    if (!fitsBlock(ends.length, end, items.length - end)) {
      await close();
      [first, ends] = [next + at, []];
      items.clear();
      source.write(items, at, { list, first, at: 0 });
    }
    ends.push(items.length);
  }
  if (ends.length > 0) await close();
}
