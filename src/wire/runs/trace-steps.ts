import { NO_USAGE } from '../../domain/usage.js';
import { RowWriter } from '../evaluation/row-writer.js';
import { writeEvaluationRun, type TextRun } from '../evaluation/evaluation-run.js';
import { RunItem } from '../evaluation/run-item.js';

/**
 * Steps of a run on their way from a graph worker to the store. The worker packs each as it is stored, so that the main
 * thread only copies it. Before each is a header: flags, start and end in microseconds since 1970, the id, and the
 * number of bytes that follow. Before the steps are the texts that they share, and their length.
 */

/** A step is sent once complete, or when it has begun and again when it has ended. The first step is the run itself. */
export interface TraceStep {
  item: RunItem;
  /** Its beginning was sent before. Only `endUs`, `firstTokenUs`, the usage, outputs and the error are new. */
  isEndOnly: boolean;
}

/** The fields that a step gets when it ends, and those that steps of graphs do not have. */
export const NOT_ENDED = {
  ...{ endUs: null, firstTokenUs: null, outputs: null, error: null },
  ...NO_USAGE,
  ...{ exampleId: null, events: null, serialized: null, attachments: null },
} as const;

const IS_ROOT = 1;
const IS_END_ONLY = 2;
/** End of a step that executes. */
const NO_END = -1;
const ID_CHARS = 36;
const START_AT = 1;
const END_AT = 9;
const ID_AT = 17;
const LENGTH_AT = ID_AT + ID_CHARS;
const UINT32_BYTES = 4;
const HEADER_BYTES = LENGTH_AT + UINT32_BYTES;

const writer = new RowWriter();
const header = Buffer.alloc(LENGTH_AT);

/**
 * A step without metadata is one whose beginning was sent before. `texts`: JSON to which marks in their inputs and
 * outputs refer (shared-texts.ts). The bytes are valid until the next call.
 */
export function packSteps(steps: readonly TextRun[], texts: readonly string[]): Uint8Array {
  writer.clear();
  const textsLength = writer.reserveUint32();
  if (texts.length > 0) writer.writeRow(texts, 0);
  writer.fillUint32(textsLength, writer.length - UINT32_BYTES);
  for (const step of steps) {
    header[0] = (step.parentRunId === null ? IS_ROOT : 0) | (step.extra === null ? IS_END_ONLY : 0);
    header.writeDoubleLE(step.startUs, START_AT);
    header.writeDoubleLE(step.endUs ?? NO_END, END_AT);
    header.write(step.runId, ID_AT, 'latin1');
    writer.writeBytes(header);
    const length = writer.reserveUint32();
    const start = writer.length;
    writeEvaluationRun(writer, step);
    writer.fillUint32(length, writer.length - start);
  }
  return writer.slice(0, writer.length);
}

/** The opposite of `packSteps`. The items are views into `bytes`. */
export function unpackSteps(traceId: string, bytes: Uint8Array): TraceStep[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps: TraceStep[] = [];
  const textsEnd = UINT32_BYTES + source.readUInt32LE(0);
  const texts = textsEnd === UINT32_BYTES ? null : source.subarray(UINT32_BYTES, textsEnd);
  for (let at = textsEnd; at < source.byteLength;) {
    const flags = source[at]!;
    const endUs = source.readDoubleLE(at + END_AT);
    const start = at + HEADER_BYTES;
    const end = start + source.readUInt32LE(at + LENGTH_AT);
    const known = {
      runId: source.toString('latin1', at + ID_AT, at + LENGTH_AT),
      traceId,
      isRoot: (flags & IS_ROOT) !== 0,
      startUs: source.readDoubleLE(at + START_AT),
      endUs: endUs === NO_END ? null : endUs,
    };
    const item = RunItem.packed(known, source.subarray(start, end), texts);
    steps.push({ item, isEndOnly: (flags & IS_END_ONLY) !== 0 });
    at = end;
  }
  return steps;
}
