import { FeedbackCreate } from '../../../schemas/compiled/validators.js';
import type { Slice } from '../../base/json/slices.js';
import type { FeedbackChange } from './ingest.js';
import { ReadObject } from './read-values.js';

/** Feedback as clients send it, alone or in a batch. Throws MALFORMED_JSON or INVALID_REQUEST. */
export function readFeedback(bytes: Uint8Array, slice: Slice, at: readonly (string | number)[] = []): FeedbackChange {
  const read = new ReadObject(bytes, slice, FeedbackCreate, at);
  const runId = read.uuid('run_id');
  const sessionId = read.uuid('session_id') ?? read.uuid('project_id');
  if (runId === null && sessionId === null)
    read.problems.push({ loc: [...at, 'run_id'], msg: 'is required when session_id is not given', type: 'missing' });
  const extra = read.values['extra'] as { error?: unknown } | null | undefined;
  const change: FeedbackChange = {
    feedbackId: read.uuid('id'),
    runId,
    traceId: read.uuid('trace_id'),
    sessionId,
    key: read.text('key') ?? '',
    createdAtUs: read.time('created_at'),
    modifiedAtUs: read.time('modified_at'),
    error: read.values['error'] === true || extra?.error === true,
    comment: read.free('comment'),
    score: read.free('score'),
    value: read.free('value'),
    correction: read.free('correction'),
    source: read.free('feedback_source'),
    // JavaScript clients spell it this way (evaluation-api.md, trap 10).
    config: read.free('feedback_config') ?? read.free('feedbackConfig'),
    extra: read.free('extra'),
    groupId: read.uuid('feedback_group_id'),
    comparativeId: read.uuid('comparative_experiment_id'),
  };
  read.done();
  return change;
}
