/**
 * An event as the bytes the client will see, made once in the worker:
 * `id: 12\nevent: updates\ndata: {...}\n\n`. Data is one line of JSON, so a blank line only ever ends a frame.
 */
export interface FrameBatch {
  /** Ids of the first and the last frame; a batch has no gaps inside. */
  firstSeq: number;
  lastSeq: number;
  /** The frames with these ids were lost with the worker that made them. The batch has no bytes; readers are told of a gap. */
  lost?: true;
  /** The event names that occur. A reader whose filter takes all of them writes the batch as it is. */
  names: string[];
  bytes: Uint8Array;
}

/** CR and LF would end the line and start another field (agent-server.md, 10.1). */
const LINE_BREAKS = /[\r\n\0]/g;

export function frameText(seq: number, name: string, json: string): string {
  return `id: ${seq}${nameLines(name)}${json}\n\n`;
}

/** What stands between the id and the data: the same for every frame of a name. */
export function nameLines(name: string): string {
  return `\nevent: ${name.replace(LINE_BREAKS, '')}\ndata: `;
}

/** A batch of one frame. */
export function singleFrame(seq: number, name: string, data: unknown): FrameBatch {
  return jsonFrame(seq, name, JSON.stringify(data));
}

/** The same of data that is JSON already, in one line. */
export function jsonFrame(seq: number, name: string, json: string): FrameBatch {
  return { firstSeq: seq, lastSeq: seq, names: [name], bytes: Buffer.from(frameText(seq, name, json), 'utf8') };
}

/** Stands in a log for frames that are lost; both ids are inclusive. */
export function lostFrames(firstSeq: number, lastSeq: number): FrameBatch {
  return { firstSeq, lastSeq, lost: true, names: [], bytes: new Uint8Array() };
}

export interface Frame {
  seq: number;
  name: string;
  /** Blank line included. */
  bytes: Uint8Array;
}

const DATA = Buffer.from('\ndata: ');

/** JSON of a frame, in UTF-8: a view of its bytes. */
export function frameData({ bytes }: Pick<Frame, 'bytes'>): Uint8Array {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return whole.subarray(whole.indexOf(DATA) + DATA.byteLength, -2);
}

/** The frames of a batch one by one, for readers that start in the middle or take only some. */
export function* framesOf(batch: FrameBatch): Generator<Frame> {
  const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
  let at = 0;
  let seq = batch.firstSeq;
  while (at < bytes.length) {
    const end = bytes.indexOf('\n\n', at) + 2;
    const nameAt = bytes.indexOf('\nevent: ', at) + 8;
    yield { seq, name: bytes.toString('utf8', nameAt, bytes.indexOf(10, nameAt)), bytes: bytes.subarray(at, end) };
    at = end;
    seq += 1;
  }
}
