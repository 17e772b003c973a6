import type { JsonBytes } from '../../base/json/json.js';
import { USAGE_FIELDS, type Usage } from '../../domain/usage.js';
import type { RowWriter, ValuesOf } from './row-writer.js';
import { expandMarks, hasMarks, unpackTexts } from './shared-texts.js';
import { packItem, TwoPartItem } from './two-part-item.js';

/** A run of a trace: the output for one example, or one of its steps. Not a graph run on a thread (glossary). */
export interface EvaluationRun extends Usage {
  runId: string;
  traceId: string;
  parentRunId: string | null;
  name: string;
  runType: string;
  startUs: number;
  endUs: number | null;
  /** Start and id of every ancestor from the root, then its own. Null when that is only its own. */
  dottedOrder: string | null;
  exampleId: string | null;
  /** JSON text of a string; null without an error. JSON, because the string may not be valid UTF-8. */
  error: JsonBytes | null;
  firstTokenUs: number | null;
  receivedUs: number;
  inputs: JsonBytes | null;
  outputs: JsonBytes | null;
  extra: JsonBytes | null;
  tags: JsonBytes | null;
  events: JsonBytes | null;
  serialized: JsonBytes | null;
  /** See `unpackAttachments`. */
  attachments: JsonBytes | null;
}

/** Fields for statistics, sorting and joins, which can be read without the rest. */
export type RunHead = Pick<EvaluationRun, (typeof HEAD_FIELDS)[number]> & { failed: boolean };

const HEAD_FIELDS = [
  'runId',
  'traceId',
  'parentRunId',
  'name',
  'runType',
  'startUs',
  'endUs',
  'exampleId',
  'firstTokenUs',
  ...USAGE_FIELDS,
] as const satisfies readonly (keyof EvaluationRun)[];
const STORED_HEAD_FIELDS = [...HEAD_FIELDS, 'failed'] as const satisfies readonly (keyof RunHead)[];
const JSON_FIELDS = [
  'error',
  'inputs',
  'outputs',
  'extra',
  'tags',
  'events',
  'serialized',
  'attachments',
] as const satisfies readonly (keyof EvaluationRun)[];
const OTHER_FIELDS = ['receivedUs', 'dottedOrder'] as const satisfies readonly (keyof EvaluationRun)[];
const REST_FIELDS = [...OTHER_FIELDS, ...JSON_FIELDS] as const satisfies readonly (keyof EvaluationRun)[];

type JsonField = (typeof JSON_FIELDS)[number];

/** A run to be packed, whose JSON may still be text. */
export type TextRun = Omit<EvaluationRun, JsonField> & Record<JsonField, JsonBytes | string | null>;

/** Null in MessagePack. */
const NIL = 0xc0;
/** Length of `""`. */
const EMPTY_TEXT_BYTES = 2;

/** A root run stores no trace id, since it is its own. Ids take half of a small record. */
interface StoredHead extends Omit<RunHead, 'traceId'> {
  traceId: string | null;
}

const RUN_ITEM = new TwoPartItem<StoredHead, Pick<EvaluationRun, (typeof REST_FIELDS)[number]>>(
  STORED_HEAD_FIELDS,
  REST_FIELDS,
);

/** True for an error text. Some clients send an empty text for a run that succeeded. */
export function isError(error: JsonBytes | string | null): boolean {
  return error !== null && error.length > EMPTY_TEXT_BYTES;
}

/** The run as an item of a block. */
export function packEvaluationRun(run: TextRun): Uint8Array {
  return packItem((out) => writeEvaluationRun(out, run));
}

export function writeEvaluationRun(out: RowWriter, run: TextRun): void {
  const head: ValuesOf<StoredHead, typeof STORED_HEAD_FIELDS> = [
    run.runId,
    run.traceId === run.runId ? null : run.traceId,
    run.parentRunId,
    run.name,
    run.runType,
    run.startUs,
    run.endUs,
    run.exampleId,
    run.firstTokenUs,
    run.promptTokens,
    run.completionTokens,
    run.totalTokens,
    run.promptCost,
    run.completionCost,
    run.totalCost,
    isError(run.error),
  ];
  const rest: ValuesOf<TextRun, typeof REST_FIELDS> = [
    run.receivedUs,
    run.dottedOrder,
    run.error,
    run.inputs,
    run.outputs,
    run.extra,
    run.tags,
    run.events,
    run.serialized,
    run.attachments,
  ];
  RUN_ITEM.write(out, head, rest, OTHER_FIELDS.length);
}

/** `texts`: those that its inputs and outputs share with other steps (shared-texts.ts). With null, marks stay. */
export function unpackEvaluationRun(bytes: Uint8Array, texts: Uint8Array | null = null): EvaluationRun {
  const head: Omit<StoredHead, 'failed'> = RUN_ITEM.readHead(bytes, HEAD_FIELDS);
  const rest = RUN_ITEM.readRest(bytes);
  // Records of earlier releases have no attachments.
  rest.attachments ??= null;
  const { inputs, outputs } = rest;
  if (texts !== null && [inputs, outputs].some((json) => json !== null && hasMarks(json))) {
    const list = unpackTexts(texts);
    if (inputs !== null) rest.inputs = expandMarks(inputs, list);
    if (outputs !== null) rest.outputs = expandMarks(outputs, list);
  }
  return { ...head, traceId: head.traceId ?? head.runId, ...rest };
}

/** The attachments of a packed run, without reading the rest of a run that has none. */
export function attachmentsOfRun(bytes: Uint8Array): JsonBytes | null {
  // They are the last field, and no JSON ends with this byte.
  return bytes.at(-1) === NIL ? null : unpackEvaluationRun(bytes).attachments;
}

export function unpackRunHead(bytes: Uint8Array): RunHead {
  const head = RUN_ITEM.readHead(bytes);
  head.traceId ??= head.runId;
  return head as RunHead;
}
