import { CommandError } from './client.js';

/** The value of a flag; null if it is not given. Throws CommandError unless it is a whole number above 0. */
export function wholeNumber(name: string, flag: string | undefined): number | null {
  if (flag === undefined) return null;
  const value = Number(flag);
  if (!Number.isSafeInteger(value) || value < 1) throw new CommandError(`${name}: must be a whole number above 0`);
  return value;
}
