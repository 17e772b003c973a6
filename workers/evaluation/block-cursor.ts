import { itemInBlock, type BlockPosition } from '../../src/store/evaluation/blocks.js';
import { runInBlock } from '../../src/store/evaluation/run-blocks.js';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import { keys, type BlockKind } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';

/**
 * Reads items that are mostly consecutive. Each block is read once and copied, so that its items stay valid
 * after a pause.
 */
export class BlockCursor {
  readonly #reader: Reader;
  readonly #kind: BlockKind;
  #list = -1;
  #first = -1;
  #block: Uint8Array | null = null;

  constructor(reader: Reader, kind: BlockKind) {
    this.#reader = reader;
    this.#kind = kind;
  }

  /** Undefined when the item does not exist or was removed. */
  item(place: BlockPosition): Uint8Array | undefined {
    const block = this.#blockOf(place);
    return block === null ? undefined : itemInBlock(block, place.at);
  }

  /** Like `item`, of blocks of runs. */
  run(place: BlockPosition): EvaluationRun | undefined {
    const block = this.#blockOf(place);
    return block === null ? undefined : runInBlock(block, place.at);
  }

  #blockOf({ list, first }: BlockPosition): Uint8Array | null {
    if (list !== this.#list || first !== this.#first) {
      const block = this.#reader.get(keys.block(this.#kind, list, first));
      this.#block = block === undefined ? null : Buffer.from(block);
      this.#list = list;
      this.#first = first;
    }
    return this.#block;
  }
}
