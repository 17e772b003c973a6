import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { fitsBlock, packBlock, type Place } from '../../src/store/blocks.js';
import { keys, type BlockKind, type Key } from '../../src/store/keys.js';
import { stamped } from '../../src/store/reader.js';

/** A conversation in which puts are handed over. */
interface SliceTalk {
  send(message: { type: 'slice'; puts: [Key, Uint8Array][] }): void;
  next(): Promise<{ type: string }>;
}

/** Collects records with their checksums and hands them over a slice at a time; the front says when it has taken one. */
export class Slices {
  readonly #talk: SliceTalk;
  #puts: [Key, Uint8Array][] = [];
  #bytes = 0;
  #asked = false;

  constructor(talk: SliceTalk) {
    this.#talk = talk;
  }

  async add(puts: [Key, Uint8Array][]): Promise<void> {
    for (const [key, value] of puts) {
      const record = stamped(value);
      this.#puts.push([key, record]);
      this.#bytes += record.byteLength;
    }
    if (this.#bytes >= LIMITS.sliceBytes || this.#puts.length >= LIMITS.slicePuts) await this.#send();
  }

  async finish(): Promise<void> {
    if (this.#puts.length > 0) await this.#send();
    await this.#taken();
  }

  async #send(): Promise<void> {
    await this.#taken();
    this.#talk.send({ type: 'slice', puts: this.#puts });
    this.#asked = true;
    this.#puts = [];
    this.#bytes = 0;
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
 * where it stands: it is made for the block that is open, and once more for the next one when it does not fit.
 */
export async function putBlocks(slices: Slices, kind: BlockKind, list: number, next: number, count: number, itemOf: (at: number, place: Place) => Uint8Array, index: (at: number, place: Place) => [Key, Uint8Array][] = () => []): Promise<void> {
  let first = next;
  let items: Uint8Array[] = [];
  let bytes = 0;
  let puts: [Key, Uint8Array][] = [];
  const close = (): Promise<void> => slices.add([[keys.block(kind, list, first), packBlock(items)], ...puts]);
  for (let at = 0; at < count; at += 1) {
    let place = { list, first, at: next + at - first };
    let item = itemOf(at, place);
    if (!fitsBlock(items.length, bytes, item.byteLength)) {
      await close();
      [first, items, bytes, puts] = [next + at, [], 0, []];
      place = { list, first, at: 0 };
      item = itemOf(at, place);
    }
    items.push(item);
    bytes += item.byteLength;
    puts.push(...index(at, place));
  }
  if (items.length > 0) await close();
}
