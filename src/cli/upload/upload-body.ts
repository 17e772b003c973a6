import { isUtf8 } from 'node:buffer';
import { canonicalUuid } from '../../base/ids.js';
import { asText, isObject, joinBytes, type JsonObject } from '../../base/json/json.js';
import { memberMap, wholeValue } from '../../base/json/slices.js';
import { LIMITS, KiB } from '../../base/limits.js';
import { isoMicros, parseMicros } from '../../base/micros.js';
import { CommandError } from '../client.js';
import { RowIds } from './row-ids.js';
import type { UploadItem } from './upload-item.js';

/** Values of the flags that describe the experiment; null for flags that are not set. */
export interface ExperimentFlags {
  dataset: string | null;
  datasetId: string | null;
  experiment: string | null;
  description: string | null;
  /** JSON text. */
  metadata: string | null;
}

export interface UploadBodyOptions {
  /** Name of the file, for messages. */
  file: string;
  items: AsyncIterable<UploadItem>;
  flags: ExperimentFlags;
  /** Name of the experiment if neither flags nor file have one. */
  defaultName: string;
  onProgress(this: void, bytesRead: number, rows: number): void;
}

const CHUNK_BYTES = 64 * KiB;
const ROWS_START = '{"results":[';

const ROW_EXAMPLE = `A row looks like this, on one line in a .jsonl file; only "inputs" is required:
{"inputs": {"question": "…"}, "expected_outputs": {"answer": "…"}, "actual_outputs": {"answer": "…"},
 "evaluation_scores": [{"key": "correct", "score": 1}], "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:02Z"}`;

/**
 * The body of an upload, generated while it is sent. The rows of the file come first, with missing fields added. The
 * fields of the experiment come last, because its times depend on all rows.
 */
export class UploadBody {
  readonly #items: AsyncIterable<UploadItem>;
  readonly #file: string;
  readonly #flags: ExperimentFlags;
  readonly #onProgress: UploadBodyOptions['onProgress'];
  readonly #rowIds = new RowIds();
  readonly #problems: string[] = [];
  readonly #startedAtUs = Date.now() * 1_000;
  /** Members of the body other than the rows, as JSON text. */
  #header = new Map<string, string>();
  /** The time for rows without times: of the previous row, else of the experiment, else now. */
  #rowTime = isoMicros(this.#startedAtUs);
  #showRowExample = false;
  #startUs = Infinity;
  #endUs = -Infinity;
  /** For each sent row, its line in the file. */
  readonly lines: number[] = [];
  /** Number of rows with a generated id, and of rows with a generated time. */
  generatedIds = 0;
  generatedTimes = 0;

  constructor({ file, items, flags, defaultName, onProgress }: UploadBodyOptions) {
    this.#file = file;
    this.#items = items;
    this.#flags = flags;
    this.#onProgress = onProgress;
    this.#header.set('experiment_name', JSON.stringify(defaultName));
  }

  /** Yields the JSON text in chunks. Reads the whole file, then throws CommandError if any row has a problem. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    let parts: (Uint8Array | string)[] = [ROWS_START];
    let size = 0;
    let headerIsComplete = false;
    for await (const item of this.#items) {
      if (item.kind === 'experiment') this.#readHeader(item);
      if (!headerIsComplete) this.#applyFlags();
      headerIsComplete = true;
      if (item.kind === 'experiment') continue;
      const row = this.#completeRow(item);
      if (this.#problems.length >= LIMITS.problemsMax) break;
      if (row === null || this.#problems.length > 0) continue;
      parts.push(this.lines.length === 0 ? '' : ',', ...row);
      this.lines.push(item.line);
      size += item.json.byteLength;
      if (size < CHUNK_BYTES) continue;
      yield joinBytes(parts);
      this.#onProgress(item.bytesRead, this.lines.length);
      parts = [];
      size = 0;
    }
    if (!headerIsComplete) this.#applyFlags();
    if (this.#problems.length > 0)
      throw new CommandError([...this.#problems, ...(this.#showRowExample ? [ROW_EXAMPLE] : [])].join('\n'));
    yield joinBytes([...parts, ...this.#footer()]);
  }

  #readHeader(item: UploadItem): void {
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

  /** Lets flags override the header of the file. Called when the header has been read. */
  #applyFlags(): void {
    const { dataset, datasetId, experiment, description, metadata } = this.#flags;
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
      throw new CommandError(`${this.#file} names no dataset. Name one with --dataset <name> or --dataset-id <uuid>.`);
    const timeJson = this.#header.get('experiment_start_time') ?? this.#header.get('experiment_end_time');
    const time: unknown = timeJson === undefined ? null : JSON.parse(timeJson);
    if (typeof time === 'string') this.#rowTime = time;
  }

  /** The text of a row with missing fields added, or null if the row has a problem. */
  #completeRow({ json, line }: UploadItem): (Uint8Array | string)[] | null {
    if (!isUtf8(json)) return this.#addProblem(line, 'not UTF-8');
    let row: unknown;
    try {
      row = JSON.parse(asText(json));
    } catch (error) {
      return this.#addProblem(line, `not valid JSON: ${(error as Error).message}`);
    }
    if (!isObject(row) || !Object.hasOwn(row, 'inputs')) {
      this.#showRowExample = true;
      return this.#addProblem(
        line,
        isObject(row)
          ? `a row needs "inputs"; this one has ${Object.keys(row).slice(0, 10).join(', ') || 'nothing'}`
          : 'a row must be an object',
      );
    }
    const added: string[] = [];
    if ((row['row_id'] ?? null) === null) {
      const inputs = memberMap(json, wholeValue(json)).get('inputs')!;
      added.push(`"row_id":"${this.#rowIds.idOf(json.subarray(inputs.start, inputs.end))}"`);
      this.generatedIds += 1;
    }
    added.push(...this.#addTimes(row));
    if (added.length === 0) return [json];
    // The added members go last: of duplicate names the last one counts, for the server as for JSON.parse.
    const end = Buffer.from(json.buffer, json.byteOffset, json.byteLength).lastIndexOf('}');
    return [json.subarray(0, end), ',', added.join(','), '}'];
  }

  /** Extends the times of the experiment by those of a row. Returns the times that the row lacks, as JSON members. */
  #addTimes(row: JsonObject): string[] {
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
    this.generatedTimes += 1;
    return [
      ...(start === null ? [`"start_time":${JSON.stringify(other)}`] : []),
      ...(end === null ? [`"end_time":${JSON.stringify(other)}`] : []),
    ];
  }

  /** The end of the body: the fields of the experiment. */
  *#footer(): Generator<string> {
    yield ']';
    const time = (us: number): string => JSON.stringify(isoMicros(Number.isFinite(us) ? us : this.#startedAtUs));
    const times = new Map([
      ['experiment_start_time', time(this.#startUs)],
      ['experiment_end_time', time(this.#endUs)],
    ]);
    for (const [key, value] of new Map([...times, ...this.#header])) yield `,${JSON.stringify(key)}:${value}`;
    yield '}';
  }

  #addProblem(line: number, text: string): null {
    this.#problems.push(`${this.#file}:${line}: ${text}`);
    return null;
  }
}

/** Validates the flags. Throws CommandError. */
export function parseExperimentFlags(flags: {
  dataset?: string;
  datasetId?: string;
  experiment?: string;
  description?: string;
  metadata?: string;
}): ExperimentFlags {
  const { dataset = null, datasetId = null, experiment = null, description = null, metadata = null } = flags;
  if (datasetId !== null && canonicalUuid(datasetId) === null)
    throw new CommandError(`--dataset-id: "${datasetId}" is not a UUID`);
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
