import { parse as parseCsv, CsvError } from 'csv-parse/sync';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { joinBytes, strictText, type JsonBytes } from '../../src/base/json/json.js';
import { bytesOf, isObjectSlice, memberMap, parse, eachValue } from '../../src/base/json/slices.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { NewDatasetRequest } from '../../src/wire/evaluation/example-writes.js';
import { parseParts } from './multipart.js';
import type { ExampleChange } from './read-examples.js';

/** A file sent as a form, with the mapping of its columns to the parts of an example. */
interface Form {
  wish: NewDatasetRequest;
  datasetId: string | null;
  columns: Record<'inputs' | 'outputs' | 'metadata', string[]>;
  file: { bytes: Uint8Array; lines: boolean };
}

/**
 * `POST /datasets/upload` (evaluation-api.md, 3.2): creates a dataset from a CSV or JSON lines file. Throws
 * INVALID_REQUEST, MALFORMED_BODY.
 */
export function readFile(
  body: Uint8Array,
  contentType: string,
): { wish: NewDatasetRequest; datasetId: string | null; changes: ExampleChange[] } {
  const form = readForm(body, contentType);
  const rows = form.file.lines ? linesOf(form.file.bytes) : rowsOf(form.file.bytes);
  const changes: ExampleChange[] = [];
  for (const [at, row] of rows.entries()) {
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
    changes.push({
      exampleId: null,
      datasetId: null,
      name: null,
      inputs: chosen(form.columns.inputs),
      outputs: chosen(form.columns.outputs),
      metadata: chosen(form.columns.metadata),
      split: null,
      sourceRunId: null,
      createdAtUs: null,
      useSourceRun: false,
      sourceAttachments: [],
      attachments: [],
      operations: null,
    });
  }
  return { wish: form.wish, datasetId: form.datasetId, changes };
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
  return { columns, file, datasetId, wish: { name, description: texts.get('description') ?? null, dataType } };
}

/** The rows of a CSV file by column. All cells are text. */
function rowsOf(bytes: Uint8Array): Map<string, JsonBytes>[] {
  try {
    const [titles = [], ...rows] = parseCsv(textOf(bytes, 'file'), { bom: true, skip_empty_lines: true }) as string[][];
    return rows.map((cells) => new Map(cells.map((cell, at) => [titles[at]!, Buffer.from(JSON.stringify(cell))])));
  } catch (error) {
    if (error instanceof CsvError)
      throw fail('MALFORMED_BODY', { reason: `has a file that is not CSV: ${error.message}` }, error);
    throw error;
  }
}

function linesOf(bytes: Uint8Array): Map<string, JsonBytes>[] {
  textOf(bytes, 'file');
  const rows: Map<string, JsonBytes>[] = [];
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
