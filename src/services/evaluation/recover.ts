import { Commit } from '../../store/store.js';
import { keys } from '../../store/keys.js';
import { unpack } from '../../wire/codec.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { EvaluationContext } from './context.js';
import { newExperiment } from './experiments.js';
import { DEFAULT_PROJECT } from './run-placement.js';
import { putLeftovers, type StagedLists } from './staging.js';

/** Recovers from a crash: staged uploads are queued for removal, and pending statistics are resumed. */
export async function recoverEvaluation(evaluation: EvaluationContext): Promise<void> {
  const commit = new Commit();
  for (const [key, bytes] of evaluation.latest.store.entries({ prefix: keys.uploads() })) {
    putLeftovers(commit, unpack<StagedLists>(bytes));
    commit.remove(key);
  }
  if (commit.operations.length > 0) {
    await evaluation.latest.write(commit);
    evaluation.remover.wake();
  }
  for (const key of evaluation.latest.store.keys({ prefix: keys.allOrphanFeedback() })) {
    const [, runId, feedbackId] = key as [string, string, string];
    evaluation.orphans.set(runId, (evaluation.orphans.get(runId) ?? new Set()).add(feedbackId));
  }
  await ensureDefaultProject(evaluation);
  evaluation.statistics.recover();
}

/** Clients learn their workspace id from any project, so at least one must exist (evaluation-api.md, trap 31). */
async function ensureDefaultProject(evaluation: EvaluationContext): Promise<void> {
  if (evaluation.experiments.idByName(DEFAULT_PROJECT) !== undefined) return;
  const plan = new DraftCommit(evaluation.latest);
  evaluation.experiments.put(plan, newExperiment(evaluation, plan, { name: DEFAULT_PROJECT }), null);
  await evaluation.latest.write(plan);
}
