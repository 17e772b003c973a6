import { wholeValue } from '../../../base/json/slices.js';
import { strictText } from '../../../base/json/json.js';
import { fail } from '../../../base/errors.js';
import type { Validator } from '../../../../schemas/validator.js';
import { RequestObject } from '../../../wire/evaluation/request-object.js';

/** Parses a small body and keeps its free-form fields as they were sent. Throws MALFORMED_JSON, INVALID_REQUEST. */
export function readRequestObject(bytes: Uint8Array, validator: Validator<unknown>): RequestObject {
  if (bytes.byteLength === 0) return readRequestObject(Buffer.from('{}'), validator);
  try {
    strictText(bytes);
  } catch {
    throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  }
  return new RequestObject(bytes, wholeValue(bytes), validator);
}
