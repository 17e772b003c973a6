import { isUtf8 } from 'node:buffer';
import { UploadedFeedback, UploadedRow, UploadExperiment } from '../../schemas/compiled/validators.js';
import type {
  UploadedFeedback as UploadedFeedbackBody,
  UploadedRow as UploadedRowBody,
  UploadExperiment as UploadBody,
} from '../../schemas/compiled/types.js';
import type { ValidationError, Validator } from '../../schemas/validator.js';
import { fail, type Problem } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { asText, boundsProblem, isObject, setOwn, type JsonBytes, type JsonObject } from '../../src/base/json/json.js';
import {
  bytesOf,
  isArraySlice,
  isObjectSlice,
  parse,
  valueEnd,
  eachValue,
  walkElements,
  walkMembers,
  walkWholeObject,
  type Slice,
} from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { parseMicros } from '../../src/base/micros.js';
import { ObjectSlices } from '../../src/base/json/object-slices.js';
import { problemOf, invalidRequest } from '../../src/base/request-problems.js';
import { summarize } from '../../src/store/evaluation/feedback.js';
import { SliceList, UploadRows, UploadScores, type ReadRow, type ReadScore } from './upload-rows.js';

/** An upload that satisfies all rules that can be checked from its body alone. */
export interface ReadUpload {
  body: Uint8Array;
  experimentName: string;
  description: string | null;
  startUs: number;
  endUs: number;
  datasetId: string | null;
  datasetName: string | null;
  datasetDescription: string | null;
  metadata: JsonBytes | null;
  summary: UploadScores;
  rows: UploadRows;
  /** True if the client chose ids for some of the feedback. */
  ownIds: boolean;
}

/** A lone surrogate. In Unicode mode a surrogate pair counts as one character and does not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const FREE_IN_ROW = ['inputs', 'expected_outputs', 'actual_outputs', 'run_metadata'];
const FREE_IN_SCORE = ['value', 'correction', 'feedback_source', 'feedback_config', 'extra'];

/**
 * Reads an upload row by row, so that only one row at a time exists as objects. With `lines`, the first value
 * is the upload without its results, and each further value is a row. Throws MALFORMED_JSON, or INVALID_REQUEST
 * with all places.
 */
