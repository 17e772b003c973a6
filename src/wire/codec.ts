import { Packr, RESET_BUFFER_MODE } from 'msgpackr';

/**
 * Plain msgpack without the record extension: the bytes are self-contained, and any release can read them. Only
 * Threadmill's own fields are packed. Free-form JSON travels inside as bytes.
 */
const packr = new Packr({ useRecords: false, mapsAsObjects: true, encodeUndefinedAsNil: true, copyBuffers: false });

/** msgpackr's first buffer. It grows with larger messages and stays so. */
const BUFFER_BYTES = 8192;
const KEPT_BUFFER_BYTES_MAX = 256 * 1024;

/** Packs `value` into its own buffer, which can be transferred or stored. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  // Each message is written over the last one, since it is copied at once. Posting the view itself would clone all of
  // the buffer (reference/runtime-notes.md, section 3).
  const bytes = new Uint8Array(packr.pack(value, RESET_BUFFER_MODE));
  releaseLargeBuffer(bytes);
  return bytes;
}

function releaseLargeBuffer({ byteLength }: Uint8Array): void {
  if (byteLength > KEPT_BUFFER_BYTES_MAX) packr.useBuffer(Buffer.allocUnsafeSlow(BUFFER_BYTES));
}

/**
 * The same in memory that Node's small buffers share, which takes a tenth to a fifth of the time. For bytes that are
 * stored, or packed into a message, soon: they cannot be transferred, and posting them would clone all of that memory.
 */
export function packPooled(value: unknown): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(packr.pack(value, RESET_BUFFER_MODE));
  releaseLargeBuffer(bytes);
  return bytes;
}

/** Byte fields of the result are views into `bytes`. Copy the ones that are kept for longer. */
export function unpack<T>(bytes: Uint8Array): T {
  return packr.unpack(bytes) as T;
}

/**
 * Packs the named fields in this order, without their names, which would be most of a small record. The order
 * is part of the stored format.
 */
export function packRow<T extends object>(record: T, fields: readonly (keyof T)[]): Uint8Array<ArrayBuffer> {
  return packPooled(fields.map((field) => record[field]));
}

/** `range`: the part of `bytes` that holds the row. Default: all of it. */
export function unpackRow<T extends object>(
  bytes: Uint8Array,
  fields: readonly (keyof T)[],
  range?: { start: number; end: number },
): T {
  const row = (range === undefined ? packr.unpack(bytes) : packr.unpack(bytes, range)) as unknown[];
  // A loop instead of fromEntries: all records of one kind then share their shape, which halves the time to
  // read a list.
  const record: Partial<Record<keyof T, unknown>> = {};
  for (let at = 0; at < fields.length; at += 1) record[fields[at]!] = row[at];
  return record as T;
}

/** The part of MessagePort that is used here. */
interface Port {
  postMessage(value: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** Packs the message and transfers the bytes without another copy. */
export function post(port: Port, message: unknown): void {
  const bytes = pack(message);
  port.postMessage(bytes, [bytes.buffer]);
}
