import { parse, type CsvError, type InfoRecord } from 'csv-parse/browser/esm';
import { pluralize } from '../../../components/format.js';
import { textPieces, type ReadOptions, type Row } from './rows.js';

/** Rows of a CSV file by the names in its first line, in groups. All cells are text. Throws if there are no names. */
export async function* csvRows(file: File, options: ReadOptions): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  let names: readonly string[] | null = null;
  let count = 0;
  const refused = (error: CsvError): void => {
    if (names === null) throw error;
    const line = Number(error['lines']);
    // One row can have several errors.
    if (rows.at(-1)?.line === line) return;
    count += 1;
    rows.push({ number: count, line, reason: reasonOf(error, names.length) });
  };
  let parser: Writer | null = null;
  let failure: unknown = null;
  for await (const piece of textPieces(file, options)) {
    if (parser === null) {
      parser = parse({
        delimiter: delimiterOf(piece),
        skip_empty_lines: true,
        // Rows with errors are skipped, so that all errors are found.
        skip_records_with_error: true,
        on_skip(error) {
          if (error !== undefined) refused(error);
          return undefined;
        },
        on_record(cells: string[], { lines }: InfoRecord) {
          if (names === null) names = checkNames(cells);
          else {
            const titles = names;
            count += 1;
            const value = Object.fromEntries(
              cells.flatMap((cell, at) => (titles[at] === '' ? [] : [[titles[at]!, cell]])),
            );
            rows.push({ number: count, line: lines, value });
          }
          return null;
        },
      }) as unknown as Writer;
      parser.on('error', (error) => (failure ??= error));
    }
    await new Promise<void>((resolve) => parser!.write(piece, () => resolve()));
    if (failure !== null) throw failure;
    yield rows;
    rows = [];
  }
  if (parser === null) return;
  await new Promise<void>((resolve) => {
    parser.on('end', () => resolve());
    parser.on('error', () => resolve());
    parser.resume();
    parser.end();
  });
  if (failure !== null) throw failure;
  yield rows;
}

/** The part of the parser that is used here. Its own types need those of Node. */
interface Writer {
  write(text: string, done: () => void): void;
  end(): void;
  resume(): void;
  on(event: 'end' | 'error', callback: (error?: unknown) => void): void;
}

function checkNames(cells: readonly string[]): readonly string[] {
  if (cells.every((name) => name.trim() === '')) throw new Error('The file has no column names in its first line.');
  const twice = cells.find((name, at) => name !== '' && cells.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`Two columns are named “${twice}”. Rename one of them in the file.`);
  return cells;
}

const DELIMITERS = [',', ';', '\t'];

/** The separator that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counts = DELIMITERS.map((one) => line.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

function reasonOf(error: CsvError, columns: number): string {
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return `The row has ${pluralize((error['record'] as unknown[]).length, 'cell')}, and the first line has ${columns}.`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quoted cell has no end: a quote is missing.';
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'Text follows after the closing quote of a cell. Write a quote in a cell twice.';
    case 'INVALID_OPENING_QUOTE':
      return 'A quote is inside of a cell without quotes. Put the whole cell into quotes.';
    default:
      return error.message;
  }
}
