import { randomUUID } from 'node:crypto';
import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { asText } from '../../base/json/json.js';
import { findEvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import { putShare, removeShare, shareByToken, shareOf, type ShareRecord } from '../../store/evaluation/shares.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { EvaluationContext } from './context.js';

/** What can be shared, as a caller sees it. */
export type ShareSubject = Pick<ShareRecord, 'kind' | 'subjectId' | 'generation'>;

/** Throws DATASET_NOT_FOUND. */
export function datasetSubject(evaluation: EvaluationContext, caller: Caller, datasetId: string): ShareSubject {
  const dataset = evaluation.datasets.get(caller, datasetId);
  if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  return { kind: 'dataset', subjectId: datasetId, generation: dataset.generation };
}

/** The trace of a run: a run is shared with its whole trace. Throws EVALUATION_RUN_NOT_FOUND. */
export function traceSubject(evaluation: EvaluationContext, caller: Caller, runId: string): ShareSubject {
  const { latest, experiments } = evaluation;
  const found = findEvaluationRun(latest, runId);
  const owner = found === undefined ? undefined : latest.get(keys.experimentList(found.place.list));
  if (found === undefined || owner === undefined || experiments.get(caller, asText(owner)) === undefined)
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId });
  return { kind: 'trace', subjectId: found.run.traceId, generation: found.place.list };
}

/** The share of the subject; null if it is not shared. */
export function currentShare({ latest }: EvaluationContext, subject: ShareSubject): ShareRecord | null {
  const share = shareOf(latest, subject.kind, subject.subjectId);
  return share?.generation === subject.generation ? share : null;
}

/**
 * Shares the subject, or returns its existing share. Clients may choose the token. `withExperiments: null` keeps what
 * the share shows. Throws SHARES_DISABLED,
 * SHARE_TOKEN_TAKEN.
 */
export async function share(
  evaluation: EvaluationContext,
  subject: ShareSubject,
  wanted: { token: string | null; withExperiments: boolean | null },
): Promise<ShareRecord> {
  if (!evaluation.allowsShares) throw fail('SHARES_DISABLED', {});
  const { latest } = evaluation;
  const existing = currentShare(evaluation, subject);
  const withExperiments = wanted.withExperiments ?? existing?.withExperiments ?? false;
  if (existing?.withExperiments === withExperiments) return existing;
  const token = existing?.token ?? wanted.token ?? randomUUID();
  if (existing === null && shareByToken(latest, token) !== undefined) throw fail('SHARE_TOKEN_TAKEN', {});
  const plan = new DraftCommit(latest);
  const outdated = shareOf(plan, subject.kind, subject.subjectId);
  if (outdated !== undefined) removeShare(plan, outdated);
  const record = { ...subject, token, withExperiments, createdAtUs: evaluation.nowUs() };
  putShare(plan, record);
  await latest.write(plan);
  return record;
}

/** From the response on, the link is invalid. Does nothing if the subject is not shared. */
export async function unshare({ latest }: EvaluationContext, subject: ShareSubject): Promise<void> {
  const plan = new DraftCommit(latest);
  const existing = shareOf(plan, subject.kind, subject.subjectId);
  if (existing === undefined) return;
  removeShare(plan, existing);
  await latest.write(plan);
}

/** Finds what a link shares. Its subject may be deleted meanwhile. Throws SHARE_NOT_FOUND. */
export function findShare(evaluation: EvaluationContext, text: string): ShareRecord {
  const token = evaluation.allowsShares ? canonicalUuid(text) : null;
  const found = token === null ? undefined : shareByToken(evaluation.latest, token);
  if (found === undefined) throw fail('SHARE_NOT_FOUND', {});
  return found;
}
