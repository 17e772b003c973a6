import type { Problem } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { boundsProblem, setOwn, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { bytesOf, isObjectSlice, memberMap, parse, type Slice } from '../../base/json/slices.js';
import { parseMicros } from '../../base/micros.js';
import { findProblems, invalidRequest } from '../../base/request-problems.js';
import type { Validator } from '../../../schemas/validator.js';

/**
 * A JSON object of a request, checked by a validator. Free-form values keep the bytes that the client sent. All
 * problems are collected, so that the error names every one.
 */
export class RequestObject {
  readonly values: JsonObject = {};
  readonly problems: Problem[] = [];
  readonly #bytes: Uint8Array;
  readonly #slices: Map<string, Slice>;
  readonly #path: readonly (string | number)[];

  /** Throws MALFORMED_JSON, or INVALID_REQUEST if the value is not an object. */
  constructor(bytes: Uint8Array, slice: Slice, validator: Validator<unknown>, path: readonly (string | number)[] = []) {
    if (!isObjectSlice(bytes, slice)) {
      parse(bytes, slice);
      throw invalidRequest('body', [{ loc: [...path], msg: 'must be object', type: 'type' }]);
    }
    this.#bytes = bytes;
    this.#path = path;
    this.#slices = memberMap(bytes, slice);
    for (const [key, value] of this.#slices) setOwn(this.values, key, parse(bytes, value));
    this.problems.push(
      ...findProblems(validator, this.values).map((problem) => ({ ...problem, loc: [...path, ...problem.loc] })),
    );
  }

  /** Throws INVALID_REQUEST if there were problems. */
  finish(): void {
    if (this.problems.length > 0) throw invalidRequest('body', this.problems);
  }

  has(name: string): boolean {
    return this.#slices.has(name);
  }

  text(name: string): string | null {
    const value = this.values[name];
    if (typeof value !== 'string') return null;
    if (Buffer.from(value).toString() !== value) this.#problem(name, 'must not have a lone surrogate', 'unicode');
    return value;
  }

  uuid(name: string): string | null {
    const value = this.values[name];
    if (typeof value !== 'string') return null;
    const id = canonicalUuid(value);
    if (id === null) this.#problem(name, 'must be a UUID', 'uuid_parsing');
    return id;
  }

  /** Microseconds since 1970. A number in the request means milliseconds since 1970. */
  timeUs(name: string): number | null {
    const value = this.values[name];
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    const us = typeof value === 'string' ? parseMicros(value) : Math.round(value * 1_000);
    if (us !== null && us >= 0 && us <= LAST_US) return us;
    this.#problem(name, 'must be a date-time between 1970 and 2199', 'datetime_parsing');
    return null;
  }

  /** The raw JSON of the value. Null if the value is null or missing. */
  freeForm(name: string): JsonBytes | null {
    const slice = this.#slices.get(name);
    const value = this.values[name];
    if (slice === undefined || value === null) return null;
    const problem = boundsProblem(value);
    if (problem !== null) this.#problem(name, problem, 'too_large');
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#problem(name, 'must be a number that fits 64 bits', 'finite_number');
    return bytesOf(this.#bytes, slice);
  }

  #problem(name: string, msg: string, type: string): void {
    this.problems.push({ loc: [...this.#path, name], msg, type });
  }
}

const LAST_US = parseMicros('2199-12-31T23:59:59.999999Z')!;
