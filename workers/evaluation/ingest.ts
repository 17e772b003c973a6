import { isUtf8 } from 'node:buffer';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import {
  bytesOf,
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  parse,
  wholeValue,
  type Slice,
} from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { boundsProblem } from '../../src/base/json/json.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { Reader } from '../../src/store/reader.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { ReceivedTraceSettings } from '../../src/wire/evaluation/evaluation.js';
import type { IngestChange, IngestResult, FromIngest, RunChange, ToIngest } from '../../src/wire/evaluation/ingest.js';
import { readFeedback } from '../../src/wire/evaluation/read-feedback.js';
import {
  addAttachment,
  AttachmentWriter,
  checkedAttachment,
  readJsonAttachments,
  type SentAttachment,
} from './attachments.js';
import { receiveBody, receiveType } from './body.js';
import { parseParts } from './multipart.js';
import { readSpans } from './otlp/read-spans.js';
import { readLines } from './read-lines.js';
import { SEPARATE_FIELDS, readRun, withUsage } from './read-run.js';
import { Slices } from './slices.js';

/**
 * Reads runs and feedback from a body. Validates the whole body first, then sends it in slices.
 */
export async function ingest(
  duplex: Duplex<FromIngest, ToIngest>,
  reader: Reader,
  settings: ReceivedTraceSettings,
): Promise<IngestResult> {
  const kind = await receiveType(duplex, 'kind');
  const body = await receiveBody(duplex, kind.encoding);
  const files = new AttachmentWriter();
  const spans =
    kind.kind === 'otlp'
      ? await readSpans(body, { isJson: !/protobuf/i.test(kind.contentType), project: kind.project, settings })
      : null;
  const changes =
    spans !== null
      ? spans.runs.map((run) => ({ run }))
      : kind.kind === 'lines'
        ? readLines(body, kind.project, files)
        : kind.kind === 'multipart'
          ? readMultipart(body, kind.contentType, files)
          : readJson(body, kind, files);
  for (const slice of splitIntoSlices(changes)) {
    duplex.send({ type: 'changes', changes: slice });
    const answer = await duplex.receive();
    if (answer.type !== 'more') throw fail('REQUEST_ABORTED', {});
  }
  if (files.count > 0) {
    duplex.send({ type: 'attachments' });
    const { group } = await receiveType(duplex, 'place');
    const slices = new Slices(duplex, reader.cipher);
    await files.write(group, slices, reader);
    await slices.finish();
  }
  return { changes: changes.length, refused: spans?.refused ?? null };
}