export function readUpload(bytes: Uint8Array, lines = false): ReadUpload {
  if (!isUtf8(bytes)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new UploadReader(buffer);
  if (!lines) return reader.read(null, null);
  const found = eachValue(buffer);
  const header = found.next();
  if (header.done === true) throw fail('MALFORMED_JSON', { reason: 'the body has no first line' });
  return reader.read(header.value, found);
}

/** Keeps the place of a row with a problem, so that the index of a row is that in the list. */
const INVALID_ROW: ReadRow = {
  rowId: '',
  first: 0,
  inputs: { start: 0, end: 0 },
  expected: null,
  actual: null,
  metadata: null,
  error: null,
  name: null,
  startUs: 0,
  endUs: 0,
  scores: [],
  attachments: null,
};

class UploadReader {
  readonly #bytes: Uint8Array;
  readonly #problems: Problem[] = [];
  /** The reader's current path in the body, for error places. */
  readonly #at: (string | number)[] = [];
  readonly #rowSlices = new ObjectSlices();
  readonly #scoreSlices = new ObjectSlices();
  readonly #feedbackIds = new Set<string>();
  readonly #rows: UploadRows;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#rows = new UploadRows(bytes);
  }

  /** `head`: the upload without its rows, which are in `lines`. Null when the body is one object. */
  read(head: Slice | null, lines: Iterable<Slice> | null): ReadUpload {
    const { slices, results, summaryScores } = this.#members(head);
    const header = this.#object(slices, new Set(['results', 'summary_experiment_scores']));
    if (lines !== null) {
      if (slices.has('results'))
        this.#addProblem('results', 'must not be in the first line: each row needs a line of its own', 'unexpected');
      header['results'] = [];
    }
    this.#validate(UploadExperiment, header);
    const typed = header as unknown as UploadBody;

    const startUs = this.#time(header, 'experiment_start_time');
    const endUs = this.#time(header, 'experiment_end_time');
    if (startUs !== null && endUs !== null && endUs < startUs)
      this.#addProblem('experiment_end_time', 'must not be before experiment_start_time', 'time_order');
    const datasetId = this.#uuid(header, 'dataset_id');
    if (typed.dataset_id == null && typed.dataset_name == null)
      this.#addProblem('dataset_id', 'is required when dataset_name is not given', 'missing');
    for (const name of ['experiment_name', 'experiment_description', 'dataset_name', 'dataset_description'])
      this.#checkWellFormed(header, name);
    const metadata = slices.get('experiment_metadata');
    this.#checkBounds(
      metadata === undefined ? 0 : metadata.end - metadata.start,
      header['experiment_metadata'],
      'experiment_metadata',
    );

    const summarySlice = slices.get('summary_experiment_scores');
    const summary = new UploadScores(this.#bytes);
    if (summarySlice !== undefined)
      for (const score of this.#scores(
        'summary_experiment_scores',
        [...summaryScores],
        parse(this.#bytes, summarySlice),
      ))
        summary.add(score);
    this.#readRows(lines ?? results, startUs, endUs);
    results.free();
    if (this.#problems.length > 0) throw invalidRequest('body', this.#problems);
    return {
      body: this.#bytes,
      experimentName: typed.experiment_name,
      description: typed.experiment_description ?? null,
      startUs: startUs!,
      endUs: endUs!,
      datasetId,
      datasetName: typed.dataset_name ?? null,
      datasetDescription: typed.dataset_description ?? null,
      metadata: this.#bytesOf(this.#nonNull(metadata)),
      summary,
      rows: this.#rows,
      ownIds: this.#feedbackIds.size > 0,
    };
  }

  /**
   * Finds the slices of the members, and the elements of the two lists, in one pass over the body. If a name
   * appears twice, the last one counts, but all must be valid JSON.
   */
  #members(head: Slice | null): { slices: Map<string, Slice>; results: SliceList; summaryScores: SliceList } {
    const bytes = this.#bytes;
    const slices = new Map<string, Slice>();
    const lists = new Map([
      ['results', new SliceList()],
      ['summary_experiment_scores', new SliceList()],
    ]);
    const each = (key: string, start: number): number => {
      const list = lists.get(key);
      const hidden = slices.get(key);
      if (hidden !== undefined) parse(bytes, hidden);
      list?.clear();
      const slice = { start, end: start };
      slice.end =
        list !== undefined && isArraySlice(bytes, slice)
          ? walkElements(bytes, start, list, LIMITS.uploadRowsMax + 1)
          : valueEnd(bytes, start);
      slices.set(key, slice);
      return slice.end;
    };
    let isObject = true;
    if (head === null) isObject = walkWholeObject(bytes, each);
    else if (isObjectSlice(bytes, head)) walkMembers(bytes, head.start, each);
    else isObject = false;
    if (!isObject) throw invalidRequest('body', [{ loc: [], msg: 'must be object', type: 'type' }]);
    return { slices, results: lists.get('results')!, summaryScores: lists.get('summary_experiment_scores')! };
  }

  #readRows(slices: Iterable<Slice>, fromUs: number | null, toUs: number | null): void {
    let index = 0;
    for (const slice of slices) {
      if (index >= LIMITS.uploadRowsMax)
        throw invalidRequest('body', [
          { loc: ['results'], msg: `must not have more than ${LIMITS.uploadRowsMax} rows`, type: 'too_long' },
        ]);
      this.#at.push('results', index);
      const row = this.#row(slice, index, fromUs, toUs);
      this.#at.length -= 2;
      this.#rows.add(row ?? INVALID_ROW);
      if (this.#problems.length >= LIMITS.problemsMax)
        throw invalidRequest('body', this.#problems.slice(0, LIMITS.problemsMax));
      index += 1;
    }
  }

  /** Returns null for an invalid row. */
  #row(slice: Slice, index: number, fromUs: number | null, toUs: number | null): ReadRow | null {
    const before = this.#problems.length;
    if (!isObjectSlice(this.#bytes, slice)) {
      parse(this.#bytes, slice);
      this.#addProblem(null, 'must be object', 'type');
      return null;
    }
    // Parse the whole row at once. Slices are only needed for members that are kept as bytes.
    const row = parse(this.#bytes, slice) as JsonObject;
    const slices = this.#rowSlices;
    const scoreSlices: Slice[] = [];
    slices.read(this.#bytes, slice, {
      name: 'evaluation_scores',
      elements: scoreSlices,
      max: LIMITS.uploadScoresMax + 1,
    });
    const scoreValues = row['evaluation_scores'];
    if (Array.isArray(scoreValues)) row['evaluation_scores'] = [];
    this.#validate(UploadedRow, row);
    for (const name of FREE_IN_ROW) this.#checkBounds(slices.size(name), row[name], name);
    const rowId = this.#uuid(row, 'row_id');
    const startUs = this.#time(row, 'start_time');
    const endUs = this.#time(row, 'end_time');
    this.#checkWithin(startUs, fromUs, toUs, 'start_time');
    this.#checkWithin(endUs, fromUs, toUs, 'end_time');
    if (startUs !== null && endUs !== null && endUs < startUs)
      this.#addProblem('end_time', 'must not be before start_time', 'time_order');
    this.#checkWellFormed(row, 'run_name');
    const scores = scoreValues === undefined ? [] : this.#scores('evaluation_scores', scoreSlices, scoreValues);
    if (this.#problems.length > before) return null;
    const typed = row as unknown as UploadedRowBody;
    const read: ReadRow = {
      rowId: rowId!,
      first: index,
      inputs: slices.get('inputs')!,
      expected: this.#nonNull(slices.get('expected_outputs')),
      actual: this.#nonNull(slices.get('actual_outputs')),
      metadata: this.#nonNull(slices.get('run_metadata')),
      error: this.#nonNull(slices.get('error')),
      name: typed.run_name ?? null,
      startUs: startUs!,
      endUs: endUs!,
      scores,
      attachments: this.#nonNull(slices.get('attachments')),
    };
    return this.#checkRepetition(read) ? read : null;
  }

  /** A repeated row id is another run of the same example, so the example must be the same. */
  #checkRepetition(row: ReadRow): boolean {
    const first = this.#rows.indexOf(row.rowId);
    if (first === -1) return true;
    row.first = first;
    const same = (field: 'inputs' | 'expected'): boolean =>
      sameJson(this.#rows.bytes(first, field), this.#bytesOf(row[field]));
    if (same('inputs') && same('expected')) return true;
    this.#addProblem(
      'row_id',
      `is also the row_id of results.${first}, which has other inputs or expected_outputs`,
      'row_conflict',
    );
    return false;
  }

  /** `values` are the parsed elements of `slices`. */
  #scores(name: string, slices: readonly Slice[], values: unknown): ReadScore[] {
    if (!Array.isArray(values)) {
      if (values !== null) this.#addProblem(name, 'must be array or null', 'type');
      return [];
    }
    this.#at.push(name);
    const scores: ReadScore[] = [];
    for (let index = 0; index < slices.length; index += 1) {
      if (index >= LIMITS.uploadScoresMax) {
        this.#addProblem(null, `must not have more than ${LIMITS.uploadScoresMax} entries`, 'too_long');
        break;
      }
      this.#at.push(index);
      const score = this.#score(slices[index]!, values[index]);
      this.#at.length -= 1;
      if (score !== null) scores.push(score);
      if (this.#problems.length >= LIMITS.problemsMax) break;
    }
    this.#at.length -= 1;
    return scores;
  }

  #score(slice: Slice, value: unknown): ReadScore | null {
    const before = this.#problems.length;
    if (!isObject(value)) {
      this.#addProblem(null, 'must be object', 'type');
      return null;
    }
    const score = value;
    const slices = this.#scoreSlices;
    slices.read(this.#bytes, slice);
    this.#validate(UploadedFeedback, score);
    this.#checkFinite(score, 'score');
    this.#checkFinite(score, 'value');
    this.#checkFiniteConfig(score['feedback_config']);
    for (const name of FREE_IN_SCORE) this.#checkBounds(slices.size(name), score[name], name);
    this.#checkWellFormed(score, 'key');
    const id = this.#uuid(score, 'id');
    if (id !== null && this.#feedbackIds.has(id)) this.#addProblem('id', 'appears twice', 'id_taken');
    if (id !== null) this.#feedbackIds.add(id);
    const read: ReadScore = {
      id,
      key: (score as unknown as UploadedFeedbackBody).key,
      score: this.#nonNull(slices.get('score')),
      value: this.#nonNull(slices.get('value')),
      comment: this.#nonNull(slices.get('comment')),
      correction: this.#nonNull(slices.get('correction')),
      source: this.#nonNull(slices.get('feedback_source')),
      config: this.#nonNull(slices.get('feedback_config')),
      extra: this.#nonNull(slices.get('extra')),
      groupId: this.#uuid(score, 'feedback_group_id'),
      comparativeId: this.#uuid(score, 'comparative_experiment_id'),
      createdAtUs: this.#time(score, 'created_at'),
      modifiedAtUs: this.#time(score, 'modified_at'),
      words: null,
    };
    if (this.#problems.length > before) return null;
    if (slice.end - slice.start <= LIMITS.keptTextChars)
      read.words = summarize(score['score'], score['value'], () => asText(this.#bytesOf(read.value)!));
    return read;
  }

  #checkFinite(object: JsonObject, name: string): void {
    const value = object[name];
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#addProblem(name, 'must be a number that fits into 64 bits', 'finite_number');
  }

  #checkFiniteConfig(config: unknown): void {
    if (typeof config !== 'object' || config === null) return;
    this.#at.push('feedback_config');
    for (const name of ['min', 'max']) this.#checkFinite(config as JsonObject, name);
    this.#at.length -= 1;
  }

  #checkWithin(us: number | null, fromUs: number | null, toUs: number | null, name: string): void {
    if (us !== null && fromUs !== null && us < fromUs)
      this.#addProblem(name, 'must not be before experiment_start_time', 'time_range');
    if (us !== null && toUs !== null && us > toUs)
      this.#addProblem(name, 'must not be after experiment_end_time', 'time_range');
  }

  /** Parses the members, except those that are read element by element. */
  #object(slices: Map<string, Slice>, without: ReadonlySet<string>): JsonObject {
    const object: JsonObject = {};
    for (const [key, slice] of slices) {
      // The validator sees an empty list in place of a list that is read element by element.
      if (without.has(key)) object[key] = isArraySlice(this.#bytes, slice) ? [] : parse(this.#bytes, slice);
      else setOwn(object, key, parse(this.#bytes, slice));
    }
    return object;
  }

  #validate(validator: Validator<unknown>, value: unknown): void {
    if (validator(value)) return;
    const errors = validator.errors ?? [];
    for (const error of errors) {
      if (error.keyword !== 'anyOf' && !isOtherBranch(error, errors)) this.#problems.push(problemOf(error, this.#at));
    }
  }

  /** Returns null for a null value and for a missing one. */
  #nonNull(slice: Slice | undefined): Slice | null {
    return slice === undefined || (slice.end - slice.start === 4 && this.#bytes[slice.start] === 0x6e) ? null : slice;
  }

  #bytesOf(slice: Slice | null): JsonBytes | null {
    return slice === null ? null : bytesOf(this.#bytes, slice);
  }

  #time(object: JsonObject, name: string): number | null {
    const text = object[name];
    if (typeof text !== 'string') return null;
    const us = parseMicros(text);
    if (us === null) this.#addProblem(name, 'must be an ISO 8601 date-time between 1970 and 2199', 'datetime_parsing');
    return us;
  }

  #uuid(object: JsonObject, name: string): string | null {
    const text = object[name];
    if (typeof text !== 'string') return null;
    const id = canonicalUuid(text);
    if (id === null) this.#addProblem(name, 'must be a UUID', 'uuid_parsing');
    return id;
  }

  /** Names are looked up and indexed, so they must be valid in UTF-8. */
  #checkWellFormed(object: JsonObject, name: string): void {
    const text = object[name];
    if (typeof text === 'string' && LONE_SURROGATE.test(text))
      this.#addProblem(name, 'must not have a lone surrogate', 'unicode');
  }

  #checkBounds(size: number, value: unknown, name: string): void {
    // Each level and each element takes at least one byte.
    if (size <= LIMITS.jsonDepthMax) return;
    const problem = boundsProblem(value);
    if (problem !== null) this.#addProblem(name, problem, 'too_large');
  }

  /** `name`: a member at the reader's current path; null for the current value itself. */
  #addProblem(name: string | null, msg: string, type: string): void {
    this.#problems.push({ loc: name === null ? [...this.#at] : [...this.#at, name], msg, type });
  }
}

/** True for a `must be null` error about an object that has an error inside. The client did not mean null. */
function isOtherBranch(error: ValidationError, errors: readonly ValidationError[]): boolean {
  return (
    error.keyword === 'type' &&
    error.params['type'] === 'null' &&
    errors.some(
      (other) =>
        other.instancePath.startsWith(`${error.instancePath}/`) ||
        (other.instancePath === error.instancePath && other.keyword === 'required'),
    )
  );
}

/**
 * Compares JSON and ignores whitespace. A different order of names, or another spelling of a number, counts as
 * different.
 */
export function sameJson(a: JsonBytes | null, b: JsonBytes | null): boolean {
  if (a === null || b === null) return a === b;
  return Buffer.compare(a, b) === 0 || compact(a) === compact(b);
}

function compact(bytes: JsonBytes): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
