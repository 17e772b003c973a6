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
 * consists of `count, end of each item, items`, and of what items have in common. Its key has the number of its first
 * item. A removed item remains with length 0.
 */
export interface BlockPosition {
  readonly list: number;
  /** Number of the block's first item. */
  readonly first: number;
  /** Index of the item in the block. */
  readonly at: number;
}

/** A removed item, and what most items have in common. */
const NOTHING: Uint8Array = new Uint8Array(0);

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

/** True if a block with so many items and bytes can take `added` more of `size` bytes. An empty block takes any. */
export function fitsBlock(items: number, bytes: number, size: number, added = 1): boolean {
  return items === 0 || (bytes + size <= LIMITS.blockBytes && items + added <= LIMITS.blockItemsMax);
}

/** `common`: packed parts; they follow the items. */
export function packBlock(items: readonly Uint8Array[], common = NOTHING): Uint8Array<ArrayBuffer> {
  const head = 4 + items.length * 4;
  const block = Buffer.allocUnsafeSlow(items.reduce((sum, item) => sum + item.byteLength, head + common.byteLength));
  block.writeUInt32LE(items.length, 0);
  let end = head;
  items.forEach((item, at) => {
    block.set(item, end);
    end += item.byteLength;
    block.writeUInt32LE(end, 4 + at * 4);
  });
  block.set(common, end);
  return block;
}

/** What consecutive items of a block have in common. */
export interface CommonPart {
  /** Index of the first item, and of the one after the last. */
  start: number;
  end: number;
  bytes: Uint8Array;
}

const PART_HEAD_BYTES = 12;

/** Each part: `start, end, length, bytes`. */
function packCommonParts(parts: readonly CommonPart[]): Uint8Array {
  if (parts.length === 0) return NOTHING;
  const packed = Buffer.allocUnsafe(parts.reduce((sum, { bytes }) => sum + PART_HEAD_BYTES + bytes.byteLength, 0));
  let at = 0;
  for (const { start, end, bytes } of parts) {
    for (const number of [start, end, bytes.byteLength]) at = packed.writeUInt32LE(number, at);
    packed.set(bytes, at);
    at += bytes.byteLength;
  }
  return packed;
}

/** As views into the block. */
export function commonPartsOf(block: Uint8Array): CommonPart[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const parts: CommonPart[] = [];
  // They begin where the last item ends.
  for (let at = bytes.readUInt32LE(bytes.readUInt32LE(0) * 4); at < bytes.byteLength;) {
    const from = at + PART_HEAD_BYTES;
    const to = from + bytes.readUInt32LE(at + 8);
    parts.push({ start: bytes.readUInt32LE(at), end: bytes.readUInt32LE(at + 4), bytes: bytes.subarray(from, to) });
    at = to;
  }
  return parts;
}

/** What the item has in common with others. */
export function commonPartAt(block: Uint8Array, at: number): Uint8Array | null {
  return commonPartsOf(block).find(({ start, end }) => at >= start && at < end)?.bytes ?? null;
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
  changeBlock(plan, keys.block(kind, list, first), (items, parts) => {
    items[at] = item ?? NOTHING;
    return parts;
  });
}

/**
 * Changes a block if it exists. `change` changes its items, and returns what they have in common then; null if it has
 * changed nothing.
 */
export function changeBlock(
  plan: Commit & Lookup,
  key: Key,
  change: (items: Uint8Array[], parts: CommonPart[]) => CommonPart[] | null,
): void {
  const block = plan.get(key);
  if (block === undefined) return;
  const items = unpackBlock(block);
  const parts = change(items, commonPartsOf(block));
  if (parts === null) return;
  // Positions are never reused, so a block without items can be removed.
  if (items.some((one) => one.byteLength > 0)) plan.put(key, packBlock(items, packCommonParts(parts)));
  else plan.remove(key);
}

/** The end of a list: `next` is the number of its next item. */
export interface ListEnd {
  list: number;
  next: number;
}

/** Items that are stored in the same block. */
export interface ItemGroup {
  items: readonly Uint8Array[];
  /** What they have in common; null for nothing. */
  common: Uint8Array | null;
}

/** Appends items in new blocks. Returns their positions and the next number. */
export function appendItems(
  commit: Commit,
  kind: BlockKind,
  end: ListEnd,
  items: readonly Uint8Array[],
): { places: BlockPosition[]; next: number } {
  return appendGroups(
    commit,
    kind,
    end,
    items.map((item) => ({ items: [item], common: null })),
  );
}

/** Like `appendItems`. A group does not become part of two blocks, so it should not be much larger than one. */
export function appendGroups(
  commit: Commit,
  kind: BlockKind,
  { list, next }: ListEnd,
  groups: readonly ItemGroup[],
): { places: BlockPosition[]; next: number } {
  const places: BlockPosition[] = [];
  let first = next;
  for (const block of planBlocks(groups)) {
    const items = block.flatMap((group) => group.items);
    commit.put(keys.block(kind, list, first), packBlock(items, packCommonParts(partsOf(block))));
    for (let at = 0; at < items.length; at += 1) places.push({ list, first, at });
    first += items.length;
  }
  return { places, next: first };
}

/** Distributes groups over blocks in order. A block ends at its maximum of bytes or items. */
function planBlocks(groups: readonly ItemGroup[]): ItemGroup[][] {
  const blocks: ItemGroup[][] = [];
  let [items, bytes] = [0, 0];
  for (const group of groups) {
    const size = group.items.reduce((sum, item) => sum + item.byteLength, group.common?.byteLength ?? 0);
    if (blocks.length === 0 || !fitsBlock(items, bytes, size, group.items.length)) {
      blocks.push([]);
      [items, bytes] = [0, 0];
    }
    blocks.at(-1)!.push(group);
    items += group.items.length;
    bytes += size;
  }
  return blocks;
}

function partsOf(groups: readonly ItemGroup[]): CommonPart[] {
  const parts: CommonPart[] = [];
  let start = 0;
  for (const { items, common } of groups) {
    const end = start + items.length;
    if (common !== null) parts.push({ start, end, bytes: common });
    start = end;
  }
  return parts;
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
