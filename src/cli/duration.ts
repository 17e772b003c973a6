import ms, { type StringValue } from 'ms';
import { CommandError } from './client.js';

/** Milliseconds. Throws CommandError. */
export function parseDuration(flag: string, text: string): number {
  // ms() reads a number without a unit as milliseconds.
  const value = /^\d+(\.\d+)? ?[a-z]+$/.test(text) ? ms(text as StringValue) : Number.NaN;
  if (!(value > 0 && value <= 86_400_000))
    throw new CommandError(`${flag}: must be a time with its unit, such as 30s or 2m, up to 1d; got "${text}".`);
  return value;
}
