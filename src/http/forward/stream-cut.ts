/** The end of an event. */
const EVENT_END = Buffer.from('\n\n');
const ID_LINE = Buffer.from('\nid:');
const NEWLINE = 10;
const COLON = 58;
const NOTHING = Buffer.alloc(0);

/** Cuts a stream where it can be continued by another node. */
export interface StreamCut {
  /** What of the bytes so far may be passed on. The rest waits for more. */
  add(bytes: Buffer): Buffer;
  /** Whether another response can follow what was passed on. */
  readonly canContinue: boolean;
  /** Another response follows: what waits for more is dropped. */
  restart(): void;
}

/** Server-sent events: passes on whole events, and knows the id of the last one. */
export class EventCut implements StreamCut {
  readonly canContinue = true;
  /** Null while no event had an id. */
  lastId: string | null = null;
  /** The beginning of an event. */
  #pending: Buffer[] = [];

  add(bytes: Buffer): Buffer {
    if (bytes.byteLength === 0) return NOTHING;
    const [first, last] = [this.#pending[0], this.#pending.at(-1)];
    this.#pending.push(bytes);
    // A long event arrives in many pieces, which are joined once.
    if (first !== undefined && !endsHere(first, last!, bytes)) return NOTHING;
    const all = first === undefined ? bytes : Buffer.concat(this.#pending);
    const end = endOfWhole(all);
    this.#pending = end === all.byteLength ? [] : [all.subarray(end)];
    const whole = all.subarray(0, end);
    this.lastId = lastIdOf(whole) ?? this.lastId;
    return whole;
  }

  restart(): void {
    this.#pending = [];
  }
}

/** A result that is announced by newlines, and then comes as JSON. */
export class ResultCut implements StreamCut {
  canContinue = true;

  add(bytes: Buffer): Buffer {
    this.canContinue &&= bytes.every((byte) => byte === NEWLINE);
    return bytes;
  }

  restart(): void {
    // Everything was passed on.
  }
}

/** Whether an event or a comment of several pieces may end in the newest of them. */
function endsHere(first: Buffer, previous: Buffer, newest: Buffer): boolean {
  if (first[0] === COLON) return newest.includes(NEWLINE);
  return newest.includes(EVENT_END) || (previous.at(-1) === NEWLINE && newest[0] === NEWLINE);
}

/** Bytes of whole events and of comments after them. */
function endOfWhole(bytes: Buffer): number {
  const at = bytes.lastIndexOf(EVENT_END);
  let end = at === -1 ? 0 : at + EVENT_END.byteLength;
  // Comments and empty lines need no empty line after them.
  for (let line = bytes.indexOf(NEWLINE, end); line !== -1; line = bytes.indexOf(NEWLINE, end)) {
    if (bytes[end] !== COLON && line !== end) break;
    end = line + 1;
  }
  return end;
}

function lastIdOf(bytes: Buffer): string | null {
  const at = bytes.lastIndexOf(ID_LINE);
  const start = at === -1 ? (bytes.subarray(0, 3).toString('latin1') === 'id:' ? 3 : -1) : at + ID_LINE.byteLength;
  if (start === -1) return null;
  return bytes.subarray(start, bytes.indexOf(NEWLINE, start)).toString('latin1').trim();
}
