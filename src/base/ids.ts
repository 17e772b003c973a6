import { hash, randomFillSync } from 'node:crypto';
import { v5 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A source of ids, so that tests can fix them. Every id is a UUIDv7 in lower case. */
export interface Ids {
  next(): string;
}

/** Random bytes for many ids, also as hex text. One system call per id would be most of an id's cost. */
const pool = Buffer.allocUnsafe(4096);
let poolHex = '';
let poolAt = pool.length;
let lastMs = 0;
/** What the ids of `lastMs` begin with. */
let prefix = '';
let sequence = 0;

function refillRandom(bytes: number): void {
  if (poolAt + bytes <= pool.length) return;
  randomFillSync(pool);
  poolHex = pool.toString('hex');
  poolAt = 0;
}

/** Random bytes that are used nowhere else. At most 4,096. */
export function pooledRandomBytes(bytes: number): Buffer {
  refillRandom(bytes);
  const taken = Buffer.from(pool.subarray(poolAt, poolAt + bytes));
  poolAt += bytes;
  return taken;
}

/** A UUIDv7 of RFC 9562. The 12 bits of `rand_a` count within a millisecond, so ids of one process increase. */
function uuidv7(): string {
  refillRandom(8);
  const now = Date.now();
  if (now > lastMs) {
    startMs(now);
    sequence = pool[poolAt]! & 0x7f;
  } else if (++sequence > 0xfff) {
    startMs(lastMs + 1);
    sequence = 0;
  }
  const variant = (pool[poolAt]! & 0x3f) | 0x80;
  const at = poolAt * 2;
  poolAt += 8;
  const versioned = (0x7000 | sequence).toString(16);
  return `${prefix}${versioned}-${variant.toString(16)}${poolHex.slice(at + 2, at + 4)}-${poolHex.slice(at + 4, at + 16)}`;
}

function startMs(ms: number): void {
  lastMs = ms;
  const time = ms.toString(16).padStart(12, '0');
  prefix = `${time.slice(0, 8)}-${time.slice(8)}-`;
}

export const randomIds: Ids = { next: uuidv7 };

/**
 * Differs from the URL namespace of RFC 9562 in one digit. Ids stored by clients depend on it (agent-server.md,
 * 18.2).
 */
const ASSISTANT_NAMESPACE = '6ba7b821-9dad-11d1-80b4-00c04fd430c8';

/** Ids of the configured graphs' assistants: every run looks one up, and a SHA-1 takes 15 µs. */
const assistantIds = new Map<string, string>();

/** The id of a configured graph's assistant, which is the same on every server and in every release. */
export function assistantIdOf(graphId: string): string {
  let id = assistantIds.get(graphId);
  if (id === undefined) {
    id = v5(graphId, ASSISTANT_NAMESPACE);
    assistantIds.set(graphId, id);
  }
  return id;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID from these bytes, in the form of a random UUID. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const variant = ((bytes[8]! & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20)}`;
}

/** First 16 bytes of SHA-256, by which stored content is addressed. */
export function contentHash(content: Uint8Array | string): Buffer {
  const digest = hash('sha256', content, 'binary');
  // V8 keeps so few bytes within the object. Node would allocate memory for the digest outside of V8's heap.
  const bytes = Buffer.alloc(16);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = digest.charCodeAt(at);
  return bytes;
}

/** Kinds of records whose id contains their position. */
export type PositionedKind = 'run' | 'feedback';

const KIND_DIGITS: Record<PositionedKind, number> = { run: 1, feedback: 2 };

/**
 * A UUIDv8 (RFC 9562, 5.8) that contains the position of its record, so that no index is needed: bytes 0-3 list,
 * 12-15 first number of the block, 7 item of the block, low half of 6 kind, the rest random. Readers must compare
 * the whole id with the record's, because a client may send an id of this form that the server never created.
 */
export function positionedId(kind: PositionedKind, list: number, first: number, at: number): string {
  refillRandom(6);
  if (list !== lastList) {
    placed.write(hex8(list), 0, 'latin1');
    lastList = list;
  }
  if (first !== lastFirst) {
    placed.write(hex8(first), 28, 'latin1');
    lastFirst = first;
  }
  writeHex(placed, 9, pool[poolAt]!);
  writeHex(placed, 11, pool[poolAt + 1]!);
  placed[15] = HEX[KIND_DIGITS[kind]]!;
  writeHex(placed, 16, at);
  writeHex(placed, 19, (pool[poolAt + 5]! & 0x3f) | 0x80);
  writeHex(placed, 21, pool[poolAt + 2]!);
  writeHex(placed, 24, pool[poolAt + 3]!);
  writeHex(placed, 26, pool[poolAt + 4]!);
  poolAt += 6;
  return placed.toString('latin1');
}

/** Buffer for the text of an id. One string is made from it, instead of ten from its parts. */
const placed = Buffer.from('00000000-0000-8000-0000-000000000000');
const HEX = Buffer.from('0123456789abcdef');
// Consecutive ids mostly belong to one block.
let lastList = 0;
let lastFirst = 0;

function hex8(number: number): string {
  return number.toString(16).padStart(8, '0');
}

function writeHex(text: Buffer, at: number, byte: number): void {
  text[at] = HEX[byte >> 4]!;
  text[at + 1] = HEX[byte & 15]!;
}

/** Position of the record with this id; null when the id does not contain one of this kind. */
export function positionOf(kind: PositionedKind, id: string): { list: number; first: number; at: number } | null {
  if (id[14] !== '8' || id[15] !== String(KIND_DIGITS[kind])) return null;
  return {
    list: Number.parseInt(id.slice(0, 8), 16),
    first: Number.parseInt(id.slice(28), 16),
    at: Number.parseInt(id.slice(16, 18), 16),
  };
}

/** The UUID with these 32 hex digits. */
export function uuidOfHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A UUID in lower case with dashes, from 32 hex digits, braces or a URN. Null when the text is not a UUID. */
export function canonicalUuid(text: string): string | null {
  if (CANONICAL_UUID.test(text)) return text;
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:|^\{|\}$/g, '')
    .replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(plain)) return null;
  return uuidOfHex(plain);
}

/**
 * Id of the example for a row of an upload. The same row and dataset get the same id on every server. Both ids must be
 * in canonical form.
 */
export function exampleIdOf(datasetId: string, rowId: string): string {
  if (datasetId !== namespaceId) {
    Buffer.from(datasetId.replaceAll('-', ''), 'hex').copy(named);
    namespaceId = datasetId;
  }
  named.write(rowId, NAMESPACE_BYTES);
  // UUIDv5 (RFC 9562, 5.5). The library would create three objects per id, which is most of its cost.
  const digest = hash('sha1', named, 'binary');
  let at = 0;
  for (let byte = 0; byte < 16; byte += 1) {
    const value = digest.charCodeAt(byte);
    writeHex(example, at, byte === 6 ? (value & 0x0f) | 0x50 : byte === 8 ? (value & 0x3f) | 0x80 : value);
    at += byte === 3 || byte === 5 || byte === 7 || byte === 9 ? 3 : 2;
  }
  return example.toString('latin1');
}

/** Buffer for the text of the id. */
const example = Buffer.from('00000000-0000-0000-0000-000000000000');
const NAMESPACE_BYTES = 16;
/** The bytes of the dataset id, then the text of the row id. */
const named = Buffer.alloc(NAMESPACE_BYTES + 36);
let namespaceId = '';
