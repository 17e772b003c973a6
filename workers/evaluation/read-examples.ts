import { isUtf8 } from 'node:buffer';
import { ExampleWrite } from '../../schemas/compiled/validators.js';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { boundsProblem, joinBytes, type JsonBytes } from '../../src/base/json/json.js';
import { elements, isArraySlice, isObjectSlice, parse, wholeValue, type Slice } from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { RequestObject } from '../../src/wire/evaluation/request-object.js';
import {
  addAttachment,
  checkAttachmentName,
  checkedAttachment,
  readJsonAttachments,
  type SentAttachment,
} from './attachments.js';
import { parseParts } from './multipart.js';

/** An example as sent, complete or partial. Null means that a field was not sent. */
export interface ExampleChange {
  exampleId: string | null;
  datasetId: string | null;
  name: string | null;
  inputs: JsonBytes | null;
  outputs: JsonBytes | null;
  metadata: JsonBytes | null;
  split: string[] | null;
  sourceRunId: string | null;
  createdAtUs: number | null;
  useSourceRun: boolean;
  /** Names of the attachments to copy from the source run. */
  sourceAttachments: string[];
  attachments: SentAttachment[];
  /** What becomes of the attachments of the version before. Null keeps them. */
  operations: AttachmentOperations | null;
}

export interface AttachmentOperations {
  /** Names of attachments to keep. */
  retain: string[];
  /** New names of attachments, by their old names. */
  rename: [from: string, to: string][];
  /** Place in the body, for errors. */
  loc: Loc;
}

type Loc = readonly (string | number)[];

function readExample(bytes: Uint8Array, slice: Slice, at: Loc, exampleId: string | null): ExampleChange {
  const read = new RequestObject(bytes, slice, ExampleWrite, at);
  const { split } = read.values as { split?: string | string[] | null };
  const change: ExampleChange = {
    exampleId: exampleId ?? read.uuid('id'),
    datasetId: read.uuid('dataset_id'),
    name: read.text('name'),
    inputs: read.freeForm('inputs'),
    outputs: read.freeForm('outputs'),
    metadata: read.freeForm('metadata'),
    split: split === undefined || split === null ? null : [split].flat(),
    sourceRunId: read.uuid('source_run_id'),
    createdAtUs: read.timeUs('created_at'),
    useSourceRun: read.values['use_source_run_io'] === true,
    sourceAttachments: [],
    attachments: [],
    operations: null,
  };
  const [attachments, operations] = [read.freeForm('attachments'), read.freeForm('attachments_operations')];
  read.finish();
  change.sourceAttachments = (read.values['use_source_run_attachments'] as string[] | null | undefined) ?? [];
  change.attachments = readJsonAttachments(attachments, [...at, 'attachments'], { skipUnreadable: false });
  if (operations !== null)
    change.operations = operationsOf(read.values['attachments_operations'] as OperationsBody, [
      ...at,
      'attachments_operations',
    ]);
  return change;
}

interface OperationsBody {
  retain?: string[] | null;
  rename?: Record<string, string> | null;
}

function operationsOf({ retain, rename }: OperationsBody, loc: Loc): AttachmentOperations {
  const renamed = Object.entries(rename ?? {});
  for (const [from, to] of renamed) checkAttachmentName([...loc, 'rename', from], to);
  return { retain: retain ?? [], rename: renamed, loc };
}

/** Reads one example or a list. Throws MALFORMED_JSON, INVALID_REQUEST. */
export function readExamples(body: Uint8Array, many: boolean, exampleId: string | null): ExampleChange[] {
  const value = wholeBody(body);
  if (!many) return [readExample(body, value, [], exampleId)];
  if (!isArraySlice(body, value)) throw invalidRequest('body', [{ loc: [], msg: 'must be array', type: 'type' }]);
  const changes: ExampleChange[] = [];
  for (const slice of elements(body, value)) {
    changes.push(readExample(body, slice, [changes.length], null));
    if (changes.length > LIMITS.uploadRowsMax)
      throw invalidRequest('body', [
        { loc: [], msg: `must not have more than ${LIMITS.uploadRowsMax} examples`, type: 'too_long' },
      ]);
  }
  return changes;
}

