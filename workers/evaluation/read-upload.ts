import { isUtf8 } from 'node:buffer';
import { UploadedFeedback, UploadedRow, UploadExperiment } from '../../schemas/compiled/validators.js';
import type { UploadedFeedback as UploadedFeedbackBody, UploadedRow as UploadedRowBody, UploadExperiment as UploadBody } from '../../schemas/compiled/types.js';
import type { ValidationError, Validator } from '../../schemas/validator.js';
import { fail, type Problem } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { boundsProblem, isObject, setOwn, type JsonBytes, type JsonObject } from '../../src/base/json.js';
import { bytesOf, elements, isArraySlice, isObjectSlice, memberMap, parse, values, wholeValue, type Slice } from '../../src/base/json-slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { parseMicros } from '../../src/base/micros.js';
import { problemOf, refusal } from '../../src/base/problems.js';

/** A score of an upload. Free-form fields are bytes of the body. */
export interface ReadScore {
  id: string | null;
  key: string;
  score: JsonBytes | null;
  value: JsonBytes | null;
  comment: JsonBytes | null;
  correction: JsonBytes | null;
  source: JsonBytes | null;
  config: JsonBytes | null;
  extra: JsonBytes | null;
  groupId: string | null;
  comparativeId: string | null;
  createdAtUs: number | null;
  modifiedAtUs: number | null;
}

export interface ReadRow {
  rowId: string;
  inputs: JsonBytes;
  expected: JsonBytes | null;
  actual: JsonBytes | null;
  metadata: JsonBytes | null;
  error: JsonBytes | null;
  name: string | null;
  startUs: number;
  endUs: number;
  scores: ReadScore[];
}

/** An upload that keeps every rule that can be told from its body alone. */
export interface ReadUpload {
  experimentName: string;
  description: string | null;
  startUs: number;
  endUs: number;
  datasetId: string | null;
  datasetName: string | null;
  datasetDescription: string | null;
  metadata: JsonBytes | null;
  summary: ReadScore[];
  rows: ReadRow[];
}

/** Without a partner: pairs are one character to a regular expression of this kind. */
const LONE_SURROGATE = /\p{Surrogate}/u;

type Loc = readonly (string | number)[];

/**
 * Reads row by row, so that only one row at a time is held as objects. With `lines` the first value is the upload without its
 * results, and each further one is a row. Throws MALFORMED_JSON, or INVALID_REQUEST with every place.
 */
export function readUpload(bytes: Uint8Array, lines = false): ReadUpload {
  if (!isUtf8(bytes)) throw fail('MALFORMED_JSON', { reason: 'the body is not UTF-8' });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new UploadReader(buffer);
  if (!lines) return reader.read(wholeValue(buffer), null);
  const found = values(buffer);
  const header = found.next();
  if (header.done === true) throw fail('MALFORMED_JSON', { reason: 'the body has no first line' });
  return reader.read(header.value, found);
}

