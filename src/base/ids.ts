import { createHash, hash, randomFillSync } from 'node:crypto';
import { v5 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids behind an interface, so a test can fix them. Every id is a UUIDv7 in lower case. */
export interface Ids {
  next(): string;
}

/** Random bytes for many ids at once, also as text: one system call per id is most of what an id costs, then one call for its digits. */
const pool = Buffer.allocUnsafe(4096);
let poolHex = '';
let poolAt = pool.length;
let lastMs = 0;
let sequence = 0;

function needRandom(bytes: number): void {
  if (poolAt + bytes <= pool.length) return;
  randomFillSync(pool);
  poolHex = pool.toString('hex');
  poolAt = 0;
}

/** RFC 9562 UUIDv7; the 12 bits of `rand_a` count within a millisecond, so ids of one process rise. */
function uuidv7(): string {
  needRandom(8);
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = pool[poolAt]! & 0x7f;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const variant = (pool[poolAt]! & 0x3f) | 0x80;
  const rand = poolHex.slice(poolAt * 2 + 2, poolAt * 2 + 16);
  poolAt += 8;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant.toString(16)}${rand.slice(0, 2)}-${rand.slice(2)}`;
}

export const randomIds: Ids = { next: uuidv7 };

/** Not the URL namespace of RFC 9562: one digit differs, and every stored client id depends on it (agent-server.md, 18.2). */
const ASSISTANT_NAMESPACE = '6ba7b821-9dad-11d1-80b4-00c04fd430c8';

/** The id of the assistant that every configured graph has: the same on every server and in every release. */
export function assistantIdOf(graphId: string): string {
  return v5(graphId, ASSISTANT_NAMESPACE);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID of these bytes, in the form of a random one. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const variant = ((bytes[8]! & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20)}`;
}

/** First 16 bytes of SHA-256: the address of stored content. */
export function contentHash(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}

/** What a placed id names. */
export type PlacedKind = 'run' | 'feedback';

const KIND_BITS: Record<PlacedKind, number> = { run: 1, feedback: 2 };

/**
 * A UUIDv8 (RFC 9562, 5.8) that says where its record stands, so that no index has to: bytes 0-3 list, 12-15 first number
 * of the block, 7 item of the block, low half of 6 kind, the rest random. Whoever reads by it compares the whole id with
 * the record's: a client may send an id of this form that we never made.
 */
export function placedId(kind: PlacedKind, list: number, first: number, at: number): string {
  needRandom(6);
  if (list !== lastList) {
    placed.write(hex8(list), 0, 'latin1');
    lastList = list;
  }
  if (first !== lastFirst) {
    placed.write(hex8(first), 28, 'latin1');
    lastFirst = first;
  }
  digits(placed, 9, pool[poolAt]!);
  digits(placed, 11, pool[poolAt + 1]!);
  placed[15] = HEX[KIND_BITS[kind]]!;
  digits(placed, 16, at);
  digits(placed, 19, (pool[poolAt + 5]! & 0x3f) | 0x80);
  digits(placed, 21, pool[poolAt + 2]!);
  digits(placed, 24, pool[poolAt + 3]!);
  digits(placed, 26, pool[poolAt + 4]!);
  poolAt += 6;
  return placed.toString('latin1');
}

/** The text of the last placed id: one string is made of it, where pieces would be ten. */
const placed = Buffer.from('00000000-0000-8000-0000-000000000000');
const HEX = Buffer.from('0123456789abcdef');
// Ids that are made together are mostly of one block.
let lastList = 0;
let lastFirst = 0;

function hex8(number: number): string {
  return number.toString(16).padStart(8, '0');
}

function digits(text: Buffer, at: number, byte: number): void {
  text[at] = HEX[byte >> 4]!;
  text[at + 1] = HEX[byte & 15]!;
}

/** Where a placed id of this kind says its record is, or null when the id has another form. */
export function placeOf(kind: PlacedKind, id: string): { list: number; first: number; at: number } | null {
  if (id[14] !== '8' || id[15] !== String(KIND_BITS[kind])) return null;
  return {
    list: Number.parseInt(id.slice(0, 8), 16),
    first: Number.parseInt(id.slice(28), 16),
    at: Number.parseInt(id.slice(16, 18), 16),
  };
}

/** Dashed lower case of a UUID that may come as 32 hex digits, in braces or as a URN; null when it is none. */
export function canonicalUuid(text: string): string | null {
  if (CANONICAL_UUID.test(text)) return text;
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:|^\{|\}$/g, '')
    .replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(plain)) return null;
  return `${plain.slice(0, 8)}-${plain.slice(8, 12)}-${plain.slice(12, 16)}-${plain.slice(16, 20)}-${plain.slice(20)}`;
}

/** The example that a row of an upload stands for: the same row of the same dataset is the same example, on every server. Both ids in their canonical form. */
export function exampleIdOf(datasetId: string, rowId: string): string {
  if (datasetId !== namespaceId) {
    Buffer.from(datasetId.replaceAll('-', ''), 'hex').copy(named);
    namespaceId = datasetId;
  }
  named.write(rowId, NAMESPACE_BYTES);
  // UUIDv5 (RFC 9562, 5.5). The library makes three objects for each, and they are most of what it costs.
  const digest = hash('sha1', named, 'binary');
  let at = 0;
  for (let byte = 0; byte < 16; byte += 1) {
    const value = digest.charCodeAt(byte);
    digits(example, at, byte === 6 ? (value & 0x0f) | 0x50 : byte === 8 ? (value & 0x3f) | 0x80 : value);
    at += byte === 3 || byte === 5 || byte === 7 || byte === 9 ? 3 : 2;
  }
  return example.toString('latin1');
}

/** The text of the last one. */
const example = Buffer.from('00000000-0000-0000-0000-000000000000');
const NAMESPACE_BYTES = 16;
/** The bytes of a dataset's id, then the text of a row's. */
const named = Buffer.alloc(NAMESPACE_BYTES + 36);
let namespaceId = '';
