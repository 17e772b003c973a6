import type { Link } from '../../../pool/nodes/link.js';

/**
 * A channel carries many requests at once over one link. Each request is a stream with a number. The frames of a stream
 * mean what they mean in HTTP/2 (RFC 9113, 6), and a link adds nothing but the length of each:
 *
 * - byte 0: the kind, plus `LAST` on the last frame that its sender sends in the stream
 * - bytes 1 to 4: the number of the stream, big-endian
 * - the rest: see the kinds
 */
export const FRAME = {
  /** Msgpack: `RequestHeaders` or `ResponseHeaders`. */
  headers: 1,
  /** Bytes of the body. */
  data: 2,
  /** Empty. The sender gives up the stream: the client has disconnected, or the response breaks off. */
  reset: 3,
  /** 4 bytes, big-endian: so many more bytes of data may be sent. */
  window: 4,
  /** Empty. The node does not serve, and has not looked at the request. */
  refused: 5,
} as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

/** Names and values alternate. A repeated header appears several times. */
export type Fields = readonly string[];

export type RequestHeaders = readonly [method: string, target: string, fields: Fields];
/** `body`: all of it, if it is small. Null: data frames follow, or there is none. */
export type ResponseHeaders = readonly [status: string, fields: Fields, body: Uint8Array | null];

export interface Frame {
  kind: FrameKind;
  stream: number;
  isLast: boolean;
  payload: Uint8Array;
}

export const NO_BYTES = new Uint8Array(0);

const HEAD_BYTES = 5;
const LAST = 0x80;

export function sendFrame(
  link: Link,
  kind: FrameKind,
  stream: number,
  { payload = NO_BYTES, isLast = false }: { payload?: Uint8Array; isLast?: boolean } = {},
): void {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head[0] = isLast ? kind | LAST : kind;
  head.writeUInt32BE(stream, 1);
  link.send(head, payload);
}

export function sendWindow(link: Link, stream: number, bytes: number): void {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(bytes);
  sendFrame(link, FRAME.window, stream, { payload });
}

/** `payload` is a view into `message`. */
export function readFrame(message: Uint8Array): Frame {
  const first = message[0]!;
  return {
    kind: (first & ~LAST) as FrameKind,
    stream: uint32(message, 1),
    isLast: (first & LAST) !== 0,
    payload: message.subarray(HEAD_BYTES),
  };
}

/** Of a window frame. */
export function grantedBytes({ payload }: Frame): number {
  return uint32(payload, 0);
}

function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}
