import { unpackRow } from '../codec.js';
import { RowWriter } from './row-writer.js';

const HEAD_LENGTH_BYTES = 4;

/** Format of an item that consists of two rows. The first one, the head, can be read alone. */
export class TwoPartItem<Head extends object, Rest extends object> {
  readonly #headFields: readonly (keyof Head)[];
  readonly #restFields: readonly (keyof Rest)[];

  constructor(headFields: readonly (keyof Head)[], restFields: readonly (keyof Rest)[]) {
    this.#headFields = headFields;
    this.#restFields = restFields;
  }

  /** The values of the fields of both rows, in their order. `jsonStart`: of the rest (`RowWriter.writeRow`). */
  write(out: RowWriter, head: readonly unknown[], rest: readonly unknown[], jsonStart?: number): void {
    const hole = out.reserveUint32();
    out.writeRow(head);
    out.fillUint32(hole, out.length - hole - HEAD_LENGTH_BYTES);
    out.writeRow(rest, jsonStart);
  }

  /** With `fields`, reads only these. They must be the first fields of the head. */
  readHead(item: Uint8Array, fields = this.#headFields): Head {
    return unpackRow<Head>(item, fields, { start: HEAD_LENGTH_BYTES, end: headEnd(item) });
  }

  readRest(item: Uint8Array): Rest {
    return unpackRow<Rest>(item, this.#restFields, { start: headEnd(item), end: item.byteLength });
  }
}

function headEnd(item: Uint8Array): number {
  return HEAD_LENGTH_BYTES + (item[0]! | (item[1]! << 8) | (item[2]! << 16) | (item[3]! << 24));
}

const singleItemWriter = new RowWriter();

/** A single item, in its own memory. */
export function packItem(write: (out: RowWriter) => void): Uint8Array {
  singleItemWriter.clear();
  write(singleItemWriter);
  return Buffer.from(singleItemWriter.slice(0, singleItemWriter.length));
}