/** Reads one example per line and skips empty lines. Places in errors are line numbers from 0. */
export function readLines(body: Uint8Array): ExampleChange[] {
  if (!isUtf8(body)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  const changes: ExampleChange[] = [];
  let start = 0;
  for (let line = 0; start < body.length; line += 1) {
    const found = body.indexOf(0x0a, start);
    const end = found === -1 ? body.length : found;
    const bytes = body.subarray(start, end);
    if (Buffer.from(bytes).toString().trim() !== '') changes.push(readExample(bytes, wholeValue(bytes), [line], null));
    start = end + 1;
  }
  return changes;
}

/**
 * Evaluation-api.md, 4.2: parts are `<id>` with the small fields, `<id>.inputs`, `<id>.outputs`,
 * `<id>.attachment.<name>` and `<id>.attachments_operations`.
 */
export function readParts(body: Uint8Array, contentType: string): ExampleChange[] {
  const changes = new Map<string, ExampleChange>();
  for (const { name, bytes, contentType: mime } of parseParts(body, contentType)) {
    const [id, field, ...rest] = name.split('.');
    const exampleId = canonicalUuid(id!);
    if (exampleId === null)
      throw invalidRequest('body', [{ loc: [name], msg: 'must name an example by its UUID', type: 'uuid_parsing' }]);
    if (field === undefined) {
      changes.set(exampleId, {
        ...readExample(bytes, wholeBody(bytes), [name], exampleId),
        inputs: null,
        outputs: null,
      });
      continue;
    }
    const change = changes.get(exampleId);
    if (change === undefined)
      throw invalidRequest('body', [{ loc: [name], msg: `must come after the part ${id}`, type: 'missing' }]);
    if ((field === 'inputs' || field === 'outputs') && rest.length === 0) change[field] = freePart(bytes, name);
    // The OpenAPI document of the API calls the part `attachments`, the clients `attachment`.
    else if ((field === 'attachment' || field === 'attachments') && rest.length > 0)
      addAttachment(change.attachments, checkedAttachment([name], rest.join('.'), mime, bytes), [name]);
    else if (field === 'attachments_operations' && rest.length === 0)
      change.operations = readOperationsPart(bytes, name);
    else
      throw invalidRequest('body', [
        {
          loc: [name],
          msg:
            'is not a valid part name: use <id>, <id>.inputs, <id>.outputs, <id>.attachment.<name> or ' +
            '<id>.attachments_operations',
          type: 'enum',
        },
      ]);
  }
  return [...changes.values()];
}

function readOperationsPart(bytes: Uint8Array, name: string): AttachmentOperations {
  const json = joinBytes([
    '{"attachments_operations":',
    bytes.subarray(wholeBody(bytes).start, wholeBody(bytes).end),
    '}',
  ]);
  const read = new RequestObject(json, wholeValue(json), ExampleWrite, [name]);
  read.finish();
  return operationsOf((read.values['attachments_operations'] ?? {}) as OperationsBody, [name]);
}

function freePart(bytes: Uint8Array, name: string): JsonBytes | null {
  const slice = wholeBody(bytes);
  const value = parse(bytes, slice);
  if (value === null) return null;
  const problem = isObjectSlice(bytes, slice) ? boundsProblem(value) : 'must be object or null';
  if (problem !== null) throw invalidRequest('body', [{ loc: [name], msg: problem, type: 'type' }]);
  return bytes.subarray(slice.start, slice.end);
}

export function wholeBody(bytes: Uint8Array): Slice {
  if (!isUtf8(bytes)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  return wholeValue(bytes);
}
