import { fail } from '../../base/errors.js';
import { jsonBytes, parseJson, type JsonBytes } from '../../base/json/json.js';
import { KiB } from '../../base/limits.js';
import type { NumberedAttachment } from '../../wire/evaluation/ingest.js';
import { keys, type Key } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Commit } from '../store.js';

/**
 * A file of an example or a run. Its bytes are in chunks of their own, so that lists of records never read them.
 * They belong to one run, or to all versions of one example, and are removed with it.
 */
export interface Attachment extends NumberedAttachment {
  /** Number of the request that brought it, from the same counter as block lists. */
  group: number;
}

/**
 * Bytes of one chunk, except the last. Part of the stored format. Divisible by three, so that each chunk can be
 * encoded as base64 on its own.
 */
export const ATTACHMENT_CHUNK_BYTES = 192 * KiB;

/** The attachments of a record. Records of earlier releases have no such field. */
export function unpackAttachments(stored: JsonBytes | null | undefined): Attachment[] {
  return stored === null || stored === undefined ? [] : (parseJson(stored) as unknown as Attachment[]);
}

export function packAttachments(attachments: readonly Attachment[]): JsonBytes | null {
  return attachments.length === 0
    ? null
    : jsonBytes(attachments.map(({ name, mime, bytes, group, at }) => ({ name, mime, bytes, group, at })));
}

/** Keys of the chunks, in order. An empty file has none. */
export function* chunkKeys({ group, at, bytes }: Attachment): Generator<Key> {
  for (let n = 0; n * ATTACHMENT_CHUNK_BYTES < bytes; n += 1) yield keys.attachmentChunk(group, at, n);
}

export function putAttachment(commit: Commit, attachment: Attachment, content: Uint8Array): void {
  let at = 0;
  for (const key of chunkKeys(attachment)) {
    commit.put(key, content.subarray(at, at + ATTACHMENT_CHUNK_BYTES));
    at += ATTACHMENT_CHUNK_BYTES;
  }
}

/** The chunks of a file. Throws ATTACHMENT_NOT_FOUND when it is removed meanwhile. */
export function* chunksOf(lookup: Lookup, attachment: Attachment): Generator<Uint8Array> {
  for (const key of chunkKeys(attachment)) {
    const chunk = lookup.get(key);
    if (chunk === undefined) throw fail('ATTACHMENT_NOT_FOUND', {});
    yield chunk;
  }
}

export function removeAttachment(commit: Commit, attachment: Attachment): void {
  for (const key of chunkKeys(attachment)) commit.remove(key);
}
