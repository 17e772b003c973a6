import { isUtf8 } from 'node:buffer';
import { canonicalUuid } from '../../base/ids.js';
import { asText, isObject, joinBytes, type JsonObject } from '../../base/json/json.js';
import { memberMap, wholeValue } from '../../base/json/slices.js';
import { LIMITS, KiB } from '../../base/limits.js';
import { isoMicros, parseMicros } from '../../base/micros.js';
import { CommandError } from '../client.js';
import { RowIds } from './row-ids.js';
import type { Item } from './upload-file.js';

/** What the flags say; null where they say nothing. */
export interface Named {
  dataset: string | null;
  datasetId: string | null;
  experiment: string | null;
  description: string | null;
  /** JSON text. */
  metadata: string | null;
}

const CHUNK_BYTES = 64 * KiB;
const OPENING = '{"results":[';

const SHAPE = `A row looks like this, on one line in a .jsonl file; only "inputs" is required:
{"inputs": {"question": "…"}, "expected_outputs": {"answer": "…"}, "actual_outputs": {"answer": "…"},
 "evaluation_scores": [{"key": "correct", "score": 1}], "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:02Z"}`;

/**
 * Body of an upload, made while it is sent: rows first, as the file has them, and what they lack added; then the rest,
 * for only then the times of all rows are known.
 */
export class UploadBody {
  readonly #items: AsyncIterable<Item>;
  readonly #file: string;
  readonly #named: Named;
  readonly #progress: (read: number, rows: number) => void;
  readonly #ids = new RowIds();
  readonly #problems: string[] = [];
  readonly #nowUs = Date.now() * 1_000;
  /** Raw members of the body but for the rows. */
  #header = new Map<string, string>();
  /** For a row without times: that of the row before, else of the experiment, else the present. */
  #rowTime = isoMicros(this.#nowUs);
  #shapeIsUnclear = false;
  #startUs = Infinity;
  #endUs = -Infinity;
  /** Line of every row that was sent. */
  readonly lines: number[] = [];
  /** Rows that got a made-up id, and made-up times. */
  madeIds = 0;
  madeTimes = 0;

  /** `otherName` is what an experiment is called that nobody has named. */
  constructor(
    file: string,
    items: AsyncIterable<Item>,
    named: Named,
    otherName: string,
    progress: (read: number, rows: number) => void,
  ) {
    this.#file = file;
    this.#items = items;
    this.#named = named;
    this.#progress = progress;
    this.#header.set('experiment_name', JSON.stringify(otherName));
  }

  /** JSON text in pieces. Throws CommandError naming what is wrong with the file, after all of it was looked at. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    let parts: (Uint8Array | string)[] = [OPENING];
    let size = 0;
    let opened = false;
    for await (const item of this.#items) {
      if (item.kind === 'experiment') this.#takeHeader(item);
      if (!opened) this.#open();
      opened = true;
      if (item.kind === 'experiment') continue;
      const row = this.#row(item);
      if (this.#problems.length >= LIMITS.problemsMax) break;
      if (row === null || this.#problems.length > 0) continue;
      parts.push(this.lines.length === 0 ? '' : ',', ...row);
      this.lines.push(item.line);
      size += item.json.byteLength;
      if (size < CHUNK_BYTES) continue;
      yield joinBytes(parts);
      this.#progress(item.read, this.lines.length);
      parts = [];
      size = 0;
    }
    if (!opened) this.#open();
    if (this.#problems.length > 0)
      throw new CommandError([...this.#problems, ...(this.#shapeIsUnclear ? [SHAPE] : [])].join('\n'));
    yield joinBytes([...parts, ...this.#rest()]);
  }

  #takeHeader(item: Item): void {
    if (!isUtf8(item.json)) throw new CommandError(`${this.#file}:${item.line}: not UTF-8`);
    for (const [key, slice] of memberMap(item.json, wholeValue(item.json))) {
      const text = asText(item.json.subarray(slice.start, slice.end));
      if (key === 'results' || key === 'kind' || text === 'null') continue;
      try {
        JSON.parse(text);
      } catch (error) {
        throw new CommandError(`${this.#file}:${item.line}: ${key}: not valid JSON: ${(error as Error).message}`);
      }
      this.#header.set(key, text);
    }
  }

  /** Once it is known whether the file says something of the experiment. */
  #open(): void {
    const { dataset, datasetId, experiment, description, metadata } = this.#named;
    const set = (key: string, value: string | null): void => {
      if (value !== null) this.#header.set(key, value);
    };
    if (dataset !== null || datasetId !== null)
      for (const key of ['dataset_name', 'dataset_id']) this.#header.delete(key);
    set('dataset_name', dataset === null ? null : JSON.stringify(dataset));
    set('dataset_id', datasetId === null ? null : JSON.stringify(datasetId));
    set('experiment_name', experiment === null ? null : JSON.stringify(experiment));
    set('experiment_description', description === null ? null : JSON.stringify(description));
    set('experiment_metadata', metadata);
    if (!this.#header.has('dataset_name') && !this.#header.has('dataset_id'))
      throw new CommandError(`Which dataset? Say --dataset <name> or --dataset-id <uuid>; ${this.#file} names none.`);
    const told = this.#header.get('experiment_start_time') ?? this.#header.get('experiment_end_time');
    const time: unknown = told === undefined ? null : JSON.parse(told);
    if (typeof time === 'string') this.#rowTime = time;
  }

