/** Cache of member names, which repeat often. Finding one by its bytes takes a third of the time of decoding it. */
const cache: (string | undefined)[] = Array.from({ length: 512 });

const BYTES_MAX = 32;
const BACKSLASH = 0x5c;

/**
 * The name in these bytes. Null when a parser must decode it: it has escapes, control or non-ASCII characters, or
 * is long.
 */
export function knownName(bytes: Uint8Array, start: number, end: number): string | null {
  const size = end - start;
  if (size === 0 || size > BYTES_MAX) return null;
  const slot = (size * 67 + bytes[start]! * 3 + bytes[start + (size >> 1)]! * 11 + bytes[end - 1]! * 5) & 511;
  const name = cache[slot];
  if (name !== undefined && isSpelledBy(bytes, start, size, name)) return name;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return null;
  }
  const found = String.fromCharCode(...bytes.subarray(start, end));
  cache[slot] = found;
  return found;
}

function isSpelledBy(bytes: Uint8Array, start: number, size: number, name: string): boolean {
  if (name.length !== size) return false;
  for (let at = 0; at < size; at += 1) if (name.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
