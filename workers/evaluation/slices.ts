import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { packBlock, type Place } from '../../src/store/blocks.js';
import { keys, type BlockKind, type Key } from '../../src/store/keys.js';

/** A conversation in which puts are handed over. */
interface SliceTalk {
  send(message: { type: 'slice'; puts: [Key, Uint8Array][] }): void;
  next(): Promise<{ type: string }>;
}

/** Collects puts and hands them over a slice at a time; the front says when it has taken one. */
export class Slices {
  readonly #talk: SliceTalk;
  #puts: [Key, Uint8Array][] = [];
  #bytes = 0;
  #asked = false;

  constructor(talk: SliceTalk) {
    this.#talk = talk;
  }

  async add(puts: [Key, Uint8Array][]): Promise<void> {
    for (const put of puts) {
      this.#puts.push(put);
      this.#bytes += put[1].byteLength;
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
 * Packs items into their places and hands over the blocks, each with what points into it: a block is put no later than its
 * index, so that a crash leaves nothing that cannot be found again.
 */
export async function putBlocks(slices: Slices, kind: BlockKind, list: number, places: readonly Omit<Place, 'list'>[], itemOf: (at: number) => Uint8Array, index: (at: number, place: Place) => [Key, Uint8Array][] = () => []): Promise<void> {
  let from = 0;
  while (from < places.length) {
    const { first } = places[from]!;
    const items: Uint8Array[] = [];
    const puts: [Key, Uint8Array][] = [];
    let to = from;
    for (; to < places.length && places[to]!.first === first; to += 1) {
      items.push(itemOf(to));
      puts.push(...index(to, { list, first, at: places[to]!.at }));
    }
    puts.unshift([keys.block(kind, list, first), packBlock(items)]);
    await slices.add(puts);
    from = to;
  }
}
