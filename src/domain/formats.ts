import { fullFormats } from 'ajv-formats/dist/formats.js';

/**
 * True if the value has the format of JSON Schema, or the format is unknown or not about values of this type. May take
 * long for a hostile value, so call it with a time limit.
 */
export function hasFormat(value: string | number, name: string): boolean {
  const format = Object.hasOwn(fullFormats, name) ? fullFormats[name as keyof typeof fullFormats] : true;
  if (typeof format === 'boolean') return true;
  if (format instanceof RegExp) return typeof value !== 'string' || format.test(value);
  if (typeof format === 'function') return typeof value !== 'string' || format(value) === true;
  const { type = 'string', validate } = format as {
    type?: 'string' | 'number';
    validate: RegExp | ((value: unknown) => unknown);
  };
  if (typeof value !== type) return true;
  return validate instanceof RegExp ? validate.test(String(value)) : validate(value) === true;
}
