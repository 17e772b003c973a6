import { fail } from '../errors.js';
import type { Steps } from '../steps.js';

/** So much is gone through before others can have their turn; a longer string is read in pieces of it. */
const TURN_BYTES = 64 * 1024;
/** Of the piece before: what is looked for may stand across the border, and stays far below this. */
const CARRY_CHARS = 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;

/** Texts that differ in case alone, or in how their accents are composed, come to the same. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Whether a folded text occurs in one of the strings of a JSON text, as they are meant and not as they are escaped; names of
 * members do not count. Of valid JSON, or of values with commas between them.
 */
export function* textOccurs(json: Uint8Array, folded: string): Steps<boolean> {
  let turn = 0;
  for (let at = json.indexOf(QUOTE); at !== -1;) {
    let found = false;
    let carry = '';
    let from = at + 1;
    for (let whole = true; ; whole = false) {
      const piece = pieceFrom(json, from);
      from = piece.end;
      // Most names are short: they are not even read.
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
    if (from - turn < TURN_BYTES) continue;
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

/** Up to the closing quote, or to where as much is read as a turn allows: never within a character or an escape. */
function pieceFrom(json: Uint8Array, start: number): Piece {
  let escaped = false;
  let end = start;
  for (const until = start + TURN_BYTES; end < until; end += 1) {
    const byte = json[end];
    if (byte === QUOTE) return { start, end, escaped, last: true };
    if (byte === undefined) throw fail('MALFORMED_JSON', { reason: `a string has no end (at byte ${start})` });
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

/** Whether the string that ends at `end` is the name of a member. */
function isName(json: Uint8Array, end: number): boolean {
  for (let at = end + 1; ; at += 1) {
    const byte = json[at];
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    return byte === COLON;
  }
}
