/** Names of members come again and again: one that was read before is found by its bytes, which costs a third of making it anew. */
const known: (string | undefined)[] = Array.from({ length: 512 });

const BYTES_MAX = 32;
const BACKSLASH = 0x5c;

/** The name that these bytes spell, or null when a parser has to look at them: an escape, a control character, not ASCII, or long. */
export function knownName(bytes: Uint8Array, start: number, end: number): string | null {
  const size = end - start;
  if (size === 0 || size > BYTES_MAX) return null;
  const slot = (size * 67 + bytes[start]! * 3 + bytes[start + (size >> 1)]! * 11 + bytes[end - 1]! * 5) & 511;
  const name = known[slot];
  if (name !== undefined && spells(bytes, start, size, name)) return name;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return null;
  }
  const found = String.fromCharCode(...bytes.subarray(start, end));
  known[slot] = found;
  return found;
}

function spells(bytes: Uint8Array, start: number, size: number, name: string): boolean {
  if (name.length !== size) return false;
  for (let at = 0; at < size; at += 1) if (name.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
