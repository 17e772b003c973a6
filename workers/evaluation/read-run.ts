import { RunIngest } from '../../schemas/compiled/validators.js';
import { traceOf } from '../../src/domain/dotted-order.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import type { Slice } from '../../src/base/json/slices.js';
import { canonicalUuid } from '../../src/base/ids.js';
import type { RunChange } from '../../src/wire/evaluation/ingest.js';
import { RequestObject } from '../../src/wire/evaluation/request-object.js';
import { firstTokenOf, usageOf } from './usage.js';

/** Fields that a multipart body may send separately from the rest of the run. */
export const SEPARATE_FIELDS = ['inputs', 'outputs', 'events', 'extra', 'error', 'serialized'] as const;

/** Reads a run as clients send it, complete or partial. Throws MALFORMED_JSON or INVALID_REQUEST. */
export function readRun(
  bytes: Uint8Array,
  slice: Slice,
  at: readonly (string | number)[],
  known: { runId: string | null; whole: boolean },
): RunChange {
  const read = new RequestObject(bytes, slice, RunIngest, at);
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
    startUs: read.timeUs('start_time'),
    endUs: read.timeUs('end_time'),
    dottedOrder,
    exampleId: read.uuid('reference_example_id'),
    sessionId: read.uuid('session_id'),
    sessionName: read.text('session_name'),
    defaultProject: null,
    whole: known.whole,
    error: read.freeForm('error'),
    tags: read.freeForm('tags'),
    inputs: read.freeForm('inputs'),
    outputs: read.freeForm('outputs'),
    extra: read.freeForm('extra'),
    events: read.freeForm('events'),
    serialized: read.freeForm('serialized'),
    firstTokenUs: null,
    attachments: [],
    ...NO_USAGE,
  };
  read.finish();
  return change;
}

/** Adds the fields that are derived from the free-form ones. Call it when all of those are present. */
export function withUsage(change: RunChange): RunChange {
  return { ...change, ...usageOf(change.outputs, change.extra), firstTokenUs: firstTokenOf(change.events) };
}
