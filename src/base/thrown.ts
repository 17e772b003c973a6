import { LIMITS } from './limits.js';

/** Description of a thrown value. `stack` is null when the value is not an Error. */
export interface Thrown {
  name: string;
  message: string;
  stack: string | null;
}

/**
 * Describes any thrown value, with bounded texts. Anybody's code may have thrown it: reading a field, or turning
 * it into text, can run getters, Proxy traps, `toString` and `toJSON`, which may throw too. This never throws.
 */
export function describeThrown(thrown: unknown): Thrown {
  const isError = attempt(() => thrown instanceof Error) === true;
  const name = isError ? textOf(() => (thrown as Error).name) : null;
  return {
    name: boundedText(name === null || name === '' ? 'Error' : name, LIMITS.errorNameCharsMax),
    message: boundedText(
      (isError ? textOf(() => (thrown as Error).message) : valueText(thrown)) ?? UNREADABLE,
      LIMITS.errorTextCharsMax,
    ),
    stack: isError ? boundedText(textOf(() => (thrown as Error).stack) ?? '', LIMITS.errorStackCharsMax) : null,
  };
}

/** The stack of an Error, else the text of the thrown value: for logs and the terminal. */
export function thrownText(thrown: unknown): string {
  const { message, stack } = describeThrown(thrown);
  return stack === null || stack === '' ? message : stack;
}

/** The beginning of a text that is too long, and how long it was. Never half of a character that is a pair. */
export function boundedText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax)}… (${text.length} characters)`;
}

const UNREADABLE = 'The thrown value cannot be described: reading it throws.';

function valueText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return textOf(() => JSON.stringify(value)) ?? textOf(() => String(value));
}

/** Null when reading throws or gives no text. */
function textOf(read: () => unknown): string | null {
  const text = attempt(read);
  return typeof text === 'string' ? text : null;
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
