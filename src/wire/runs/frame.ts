/**
 * Events as the bytes that the client receives. The worker serializes each event once:
 * `id: 12\nevent: updates\ndata: {...}\n\n`. The data is a single line of JSON, so a blank line always ends a
 * frame.
 */
export interface FrameBatch {
  /** Ids of the first and the last frame. The ids inside a batch have no gaps. */
  firstSeq: number;
  lastSeq: number;
  /**
   * Set if the frames with these ids were lost with their worker. The batch has no bytes, and readers receive a
   * gap.
   */
  lost?: true;
  /** All event names in the batch. A reader whose filter accepts all of them forwards the batch unchanged. */
  names: string[];
  bytes: Uint8Array;
}

/** CR and LF would end the line and start another field (agent-server.md, 10.1). */
const LINE_BREAKS = /[\r\n\0]/g;

export function frameText(seq: number, name: string, json: string, event = name): string {
  return `id: ${seq}${nameLines(name, event)}${json}\n\n`;
}

/**
 * The lines between the id and the data. They are the same for every frame with this name. `event` is what clients read
 * as the type of the event; a name that differs is in a comment, which they ignore.
 */
export function nameLines(name: string, event = name): string {
  const comment = event === name ? '' : `\n: ${name.replace(LINE_BREAKS, '')}`;
  return `\nevent: ${event.replace(LINE_BREAKS, '')}${comment}\ndata: `;
}

/** Returns a batch with one frame. */
export function singleFrame(seq: number, name: string, data: unknown): FrameBatch {
  return jsonFrame(seq, name, JSON.stringify(data));
}

/** Like `singleFrame`, for data that already is one line of JSON. */
export function jsonFrame(seq: number, name: string, json: string, event = name): FrameBatch {
  return { firstSeq: seq, lastSeq: seq, names: [name], bytes: Buffer.from(frameText(seq, name, json, event), 'utf8') };
}

/** Placeholder in a log for lost frames. Both ids are inclusive. */
export function lostFrames(firstSeq: number, lastSeq: number): FrameBatch {
  return { firstSeq, lastSeq, lost: true, names: [], bytes: new Uint8Array() };
}

export interface Frame {
  seq: number;
  name: string;
  /** Includes the blank line. */
  bytes: Uint8Array;
}

const DATA = Buffer.from('\ndata: ');

/** JSON of a frame in UTF-8, as a view of its bytes. */
export function frameData({ bytes }: Pick<Frame, 'bytes'>): Uint8Array {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return whole.subarray(whole.indexOf(DATA) + DATA.byteLength, -2);
}

/** Splits a batch into frames, for readers that start in the middle or want only some of them. */
export function* framesOf(batch: FrameBatch): Generator<Frame> {
  const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
  let at = 0;
  let seq = batch.firstSeq;
  while (at < bytes.length) {
    const end = bytes.indexOf('\n\n', at) + 2;
    yield { seq, name: nameAt(bytes, at), bytes: bytes.subarray(at, end) };
    at = end;
    seq += 1;
  }
}

const EVENT = '\nevent: ';
const COMMENT = Buffer.from(': ');

/** Name of the frame that begins at `at`. */
function nameAt(bytes: Buffer, at: number): string {
  const eventAt = bytes.indexOf(EVENT, at) + EVENT.length;
  const next = bytes.indexOf(10, eventAt) + 1;
  if (bytes.compare(COMMENT, 0, 2, next, next + 2) !== 0) return bytes.toString('utf8', eventAt, next - 1);
  return bytes.toString('utf8', next + 2, bytes.indexOf(10, next));
}
