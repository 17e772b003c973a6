import { unpackBlock, type Place } from '../../src/store/evaluation/blocks.js';
import { keys, type BlockKind } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';

/** Reads items that mostly follow each other: a block is read once, into memory of its own, so that its items outlive a pause. */
export class BlockCursor {
  readonly #reader: Reader;
  readonly #kind: BlockKind;
  #list = -1;
  #first = -1;
  #items: Uint8Array[] = [];

  constructor(reader: Reader, kind: BlockKind) {
    this.#reader = reader;
    this.#kind = kind;
  }

  /** Undefined when nothing stands there, or what stood there was removed. */
  item({ list, first, at }: Place): Uint8Array | undefined {
    if (list !== this.#list || first !== this.#first) {
      const block = this.#reader.get(keys.block(this.#kind, list, first));
      this.#items = block === undefined ? [] : unpackBlock(Buffer.from(block));
      this.#list = list;
      this.#first = first;
    }
    const item = this.#items[at];
    return item === undefined || item.byteLength === 0 ? undefined : item;
  }
}
