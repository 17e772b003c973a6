import { parseJson } from '../api/json.js';

/** Parses a text. Empty text gives undefined; invalid JSON gives a message with the position of the error. */
export function readJson(text: string): { value: unknown; error: null } | { value: undefined; error: string } {
  if (text.trim() === '') return { value: undefined, error: null };
  try {
    return { value: parseJson(text), error: null };
  } catch (error) {
    return {
      value: undefined,
      error: `Invalid JSON: ${(error as Error).message}${positionText(text, error as Error)}`,
    };
  }
}

/** What is wrong with a text that must be a JSON object. `missing`: the problem of an empty text; null if it may be. */
export function objectProblem(text: string, missing: string | null): string | null {
  const { value, error } = readJson(text);
  if (error !== null) return error;
  if (value === undefined) return missing;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'Must be a JSON object.';
}

/** Some browsers give the position only as a character offset. */
function positionText(text: string, { message }: Error): string {
  const at = /position (\d+)/.exec(message)?.[1];
  if (at === undefined || message.includes('line')) return '';
  const before = text.slice(0, Number(at)).split('\n');
  return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
