import { crc32 } from 'node:zlib';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { fitsBlock, writeBlock, writePlace, type Place } from '../../src/store/evaluation/blocks.js';
import { keys, type BlockKind, type Key } from '../../src/store/keys.js';
import type { RecordCipher } from '../../src/store/encryption/record-cipher.js';
import { CHECKSUM_BYTES, encrypted, keySum } from '../../src/store/stamp.js';
import type { SliceMessage } from '../../src/wire/evaluation/evaluation.js';
import { RowWriter } from '../../src/wire/evaluation/row-writer.js';

/** A conversation in which puts are handed over. */
interface SliceTalk {
  hand(message: SliceMessage): void;
  next(): Promise<{ type: string }>;
}

/** Collects records with their checksums and hands them over a slice at a time; the front says when it has taken one. */
export class Slices {
  readonly #talk: SliceTalk;
  readonly #cipher: RecordCipher | null;
  readonly #out = new RowWriter();
  #puts: SliceMessage['puts'] = [];
  #asked = false;

  constructor(talk: SliceTalk, cipher: RecordCipher | null) {
    this.#talk = talk;
    this.#cipher = cipher;
  }

  /** A record: `write` writes its value. */
  put(logical: Key, write: (out: RowWriter) => void): void {
    const cipher = this.#cipher;
    const key = cipher === null ? logical : cipher.storedKey(logical);
    const out = this.#out;
    const checksum = out.hole();
    write(out);
    if (cipher !== null)
      out.replace(checksum + CHECKSUM_BYTES, encrypted(key, out.view(checksum + CHECKSUM_BYTES, out.length), cipher));
    out.fill(checksum, crc32(out.view(checksum + CHECKSUM_BYTES, out.length), keySum(key)));
    this.#puts.push([key, out.length - checksum]);
  }

  /** Call where nothing has to be with what comes next. */
  async flow(): Promise<void> {
    if (this.#out.length >= LIMITS.sliceBytes || this.#puts.length >= LIMITS.slicePuts) await this.#send();
  }

  async finish(): Promise<void> {
    if (this.#puts.length > 0) await this.#send();
    await this.#taken();
  }

  async #send(): Promise<void> {
    await this.#taken();
    this.#talk.hand({ type: 'slice', puts: this.#puts, bytes: new Uint8Array(this.#out.view(0, this.#out.length)) });
    this.#asked = true;
    this.#puts = [];
    this.#out.clear();
  }

  /** One slice is under way while the next one is made. */
  async #taken(): Promise<void> {
    if (!this.#asked) return;
    this.#asked = false;
    const { type } = await this.#talk.next();
    if (type !== 'more') throw fail('REQUEST_ABORTED', {});
  }
}

/**
 * Fills blocks of a list in order, from its number `next` on, and hands them over, each with what points into it: a block is
 * put no later than its index, so that a crash leaves nothing that cannot be found again. An item may hold an id that says
 * where it stands: it is written for the block that is open, and once more for the next one when it does not fit.
 */
export async function putBlocks(
  slices: Slices,
  kind: BlockKind,
  list: number,
  next: number,
  count: number,
  write: (out: RowWriter, at: number, place: Place) => void,
  keyOf: (at: number) => Key | null = () => null,
): Promise<void> {
  const items = new RowWriter();
  let first = next;
  let ends: number[] = [];
  const close = async (): Promise<void> => {
    slices.put(keys.block(kind, list, first), (out) => writeBlock(out, items.view(0, ends.at(-1)!), ends));
    for (let at = 0; at < ends.length; at += 1) {
      const key = keyOf(first - next + at);
      if (key !== null) slices.put(key, (out) => writePlace(out, { list, first, at }));
    }
    await slices.flow();
  };
  for (let at = 0; at < count; at += 1) {
    const end = ends.at(-1) ?? 0;
    write(items, at, { list, first, at: ends.length });
    if (!fitsBlock(ends.length, end, items.length - end)) {
      await close();
      [first, ends] = [next + at, []];
      items.clear();
      write(items, at, { list, first, at: 0 });
    }
    ends.push(items.length);
  }
  if (ends.length > 0) await close();
}
