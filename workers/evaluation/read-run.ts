import { RunIngest } from '../../schemas/compiled/validators.js';
import { traceOf } from '../../src/domain/dotted-order.js';
import type { Slice } from '../../src/base/json/slices.js';
import { canonicalUuid } from '../../src/base/ids.js';
import type { RunChange } from '../../src/wire/evaluation/ingest.js';
import { ReadObject } from '../../src/wire/evaluation/read-values.js';
import { firstTokenOf, NO_USAGE, usageOf } from './usage.js';

/** Fields that a multipart body may bring apart from the rest of the run. */
export const APART = ['inputs', 'outputs', 'events', 'extra', 'error', 'serialized'] as const;

/** A run as clients send it, whole or in part. Throws MALFORMED_JSON or INVALID_REQUEST. */
export function readRun(
  bytes: Uint8Array,
  slice: Slice,
  at: readonly (string | number)[],
  known: { runId: string | null; whole: boolean },
): RunChange {
  const read = new ReadObject(bytes, slice, RunIngest, at);
  const runId = known.runId ?? read.uuid('id');
  if (runId === null) read.problems.push({ loc: [...at, 'id'], msg: 'is required', type: 'missing' });
  const dottedOrder = read.text('dotted_order');
  const trace = dottedOrder === null ? null : traceOf(dottedOrder);
  const change: RunChange = {
    runId: runId ?? '',
    traceId: read.uuid('trace_id') ?? (trace === null ? null : canonicalUuid(trace)),
    parentRunId: read.uuid('parent_run_id'),
    name: read.text('name'),
    runType: read.text('run_type'),
    startUs: read.time('start_time'),
    endUs: read.time('end_time'),
    dottedOrder,
    exampleId: read.uuid('reference_example_id'),
    sessionId: read.uuid('session_id'),
    sessionName: read.text('session_name'),
    whole: known.whole,
    error: read.free('error'),
    tags: read.free('tags'),
    inputs: read.free('inputs'),
    outputs: read.free('outputs'),
    extra: read.free('extra'),
    events: read.free('events'),
    serialized: read.free('serialized'),
    firstTokenUs: null,
    ...NO_USAGE,
  };
  read.done();
  return change;
}

/** Adds what follows from the free-form fields, when all of them are there. */
export function withUsage(change: RunChange): RunChange {
  return { ...change, ...usageOf(change.outputs, change.extra), firstTokenUs: firstTokenOf(change.events) };
}
