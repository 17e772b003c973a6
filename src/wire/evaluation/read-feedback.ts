import { FeedbackCreate } from '../../../schemas/compiled/validators.js';
import type { Slice } from '../../base/json/slices.js';
import type { FeedbackChange } from './ingest.js';
import { RequestObject } from './request-object.js';

/** Reads feedback in the format of the API, alone or from a batch. Throws MALFORMED_JSON or INVALID_REQUEST. */
export function readFeedback(bytes: Uint8Array, slice: Slice, at: readonly (string | number)[] = []): FeedbackChange {
  const read = new RequestObject(bytes, slice, FeedbackCreate, at);
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
    createdAtUs: read.timeUs('created_at'),
    modifiedAtUs: read.timeUs('modified_at'),
    error: read.values['error'] === true || extra?.error === true,
    comment: read.freeForm('comment'),
    score: read.freeForm('score'),
    value: read.freeForm('value'),
    correction: read.freeForm('correction'),
    source: read.freeForm('feedback_source'),
    // JavaScript clients use this spelling (evaluation-api.md, trap 10).
    config: read.freeForm('feedback_config') ?? read.freeForm('feedbackConfig'),
    extra: read.freeForm('extra'),
    groupId: read.uuid('feedback_group_id'),
    comparativeId: read.uuid('comparative_experiment_id'),
  };
  read.finish();
  return change;
}
