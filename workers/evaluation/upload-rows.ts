import { randomInt } from 'node:crypto';
import { bytesOf, type Slice } from '../../src/base/json/slices.js';
import type { JsonBytes } from '../../src/base/json/json.js';
import { summarizeJson, type FeedbackSummary } from '../../src/store/evaluation/feedback.js';
import { ColumnMemory } from './column-memory.js';

/**
 * A score of an upload. Free-form fields are stored as places in the body, because a view object for each would
 * use most of a row's memory.
 */
export interface ReadScore {
  id: string | null;
  key: string;
  score: Slice | null;
  value: Slice | null;
  comment: Slice | null;
  correction: Slice | null;
  source: Slice | null;
  config: Slice | null;
  extra: Slice | null;
  groupId: string | null;
  comparativeId: string | null;
  createdAtUs: number | null;
  modifiedAtUs: number | null;
  /** The parsed score and value; null when keeping them would hold long texts in memory. */
  words: Omit<FeedbackSummary, 'remark'> | null;
}

export interface ReadRow {
  rowId: string;
  /** Index of the first row with this row id; its own index if it is the first. */
  first: number;
  inputs: Slice;
  expected: Slice | null;
  actual: Slice | null;
  metadata: Slice | null;
  error: Slice | null;
  name: string | null;
  startUs: number;
  endUs: number;
  scores: readonly ReadScore[];
  /** Attachments of the run, checked when they are written. */
  attachments: Slice | null;
}

const ROW_SLICES = ['inputs', 'expected', 'actual', 'metadata', 'error', 'attachments'] as const;
const SCORE_SLICES = ['score', 'value', 'comment', 'correction', 'source', 'config', 'extra'] as const;
const SCORE_IDS = ['id', 'groupId', 'comparativeId'] as const;
const SCORE_TIMES = ['createdAtUs', 'modifiedAtUs'] as const;

type SliceOf<T> = T extends readonly (infer Name extends string)[] ? Name : never;

/**
 * The rows of an upload in columns of numbers, about 100 bytes for each row and 50 for each score. As objects they
 * took more than the body, and the collector copied them several times.
 */
export class UploadRows {
  readonly scores: UploadScores;
  readonly #body: Uint8Array;
  readonly #rowIds = new IdColumn();
  readonly #names = new Texts();
  readonly #slices = new SliceColumns(ROW_SLICES);
  readonly #firsts = new Column(Uint32Array);
  readonly #scoreEnds = new Column(Uint32Array);
  readonly #starts = new Column(Float64Array);
  readonly #ends = new Column(Float64Array);

  constructor(body: Uint8Array) {
    this.#body = body;
    this.scores = new UploadScores(body);
  }

  get count(): number {
    return this.#rowIds.count;
  }

  /** True if a row names attachments. */
  get haveAttachments(): boolean {
    return this.#slices.isUsed('attachments');
  }

  add(row: ReadRow): void {
    const at = this.count;
    this.#rowIds.add(row.rowId);
    this.#names.set(at, row.name);
    this.#slices.set(at, row);
    this.#firsts.set(at, row.first);
    this.#starts.set(at, row.startUs);
    this.#ends.set(at, row.endUs);
    for (const score of row.scores) this.scores.add(score);
    this.#scoreEnds.set(at, this.scores.count);
  }

  /** Index of the first row with this row id; -1 for none. */
  indexOf(rowId: string): number {
    return this.#rowIds.indexOf(rowId);
  }

  rowId(at: number): string {
    return this.#rowIds.get(at);
  }

  /** Index of the first row with the same row id. */
  first(at: number): number {
    return this.#firsts.get(at);
  }

  name(at: number): string | null {
    return this.#names.get(at);
  }

  startUs(at: number): number {
    return this.#starts.get(at);
  }

  endUs(at: number): number {
    return this.#ends.get(at);
  }

  bytes(at: number, field: SliceOf<typeof ROW_SLICES>): JsonBytes | null {
    return this.#slices.bytes(this.#body, at, field);
  }

  /** Index after the last score of the row. Its first one follows the last one of the row before. */
  scoresEnd(at: number): number {
    return this.#scoreEnds.get(at);
  }

  scoresStart(at: number): number {
    return at === 0 ? 0 : this.#scoreEnds.get(at - 1);
  }

  /** Frees the memory outside of the heap. */
  free(): void {
    for (const column of [
      this.#rowIds,
      this.#slices,
      this.#firsts,
      this.#scoreEnds,
      this.#starts,
      this.#ends,
      this.scores,
    ])
      column.free();
  }
}

