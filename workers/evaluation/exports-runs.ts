import type { RunExportQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { isoMicros } from '../../src/base/micros.js';
import { LIMITS } from '../../src/base/limits.js';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { unpackFeedback, type Feedback } from '../../src/store/evaluation/feedback.js';
import { BlockCursor } from './block-cursor.js';
import type { Caches } from './caches.js';
import type { StartExport } from './export.js';
import { fileNameOf, JSON_LINES, jsonLine, JsonText, lineWithAttachments, objectText } from './export-lines.js';
import { experimentOf } from './reads-experiments.js';
import { testOf } from './reads-runs.js';
import { isoOrNull } from './records-json.js';
import { runsInOrder } from './runs-in-order.js';

/**
 * The runs of a project, the oldest first, each with its feedback. `POST /runs/import` reads the lines. Runs that are
 * deleted meanwhile are left out. Of those that are added meanwhile, some are in it.
 */
const ofProject: StartExport<RunExportQuery & { session_id: string }> = (caches, caller, { session_id, ...query }) => {
  const experiment = experimentOf(caches, caller, session_id);
  const matches = testOf(caches, query);
  return {
    contentType: JSON_LINES,
    fileName: fileNameOf(experiment.name, 'jsonl'),
    pieces: lines({ caches, caller, experiment }, matches),
  };
};

interface Source {
  caches: Caches;
  caller: Caller;
  experiment: ExperimentRecord;
}

function* lines({ caches, caller, experiment }: Source, matches: ReturnType<typeof testOf>): Generator<string> {
  const { reader } = caches;
  const [stored, feedback] = [new BlockCursor(reader, 'R'), new BlockCursor(reader, 'F')];
  let count = 0;
  for (const { run } of runsInOrder(caches, [experiment], { ascending: true })) {
    // Many runs may not match, and other queries wait.
    if (count % LIMITS.pageRows === 0) yield '';
    count += 1;
    const found = stored.run(run.place);
    if (found === undefined) {
      if (caches.experiments.get(caller, experiment.experimentId)?.list !== experiment.list)
        throw fail('EXPERIMENT_NOT_FOUND', { experimentId: experiment.experimentId });
      continue;
    }
    // The place may have been given to another run.
    if (found.runId !== run.runId || !matches({ run, experiment })) continue;
    const scores = run.feedback.flatMap(({ place }) => {
      const one = feedback.item(place);
      return one === undefined ? [] : [unpackFeedback(one)];
    });
    yield* lineWithAttachments(lineOf(found, experiment.name, scores), reader, found.attachments);
  }
}

/** The stored fields of a run. A root has its own tokens, not the sums of its trace. */
function lineOf(run: EvaluationRun, project: string, feedback: readonly Feedback[]): string {
  return jsonLine({
    id: run.runId,
    trace_id: run.traceId,
    parent_run_id: run.parentRunId,
    session_name: project,
    name: run.name,
    run_type: run.runType,
    start_time: isoMicros(run.startUs),
    end_time: isoOrNull(run.endUs),
    first_token_time: isoOrNull(run.firstTokenUs),
    dotted_order: run.dottedOrder,
    reference_example_id: run.exampleId,
    error: run.error,
    inputs: run.inputs,
    outputs: run.outputs,
    extra: run.extra,
    tags: run.tags,
    events: run.events,
    serialized: run.serialized,
    prompt_tokens: run.promptTokens,
    completion_tokens: run.completionTokens,
    total_tokens: run.totalTokens,
    prompt_cost: run.promptCost,
    completion_cost: run.completionCost,
    total_cost: run.totalCost,
    feedback: new JsonText(`[${feedback.map(feedbackText).join(',')}]`),
  });
}

function feedbackText(feedback: Feedback): string {
  return objectText({
    id: feedback.feedbackId,
    run_id: feedback.runId,
    trace_id: feedback.traceId,
    key: feedback.key,
    score: feedback.score,
    value: feedback.value,
    comment: feedback.comment,
    correction: feedback.correction,
    feedback_source: feedback.source,
    feedback_config: feedback.config,
    feedback_group_id: feedback.groupId,
    extra: feedback.extra,
    error: feedback.error,
    created_at: isoMicros(feedback.createdAtUs),
    modified_at: isoMicros(feedback.modifiedAtUs),
  });
}

export const runExports = { 'runs.export': ofProject };
