import { Packr } from 'msgpackr';

/**
 * Plain msgpack: no record extension, so bytes are self-contained and any release reads them. Only our own fields are
 * packed; free-form JSON travels inside as bytes (DESIGN, decision 4).
 */
const packr = new Packr({ useRecords: false, mapsAsObjects: true, encodeUndefinedAsNil: true, copyBuffers: false });

/** Bytes of `value` in a buffer of their own, fit to be transferred or stored. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  // pack() returns a view into an 8 KB pool; posting that clones the pool (reference/runtime-notes.md, section 3).
  return new Uint8Array(packr.pack(value));
}

/** Byte fields of the result are views into `bytes`: copy what outlives it. */
export function unpack<T>(bytes: Uint8Array): T {
  return packr.unpack(bytes) as T;
}

/** Packs the named fields in their order: names would be most of a small record. The order is part of the stored format. */
export function packRow<T extends object>(record: T, fields: readonly (keyof T)[]): Uint8Array<ArrayBuffer> {
  return pack(fields.map((field) => record[field]));
}

/** `range`: which of the bytes hold the row; all of them without it. */
export function unpackRow<T extends object>(
  bytes: Uint8Array,
  fields: readonly (keyof T)[],
  range?: { start: number; end: number },
): T {
  const row = (range === undefined ? packr.unpack(bytes) : packr.unpack(bytes, range)) as unknown[];
  // A loop, not fromEntries: records of one kind then share their shape, and a list of them is read in half the time.
  const record: Partial<Record<keyof T, unknown>> = {};
  for (let at = 0; at < fields.length; at += 1) record[fields[at]!] = row[at];
  return record as T;
}

/** What we need of a MessagePort; both `node:worker_threads` ends have it. */
interface Port {
  postMessage(value: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** Packs and posts by transfer; the bytes are not copied again. */
export function post(port: Port, message: unknown): void {
  const bytes = pack(message);
  port.postMessage(bytes, [bytes.buffer]);
}
