import { wholeValue } from '../../../base/json/slices.js';
import { strictText } from '../../../base/json/json.js';
import { fail } from '../../../base/errors.js';
import type { Validator } from '../../../../schemas/validator.js';
import { ReadObject } from '../../../wire/evaluation/read-values.js';

/** A small body whose free-form fields are kept as they were sent. Throws MALFORMED_JSON, INVALID_REQUEST. */
export function readObject(bytes: Uint8Array, validator: Validator<unknown>): ReadObject {
  if (bytes.byteLength === 0) return readObject(Buffer.from('{}'), validator);
  try {
    strictText(bytes);
  } catch {
    throw fail('MALFORMED_JSON', { reason: 'the body is not UTF-8' });
  }
  return new ReadObject(bytes, wholeValue(bytes), validator);
}
