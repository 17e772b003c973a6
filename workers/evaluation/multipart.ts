import { MultipartParseError, parseMultipart, type MultipartPart } from '@remix-run/multipart-parser';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';

/** Yields the named parts of a multipart body. Throws MALFORMED_BODY. */
export function* parseParts(
  body: Uint8Array,
  contentType: string,
): Generator<{ name: string; bytes: Uint8Array; contentType: string; filename: string | null }> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  if (boundary === null)
    throw fail('MALFORMED_BODY', { reason: 'is not multipart: its content type has no boundary.' });
  // The body is already in memory, and no part can be larger.
  const max = body.byteLength;
  try {
    for (const part of parseMultipart(body, {
      boundary: (boundary[1] ?? boundary[2])!,
      maxFileSize: max,
      maxTotalSize: max,
      maxParts: LIMITS.partsMax,
    })) {
      const { name, mediaType, filename } = headersOf(part);
      if (name === undefined) throw fail('MALFORMED_BODY', { reason: 'has a part without a name.' });
      yield {
        name,
        bytes: part.bytes,
        contentType: mediaType ?? 'application/octet-stream',
        filename: filename ?? null,
      };
    }
  } catch (error) {
    if (error instanceof MultipartParseError)
      throw fail('MALFORMED_BODY', { reason: `is not well-formed multipart: ${error.message}` }, error);
    throw error;
  }
}

/** The library parses headers on access and assumes that they are UTF-8. */
function headersOf(part: MultipartPart): Pick<MultipartPart, 'name' | 'mediaType' | 'filename'> {
  try {
    const { name, mediaType, filename } = part;
    return { name, mediaType, filename };
  } catch (error) {
    throw fail('MALFORMED_BODY', { reason: 'has a part whose headers cannot be read.' }, error);
  }
}
