import { LIMITS } from '../../base/limits.js';
import { packRow, unpack } from '../../wire/codec.js';
import { RowWriter } from '../../wire/evaluation/row-writer.js';
import type { Commit } from '../env.js';
import { keys, type BlockKind } from '../keys.js';
import type { Lookup } from '../read-your-writes.js';
import type { Reader } from '../reader.js';

/**
 * Many small records under one key: a row of an upload would otherwise cost a dozen puts, and the store's price is per put
 * (docs/decisions/0012, bench/upload-experiment). A block is `count, end of each item, items`; it is found by the number
 * of its first item, and an item that is removed stays as nothing.
 */
export interface Place {
  readonly list: number;
  /** Number of the block's first item. */
  readonly first: number;
  /** Which of the block's items. */
  readonly at: number;
}

const PLACE = ['list', 'first', 'at'] as const satisfies readonly (keyof Place)[];

export function packPlace(place: Place): Uint8Array {
  return packRow(place, PLACE);
}

/** As packPlace. */
export function writePlace(out: RowWriter, place: Place): void {
  out.row(place, PLACE);
}

export function placeFrom(bytes: Uint8Array): Place {
  const [list, first, at] = unpack<[number, number, number]>(bytes);
  return { list, first, at };
}

/** Distributes items over blocks in order; a block closes at its bytes or its count. */
export function planBlocks(sizes: readonly number[], firstNumber: number): Place[] {
  const places: Place[] = [];
  let first = firstNumber;
  let bytes = 0;
  sizes.forEach((size, index) => {
    const number = firstNumber + index;
    if (!fitsBlock(number - first, bytes, size)) {
      first = number;
      bytes = 0;
    }
    bytes += size;
    places.push({ list: 0, first, at: number - first });
  });
  return places;
}

/** A block that holds so many items and bytes takes this one too; an empty one takes any. */
export function fitsBlock(items: number, bytes: number, size: number): boolean {
  return items === 0 || (bytes + size <= LIMITS.blockBytes && items < LIMITS.blockItemsMax);
}

export function packBlock(items: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = 4 + items.length * 4;
  const block = Buffer.allocUnsafeSlow(items.reduce((sum, item) => sum + item.byteLength, head));
  block.writeUInt32LE(items.length, 0);
  let end = head;
  items.forEach((item, at) => {
    block.set(item, end);
    end += item.byteLength;
    block.writeUInt32LE(end, 4 + at * 4);
  });
  return block;
}

/** The items of a block, as views into it. */
export function unpackBlock(bytes: Uint8Array): Uint8Array[] {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = block.readUInt32LE(0);
  const items: Uint8Array[] = [];
  let start = 4 + count * 4;
  for (let at = 0; at < count; at += 1) {
    const end = block.readUInt32LE(4 + at * 4);
    items.push(block.subarray(start, end));
    start = end;
  }
  return items;
}

const HEAD_LENGTH_BYTES = 4;

/** An item of two parts, of which the first can be read alone. */
export function writeHeaded<Head extends object, Rest extends object>(
  out: RowWriter,
  head: Head,
  headFields: readonly (keyof Head)[],
  rest: Rest,
  restFields: readonly (keyof Rest)[],
): void {
  const hole = out.hole();
  out.row(head, headFields);
  out.fill(hole, out.length - hole - HEAD_LENGTH_BYTES);
  out.row(rest, restFields);
}

const single = new RowWriter();

/** One item by itself, in memory of its own. */
export function packItem(write: (out: RowWriter) => void): Uint8Array {
  single.clear();
  write(single);
  return Buffer.from(single.view(0, single.length));
}

/** The block of the items that stand one after the other in `items`, the last of which ends at its end. `ends`: where each ends. */
export function writeBlock(out: RowWriter, items: Uint8Array, ends: readonly number[]): void {
  const head = 4 + ends.length * 4;
  out.fill(out.hole(), ends.length);
  for (const end of ends) out.fill(out.hole(), head + end);
  out.raw(items);
}

export function headRange(item: Uint8Array): { start: number; end: number } {
  return {
    start: HEAD_LENGTH_BYTES,
    end: HEAD_LENGTH_BYTES + (item[0]! | (item[1]! << 8) | (item[2]! << 16) | (item[3]! << 24)),
  };
}

/** Undefined when nothing stands there, or what stood there was removed. */
export function itemAt(lookup: Lookup, kind: BlockKind, { list, first, at }: Place): Uint8Array | undefined {
  const block = lookup.get(keys.block(kind, list, first));
  if (block === undefined) return undefined;
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const count = bytes.readUInt32LE(0);
  if (at >= count) return undefined;
  const start = at === 0 ? 4 + count * 4 : bytes.readUInt32LE(at * 4);
  const end = bytes.readUInt32LE(4 + at * 4);
  return start === end ? undefined : bytes.subarray(start, end);
}

/** Puts another item in the place of the one that is there; null removes it. */
export function replaceItem(
  commit: Commit,
  lookup: Lookup,
  kind: BlockKind,
  { list, first, at }: Place,
  item: Uint8Array | null,
): void {
  const key = keys.block(kind, list, first);
  const items = unpackBlock(lookup.get(key)!);
  items[at] = item ?? new Uint8Array(0);
  // A place is never used again, so a block without items is nothing.
  if (items.some((one) => one.byteLength > 0)) commit.put(key, packBlock(items));
  else commit.remove(key);
}

/** Adds items to a list, as blocks of their own from `next` on; says where each is and which number is next. */
export function appendItems(
  commit: Commit,
  kind: BlockKind,
  list: number,
  next: number,
  items: readonly Uint8Array[],
): { places: Place[]; next: number } {
  const places = planBlocks(
    items.map((item) => item.byteLength),
    next,
  ).map((place) => ({ ...place, list }));
  let from = 0;
  while (from < items.length) {
    const { first } = places[from]!;
    let to = from + 1;
    while (to < items.length && places[to]!.first === first) to += 1;
    commit.put(keys.block(kind, list, first), packBlock(items.slice(from, to)));
    from = to;
  }
  return { places, next: next + items.length };
}

/** Every block of a list, or those from a number on. */
export function* blocksOf(
  reader: Reader,
  kind: BlockKind,
  list: number,
): Generator<{ first: number; items: Uint8Array[] }> {
  for (const [key, bytes] of reader.entries({ prefix: keys.blocks(kind, list) }))
    yield { first: key[2] as number, items: unpackBlock(bytes) };
}
