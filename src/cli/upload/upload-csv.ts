import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse, type InfoRecord } from 'csv-parse';
import { CommandError } from '../client.js';
import type { UploadItem } from './upload-item.js';

const GROUP_MEMBERS: Record<string, string> = {
  inputs: 'inputs',
  expected_outputs: 'expected_outputs',
  expected: 'expected_outputs',
  actual_outputs: 'actual_outputs',
  outputs: 'actual_outputs',
  run_metadata: 'run_metadata',
  scores: 'evaluation_scores',
};
const TEXT_COLUMNS = ['start_time', 'end_time', 'row_id', 'run_name', 'error'];

/** A column: a member of the row and, if the member is a group, the name within it. */
interface Column {
  member: string;
  name: string | null;
}

/** Reads a CSV file (RFC 4180, commas) and yields rows in the JSON form of the upload. --help lists the columns. */
export async function* readCsv(file: string): AsyncGenerator<UploadItem> {
  let columns: Column[] | null = null;
  let crlfs = 0;
  try {
    for await (const { record, info } of readRecords(file)) {
      if (columns === null) {
        columns = columnsOf(file, record);
        continue;
      }
      // csv-parse reports the last line of a record, and counts CR LF inside quotes as two lines.
      const breaks = record.reduce((sum, cell) => sum + (cell.match(/[\r\n]/g)?.length ?? 0), 0);
      yield {
        kind: 'row',
        json: Buffer.from(rowJson(columns, record)),
        line: info.lines - breaks - crlfs,
        bytesRead: info.bytes,
      };
      crlfs += record.reduce((sum, cell) => sum + (cell.match(/\r\n/g)?.length ?? 0), 0);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(`${file}: ${error.message}`);
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new CommandError(`${file}: not UTF-8`);
    throw error;
  }
  if (columns === null)
    throw new CommandError(`${file}: the file is empty. Its first line must have the column names.`);
}

function readRecords(file: string): AsyncIterable<{ record: string[]; info: InfoRecord }> {
  return pipeline(
    createReadStream(file),
    decodeStrictly,
    parse({ bom: true, info: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] }),
    () => {
      // The loop over the parser throws the error.
    },
  );
}

/** Throws for bytes that are not UTF-8. csv-parse would replace them with U+FFFD. */
async function* decodeStrictly(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function columnsOf(file: string, titles: readonly string[]): Column[] {
  if (titles.length === 1 && /[;\t]/.test(titles[0]!))
    throw new CommandError(`${file}: the columns must be separated by commas.`);
  const known = (): string =>
    `Known columns: ${[...Object.keys(GROUP_MEMBERS).map((group) => `${group}.<name>`), ...TEXT_COLUMNS].join(', ')}.`;
  const columns = titles.map((title): Column => {
    const text = title.trim();
    if (TEXT_COLUMNS.includes(text)) return { member: text, name: null };
    const dot = text.indexOf('.');
    const group = text.slice(0, dot);
    if (dot < 1 || dot === text.length - 1 || !Object.hasOwn(GROUP_MEMBERS, group))
      throw new CommandError(`${file}: unknown column "${text}". ${known()}`);
    return { member: GROUP_MEMBERS[group]!, name: text.slice(dot + 1) };
  });
  const seen = new Set<string>();
  columns.forEach((column, at) => {
    const identity = JSON.stringify([column.member, column.name]);
    if (seen.has(identity)) throw new CommandError(`${file}: the column "${titles[at]}" occurs twice.`);
    seen.add(identity);
  });
  if (!columns.some(({ member }) => member === 'inputs'))
    throw new CommandError(`${file}: a column inputs.<name> is required. ${known()}`);
  return columns;
}

function rowJson(columns: readonly Column[], record: readonly string[]): string {
  const members = new Map<string, string[]>([['inputs', []]]);
  const texts: string[] = [];
  columns.forEach(({ member, name }, at) => {
    const cell = record[at]!;
    if (cell === '') return;
    if (name === null) texts.push(`${JSON.stringify(member)}:${JSON.stringify(cell)}`);
    else
      members.set(member, [
        ...(members.get(member) ?? []),
        member === 'evaluation_scores' ? scoreJson(name, cell) : `${JSON.stringify(name)}:${valueJson(cell)}`,
      ]);
  });
  const groups = [...members].map(
    ([member, parts]) =>
      `${JSON.stringify(member)}:${member === 'evaluation_scores' ? `[${parts.join(',')}]` : `{${parts.join(',')}}`}`,
  );
  return `{${[...groups, ...texts].join(',')}}`;
}

/** A JSON object or list is kept as it is written. Everything else becomes a JSON string. */
function valueJson(cell: string): string {
  const text = cell.trim();
  if (!/^[[{]/.test(text)) return JSON.stringify(cell);
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(cell);
  }
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function scoreJson(key: string, cell: string): string {
  const text = cell.trim();
  const score = JSON_NUMBER.test(text)
    ? text
    : NUMBER.test(text) && Number.isFinite(Number(text))
      ? JSON.stringify(Number(text))
      : /^(true|false)$/i.test(text)
        ? text.toLowerCase()
        : null;
  return `{"key":${JSON.stringify(key)},${score === null ? `"value":${JSON.stringify(cell)}` : `"score":${score}`}}`;
}
