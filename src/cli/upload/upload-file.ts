import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ThreadmillError } from '../../base/errors.js';
import { elements, isArraySlice, isObjectSlice, memberMap, wholeValue, type Slice } from '../../base/json/slices.js';
import { CommandError } from '../client.js';
import { readCsv } from './upload-csv.js';

/** Something of a file, as JSON text: rows are what the file says, byte for byte, where it is JSON already. */
export interface Item {
  /** What belongs to the experiment comes first, if at all: an object, of which `results` does not count. */
  kind: 'experiment' | 'row';
  json: Uint8Array;
  /** Where it begins in the file; the first line is 1. */
  line: number;
  /** How much of the file has been read with it, in bytes. */
  read: number;
}

/** The file bit by bit. Throws CommandError for what makes the rest unreadable; whether a row is right is not looked at. */
export function readItems(file: string): AsyncGenerator<Item> {
  switch (extname(file).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      return readLines(file);
    case '.json':
      return readWhole(file);
    case '.csv':
      return readCsv(file);
    default:
      throw new CommandError(`${file}: the name must end in .jsonl, .json or .csv`);
  }
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;

async function* readLines(file: string): AsyncGenerator<Item> {
  let line = 0;
  let read = 0;
  let first = true;
  for await (const bytes of linesOf(file)) {
    line += 1;
    read += bytes.byteLength + 1;
    const json = line === 1 ? withoutMark(bytes) : bytes;
    if (isBlank(json)) continue;
    yield { kind: first && isHeader(json) ? 'experiment' : 'row', json, line, read };
    first = false;
  }
}

/** Node's readline also ends lines at U+2028, which may stand in a JSON string as it is. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      yield rest.length === 0 ? chunk.subarray(from, to) : Buffer.concat([...rest, chunk.subarray(from, to)]);
      rest = [];
      from = to + 1;
    }
    if (from < chunk.byteLength) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

function isHeader(json: Buffer): boolean {
  try {
    return (JSON.parse(json.toString('utf8')) as { kind?: unknown } | null)?.kind === 'experiment';
  } catch {
    return false;
  }
}

async function* readWhole(file: string): AsyncGenerator<Item> {
  const bytes = withoutMark(await readFile(file));
  if (!isUtf8(bytes)) throw new CommandError(`${file}: not UTF-8`);
  const lines = new LineCounter(bytes);
  try {
    const whole = wholeValue(bytes);
    const list = isArraySlice(bytes, whole) ? whole : resultsOf(bytes, whole);
    if (list === null) throw new CommandError(`${file}: must be a list of rows, or an object with a list "results"`);
    if (list !== whole) yield { kind: 'experiment', json: bytes.subarray(whole.start, whole.end), line: 1, read: 0 };
    for (const { start, end } of elements(bytes, list))
      yield { kind: 'row', json: bytes.subarray(start, end), line: lines.at(start), read: end };
  } catch (error) {
    if (!(error instanceof ThreadmillError)) throw error;
    const reason = String(error.params['reason']);
    throw new CommandError(
      `${file}:${new LineCounter(bytes).at(Number(/at byte (\d+)/.exec(reason)?.[1]))}: not valid JSON: ${reason}`,
    );
  }
}

function resultsOf(bytes: Uint8Array, whole: Slice): Slice | null {
  const results = isObjectSlice(bytes, whole) ? memberMap(bytes, whole).get('results') : undefined;
  return results !== undefined && isArraySlice(bytes, results) ? results : null;
}

/** Counts on from where it was last asked. */
class LineCounter {
  readonly #bytes: Uint8Array;
  #counted = 0;
  #line = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  at(offset: number): number {
    for (
      let next = this.#bytes.indexOf(NEWLINE, this.#counted);
      next !== -1 && next < offset;
      next = this.#bytes.indexOf(NEWLINE, next + 1)
    ) {
      this.#line += 1;
      this.#counted = next + 1;
    }
    return this.#line;
  }
}
