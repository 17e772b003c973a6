import { parse as parseCsv, CsvError } from 'csv-parse/sync';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { boundsProblem, joinBytes, strictText, type JsonBytes } from '../../src/base/json/json.js';
import { bytesOf, isObjectSlice, memberMap, parse, eachValue } from '../../src/base/json/slices.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { NewDatasetRequest } from '../../src/wire/evaluation/example-writes.js';
import { parseParts } from './multipart.js';
import { readLines, type ExampleChange } from './read-examples.js';

/** A file sent as a form, with the mapping of its columns to the parts of an example. */
interface Form {
  columns: Record<Part, string[]>;
  file: { bytes: Uint8Array; lines: boolean };
  fileName: string | null;
  /** The other fields. */
  texts: ReadonlyMap<string, string>;
}

const PARTS = ['inputs', 'outputs', 'metadata'] as const;
type Part = (typeof PARTS)[number];
type Row = ReadonlyMap<string, JsonBytes>;

/**
 * `POST /datasets/upload` (evaluation-api.md, 3.2): creates a dataset from a CSV or JSON lines file. Throws
 * INVALID_REQUEST, MALFORMED_BODY.
 */
export function readFile(
  body: Uint8Array,
  contentType: string,
): { wish: NewDatasetRequest; datasetId: string | null; changes: ExampleChange[] } {
  const form = readForm(body, contentType);
  const { columns, fileName, texts } = form;
  if (columns.inputs.length === 0)
    throw invalidRequest('body', [{ loc: ['input_keys'], msg: 'is required', type: 'missing' }]);
  const name = texts.get('name') ?? fileName ?? '';
  if (name === '') throw invalidRequest('body', [{ loc: ['name'], msg: 'is required', type: 'missing' }]);
  const dataType = texts.get('data_type') ?? 'kv';
  if (dataType !== 'kv' && dataType !== 'llm' && dataType !== 'chat')
    throw invalidRequest('body', [{ loc: ['data_type'], msg: 'must be one of "kv", "llm", "chat"', type: 'enum' }]);
  const id = texts.get('id');
  const datasetId = id === undefined ? null : canonicalUuid(id);
  if (id !== undefined && datasetId === null)
    throw invalidRequest('body', [{ loc: ['id'], msg: 'must be a UUID', type: 'uuid_parsing' }]);
  return {
    datasetId,
    wish: { name, description: texts.get('description') ?? null, dataType },
    changes: changesOf(form),
  };
}

/**
 * The same file for a dataset that exists. Without names of columns, JSON lines and CSV are as an export writes them.
 * Throws INVALID_REQUEST, MALFORMED_BODY.
 */
export function readFileInto(body: Uint8Array, contentType: string): ExampleChange[] {
  const form = readForm(body, contentType);
  const { columns, file } = form;
  if (columns.inputs.length > 0) return changesOf(form);
  for (const part of ['outputs', 'metadata'] as const)
    if (columns[part].length > 0)
      throw invalidRequest('body', [{ loc: ['input_keys'], msg: 'is required', type: 'missing' }]);
  return file.lines ? readLines(file.bytes) : exportedChanges(file.bytes);
}

/** Takes the columns that the form names. */
function changesOf({ columns, file }: Form): ExampleChange[] {
  return (file.lines ? linesOf(file.bytes) : rowsOf(file.bytes)).map((row, at) => {
    const chosen = (names: readonly string[]): JsonBytes | null =>
      names.length === 0
        ? null
        : objectOf(
            names.map((name) => {
              const value = row.get(name);
              if (value === undefined)
                throw invalidRequest('body', [
                  { loc: ['file', at, name], msg: 'is a column that is missing in this row', type: 'missing' },
                ]);
              return [name, value];
            }),
          );
    return changeOf(chosen(columns.inputs), chosen(columns.outputs), chosen(columns.metadata));
  });
}

