import { fail } from '../errors.js';
import type { Steps } from '../steps.js';

/** Bytes searched before other work can run. A longer string is decoded in pieces of this size. */
const SLICE_BYTES = 64 * 1024;
/**
 * End of the previous piece that is searched again, because a match may span two pieces. Longer than any search
 * text.
 */
const CARRY_CHARS = 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;

/** Equal for texts that differ only in case or in how accents are composed. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/**
 * True if a folded text occurs in a string of a JSON text. Strings are compared without their escapes. Member names are
 * ignored. The input must be valid JSON, or values separated by commas.
 */
export function* jsonHasText(json: Uint8Array, folded: string): Steps<boolean> {
  let turn = 0;
  for (let at = json.indexOf(QUOTE); at !== -1;) {
    let found = false;
    let carry = '';
    let from = at + 1;
    for (let whole = true; ; whole = false) {
      const piece = nextPiece(json, from);
      from = piece.end;
      // Short strings that are member names are not decoded.
      if (!found && !(whole && piece.last && isName(json, from))) {
        const text = carry + textOf(json, piece);
        found = foldCase(text).includes(folded);
        carry = text.slice(-CARRY_CHARS);
      }
      if (piece.last) break;
      turn = from;
      yield;
    }
    if (found && !isName(json, from)) return true;
    at = json.indexOf(QUOTE, from + 1);
    if (from - turn < SLICE_BYTES) continue;
    turn = from;
    yield;
  }
  return false;
}

interface Piece {
  start: number;
  end: number;
  escaped: boolean;
  last: boolean;
}

/** The part up to the closing quote or the maximum size. Never ends inside a character or an escape. */
function nextPiece(json: Uint8Array, start: number): Piece {
  let escaped = false;
  let end = start;
  for (const until = start + SLICE_BYTES; end < until; end += 1) {
    const byte = json[end];
    if (byte === QUOTE) return { start, end, escaped, last: true };
    if (byte === undefined) throw fail('MALFORMED_JSON', { reason: `a string is not closed (at byte ${start})` });
    if (byte !== BACKSLASH) continue;
    escaped = true;
    end += json[end + 1] === LETTER_U ? 5 : 1;
  }
  while ((json[end]! & 0xc0) === 0x80) end += 1;
  return { start, end, escaped, last: false };
}

function textOf(json: Uint8Array, { start, end, escaped }: Piece): string {
  const text = Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('utf8');
  return escaped ? (JSON.parse(`"${text}"`) as string) : text;
}

/** True if the string that ends at `end` is a member name. */
function isName(json: Uint8Array, end: number): boolean {
  for (let at = end + 1; ; at += 1) {
    const byte = json[at];
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    return byte === COLON;
  }
}
