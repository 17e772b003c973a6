import { randomUUID } from 'node:crypto';
import { fail } from '../errors.js';
import { setOwn, type JsonBytes } from './json.js';
import { skipSpace, stringEnd, type Slice } from './slices.js';
import { LIMITS } from '../limits.js';
import type { Steps } from '../steps.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Name for a member whose value began in an earlier piece. Random, so that no text can contain it. */
const CONTINUED = `continued ${randomUUID()}`;

type Container = unknown[] | Record<string, unknown>;

/** A list or an object whose end is not reached yet. */
interface OpenContainer {
  isList: boolean;
  start: number;
  /** Number of names and elements before it in the text. */
  membersBefore: number;
  /** Position of the name of its latest member, including quotes. */
  nameStart: number;
  nameEnd: number;
  /** Null while it began in the current piece, which is not parsed yet. */
  value: Container | null;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
/** Only the beginning of a text may have a byte order mark. */
const innerDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Source {
  bytes: JsonBytes;
  members: number;
}

/** JSON text of values that were too large for one piece. */
const sources = new WeakMap<object, Source>();

/**
 * The JSON from which a large value was parsed, so that it need not be serialized again. Undefined for other
 * values.
 */
export function sourceOf(value: unknown): JsonBytes | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value)?.bytes : undefined;
}

/** Number of names and elements in a large value; 0 for other values. */
export function memberCountOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? (sources.get(value)?.members ?? 0) : 0;
}

/**
 * Parses like JSON.parse, but in pieces, so that other work can run in between. Refuses the text as soon as it is
 * nested too deeply or has too many names and elements. Throws MALFORMED_JSON or INVALID_REQUEST.
 *
 * One pass: the text is cut at commas outside strings. Each piece is completed with the brackets that are open at
 * its start and end, then parsed. Its members and elements are added to the containers that it continues.
 */
export function* parseInPieces(bytes: Buffer, membersMax: number): Steps<unknown> {
  const open: OpenContainer[] = [];
  let root: unknown;
  let members = 0;
  let pieceStart = 0;
  let continued: OpenContainer[] = [];
  let closed: { container: OpenContainer; end: number; members: number }[] = [];
  let [nameStart, nameEnd] = [0, 0];

  const finishPiece = (end: number): void => {
    const value = parsePiece(bytes, { start: pieceStart, end }, continued, open);
    if (continued.length === 0) root = value;
    else addPiece(continued, value as Container);
    for (const [depth, container] of open.entries())
      container.value ??= depth === 0 ? (root as Container) : lastChild(bytes, open[depth - 1]!);
    for (const { container, end: closedAt, members: count } of closed)
      sources.set(container.value!, { bytes: bytes.subarray(container.start, closedAt), members: count });
    closed = [];
    continued = [...open];
    pieceStart = end + 1;
  };

  for (let at = 0; at < bytes.byteLength;) {
    switch (bytes[at]) {
      case QUOTE:
        nameStart = at;
        nameEnd = stringEnd(bytes, at);
        at = nameEnd;
        continue;
      case COLON: {
        const container = open.at(-1);
        if (container !== undefined) [container.nameStart, container.nameEnd] = [nameStart, nameEnd];
        break;
      }
      case OPEN_LIST:
      case OPEN_OBJECT: {
        open.push({
          isList: bytes[at] === OPEN_LIST,
          start: at,
          membersBefore: members,
          nameStart: 0,
          nameEnd: 0,
          value: null,
        });
        if (open.length - 1 > LIMITS.jsonDepthMax)
          throw limitExceeded(`is nested deeper than ${LIMITS.jsonDepthMax} levels`);
        const first = bytes[skipSpace(bytes, at + 1)];
        if (first !== CLOSE_LIST && first !== CLOSE_OBJECT) members += 1;
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT: {
        const container = open.pop();
        if (container === undefined) throw malformed('unexpected closing bracket', at);
        if (container.value !== null)
          closed.push({ container, end: at + 1, members: members - container.membersBefore });
        break;
      }
      case COMMA:
        if (open.length === 0) throw malformed('more follows after the value', at);
        members += 1;
        if (members > membersMax) throw limitExceeded(`holds more than ${membersMax} names and elements`);
        if (at - pieceStart >= LIMITS.jsonPieceBytes) {
          finishPiece(at);
          const next = bytes[skipSpace(bytes, at + 1)];
          if (next === CLOSE_LIST || next === CLOSE_OBJECT) throw malformed('expected a value after the comma', at);
          yield;
        }
        break;
      default:
    }
    at += 1;
  }
  if (open.length > 0) throw malformed('a list or an object is not closed', open.at(-1)!.start);
  finishPiece(bytes.byteLength);
  return root;
}

function parsePiece(
  bytes: Buffer,
  { start, end }: Slice,
  continued: readonly OpenContainer[],
  open: readonly OpenContainer[],
): unknown {
  const before = continued
    .map(({ isList }, depth) =>
      isList ? '[' : depth === continued.length - 1 ? '{' : `{${JSON.stringify(CONTINUED)}:`,
    )
    .join('');
  const after = open
    .map(({ isList }) => (isList ? ']' : '}'))
    .reverse()
    .join('');
  try {
    const text = (start === 0 ? decoder : innerDecoder).decode(bytes.subarray(start, end));
    return JSON.parse(before + text + after) as unknown;
  } catch {
    // The parser's message would quote the added brackets and count them.
    throw malformed(`the text up to byte ${end} is not valid JSON`, start);
  }
}

/** Adds the content of a parsed piece to the containers that it continues. */
function addPiece(continued: readonly OpenContainer[], piece: Container): void {
  let from: Container = piece;
  for (const [depth, { value }] of continued.entries()) {
    const isInnermost = depth === continued.length - 1;
    let inner: unknown;
    if (Array.isArray(from)) {
      inner = from[0];
      for (let at = isInnermost ? 0 : 1; at < from.length; at += 1) (value as unknown[]).push(from[at]);
    } else {
      inner = from[CONTINUED];
      for (const name of Object.keys(from)) {
        if (name !== CONTINUED) setOwn(value!, name, from[name]);
      }
    }
    from = inner as Container;
  }
}

/** The last member or element in the text. */
function lastChild(bytes: Buffer, { value, nameStart, nameEnd }: OpenContainer): Container {
  if (Array.isArray(value)) return value.at(-1) as Container;
  return value![JSON.parse(bytes.toString('utf8', nameStart, nameEnd)) as string] as Container;
}

function malformed(reason: string, at: number): Error {
  return fail('MALFORMED_JSON', { reason: `${reason} (at byte ${at})` });
}

function limitExceeded(what: string): Error {
  return fail('INVALID_REQUEST', { problems: `body: ${what}` });
}