/** The rows of a CSV export: columns such as `inputs.question`. An empty cell is a value that is missing. */
function exportedChanges(bytes: Uint8Array): ExampleChange[] {
  return rowsOf(bytes).map((row, at) => {
    const part = (prefix: Part): JsonBytes | null => {
      const members = [...row].flatMap(([title, cell]) => {
        if (!title.startsWith(`${prefix}.`)) return [];
        const value = valueOfCell(cell);
        return value === null ? [] : [[title.slice(prefix.length + 1), value] as const];
      });
      return members.length === 0 ? null : objectOf(members);
    };
    const [inputs, outputs, metadata] = PARTS.map(part);
    if (inputs === null && ![...row.keys()].some((title) => title.startsWith('inputs.')))
      throw invalidRequest('body', [
        { loc: ['input_keys'], msg: 'is required, because no column begins with "inputs."', type: 'missing' },
      ]);
    if (inputs === null)
      throw invalidRequest('body', [{ loc: ['file', at, 'inputs'], msg: 'is required', type: 'missing' }]);
    return changeOf(inputs!, outputs!, metadata!);
  });
}

/** An apostrophe that an export puts before text that a spreadsheet would run. */
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r])/;
const JSON_CELL = /^(?:[[{]|-?\d|true$|false$)/;

/** Numbers, lists and objects are JSON in an export. Null for an empty cell. */
function valueOfCell(cell: JsonBytes): JsonBytes | null {
  const text = (JSON.parse(Buffer.from(cell).toString()) as string).replace(ESCAPED_FORMULA, '');
  if (text === '') return null;
  if (JSON_CELL.test(text)) {
    try {
      if (boundsProblem(JSON.parse(text)) === null) return Buffer.from(text);
    } catch {
      // It is text.
    }
  }
  return Buffer.from(JSON.stringify(text));
}

function changeOf(inputs: JsonBytes | null, outputs: JsonBytes | null, metadata: JsonBytes | null): ExampleChange {
  return {
    exampleId: null,
    datasetId: null,
    name: null,
    inputs,
    outputs,
    metadata,
    split: null,
    sourceRunId: null,
    createdAtUs: null,
    useSourceRun: false,
    sourceAttachments: [],
    attachments: [],
    operations: null,
  };
}

function readForm(body: Uint8Array, contentType: string): Form {
  const columns: Form['columns'] = { inputs: [], outputs: [], metadata: [] };
  const texts = new Map<string, string>();
  let file: Form['file'] | null = null;
  let fileName: string | null = null;
  for (const part of parseParts(body, contentType)) {
    if (part.name === 'file') {
      file = { bytes: part.bytes, lines: /json/i.test(part.contentType) || /\.jsonl?$/i.test(part.filename ?? '') };
      fileName = part.filename;
      continue;
    }
    const text = textOf(part.bytes, part.name);
    if (part.name === 'input_keys') columns.inputs.push(text);
    else if (part.name === 'output_keys') columns.outputs.push(text);
    else if (part.name === 'metadata_keys') columns.metadata.push(text);
    else texts.set(part.name, text);
  }
  if (file === null) throw invalidRequest('body', [{ loc: ['file'], msg: 'is required', type: 'missing' }]);
  return { columns, file, fileName, texts };
}

/** The rows of a CSV file by column. All cells are text. */
function rowsOf(bytes: Uint8Array): Row[] {
  try {
    const [titles = [], ...rows] = parseCsv(textOf(bytes, 'file'), { bom: true, skip_empty_lines: true }) as string[][];
    return rows.map((cells) => new Map(cells.map((cell, at) => [titles[at]!, Buffer.from(JSON.stringify(cell))])));
  } catch (error) {
    if (error instanceof CsvError)
      throw fail('MALFORMED_BODY', { reason: `has a file that is not CSV: ${error.message}` }, error);
    throw error;
  }
}

function linesOf(bytes: Uint8Array): Row[] {
  textOf(bytes, 'file');
  const rows: Row[] = [];
  for (const line of eachValue(bytes)) {
    parse(bytes, line);
    if (!isObjectSlice(bytes, line))
      throw invalidRequest('body', [{ loc: ['file', rows.length], msg: 'must be object', type: 'type' }]);
    rows.push(new Map([...memberMap(bytes, line)].map(([name, slice]) => [name, bytesOf(bytes, slice)])));
  }
  return rows;
}

function objectOf(members: readonly (readonly [string, JsonBytes])[]): JsonBytes {
  return joinBytes([
    ...members.flatMap(([name, value], at) => [`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`, value]),
    '}',
  ]);
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return strictText(bytes);
  } catch {
    throw fail('MALFORMED_BODY', { reason: `has a part ${name} that is not valid UTF-8` });
  }
}