/** Scores in columns. */
export class UploadScores {
  readonly #body: Uint8Array;
  readonly #keys = new Texts();
  readonly #labels = new Texts();
  readonly #slices = new SliceColumns(SCORE_SLICES);
  readonly #numbers = new Column(Float64Array);
  readonly #areParsed = new Column(Uint8Array);
  readonly #ids = { id: new Texts(), groupId: new Texts(), comparativeId: new Texts() };
  readonly #times = { createdAtUs: new Column(Float64Array), modifiedAtUs: new Column(Float64Array) };
  #count = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  get count(): number {
    return this.#count;
  }

  /** True if a score has a configuration. */
  get haveConfigs(): boolean {
    return this.#slices.isUsed('config');
  }

  add(score: ReadScore): void {
    const at = this.#count++;
    this.#keys.set(at, score.key);
    this.#slices.set(at, score);
    if (score.words !== null) {
      this.#areParsed.set(at, 1);
      this.#labels.set(at, score.words.label);
      this.#numbers.set(at, score.words.number ?? NaN);
    }
    for (const field of SCORE_IDS) this.#ids[field].set(at, score[field]);
    // Zero is 1970, and means none in a column.
    for (const field of SCORE_TIMES) this.#times[field].set(at, score[field] === null ? 0 : score[field] + 1);
  }

  key(at: number): string {
    return this.#keys.get(at)!;
  }

  bytes(at: number, field: SliceOf<typeof SCORE_SLICES>): JsonBytes | null {
    return this.#slices.bytes(this.#body, at, field);
  }

  /** Number and label; null for a long score, which has to be parsed again. */
  words(at: number): ReadScore['words'] {
    if (this.#areParsed.get(at) === 0) return null;
    const number = this.#numbers.get(at);
    return { number: Number.isNaN(number) ? null : number, label: this.#labels.get(at) };
  }

  id(at: number, field: SliceOf<typeof SCORE_IDS> = 'id'): string | null {
    return this.#ids[field].get(at);
  }

  timeUs(at: number, field: SliceOf<typeof SCORE_TIMES>): number | null {
    const time = this.#times[field].get(at);
    return time === 0 ? null : time - 1;
  }

  free(): void {
    const { createdAtUs, modifiedAtUs } = this.#times;
    for (const column of [this.#slices, this.#numbers, this.#areParsed, createdAtUs, modifiedAtUs]) column.free();
  }
}

/** Number and label of any score. */
export function parsedWords(scores: UploadScores, at: number): NonNullable<ReadScore['words']> {
  return scores.words(at) ?? summarizeJson(scores.bytes(at, 'score'), scores.bytes(at, 'value'));
}

/** UUIDs in canonical form, or empty texts, as bytes. A string takes twice as much, and the collector copies it. */
export class IdColumn {
  readonly #memory = new ColumnMemory();
  #bytes = Buffer.alloc(0);
  readonly #tableMemory = new ColumnMemory();
  /** Hash table: one more than an index in `#bytes`, 0 for none. Built by the first call of `indexOf`. */
  #table: Uint32Array<ArrayBuffer> | null = null;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(id: string): void {
    const at = this.#count++;
    if (this.#bytes.length < this.#count * ID_CHARS) {
      this.#memory.grow(this.#count * ID_CHARS);
      this.#bytes = Buffer.from(this.#memory.buffer);
    }
    this.#bytes.write(id, at * ID_CHARS, 'latin1');
    if (this.#table !== null) this.#index(at);
  }

  /** Adds the id, or replaces the last one. */
  set(at: number, id: string): void {
    if (at === this.#count) this.add(id);
    else this.#bytes.write(id, at * ID_CHARS, 'latin1');
  }

  get(at: number): string {
    const start = at * ID_CHARS;
    return this.#bytes[start] === 0 ? '' : this.#bytes.toString('latin1', start, start + ID_CHARS);
  }

  /** Index of the first such id; -1 for none. */
  indexOf(id: string): number {
    if (this.#table === null) this.#rebuild();
    scratch.write(id, 'latin1');
    return this.#table![this.#slotOf(scratch, 0)]! - 1;
  }

  free(): void {
    this.#memory.free();
    this.#bytes = Buffer.alloc(0);
    this.#tableMemory.free();
    this.#table = null;
    this.#count = 0;
  }

  #index(at: number): void {
    if (this.#count * 2 > this.#table!.length) {
      this.#rebuild();
      return;
    }
    const slot = this.#slotOf(this.#bytes, at * ID_CHARS);
    if (this.#table![slot] === 0) this.#table![slot] = at + 1;
  }

  #rebuild(): void {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(this.#count, INITIAL_IDS) * 4));
    this.#tableMemory.free();
    this.#tableMemory.grow(slots * Uint32Array.BYTES_PER_ELEMENT);
    this.#table = new Uint32Array(this.#tableMemory.buffer, 0, slots);
    for (let at = 0; at < this.#count; at += 1) this.#index(at);
  }

  /** Slot of the id at this position, or the free one where it belongs. */
  #slotOf(bytes: Buffer, start: number): number {
    const table = this.#table!;
    const mask = table.length - 1;
    let hash = HASH_SEED;
    for (let at = start; at < start + ID_CHARS; at += 4) {
      hash = Math.imul(hash ^ bytes.readInt32LE(at), HASH_FACTOR);
      hash ^= hash >>> 15;
    }
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const other = table[slot]!;
      if (other === 0) return slot;
      const otherStart = (other - 1) * ID_CHARS;
      if (bytes.compare(this.#bytes, otherStart, otherStart + ID_CHARS, start, start + ID_CHARS) === 0) return slot;
    }
  }
}

const ID_CHARS = 36;
const INITIAL_IDS = 256;
// Random, because clients choose the ids: ids with equal hashes would make an upload slow.
const HASH_SEED = randomInt(2 ** 32);
const HASH_FACTOR = randomInt(2 ** 31) * 2 + 1;
const scratch = Buffer.alloc(ID_CHARS);

/** Texts, most of them missing or repeated. Takes memory from the first text that is set. */
class Texts {
  #texts: (string | null)[] = [];
  readonly #known = new Map<string, string>();

  set(at: number, text: string | null): void {
    if (text === null) return;
    while (this.#texts.length < at) this.#texts.push(null);
    const known = this.#known.get(text);
    if (known === undefined && this.#known.size < KNOWN_TEXTS_MAX) this.#known.set(text, text);
    this.#texts[at] = known ?? text;
  }

  get(at: number): string | null {
    return this.#texts[at] ?? null;
  }
}

const KNOWN_TEXTS_MAX = 1_000;

type NumberArray = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

interface NumberArrayType {
  new (buffer: ArrayBuffer): NumberArray;
  BYTES_PER_ELEMENT: number;
}

/** Positions of values, in the place of an array of slices. */
export class SliceList {
  readonly #starts = new Column(Uint32Array);
  readonly #ends = new Column(Uint32Array);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push({ start, end }: Slice): void {
    this.#starts.set(this.#length, start);
    this.#ends.set(this.#length, end);
    this.#length += 1;
  }

  clear(): void {
    this.#length = 0;
  }

  *[Symbol.iterator](): Generator<Slice> {
    for (let at = 0; at < this.#length; at += 1) yield { start: this.#starts.get(at), end: this.#ends.get(at) };
  }

  free(): void {
    this.#starts.free();
    this.#ends.free();
    this.#length = 0;
  }
}

/** Numbers by index; those that were not set are 0. Takes memory from the first one that is not 0. */
class Column {
  readonly #Type: NumberArrayType;
  readonly #memory = new ColumnMemory();
  #values: NumberArray | null = null;

  constructor(Type: NumberArrayType) {
    this.#Type = Type;
  }

  get isUsed(): boolean {
    return this.#values !== null;
  }

  set(at: number, value: number): void {
    let values = this.#values;
    if (values === null || at >= values.length) {
      if (value === 0) return;
      this.#memory.grow((at + 1) * this.#Type.BYTES_PER_ELEMENT);
      values = new this.#Type(this.#memory.buffer);
      this.#values = values;
    }
    values[at] = value;
  }

  get(at: number): number {
    return this.#values?.[at] ?? 0;
  }

  free(): void {
    this.#memory.free();
    this.#values = null;
  }
}

/** Positions of named values. None ends at 0, because each is inside an object. */
class SliceColumns<Name extends string> {
  readonly #names: readonly Name[];
  readonly #starts = new Map<Name, Column>();
  readonly #ends = new Map<Name, Column>();

  constructor(names: readonly Name[]) {
    this.#names = names;
    for (const name of names) {
      this.#starts.set(name, new Column(Uint32Array));
      this.#ends.set(name, new Column(Uint32Array));
    }
  }

  isUsed(name: Name): boolean {
    return this.#ends.get(name)!.isUsed;
  }

  set(at: number, slices: Readonly<Record<Name, Slice | null>>): void {
    for (const name of this.#names) {
      const slice = slices[name];
      if (slice === null) continue;
      this.#starts.get(name)!.set(at, slice.start);
      this.#ends.get(name)!.set(at, slice.end);
    }
  }

  bytes(body: Uint8Array, at: number, name: Name): JsonBytes | null {
    const end = this.#ends.get(name)!.get(at);
    return end === 0 ? null : bytesOf(body, { start: this.#starts.get(name)!.get(at), end });
  }

  free(): void {
    for (const column of [...this.#starts.values(), ...this.#ends.values()]) column.free();
  }
}
