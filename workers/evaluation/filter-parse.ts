export type FilterValue = string | number | boolean | null;

/** A node of a filter's syntax tree. `at` is the character offset where it starts. */
export type FilterPart =
  | { type: 'call'; name: string; args: FilterPart[]; at: number }
  | { type: 'word'; name: string; at: number }
  | { type: 'value'; value: FilterValue; at: number }
  | { type: 'list'; values: FilterValue[]; at: number };

/** The message contains the problem and its place. `offset` is the place in UTF-16 characters, from 0. */
export class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError';
  constructor(
    problem: string,
    readonly offset: number,
  ) {
    super(`Invalid filter at character ${offset}: ${problem}`);
  }
}

/**
 * Limits of one filter: far above what people and clients write, and far below what could overflow the stack or
 * block the thread.
 */
const FILTER_CHARS_MAX = 20_000;
const FILTER_LEVELS_MAX = 32;
const FILTER_CALLS_MAX = 200;

/** JSON's keywords and Python's spelling of them, because filters are often built with f-strings. */
const WORDS: ReadonlyMap<string, FilterValue> = new Map<string, FilterValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Parses a filter into a tree, without checking names. Throws FilterSyntaxError. */
export function parseFilterTree(text: string): FilterPart {
  if (text.length > FILTER_CHARS_MAX)
    throw new FilterSyntaxError(`a filter can have at most ${FILTER_CHARS_MAX} characters`, FILTER_CHARS_MAX);
  const parser = new Parser(text);
  const part = parser.part(0);
  parser.end();
  return part;
}

/** User text for an error message: shortened, with control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

class Parser {
  #at = 0;
  #calls = 0;

  constructor(readonly text: string) {}

  part(level: number): FilterPart {
    const at = this.#skip();
    const char = this.text[at];
    if (char === '[') return { type: 'list', values: this.#list(), at };
    const name = this.#name();
    if (name === '') return { type: 'value', value: this.#value(), at };
    this.#skip();
    if (this.text[this.#at] === '(') return { type: 'call', name, args: this.#args(level + 1, at), at };
    const value = WORDS.get(name);
    return value === undefined ? { type: 'word', name, at } : { type: 'value', value, at };
  }

  end(): void {
    const at = this.#skip();
    if (at < this.text.length)
      throw new FilterSyntaxError(
        `${quote(this.text.slice(at))} follows the end of the filter; combine conditions with and(...) or or(...)`,
        at,
      );
  }

  #args(level: number, at: number): FilterPart[] {
    this.#calls += 1;
    if (level > FILTER_LEVELS_MAX)
      throw new FilterSyntaxError(`calls can be nested at most ${FILTER_LEVELS_MAX} levels deep`, at);
    if (this.#calls > FILTER_CALLS_MAX)
      throw new FilterSyntaxError(`a filter can have at most ${FILTER_CALLS_MAX} calls`, at);
    return this.#items(')', () => this.part(level));
  }

  #list(): FilterValue[] {
    return this.#items(']', () => {
      const at = this.#skip();
      const name = this.#name();
      if (name === '') return this.#value();
      const value = WORDS.get(name);
      if (value === undefined) throw new FilterSyntaxError(`${quote(name)} is not a value; put text in quotes`, at);
      return value;
    });
  }

  /** Reads comma-separated items from the opening bracket up to `close`. */
  #items<T>(close: string, read: () => T): T[] {
    this.#at += 1;
    const items: T[] = [];
    this.#skip();
    if (this.text[this.#at] === close) {
      this.#at += 1;
      return items;
    }
    for (;;) {
      items.push(read());
      const at = this.#skip();
      const char = this.text[at];
      this.#at += 1;
      if (char === close) return items;
      if (char !== ',') throw new FilterSyntaxError(`expected "," or "${close}", found ${this.#found(at)}`, at);
    }
  }

  #value(): FilterValue {
    const char = this.text[this.#at];
    if (char === '"' || char === "'") return this.#string(char);
    const at = this.#at;
    let to = at;
    while (isNumeric(this.text.charCodeAt(to))) to += 1;
    if (to === at) throw new FilterSyntaxError(`expected a value, found ${this.#found(at)}`, at);
    const digits = this.text.slice(at, to);
    const value = Number(digits);
    if (!NUMBER.test(digits) || !Number.isFinite(value))
      throw new FilterSyntaxError(`${quote(digits)} is not a number`, at);
    this.#at = to;
    return value;
  }

  #string(quote: string): string {
    const at = this.#at;
    let to = at + 1;
    while (to < this.text.length && this.text[to] !== quote) to += this.text[to] === '\\' ? 2 : 1;
    if (to >= this.text.length) throw new FilterSyntaxError('this text has no closing quote', at);
    this.#at = to + 1;
    if (quote === "'") return unescapeSingle(this.text.slice(at + 1, to));
    try {
      return JSON.parse(this.text.slice(at, to + 1)) as string;
    } catch {
      throw new FilterSyntaxError('text in double quotes must be escaped as in JSON', at);
    }
  }

  #name(): string {
    const at = this.#at;
    let to = at;
    while (isWordChar(this.text.charCodeAt(to), to > at)) to += 1;
    this.#at = to;
    return this.text.slice(at, to);
  }

  #found(at: number): string {
    return at < this.text.length ? quote(this.text[at]!) : 'the end';
  }

  #skip(): number {
    while (isSpace(this.text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at;
  }
}

/**
 * Only \' is an escape sequence; all other backslashes are kept. Clients put the output of json.dumps in single
 * quotes, and its backslashes must reach the JSON parser.
 */
function unescapeSingle(raw: string): string {
  if (!raw.includes("\\'")) return raw;
  let text = '';
  for (let i = 0; i < raw.length; i += 1) {
    if (raw[i] !== '\\') text += raw[i];
    else {
      i += 1;
      text += raw[i] === "'" ? "'" : `\\${raw[i]}`;
    }
  }
  return text;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isNumeric(code: number): boolean {
  // digits, + - . e E
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;
}

function isWordChar(code: number, digitsToo: boolean): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (digitsToo && code >= 48 && code <= 57)
  );
}
