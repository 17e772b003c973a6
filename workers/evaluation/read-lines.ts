import { isUtf8 } from 'node:buffer';
import { fail } from '../../src/base/errors.js';
import {
  bytesOf,
  eachValue,
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  parse,
  type Slice,
} from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { parseMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { UsageField } from '../../src/domain/usage.js';
import type { IngestChange, RunChange } from '../../src/wire/evaluation/ingest.js';
import { readFeedback } from '../../src/wire/evaluation/read-feedback.js';
import { readJsonAttachments, type AttachmentWriter } from './attachments.js';
import { readRun, withUsage } from './read-run.js';

const USAGE_NAMES: readonly (readonly [UsageField, string])[] = [
  ['promptTokens', 'prompt_tokens'],
  ['completionTokens', 'completion_tokens'],
  ['totalTokens', 'total_tokens'],
  ['promptCost', 'prompt_cost'],
  ['completionCost', 'completion_cost'],
  ['totalCost', 'total_cost'],
];

/**
 * Reads the lines of an export of runs, each a run with its feedback and attachments. `project`: the project of all of
 * them; null: the one that each names. Throws MALFORMED_JSON, or INVALID_REQUEST with the number of the line from 0.
 */
export function readLines(body: Uint8Array, project: string | null, files: AttachmentWriter): IngestChange[] {
  if (!isUtf8(body)) throw fail('MALFORMED_JSON', { reason: 'the body is not valid UTF-8' });
  const changes: IngestChange[] = [];
  let line = 0;
  for (const slice of eachValue(body)) {
    if (line >= LIMITS.uploadRowsMax)
      throw invalidRequest('body', [
        { loc: [line], msg: `a request must not have more than ${LIMITS.uploadRowsMax} lines`, type: 'too_long' },
      ]);
    const run = readRun(body, slice, [line], { runId: null, whole: true });
    const members = memberMap(body, slice);
    const attachments = members.get('attachments');
    run.attachments = readJsonAttachments(
      attachments === undefined ? null : bytesOf(body, attachments),
      [line, 'attachments'],
      { skipUnreadable: false },
    ).map((file) => files.add(file));
    if (project !== null) [run.sessionId, run.sessionName] = [null, project];
    changes.push({ run: withStatedUsage(body, members, run) });
    const feedback = members.get('feedback');
    if (feedback !== undefined) changes.push(...feedbackIn(body, feedback, line, run.runId));
    line += 1;
  }
  return changes;
}

function feedbackIn(body: Uint8Array, list: Slice, line: number, runId: string): IngestChange[] {
  if (!isArraySlice(body, list)) {
    if (parse(body, list) === null) return [];
    throw invalidRequest('body', [{ loc: [line, 'feedback'], msg: 'must be array or null', type: 'type' }]);
  }
  return [...elements(body, list)].map((slice, at) => {
    if (!isObjectSlice(body, slice))
      throw invalidRequest('body', [{ loc: [line, 'feedback', at], msg: 'must be object', type: 'type' }]);
    return { feedback: { ...readFeedback(body, slice, [line, 'feedback', at]), runId, sessionId: null } };
  });
}

/** Tokens, costs and the time of the first token as the line states them. If it states none: as they are derived. */
function withStatedUsage(body: Uint8Array, members: ReadonlyMap<string, Slice>, run: RunChange): RunChange {
  const stated = (name: string): unknown => {
    const slice = members.get(name);
    return slice === undefined ? undefined : parse(body, slice);
  };
  const derived = withUsage(run);
  const values = USAGE_NAMES.map(([field, name]) => [field, stated(name)] as const);
  const first = stated('first_token_time');
  const firstTokenUs = typeof first === 'string' ? parseMicros(first) : first === null ? null : derived.firstTokenUs;
  if (values.every(([, value]) => value === undefined)) return { ...derived, firstTokenUs };
  for (const [field, value] of values)
    derived[field] = typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
  return { ...derived, firstTokenUs };
}
