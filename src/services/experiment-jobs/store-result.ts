import { asObject, jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { isoMicros } from '../../base/micros.js';
import { dottedOrderOf } from '../../domain/dotted-order.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import { RunItem } from '../../wire/evaluation/run-item.js';
import { NOT_ENDED } from '../../wire/runs/trace-steps.js';
import { keys } from '../../store/keys.js';
import { ListChanges } from '../evaluation/list-changes.js';
import type { LiveRun, Outcome } from '../runs/live.js';
import { feedbackOf, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import type { ExampleJson, ExperimentJobParts } from './parts.js';

/** A run of an experiment that has ended. */
export interface FinishedRun {
  run: LiveRun;
  outcome: Outcome;
  example: ExampleJson;
  /** From 0. */
  repetition: number;
  endUs: number;
}

/** The run as evaluators get it, with the fields of the API. */
export function evaluatedRun(
  { heldTraces }: ExperimentJobParts,
  { experimentId }: ExperimentRecord,
  finished: FinishedRun,
): JsonObject {
  const { run, outcome, example, endUs } = finished;
  const { runId, graphId } = run.record;
  const { tokens, cost } = heldTraces.usageOf(runId);
  return {
    id: runId,
    trace_id: runId,
    session_id: experimentId,
    reference_example_id: example.id,
    name: graphId,
    run_type: 'chain',
    start_time: isoMicros(startUsOf(run)),
    end_time: isoMicros(endUs),
    inputs: example.inputs,
    outputs: outputsOf(outcome),
    error: errorOf(outcome),
    extra: { metadata: metadataOf(finished) },
    total_tokens: tokens,
    total_cost: cost === null ? null : String(cost),
    child_runs: [],
  };
}

/**
 * Stores a run with its trace and its scores, and marks it as done, in one commit. Does nothing if the experiment was
 * deleted.
 */
export async function storeResult(
  { services, heldTraces }: ExperimentJobParts,
  { experimentId, list }: ExperimentRecord,
  finished: FinishedRun,
  scores: readonly EvaluatorResult[],
): Promise<void> {
  const { evaluation } = services;
  const { run, outcome, example, repetition, endUs } = finished;
  const { runId } = run.record;
  if (evaluation.experiments.idOfList(list) === undefined) return;
  const changes = new ListChanges(evaluation);
  const outputs = outputsOf(outcome);
  const error = errorOf(outcome);
  const steps = heldTraces.take(runId);
  const traced = steps.find(({ isRoot }) => isRoot);
  const root = (traced ?? RunItem.of(untraced(finished))).with({
    exampleId: example.id,
    endUs: traced?.endUs ?? endUs,
    outputs: outputs === null ? null : jsonBytes(outputs),
    error: error === null ? null : jsonBytes(error),
    extra: withMetadata(traced?.run.extra ?? null, metadataOf(finished)),
  });
  changes.putGraphRun(list, root);
  for (const step of steps) if (step !== traced) changes.addStep(list, step);
  for (const score of scores) changes.putFeedback(list, feedbackOf(evaluation, score, runId));
  changes.plan.put(keys.experimentResult(experimentId, example.id, repetition), Uint8Array.of(error === null ? 0 : 1));
  await changes.commit();
}

function untraced({ run, example }: FinishedRun): EvaluationRun {
  const { runId, graphId } = run.record;
  const startUs = startUsOf(run);
  return {
    runId,
    traceId: runId,
    parentRunId: null,
    name: graphId,
    runType: 'chain',
    startUs,
    dottedOrder: dottedOrderOf(startUs, runId),
    receivedUs: startUs,
    inputs: jsonBytes(example.inputs),
    extra: null,
    tags: null,
    ...NOT_ENDED,
  };
}

/** When the run began to execute, or was created if it never did. */
function startUsOf({ dispatchedAtMs, record }: LiveRun): number {
  return (dispatchedAtMs === 0 ? record.createdAtMs : dispatchedAtMs) * 1_000;
}

function outputsOf({ result }: Outcome): JsonObject | null {
  if (result === null) return null;
  const value = parseJson(result);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : { output: value };
}

function errorOf({ error }: Outcome): string | null {
  return error === null ? null : `${error.name}: ${error.message}`;
}

function metadataOf({ run, repetition }: FinishedRun): JsonObject {
  const { assistantId, graphId } = run.record;
  return { assistant_id: assistantId, graph_id: graphId, repetition };
}

function withMetadata(extra: JsonBytes | null, metadata: JsonObject): JsonBytes {
  const known = extra === null ? {} : asObject(parseJson(extra));
  return jsonBytes({ ...known, metadata: { ...asObject(known['metadata']), ...metadata } });
}
