import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../codec.js';

/**
 * Steps of a trace have long texts in common: nearly each has all messages of the chat in its inputs. Those that are
 * sent together have each text once. In their JSON, a mark stands for it: its number between two control characters,
 * which are nowhere in JSON, not even in strings.
 */
const MARK_START = '\u0001';
const MARK_END = '\u0002';
const MARK = new RegExp(`${MARK_START}(\\d+)${MARK_END}`, 'g');
const MARK_START_BYTE = 1;
const MARK_END_BYTE = 2;
const ZERO = 0x30;

/** Shorter texts are written as they are: a mark takes space, too. */
export const SHARED_TEXT_CHARS_MIN = 100;
/** Further texts are written as they are. The store goes through the list for each block of a long trace. */
const TEXTS_MAX = 1_000;

export interface SharedText {
  /** JSON. */
  text: string;
  mark: string;
  /** How much longer the text is than its mark, in UTF-8. */
  extraBytes: number;
  /** The `SharedTexts` that have it; null if none does any more. */
  owner: object | null;
}

/** Collects the texts of steps that are sent together. */
export class SharedTexts {
  /** By the text. */
  readonly #byText = new Map<string, SharedText>();
  readonly #list: SharedText[] = [];
  /** Not this object: whoever keeps a text must not keep the others. */
  readonly #owner = {};
  /** How much shorter the value that is written has become by its marks, in bytes. */
  #savedBytes = 0;

  get savedBytes(): number {
    return this.#savedBytes;
  }

  /** In the order of their numbers. */
  get texts(): string[] {
    return this.#list.map(({ text }) => text);
  }

  /** Number of texts. */
  get count(): number {
    return this.#list.length;
  }

  /** Call it before a value is written. Returns the number of texts. */
  begin(): number {
    this.#savedBytes = 0;
    return this.#list.length;
  }

  /** Removes the texts from this number on, which only the last value has: it is not stored. */
  undo(count: number): void {
    for (const shared of this.#list.splice(count)) {
      this.#byText.delete(shared.text);
      shared.owner = null;
    }
  }

  /**
   * Null for a text that is too short, or one too many. `json`: a complete value without marks. `known`: what this
   * method, perhaps of another object, has returned for it before.
   */
  share(json: string, known: SharedText | null = null): SharedText | null {
    if (json.length < SHARED_TEXT_CHARS_MIN) return null;
    const shared = known?.owner === this.#owner ? known : (this.#byText.get(json) ?? this.#add(json));
    if (shared !== null) this.#savedBytes += shared.extraBytes;
    return shared;
  }

  #add(json: string): SharedText | null {
    if (this.#list.length >= TEXTS_MAX) return null;
    const mark = `${MARK_START}${this.#list.length}${MARK_END}`;
    const extraBytes = Buffer.byteLength(json) - mark.length;
    const shared: SharedText = { text: json, mark, extraBytes, owner: this.#owner };
    this.#byText.set(json, shared);
    this.#list.push(shared);
    return shared;
  }

  /** The JSON with the texts in place of their marks. */
  expand(json: string): string {
    return json.replace(MARK, (_mark, number: string) => this.#list[Number(number)]!.text);
  }
}

/** The JSON with the texts in place of their marks. */
export function expandMarks(json: JsonBytes, texts: readonly Uint8Array[]): JsonBytes {
  const source = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, number } of marksIn(source)) {
    const text = texts[number];
    if (text === undefined) continue;
    parts.push(source.subarray(from, start), text);
    from = end;
  }
  if (from === 0) return json;
  parts.push(source.subarray(from));
  return Buffer.concat(parts);
}

/** Texts as they are stored, by their numbers. One that nothing refers to any more is empty. */
export function unpackTexts(packed: Uint8Array): Uint8Array[] {
  return unpack<Uint8Array[]>(packed);
}

export function packTexts(texts: readonly Uint8Array[]): Uint8Array {
  return pack(texts);
}

/** Numbers of the texts to which a run with marks refers. */
export function textNumbersOf({ inputs, outputs }: Record<'inputs' | 'outputs', JsonBytes | null>): number[] {
  return [inputs, outputs].flatMap((json) => {
    if (json === null) return [];
    const source = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    return [...marksIn(source)].map(({ number }) => number);
  });
}

export function hasMarks(json: JsonBytes): boolean {
  return json.includes(MARK_START_BYTE);
}

function* marksIn(source: Buffer): Generator<{ start: number; end: number; number: number }> {
  let start = source.indexOf(MARK_START_BYTE);
  while (start !== -1) {
    let [at, number] = [start + 1, 0];
    for (; at < source.byteLength && source[at] !== MARK_END_BYTE; at += 1) number = number * 10 + source[at]! - ZERO;
    yield { start, end: at + 1, number };
    start = source.indexOf(MARK_START_BYTE, at);
  }
}
