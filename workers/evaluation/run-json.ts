import { dottedOrderOf } from '../../src/domain/dotted-order.js';
import type { JsonBytes } from '../../src/base/json/json.js';
import { bytesOf, memberMap, wholeValue } from '../../src/base/json/slices.js';
import { isoMicros } from '../../src/base/micros.js';
import { isError, type EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Feedback } from '../../src/store/evaluation/feedback.js';
import { statusOf } from './facets.js';
import type { KeptRun } from './list-facts.js';
import { isoOrNull, jsonObject, metadataOf, TENANT_ID } from './records-json.js';
import { previewOf, textBeginning } from './run-preview.js';
import { threadIdOf } from './run-subject.js';
import { feedbackStats } from './feedback-statistics.js';

const COST_DIGITS = 12;

/** Ids of the ancestors, starting with the root. */
function ancestorsOf(dottedOrder: string): string[] {
  return dottedOrder
    .split('.')
    .slice(0, -1)
    .map((step) => step.slice(step.indexOf('Z') + 1));
}

/** A run in the format of the API's first version (evaluation-api.md, 2.4). */
export function runFields(
  run: EvaluationRun,
  kept: KeptRun | undefined,
  experiment: ExperimentRecord,
  preview = false,
): Record<string, unknown> {
  const usage = kept ?? run;
  const dottedOrder = run.dottedOrder ?? dottedOrderOf(run.startUs, run.runId);
  return {
    id: run.runId,
    name: run.name,
    run_type: run.runType,
    start_time: isoMicros(run.startUs),
    end_time: isoOrNull(run.endUs),
    status: statusOf({ failed: isError(run.error), endUs: run.endUs }),
    error: run.error,
    inputs: preview ? null : run.inputs,
    outputs: preview ? null : run.outputs,
    inputs_preview: previewOf(run.inputs),
    outputs_preview: previewOf(run.outputs),
    extra: run.extra,
    events: preview ? null : run.events,
    tags: run.tags,
    serialized: preview ? null : run.serialized,
    parent_run_id: run.parentRunId,
    parent_run_ids: ancestorsOf(dottedOrder),
    child_run_ids: null,
    direct_child_run_ids: null,
    trace_id: run.traceId,
    dotted_order: dottedOrder,
    session_id: experiment.experimentId,
    app_path: `/o/${TENANT_ID}/projects/p/${experiment.experimentId}/r/${run.runId}?trace_id=${run.traceId}&start_time=${isoMicros(run.startUs).slice(0, -6)}`,
    reference_example_id: run.exampleId,
    reference_dataset_id: run.exampleId === null ? null : experiment.referenceDatasetId,
    in_dataset: null,
    feedback_stats: kept === undefined || kept.feedback.length === 0 ? null : feedbackStats(kept.feedback),
    first_token_time: isoOrNull(usage.firstTokenUs),
    total_tokens: usage.totalTokens ?? 0,
    prompt_tokens: usage.promptTokens ?? 0,
    completion_tokens: usage.completionTokens ?? 0,
    total_cost: costText(usage.totalCost),
    prompt_cost: costText(usage.promptCost),
    completion_cost: costText(usage.completionCost),
    execution_order: 1,
    trace_tier: experiment.traceTier,
    manifest_id: null,
    share_token: null,
    last_queued_at: null,
    thread_id: threadIdOf(metadataOf(run)),
  };
}

/** Costs are sent as decimal text. */
function costText(cost: number | null): string | null {
  return cost === null ? null : String(Number(cost.toPrecision(COST_DIGITS)));
}

/** A run in a comparison: its outputs and scores. Clients request the rest by the run's id. */
export function comparedRun(run: EvaluationRun, kept: KeptRun): Record<string, unknown> {
  return {
    id: run.runId,
    name: run.name,
    status: statusOf(kept),
    error: run.error,
    start_time: isoMicros(run.startUs),
    end_time: isoOrNull(run.endUs),
    outputs: run.outputs,
    total_tokens: kept.totalTokens,
    total_cost: kept.totalCost,
    feedbacks: kept.feedback.map(({ feedbackId, key, score, label, comment, source }) => ({
      id: feedbackId,
      key,
      score,
      value: label,
      comment,
      source,
    })),
  };
}

/** Replaces inputs and outputs that are longer than `charsMax` with previews. */
export function withPreviews(fields: Record<string, unknown>, charsMax: number | null): Record<string, unknown> {
  if (charsMax === null) return fields;
  const cut: Record<string, unknown> = { ...fields };
  for (const name of ['inputs', 'outputs']) {
    const json = fields[name];
    const beginning = json instanceof Uint8Array ? textBeginning(json, charsMax) : null;
    if (beginning === null) continue;
    cut[name] = null;
    cut[`${name}_preview`] = beginning;
  }
  return cut;
}

const ALWAYS = ['id', 'name', 'run_type', 'start_time', 'status', 'trace_id', 'dotted_order', 'session_id', 'app_path'];

/** Keeps only the selected fields and those that every client needs. Ignores unknown names. */
export function selectFields(
  fields: Record<string, unknown>,
  select: readonly string[] | null | undefined,
): Record<string, unknown> {
  if (select === null || select === undefined || select.length === 0) return fields;
  return Object.fromEntries(
    [...new Set([...ALWAYS, ...select])]
      .filter((name) => Object.hasOwn(fields, name))
      .map((name) => [name, fields[name]]),
  );
}

/** Fields of evaluation-api.md, 2.5. */
export function feedbackJson(feedback: Feedback, experimentId: string | null, run: KeptRun | undefined): Buffer {
  return jsonObject({
    id: feedback.feedbackId,
    key: feedback.key,
    score: feedback.score,
    value: feedback.value,
    comment: feedback.comment,
    correction: feedback.correction,
    run_id: feedback.runId,
    session_id: experimentId,
    // The feedback may have arrived before its run, without a trace id.
    trace_id: feedback.traceId ?? run?.traceId ?? null,
    start_time: isoOrNull(run?.startUs ?? null),
    is_root: run?.root ?? false,
    feedback_source: feedback.source === null ? null : sourceJson(feedback.source),
    feedback_group_id: feedback.groupId,
    comparative_experiment_id: feedback.comparativeId,
    extra: feedback.extra,
    error: feedback.error,
    created_at: isoMicros(feedback.createdAtUs),
    modified_at: isoMicros(feedback.modifiedAtUs),
    feedback_thread_id: null,
  });
}

/** Adds the members that clients expect, and keeps those that were sent. */
function sourceJson(source: JsonBytes): Buffer {
  const given = [...memberMap(source, wholeValue(source))].map(
    ([name, slice]) => [name, bytesOf(source, slice)] as const,
  );
  return jsonObject({
    type: 'api',
    metadata: null,
    user_id: null,
    ls_user_id: null,
    user_name: null,
    ...Object.fromEntries(given),
  });
}
