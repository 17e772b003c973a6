import { exampleOf, guessUses, hasExportedColumns, isObject, type Mapping } from './examples.js';
import { jsonRows } from './json-rows.js';
import type { ReadOptions, Row, RowError } from './rows.js';

/** What is known of a file after it was read once. */
export interface FileSummary {
  file: File;
  isCsv: boolean;
  /** How many rows can be read. */
  rowCount: number;
  errorCount: number;
  /** The first errors. */
  errors: readonly RowError[];
  columns: readonly string[];
  /** The first rows that can be read. */
  firstRows: readonly ReadRow[];
  /** A first mapping. */
  mapping: Mapping;
}

export type ReadRow = Extract<Row, { value: unknown }>;

const LISTED_ERRORS_MAX = 10;
const PREVIEW_ROWS = 5;
const COLUMNS_MAX = 200;

/** Reads a file once and keeps little of it. Throws if it is no CSV and no JSON. */
export async function readSummary(file: File, options: ReadOptions): Promise<FileSummary> {
  const isCsv = !JSON_FILE.test(file.name);
  const columns = new Set<string>();
  const errors: RowError[] = [];
  const firstRows: ReadRow[] = [];
  const counts = { rows: 0, errors: 0 };
  const add = (row: Row): void => {
    if ('reason' in row) {
      counts.errors += 1;
      if (errors.length < LISTED_ERRORS_MAX) errors.push(row);
      return;
    }
    counts.rows += 1;
    if (firstRows.length < PREVIEW_ROWS) firstRows.push(row);
    for (const name of Object.keys(row.value)) columns.add(name);
  };
  for await (const rows of await rowsOf(file, options)) {
    for (const row of rows) add(row);
    if (columns.size > COLUMNS_MAX) throw new Error(`The rows have more than ${COLUMNS_MAX} columns.`);
  }
  if (counts.rows === 0 && counts.errors === 0) throw new Error('The file has no rows.');
  const names = [...columns];
  const isComplete = !isCsv && isObject(firstRows[0]?.value['inputs']);
  return {
    file,
    isCsv,
    rowCount: counts.rows,
    errorCount: counts.errors,
    errors,
    columns: names,
    firstRows,
    mapping: { uses: isComplete ? null : guessUses(names), readsCells: isCsv && hasExportedColumns(names) },
  };
}

export interface ExampleLines {
  /** JSON lines in the form of an export. */
  body: Blob;
  /** The number of the row in the file, for each line. */
  rowNumbers: readonly number[];
}

/** Rows that the mapping makes no example of, or that the server refuses. */
export class RowErrors extends Error {
  override readonly name = 'RowErrors';
  /** The first errors. */
  readonly errors: readonly RowError[];
  readonly count: number;
  /** Whether the file can be imported without these rows. */
  readonly canSkip: boolean;

  constructor(errors: readonly RowError[], count: number, { canSkip }: { canSkip: boolean }) {
    super('Some rows do not become examples.');
    this.errors = errors;
    this.count = count;
    this.canSkip = canSkip;
  }
}

/**
 * Reads a file again and makes an example of each row. Throws RowErrors if that is not possible for some of them,
 * unless `skipsErrors`.
 */
export async function readExamples(
  file: File,
  mapping: Mapping,
  { skipsErrors, ...options }: ReadOptions & { skipsErrors: boolean },
): Promise<ExampleLines> {
  const parts: Blob[] = [];
  const rowNumbers: number[] = [];
  const errors: RowError[] = [];
  let errorCount = 0;
  let lines: string[] = [];
  const add = (row: Row): void => {
    const made = 'reason' in row ? row : exampleOf(row.value, mapping);
    if ('reason' in made) {
      errorCount += 1;
      if (errors.length < LISTED_ERRORS_MAX) errors.push({ number: row.number, line: row.line, reason: made.reason });
      return;
    }
    rowNumbers.push(row.number);
    lines.push(`${JSON.stringify(made.example)}\n`);
  };
  for await (const rows of await rowsOf(file, options)) {
    for (const row of rows) add(row);
    // The browser keeps what is in a Blob outside of the memory of the page.
    parts.push(new Blob(lines));
    lines = [];
  }
  if (errorCount > 0 && !skipsErrors) throw new RowErrors(errors, errorCount, { canSkip: true });
  if (rowNumbers.length === 0) throw new Error('No row of the file becomes an example.');
  return { body: new Blob(parts), rowNumbers };
}

const JSON_FILE = /\.jsonl?$|\.ndjson$/i;

async function rowsOf(file: File, options: ReadOptions): Promise<AsyncIterable<Row[]>> {
  const read = JSON_FILE.test(file.name) ? jsonRows : (await import('./csv-rows.js')).csvRows;
  return read(file, options);
}