  /** The text of a row and what it lacks, or null when something is wrong with it. */
  #row({ json, line }: Item): (Uint8Array | string)[] | null {
    if (!isUtf8(json)) return this.#problem(line, 'not UTF-8');
    let row: unknown;
    try {
      row = JSON.parse(asText(json));
    } catch (error) {
      return this.#problem(line, `not valid JSON: ${(error as Error).message}`);
    }
    if (!isObject(row) || !Object.hasOwn(row, 'inputs')) {
      this.#shapeIsUnclear = true;
      return this.#problem(
        line,
        isObject(row)
          ? `a row needs "inputs"; this one has ${Object.keys(row).slice(0, 10).join(', ') || 'nothing'}`
          : 'a row must be an object',
      );
    }
    const added: string[] = [];
    if ((row['row_id'] ?? null) === null) {
      const inputs = memberMap(json, wholeValue(json)).get('inputs')!;
      added.push(`"row_id":"${this.#ids.idOf(json.subarray(inputs.start, inputs.end))}"`);
      this.madeIds += 1;
    }
    added.push(...this.#times(row));
    if (added.length === 0) return [json];
    // Of a name that comes twice the last counts, for the server as for JSON.parse.
    const end = Buffer.from(json.buffer, json.byteOffset, json.byteLength).lastIndexOf('}');
    return [json.subarray(0, end), ',', added.join(','), '}'];
  }

  /** Counts the times of a row in; returns those that it lacks. */
  #times(row: JsonObject): string[] {
    const start = row['start_time'] ?? null;
    const end = row['end_time'] ?? null;
    const other = start ?? end ?? this.#rowTime;
    for (const time of [start ?? other, end ?? other]) {
      const us = typeof time === 'string' ? parseMicros(time) : null;
      if (us === null) continue;
      this.#rowTime = time as string;
      this.#startUs = Math.min(this.#startUs, us);
      this.#endUs = Math.max(this.#endUs, us);
    }
    if (start !== null && end !== null) return [];
    this.madeTimes += 1;
    return [
      ...(start === null ? [`"start_time":${JSON.stringify(other)}`] : []),
      ...(end === null ? [`"end_time":${JSON.stringify(other)}`] : []),
    ];
  }

  *#rest(): Generator<string> {
    yield ']';
    const time = (us: number): string => JSON.stringify(isoMicros(Number.isFinite(us) ? us : this.#nowUs));
    const times = new Map([
      ['experiment_start_time', time(this.#startUs)],
      ['experiment_end_time', time(this.#endUs)],
    ]);
    for (const [key, value] of new Map([...times, ...this.#header])) yield `,${JSON.stringify(key)}:${value}`;
    yield '}';
  }

  #problem(line: number, text: string): null {
    this.#problems.push(`${this.#file}:${line}: ${text}`);
    return null;
  }
}

/** The flags, checked. Throws CommandError. */
export function namedBy(flags: {
  dataset?: string;
  datasetId?: string;
  experiment?: string;
  description?: string;
  metadata?: string;
}): Named {
  const { dataset = null, datasetId = null, experiment = null, description = null, metadata = null } = flags;
  if (datasetId !== null && canonicalUuid(datasetId) === null)
    throw new CommandError(`--dataset-id: "${datasetId}" is no UUID`);
  for (const [flag, value] of [
    ['--dataset', dataset],
    ['--experiment', experiment],
  ] as const)
    if (value === '') throw new CommandError(`${flag}: must not be empty`);
  if (metadata !== null && !isJsonObject(metadata))
    throw new CommandError('--metadata: must be a JSON object, such as {"model": "small"}');
  return { dataset, datasetId, experiment, description, metadata };
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