class UploadReader {
  readonly #bytes: Uint8Array;
  readonly #problems: Problem[] = [];
  /** First row of every row id: what its inputs and expected outputs are. */
  readonly #firstRows = new Map<string, { row: ReadRow; index: number }>();
  readonly #feedbackIds = new Set<string>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** `lines`: where the rows are when they do not stand in `body`. */
  read(body: Slice, lines: Iterable<Slice> | null): ReadUpload {
    if (!isObjectSlice(this.#bytes, body)) throw refusal('body', [{ loc: [], msg: 'must be object', type: 'type' }]);
    const slices = memberMap(this.#bytes, body);
    const header = this.#object(slices, new Set(['results', 'summary_experiment_scores']));
    if (lines !== null) {
      if (slices.has('results')) this.#problem(['results'], 'must not stand in the first line: each row has a line of its own', 'unexpected');
      header['results'] = [];
    }
    this.#validate(UploadExperiment, header, []);
    const typed = header as unknown as UploadBody;

    const startUs = this.#time(header, 'experiment_start_time', []);
    const endUs = this.#time(header, 'experiment_end_time', []);
    if (startUs !== null && endUs !== null && endUs < startUs) this.#problem(['experiment_end_time'], 'must not be before experiment_start_time', 'time_order');
    const datasetId = this.#uuid(header, 'dataset_id', []);
    if (typed.dataset_id == null && typed.dataset_name == null) this.#problem(['dataset_id'], 'is required when dataset_name is not given', 'missing');
    for (const name of ['experiment_name', 'experiment_description', 'dataset_name', 'dataset_description']) this.#wellFormed(header, name, []);
    this.#bounds(header['experiment_metadata'], ['experiment_metadata']);

    const summarySlice = slices.get('summary_experiment_scores');
    const summary = this.#scores(summarySlice, ['summary_experiment_scores'], summarySlice === undefined ? undefined : parse(this.#bytes, summarySlice));
    const rows = this.#rows(lines ?? this.#elements(slices.get('results')), startUs, endUs);
    if (this.#problems.length > 0) throw refusal('body', this.#problems);
    return {
      experimentName: typed.experiment_name,
      description: typed.experiment_description ?? null,
      startUs: startUs!,
      endUs: endUs!,
      datasetId,
      datasetName: typed.dataset_name ?? null,
      datasetDescription: typed.dataset_description ?? null,
      metadata: this.#free(slices, 'experiment_metadata'),
      summary,
      rows,
    };
  }

  #elements(list: Slice | undefined): Iterable<Slice> {
    return list === undefined || !isArraySlice(this.#bytes, list) ? [] : elements(this.#bytes, list);
  }

  #rows(slices: Iterable<Slice>, fromUs: number | null, toUs: number | null): ReadRow[] {
    const rows: ReadRow[] = [];
    let index = 0;
    for (const slice of slices) {
      if (index >= LIMITS.uploadRowsMax) throw refusal('body', [{ loc: ['results'], msg: `must not have more than ${LIMITS.uploadRowsMax} rows`, type: 'too_long' }]);
      const row = this.#row(slice, index, fromUs, toUs);
      if (row !== null) rows.push(row);
      if (this.#problems.length >= LIMITS.problemsMax) throw refusal('body', this.#problems.slice(0, LIMITS.problemsMax));
      index += 1;
    }
    return rows;
  }

  /** Null when something is wrong with it. */
  #row(slice: Slice, index: number, fromUs: number | null, toUs: number | null): ReadRow | null {
    const at = ['results', index];
    const before = this.#problems.length;
    if (!isObjectSlice(this.#bytes, slice)) {
      parse(this.#bytes, slice);
      this.#problem(at, 'must be object', 'type');
      return null;
    }
    // One call of the parser for all of it; where the members lie is only needed for what is kept as bytes.
    const row = parse(this.#bytes, slice) as JsonObject;
    const slices = memberMap(this.#bytes, slice);
    const scoreValues = row['evaluation_scores'];
    if (Array.isArray(scoreValues)) row['evaluation_scores'] = [];
    this.#validate(UploadedRow, row, at);
    for (const name of ['inputs', 'expected_outputs', 'actual_outputs', 'run_metadata']) this.#bounds(row[name], [...at, name]);
    const rowId = this.#uuid(row, 'row_id', at);
    const startUs = this.#time(row, 'start_time', at);
    const endUs = this.#time(row, 'end_time', at);
    for (const [name, us] of [['start_time', startUs], ['end_time', endUs]] as const) {
      if (us !== null && fromUs !== null && us < fromUs) this.#problem([...at, name], 'must not be before experiment_start_time', 'time_range');
      if (us !== null && toUs !== null && us > toUs) this.#problem([...at, name], 'must not be after experiment_end_time', 'time_range');
    }
    if (startUs !== null && endUs !== null && endUs < startUs) this.#problem([...at, 'end_time'], 'must not be before start_time', 'time_order');
    this.#wellFormed(row, 'run_name', at);
    const scores = this.#scores(slices.get('evaluation_scores'), [...at, 'evaluation_scores'], scoreValues);
    if (this.#problems.length > before) return null;
    const typed = row as unknown as UploadedRowBody;
    const read: ReadRow = {
      rowId: rowId!,
      inputs: bytesOf(this.#bytes, slices.get('inputs')!),
      expected: this.#free(slices, 'expected_outputs'),
      actual: this.#free(slices, 'actual_outputs'),
      metadata: this.#free(slices, 'run_metadata'),
      error: this.#free(slices, 'error'),
      name: typed.run_name ?? null,
      startUs: startUs!,
      endUs: endUs!,
      scores,
    };
    return this.#checkRepetition(read, index) ? read : null;
  }

  /** A row id that comes again is another run of the same example, so the example must be the same. */
  #checkRepetition(row: ReadRow, index: number): boolean {
    const first = this.#firstRows.get(row.rowId);
    if (first === undefined) {
      this.#firstRows.set(row.rowId, { row, index });
      return true;
    }
    if (sameJson(first.row.inputs, row.inputs) && sameJson(first.row.expected, row.expected)) return true;
    this.#problem(['results', index, 'row_id'], `is the row_id of results.${first.index} too, whose inputs or expected_outputs are others`, 'row_conflict');
    return false;
  }

  /** `values` is what the bytes in `list` say. */
  #scores(list: Slice | undefined, at: Loc, values: unknown): ReadScore[] {
    const scores: ReadScore[] = [];
    if (list === undefined || !Array.isArray(values)) {
      if (list !== undefined && values !== null) this.#problem(at, 'must be array or null', 'type');
      return scores;
    }
    let index = 0;
    for (const slice of elements(this.#bytes, list)) {
      if (index >= LIMITS.uploadScoresMax) {
        this.#problem(at, `must not have more than ${LIMITS.uploadScoresMax} entries`, 'too_long');
        return scores;
      }
      const score = this.#score(slice, [...at, index], values[index]);
      if (score !== null) scores.push(score);
      if (this.#problems.length >= LIMITS.problemsMax) return scores;
      index += 1;
    }
    return scores;
  }

  #score(slice: Slice, at: Loc, value: unknown): ReadScore | null {
    const before = this.#problems.length;
    if (!isObject(value)) {
      this.#problem(at, 'must be object', 'type');
      return null;
    }
    const score = value;
    const slices = memberMap(this.#bytes, slice);
    this.#validate(UploadedFeedback, score, at);
    for (const name of ['score', 'value']) {
      if (typeof score[name] === 'number' && !Number.isFinite(score[name])) this.#problem([...at, name], 'must be a number that fits 64 bits', 'finite_number');
    }
    this.#finiteConfig(score['feedback_config'], [...at, 'feedback_config']);
    for (const name of ['value', 'correction', 'feedback_source', 'feedback_config', 'extra']) this.#bounds(score[name], [...at, name]);
    this.#wellFormed(score, 'key', at);
    const id = this.#uuid(score, 'id', at);
    if (id !== null && this.#feedbackIds.has(id)) this.#problem([...at, 'id'], 'comes twice', 'id_taken');
    if (id !== null) this.#feedbackIds.add(id);
    const read: ReadScore = {
      id,
      key: (score as unknown as UploadedFeedbackBody).key,
      score: this.#free(slices, 'score'),
      value: this.#free(slices, 'value'),
      comment: this.#free(slices, 'comment'),
      correction: this.#free(slices, 'correction'),
      source: this.#free(slices, 'feedback_source'),
      config: this.#free(slices, 'feedback_config'),
      extra: this.#free(slices, 'extra'),
      groupId: this.#uuid(score, 'feedback_group_id', at),
      comparativeId: this.#uuid(score, 'comparative_experiment_id', at),
      createdAtUs: this.#time(score, 'created_at', at),
      modifiedAtUs: this.#time(score, 'modified_at', at),
    };
    return this.#problems.length > before ? null : read;
  }

  #finiteConfig(config: unknown, at: Loc): void {
    if (typeof config !== 'object' || config === null) return;
    for (const name of ['min', 'max'] as const) {
      const bound = (config as JsonObject)[name];
      if (typeof bound === 'number' && !Number.isFinite(bound)) this.#problem([...at, name], 'must be a number that fits 64 bits', 'finite_number');
    }
  }

  /** The members as values, without those that are read one by one. */
  #object(slices: Map<string, Slice>, without: ReadonlySet<string>): JsonObject {
    const object: JsonObject = {};
    for (const [key, slice] of slices) {
      // A list that is read bit by bit is still a list to the validator.
      if (without.has(key)) object[key] = isArraySlice(this.#bytes, slice) ? [] : parse(this.#bytes, slice);
      else setOwn(object, key, parse(this.#bytes, slice));
    }
    return object;
  }

  #validate(validator: Validator<unknown>, value: unknown, at: Loc): void {
    if (validator(value)) return;
    const errors = validator.errors ?? [];
    for (const error of errors) {
      if (error.keyword !== 'anyOf' && !isOtherBranch(error, errors)) this.#problems.push(problemOf(error, at));
    }
  }

  #free(slices: Map<string, Slice>, name: string): JsonBytes | null {
    const slice = slices.get(name);
    if (slice === undefined) return null;
    const bytes = bytesOf(this.#bytes, slice);
    return bytes.byteLength === 4 && bytes[0] === 0x6e ? null : bytes;
  }

  #time(object: JsonObject, name: string, at: Loc): number | null {
    const text = object[name];
    if (typeof text !== 'string') return null;
    const us = parseMicros(text);
    if (us === null) this.#problem([...at, name], 'must be an ISO 8601 date-time between 1970 and 2199', 'datetime_parsing');
    return us;
  }

  #uuid(object: JsonObject, name: string, at: Loc): string | null {
    const text = object[name];
    if (typeof text !== 'string') return null;
    const id = canonicalUuid(text);
    if (id === null) this.#problem([...at, name], 'must be a UUID', 'uuid_parsing');
    return id;
  }

  /** Names are looked up and indexed, so they must be text that UTF-8 can carry. */
  #wellFormed(object: JsonObject, name: string, at: Loc): void {
    const text = object[name];
    if (typeof text === 'string' && LONE_SURROGATE.test(text)) this.#problem([...at, name], 'must not have a lone surrogate', 'unicode');
  }

  #bounds(value: unknown, at: Loc): void {
    const problem = boundsProblem(value);
    if (problem !== null) this.#problem(at, problem, 'too_large');
  }

  #problem(loc: Loc, msg: string, type: string): void {
    this.#problems.push({ loc: [...loc], msg, type });
  }
}

/** `must be null`, of a value that is an object with a mistake inside: null was not meant. */
function isOtherBranch(error: ValidationError, errors: readonly ValidationError[]): boolean {
  return error.keyword === 'type' && error.params['type'] === 'null' && errors.some((other) => other.instancePath.startsWith(`${error.instancePath}/`)
    || (other.instancePath === error.instancePath && other.keyword === 'required'));
}

/** The same JSON, whatever space stands in it. Another order of names, or another spelling of a number, is another value. */
export function sameJson(a: JsonBytes | null, b: JsonBytes | null): boolean {
  if (a === null || b === null) return a === b;
  return Buffer.compare(a, b) === 0 || compact(a) === compact(b);
}

function compact(bytes: JsonBytes): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
