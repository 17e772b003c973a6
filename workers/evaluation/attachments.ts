import { asObject, parseJson, type JsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { ATTACHMENT_CHUNK_BYTES, chunksOf, type Attachment } from '../../src/store/evaluation/attachments.js';
import { keys } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';
import type { NumberedAttachment } from '../../src/wire/evaluation/ingest.js';
import type { Slices } from './slices.js';

/** A file that a request brings. */
export interface SentAttachment {
  name: string;
  mime: string;
  content: Uint8Array;
}

type Loc = readonly (string | number)[];

const MIME = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
const DEFAULT_MIME = 'application/octet-stream';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Checks a file against the limits. Throws INVALID_REQUEST, which names its place in the body. */
export function checkedAttachment(loc: Loc, name: string, mime: string, content: Uint8Array): SentAttachment {
  checkAttachmentName(loc, name);
  if (content.byteLength > LIMITS.attachmentBytesMax)
    throw invalidRequest('body', [
      {
        loc: [...loc],
        msg: `must not have more than ${LIMITS.attachmentBytesMax} bytes, but has ${content.byteLength}`,
        type: 'too_large',
      },
    ]);
  return { name, mime: MIME.test(mime) ? mime : DEFAULT_MIME, content };
}

export function checkAttachmentName(loc: Loc, name: string): void {
  const problem =
    name === ''
      ? 'must have a name for the attachment'
      : Buffer.byteLength(name) > LIMITS.attachmentNameBytesMax
        ? `must name the attachment with at most ${LIMITS.attachmentNameBytesMax} bytes`
        : /\p{Cc}|\p{Surrogate}/u.test(name)
          ? 'must name the attachment without control characters'
          : null;
  if (problem !== null) throw invalidRequest('body', [{ loc: [...loc], msg: problem, type: 'attachment_name' }]);
}

/** Throws INVALID_REQUEST if a record would have too many attachments. */
export function checkAttachmentCount(loc: Loc, count: number): void {
  if (count > LIMITS.attachmentsPerRecordMax)
    throw invalidRequest('body', [
      {
        loc: [...loc],
        msg: `must not have more than ${LIMITS.attachmentsPerRecordMax} attachments`,
        type: 'too_long',
      },
    ]);
}

/** Adds a file to those of its record. A file of the same name replaces the earlier one. */
export function addAttachment(to: SentAttachment[], sent: SentAttachment, loc: Loc): void {
  const same = to.findIndex(({ name }) => name === sent.name);
  if (same !== -1) to.splice(same, 1);
  to.push(sent);
  checkAttachmentCount(loc, to.length);
}

/**
 * Reads attachments inside JSON: `{name: {mime_type, data}}` as exports write them, with base64 data, and
 * `{name: [mime type, data]}` as clients serialize them, where an array of bytes becomes numbers. Throws
 * INVALID_REQUEST. With `skipUnreadable`, leaves out values in another form: a client that serializes a run turns some
 * buffers into `{}`, and its run must not be lost for that.
 */
export function readJsonAttachments(
  json: JsonBytes | null,
  loc: Loc,
  { skipUnreadable }: { skipUnreadable: boolean },
): SentAttachment[] {
  if (json === null) return [];
  const found: SentAttachment[] = [];
  for (const [name, value] of Object.entries(asObject(parseJson(json)))) {
    const at = [...loc, name];
    const { mime_type: mime, mimeType = mime, data } = asObject(value);
    const [type, content] = Array.isArray(value) ? (value as unknown[]) : [mimeType, data];
    const bytes = decodeData(content);
    if (bytes === null && skipUnreadable) continue;
    if (bytes === null)
      throw invalidRequest('body', [{ loc: at, msg: 'must have data: base64, or a list of bytes', type: 'type' }]);
    addAttachment(found, checkedAttachment(at, name, typeof type === 'string' ? type : DEFAULT_MIME, bytes), loc);
  }
  return found;
}

/** Null when the value is not bytes in a known form. */
function decodeData(data: unknown): Uint8Array | null {
  if (typeof data === 'string') return BASE64.test(data) ? Buffer.from(data, 'base64') : null;
  const object = asObject(data);
  // JSON.stringify turns a Buffer into {type, data} and a Uint8Array into {"0": …, "1": …}.
  const list: unknown[] = Array.isArray(data)
    ? data
    : Array.isArray(object['data'])
      ? (object['data'] as unknown[])
      : Object.values(object);
  const isByteList = list.every((one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) <= 255);
  return isByteList && (list.length > 0 || Array.isArray(data)) ? Uint8Array.from(list as number[]) : null;
}

/** Numbers the files of one request, and sends their bytes to the store. */
export class AttachmentWriter {
  readonly #sources: (Uint8Array | Attachment)[] = [];

  get count(): number {
    return this.#sources.length;
  }

  add({ name, mime, content }: SentAttachment): NumberedAttachment {
    return { name, mime, bytes: content.byteLength, at: this.#sources.push(content) - 1 };
  }

  /** A copy of a stored file, with bytes of its own. */
  copy(stored: Attachment): NumberedAttachment {
    const { name, mime, bytes } = stored;
    return { name, mime, bytes, at: this.#sources.push(stored) - 1 };
  }

  /** Throws ATTACHMENT_NOT_FOUND when a file to copy was removed meanwhile. */
  async write(group: number, slices: Slices, reader: Reader): Promise<void> {
    for (const [at, source] of this.#sources.entries()) {
      let n = 0;
      for (const chunk of source instanceof Uint8Array ? splitIntoChunks(source) : chunksOf(reader, source)) {
        slices.put(keys.attachmentChunk(group, at, n), (out) => out.writeBytes(chunk));
        n += 1;
        await slices.sendIfFull();
      }
    }
  }
}

function* splitIntoChunks(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += ATTACHMENT_CHUNK_BYTES)
    yield content.subarray(start, start + ATTACHMENT_CHUNK_BYTES);
}
