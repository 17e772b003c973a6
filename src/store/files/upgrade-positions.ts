import { asObject } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import { unpackBody, unpackMetadata } from '../../wire/runs/state.js';
import type { RawRecord } from './backup-format.js';
import { checkpointName, positionAfter } from '../threads/checkpoint-positions.js';
import { encodeKey, decodeKey } from '../key-codec.js';
import { keys } from '../keys.js';
import { encodeRawRecord, valueOfRawRecord } from '../record-codec.js';

/** A checkpoint of format 2, whose position is its id. */
interface OldCheckpoint {
  raw: RawRecord;
  ns: string;
  id: string;
  row: unknown[];
  /** Names of checkpoints stored earlier: its parent, and checkpoints of the graphs above it. */
  before: string[];
}

/** First bytes of the key of every checkpoint. */
const PREFIX = Buffer.from('c\0');

export function isCheckpointKey(key: Uint8Array): boolean {
  return key[0] === PREFIX[0] && key[1] === PREFIX[1];
}

/** Inner id of the thread in a checkpoint's key. */
export function threadUidOfKey(key: Uint8Array): string {
  return (decodeKey(key) as string[])[1]!;
}

/**
 * Until format 2 the newest checkpoint was the one with the greatest id, and ids come from a clock. After the clock was
 * set back, new checkpoints sorted before older ones. This assigns each of them a position behind the older ones.
 * `records` are all checkpoints of one thread in key order. Returns them in their new order, and the records that store
 * the positions. A thread whose clock never went back is returned unchanged.
 */
export function assignPositions(records: readonly RawRecord[]): { checkpoints: RawRecord[]; positions: RawRecord[] } {
  const damaged: RawRecord[] = [];
  const found: OldCheckpoint[] = [];
  for (const raw of records) {
    const one = parseCheckpoint(raw);
    if (one === null) damaged.push(raw);
    else found.push(one);
  }
  const byName = new Map(found.map((one) => [checkpointName(one), one]));
  const isInOrder = found.every(({ id, before }) => before.every((name) => (byName.get(name)?.id ?? '') < id));
  if (isInOrder) return { checkpoints: [...records], positions: [] };
  const checkpoints = [...damaged];
  const positions: RawRecord[] = [];
  let last = '';
  for (const { raw, ns, id, row } of orderByStorage(found, byName)) {
    const position = id > last ? id : positionAfter(last);
    last = position;
    if (position === id) {
      checkpoints.push(raw);
      continue;
    }
    const uid = threadUidOfKey(raw[0]);
    const key = encodeKey(keys.checkpoint(uid, ns, position));
    checkpoints.push([key, encodeRawRecord(key, pack([row[0], row[1], row[2], row[3] ?? false, id]))]);
    const place = encodeKey(keys.checkpointPosition(uid, ns, id));
    positions.push([place, encodeRawRecord(place, Buffer.from(position))]);
  }
  return { checkpoints: sortByKey(checkpoints), positions: sortByKey(positions) };
}

export function sortByKey(records: readonly RawRecord[]): RawRecord[] {
  return records.toSorted(([a], [b]) => Buffer.compare(a, b));
}

/** Sorted by id, except that no checkpoint comes before one that was stored earlier. */
function orderByStorage(found: readonly OldCheckpoint[], byName: ReadonlyMap<string, OldCheckpoint>): OldCheckpoint[] {
  const left = new Map<OldCheckpoint, number>();
  const after = new Map<OldCheckpoint, OldCheckpoint[]>(found.map((one) => [one, []]));
  const ready: OldCheckpoint[] = [];
  const insert = (one: OldCheckpoint): void => {
    const at = ready.findIndex(({ id }) => id > one.id);
    ready.splice(at < 0 ? ready.length : at, 0, one);
  };
  for (const one of found) {
    const earlier = one.before.map((name) => byName.get(name)).filter((other) => other !== undefined);
    left.set(one, earlier.length);
    for (const other of earlier) after.get(other)!.push(one);
    if (earlier.length === 0) insert(one);
  }
  const ordered: OldCheckpoint[] = [];
  for (let one = ready.shift(); one !== undefined; one = ready.shift()) {
    ordered.push(one);
    for (const next of after.get(one)!) {
      left.set(next, left.get(next)! - 1);
      if (left.get(next) === 0) insert(next);
    }
  }
  // This server never wrote checkpoints that refer to each other. They keep the order of their ids.
  const taken = new Set(ordered);
  return [...ordered, ...found.filter((one) => !taken.has(one))];
}

/** Null for a damaged record. */
function parseCheckpoint(raw: RawRecord): OldCheckpoint | null {
  const [key, record] = raw;
  const value = valueOfRawRecord(key, record);
  if (value === null) return null;
  const [, , ns, id] = decodeKey(key) as [string, string, string, string];
  const row = unpack<unknown[]>(value);
  const { parentId, metadata } = unpackBody(row[2] as Uint8Array);
  const above = Object.entries(asObject(unpackMetadata(metadata)['parents']));
  const before = above
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([other, parent]) => checkpointName({ ns: other, id: parent }));
  return { raw, ns, id, row, before: parentId === null ? before : [...before, checkpointName({ ns, id: parentId })] };
}