function readJson(
  body: Uint8Array,
  { kind, runId, whole }: ToIngest & { type: 'kind' },
  files: AttachmentWriter,
): IngestChange[] {
  if (!isUtf8(body)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  const value = wholeValue(body);
  const read = (
    slice: Slice,
    at: (string | number)[],
    known: { runId: string | null; whole: boolean },
  ): IngestChange => {
    const run = readRun(body, slice, at, known);
    const sent = memberMap(body, slice).get('attachments');
    run.attachments = readJsonAttachments(sent === undefined ? null : bytesOf(body, sent), [...at, 'attachments'], {
      skipUnreadable: true,
    }).map((file) => files.add(file));
    return { run: withUsage(run) };
  };
  if (kind === 'run') return [read(value, [], { runId, whole })];
  if (!isObjectSlice(body, value)) throw invalidRequest('body', [{ loc: [], msg: 'must be object', type: 'type' }]);
  const changes: IngestChange[] = [];
  const lists = memberMap(body, value);
  for (const [name, isWhole] of [
    ['post', true],
    ['patch', false],
  ] as const) {
    const list = lists.get(name);
    if (list === undefined || parse(body, list) === null) continue;
    if (!isArraySlice(body, list))
      throw invalidRequest('body', [{ loc: [name], msg: 'must be array or null', type: 'type' }]);
    for (const slice of elements(body, list))
      changes.push(read(slice, [name, changes.length], { runId: null, whole: isWhole }));
  }
  return changes;
}

/**
 * Evaluation-api.md, 4.3: parts are named `post.<id>`, `patch.<id>`, `<either>.<field>`, `feedback.<id>` and
 * `attachment.<id>.<name>`.
 */
function readMultipart(body: Uint8Array, contentType: string, files: AttachmentWriter): IngestChange[] {
  const changes: IngestChange[] = [];
  const runs = new Map<string, { run: RunChange }>();
  const apart: { name: string; of: string; field: (typeof SEPARATE_FIELDS)[number]; bytes: Uint8Array }[] = [];
  const sentOf = new Map<RunChange, SentAttachment[]>();
  const sent = new Map<string, { name: string; files: SentAttachment[] }>();
  for (const { name, bytes, contentType: mime } of parseParts(body, contentType)) {
    const [event, id, field, ...rest] = name.split('.');
    if (event === 'attachment' && id !== undefined && field !== undefined) {
      const known = sent.get(id) ?? { name, files: [] };
      sent.set(id, known);
      addAttachment(known.files, checkedAttachment([name], [field, ...rest].join('.'), mime, bytes), [name]);
      continue;
    }
    if (!isUtf8(bytes)) throw fail('MALFORMED_JSON', { reason: `part ${name} is not valid UTF-8` });
    if (event === 'feedback') changes.push({ feedback: readFeedback(bytes, wholeValue(bytes), [name]) });
    else if ((event === 'post' || event === 'patch') && id !== undefined && rest.length === 0) {
      const runId = canonicalUuid(id);
      if (runId === null)
        throw invalidRequest('body', [{ loc: [name], msg: 'must name a run by its UUID', type: 'uuid_parsing' }]);
      if (field === undefined) {
        const change = { run: readRun(bytes, wholeValue(bytes), [name], { runId, whole: event === 'post' }) };
        runs.set(`${event}.${runId}`, change);
        changes.push(change);
      } else if (isSeparateField(field)) apart.push({ name, of: `${event}.${runId}`, field, bytes });
      else
        throw invalidRequest('body', [
          { loc: [name], msg: `must end in one of ${SEPARATE_FIELDS.join(', ')}`, type: 'enum' },
        ]);
    } else
      throw invalidRequest('body', [
        {
          loc: [name],
          msg: 'is not a valid part name: use post.<id>, patch.<id>, feedback.<id> or attachment.<id>.<name>',
          type: 'enum',
        },
      ]);
  }
  for (const { name, of, field, bytes } of apart) {
    const change = runs.get(of);
    if (change === undefined)
      throw invalidRequest('body', [{ loc: [name], msg: `needs a part ${of}`, type: 'missing' }]);
    change.run[field] = freeField(bytes, name, field);
  }
  for (const [id, { name, files: ofRun }] of sent) {
    const runId = canonicalUuid(id);
    const change = runs.get(`post.${runId}`) ?? runs.get(`patch.${runId}`);
    if (change === undefined)
      throw invalidRequest('body', [{ loc: [name], msg: `needs a part post.${id} or patch.${id}`, type: 'missing' }]);
    sentOf.set(change.run, ofRun);
  }
  // Numbered in the order of the changes: a commit publishes the attachments of its changes and of those before.
  for (const { run } of changes)
    if (run !== undefined) run.attachments = (sentOf.get(run) ?? []).map((one) => files.add(one));
  return changes.map((change) => (change.run === undefined ? change : { run: withUsage(change.run) }));
}

function isSeparateField(field: string): field is (typeof SEPARATE_FIELDS)[number] {
  return (SEPARATE_FIELDS as readonly string[]).includes(field);
}

const SHAPES: Record<(typeof SEPARATE_FIELDS)[number], (value: unknown) => boolean> = {
  inputs: isRecord,
  outputs: isRecord,
  extra: isRecord,
  serialized: isRecord,
  events: Array.isArray,
  error: (value) => typeof value === 'string',
};

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function freeField(bytes: Uint8Array, name: string, field: (typeof SEPARATE_FIELDS)[number]): Uint8Array | null {
  const slice = wholeValue(bytes);
  const value = parse(bytes, slice);
  if (value === null) return null;
  const problem = SHAPES[field](value)
    ? boundsProblem(value)
    : `must be ${field === 'events' ? 'array' : field === 'error' ? 'string' : 'object'} or null`;
  if (problem !== null) throw invalidRequest('body', [{ loc: [name], msg: problem, type: 'type' }]);
  return bytes.subarray(slice.start, slice.end);
}

function* splitIntoSlices(changes: readonly IngestChange[]): Generator<IngestChange[]> {
  let slice: IngestChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    slice.push(change);
    for (const value of Object.values(change.run ?? change.feedback))
      if (value instanceof Uint8Array) bytes += value.byteLength;
    if (bytes < LIMITS.sliceBytes && slice.length < LIMITS.sliceChangesMax) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
