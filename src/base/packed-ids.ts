import { uuidOfHex } from './ids.js';

/** A UUID as its 16 bytes, which is less than half of its text. Any other id is text. */
export type PackedId = Uint8Array | string;

/** A SHA-256 as its 32 bytes, which is half of its hex text. Any other text is itself. */
export type PackedHash = Uint8Array | string;

const UUID_LENGTH = 36;
const DASH = 0x2d;
const DASHES = [8, 13, 18, 23];
/** Positions of the first digit of each byte. */
const BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** By character: the value of a hex digit in lower case plus one; 0 for others. */
const DIGITS = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) DIGITS[value.toString(16).charCodeAt(0)] = value + 1;
const SHA256_HEX = /^[0-9a-f]{64}$/;

export function packId(id: string): PackedId {
  if (id.length !== UUID_LENGTH) return id;
  for (const at of DASHES) if (id.charCodeAt(at) !== DASH) return id;
  const bytes = new Uint8Array(BYTES.length);
  for (let byte = 0; byte < BYTES.length; byte += 1) {
    const high = DIGITS[id.charCodeAt(BYTES[byte]!)];
    const low = DIGITS[id.charCodeAt(BYTES[byte]! + 1)];
    // Zero and undefined: not a digit.
    if (!high || !low) return id;
    bytes[byte] = ((high - 1) << 4) | (low - 1);
  }
  return bytes;
}

export function unpackId(packed: PackedId): string {
  return typeof packed === 'string' ? packed : uuidOfHex(hexOf(packed));
}

export function packHash(hash: string): PackedHash {
  return SHA256_HEX.test(hash) ? Buffer.from(hash, 'hex') : hash;
}

export function unpackHash(packed: PackedHash): string {
  return typeof packed === 'string' ? packed : hexOf(packed);
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
