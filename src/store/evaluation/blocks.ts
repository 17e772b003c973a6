import { LIMITS } from '../../base/limits.js';
import { packRow, unpack } from '../../wire/codec.js';
import type { RowWriter, ValuesOf } from '../../wire/evaluation/row-writer.js';
import type { Commit } from '../store.js';
import { keys, type BlockKind, type Key } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';

/**
 * Position of an item in a block. A block has many small records under one key, because the store's cost is per
 * put, and a row of an upload would need a dozen puts (docs/decisions/0012, bench/upload-experiment). A block
 * consists of `count, end of each item, items`. Its key has the number of its first item. A removed item remains
 * with length 0.
 */
export interface BlockPosition {
  readonly list: number;
  /** Number of the block's first item. */
  readonly first: number;
  /** Index of the item in the block. */
  readonly at: number;
}

/** In place of a removed item. */
const NO_ITEM = new Uint8Array(0);

const POSITION_FIELDS = ['list', 'first', 'at'] as const satisfies readonly (keyof BlockPosition)[];

export function packPosition(place: BlockPosition): Uint8Array {
  return packRow(place, POSITION_FIELDS);
}

/** Like `packPosition`. */
export function writePosition(out: RowWriter, place: BlockPosition): void {
  const values: ValuesOf<BlockPosition, typeof POSITION_FIELDS> = [place.list, place.first, place.at];
  out.writeRow(values);
}

export function unpackPosition(bytes: Uint8Array): BlockPosition {
  const [list, first, at] = unpack<[number, number, number]>(bytes);
  return { list, first, at };
}

/** Distributes items over blocks in order. A block ends at its maximum of bytes or items. */
function planBlocks(sizes: readonly number[], { list, next: firstNumber }: ListEnd): BlockPosition[] {
  const places: BlockPosition[] = [];
  let first = firstNumber;
  let bytes = 0;
  sizes.forEach((size, index) => {
    const number = firstNumber + index;
    if (!fitsBlock(number - first, bytes, size)) {
      first = number;
      bytes = 0;
    }
    bytes += size;
    places.push({ list, first, at: number - first });
  });
  return places;
}

/** True if a block with this many items and bytes can take one more of `size` bytes. An empty block takes any item. */
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

/** Writes the block of the items stored contiguously in `items`. `ends` has the end of each. */
export function writeBlock(out: RowWriter, items: Uint8Array, ends: readonly number[]): void {
  const head = 4 + ends.length * 4;
  out.fillUint32(out.reserveUint32(), ends.length);
  for (const end of ends) out.fillUint32(out.reserveUint32(), head + end);
  out.writeBytes(items);
}

/** Undefined when there is no such item or it was removed. */
export function itemAt(lookup: Lookup, kind: BlockKind, { list, first, at }: BlockPosition): Uint8Array | undefined {
  const block = lookup.get(keys.block(kind, list, first));
  return block === undefined ? undefined : itemInBlock(block, at);
}

/** Undefined when there is no such item or it was removed. */
export function itemInBlock(block: Uint8Array, at: number): Uint8Array | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const count = bytes.readUInt32LE(0);
  if (at >= count) return undefined;
  const start = at === 0 ? 4 + count * 4 : bytes.readUInt32LE(at * 4);
  const end = bytes.readUInt32LE(4 + at * 4);
  return start === end ? undefined : bytes.subarray(start, end);
}

/** Replaces an existing item; null removes it. */
export function replaceItem(
  plan: Commit & Lookup,
  kind: BlockKind,
  { list, first, at }: BlockPosition,
  item: Uint8Array | null,
): void {
  const key = keys.block(kind, list, first);
  const items = unpackBlock(plan.get(key)!);
  items[at] = item ?? NO_ITEM;
  putItems(plan, key, items);
}

/** Removes the items of one block for which `isRemoved` is true. */
export function removeItems(
  plan: Commit & Lookup,
  kind: BlockKind,
  { list, first }: Omit<BlockPosition, 'at'>,
  isRemoved: (item: Uint8Array, at: number) => boolean,
): void {
  const key = keys.block(kind, list, first);
  const block = plan.get(key);
  if (block === undefined) return;
  const items = unpackBlock(block);
  const kept = items.map((item, at) => (item.byteLength > 0 && isRemoved(item, at) ? NO_ITEM : item));
  if (kept.some((item, at) => item !== items[at])) putItems(plan, key, kept);
}

function putItems(commit: Commit, key: Key, items: readonly Uint8Array[]): void {
  // Positions are never reused, so a block without items can be removed.
  if (items.some((one) => one.byteLength > 0)) commit.put(key, packBlock(items));
  else commit.remove(key);
}

/** The end of a list: `next` is the number of its next item. */
export interface ListEnd {
  list: number;
  next: number;
}

/** Appends items in new blocks. Returns their positions and the next number. */
export function appendItems(
  commit: Commit,
  kind: BlockKind,
  end: ListEnd,
  items: readonly Uint8Array[],
): { places: BlockPosition[]; next: number } {
  const places = planBlocks(
    items.map((item) => item.byteLength),
    end,
  );
  let from = 0;
  while (from < items.length) {
    const { first } = places[from]!;
    let to = from + 1;
    while (to < items.length && places[to]!.first === first) to += 1;
    commit.put(keys.block(kind, end.list, first), packBlock(items.slice(from, to)));
    from = to;
  }
  return { places, next: end.next + items.length };
}

/** Every block of a list. */
export function* blocksOf(
  reader: Reader,
  kind: BlockKind,
  list: number,
): Generator<{ first: number; items: Uint8Array[] }> {
  for (const [key, bytes] of reader.entries({ prefix: keys.blocks(kind, list) }))
    yield { first: key[2] as number, items: unpackBlock(bytes) };
}
