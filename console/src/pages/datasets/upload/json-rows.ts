import { parseJson } from '../../../api/json.js';
import { textPieces, type ReadOptions, type Row } from './rows.js';

/** Objects of a file with one per line, or with a list of them, in groups. Throws if the file is another JSON value. */
export async function* jsonRows(file: File, options: ReadOptions): AsyncGenerator<Row[]> {
  let splitter: LineSplitter | ElementSplitter | null = null;
  let start = '';
  for await (const piece of textPieces(file, options)) {
    start += splitter === null ? piece : '';
    if (start.trim() === '') continue;
    yield splitter === null
      ? (splitter = start.trimStart().startsWith('[') ? new ElementSplitter() : new LineSplitter()).push(start)
      : splitter.push(piece);
  }
  if (splitter !== null) yield splitter.end();
}

class LineSplitter {
  #rest = '';
  #line = 0;
  #count = 0;

  push(piece: string): Row[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()!;
    return lines.flatMap((text) => this.#row(text));
  }

  end(): Row[] {
    return this.#row(this.#rest);
  }

  #row(text: string): Row[] {
    this.#line += 1;
    if (text.trim() === '') return [];
    this.#count += 1;
    if (this.#count === 1 && /^\s*\{\s*$/.test(text))
      throw new Error('The file has JSON over several lines. Put the objects into a list, or each into one line.');
    return [rowOf(text, this.#count, this.#line)];
  }
}

const STRUCTURE = /["[\]{},]/g;
const STRING_END = /["\\]/g;

/** Finds where the elements of a JSON list begin and end, without parsing them. */
class ElementSplitter {
  /** Text of the element that is not complete yet. */
  #text = '';
  /** Place in the text up to which it was searched. */
  #at = 0;
  #depth = 0;
  #isInString = false;
  #isClosed = false;
  #count = 0;

  push(piece: string): Row[] {
    this.#text += piece;
    const rows: Row[] = [];
    let start = 0;
    const take = (end: number, isLast: boolean): void => {
      const text = this.#text.slice(start, end);
      start = end + 1;
      if (isLast && this.#count === 0 && text.trim() === '') return;
      this.#count += 1;
      rows.push(rowOf(text, this.#count, null));
    };
    for (;;) {
      const pattern = this.#isInString ? STRING_END : STRUCTURE;
      pattern.lastIndex = this.#at;
      const found = pattern.exec(this.#text);
      if (found === null) {
        this.#at = Math.max(this.#at, this.#text.length);
        break;
      }
      const [char] = found;
      this.#at = found.index + (char === '\\' ? 2 : 1);
      if (char === '"') this.#isInString = !this.#isInString;
      else if (char === '[' || char === '{') {
        this.#depth += 1;
        if (this.#depth === 1) start = this.#at;
      } else if (char === ']' || char === '}') {
        this.#depth -= 1;
        if (this.#depth === 0) {
          take(found.index, true);
          this.#isClosed = true;
        }
      } else if (char === ',' && this.#depth === 1) take(found.index, false);
    }
    this.#text = this.#text.slice(start);
    this.#at -= start;
    return rows;
  }

  end(): Row[] {
    const isComplete = this.#isClosed && this.#text.trim() === '';
    const reason = this.#isClosed ? 'Text follows after the end of the list.' : 'The list has no end: “]” is missing.';
    return isComplete ? [] : [{ number: this.#count + 1, line: null, reason }];
  }
}

function rowOf(text: string, number: number, line: number | null): Row {
  if (text.trim() === '') return { number, line, reason: 'The row is empty.' };
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { number, line, value: value as Record<string, unknown> }
      : { number, line, reason: 'The row is not an object.' };
  } catch (error) {
    return { number, line, reason: `Invalid JSON: ${(error as Error).message}` };
  }
}
