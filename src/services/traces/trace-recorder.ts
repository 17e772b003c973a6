import type { Clock } from '../../base/clock.js';
import { isObject, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import { shortVersion } from '../../domain/code-version.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import { dottedOrderOf } from '../../domain/dotted-order.js';
import { HiddenPaths } from '../../domain/hidden-paths.js';
import { boundedTraceValue, isStoredInTrace } from '../../domain/trace-values.js';
import { findEvaluationRun, runIdsFrom, type EvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import type { Assistants } from '../../store/assistants.js';
import { NOT_ENDED, spanPrefix, type Span, type TraceJob } from '../../wire/runs/spans.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import type { LiveRun, Outcome } from '../runs/live.js';
import type { AnswerRecorder } from './answer-recorder.js';
import { HeldTraces } from './held-traces.js';
import { withoutValues } from './stored-span.js';
import { stepParentOf, type StepParent, type TraceExporter } from './trace-exporter.js';
import type { TraceProjects } from './trace-projects.js';
import { callsOf, isSampled, recordingOf, type RecordingSettings, type TraceSettings } from './trace-settings.js';
import type { TracedRun, TraceWriter } from './trace-writer.js';

export interface TraceRecorderOptions {
  /** Null: nothing is recorded. Traces from before are still deleted with their runs. */
  settings: TraceSettings | null;
  evaluation: EvaluationContext;
  projects: TraceProjects;
  writer: TraceWriter;
  /** Null: steps are not exported. */
  exporter: TraceExporter | null;
  assistants: Assistants;
  /** Null: answers to interrupts are not recorded. */
  answers: AnswerRecorder | null;
  clock: Clock;
  log: Logger;
}

/** Error of a step that did not end. */
const WORKER_LOST = 'WorkerLost: the worker that executed this step was lost.';

/** A run that executes and is recorded. */
interface LiveTrace {
  run: TracedRun;
  recording: RecordingSettings;
  /** It goes to `held` instead of the store. */
  isHeld: boolean;
  /** Steps that have not ended, without their values. */
  open: Map<string, Span>;
  /** Where its steps are exported to; null: nowhere. Undefined until the first one. */
  exportParent: StepParent | null | undefined;
  /** Null until a step has arrived. */
  rootStartUs: number | null;
}

/** Records runs as traces: what workers report of their steps, and the end of steps that no worker reports. */
export class TraceRecorder {
  readonly #options: TraceRecorderOptions;
  readonly #live = new Map<string, LiveTrace>();
  /** Traces of runs with `holdsTrace`. */
  readonly held = new HeldTraces();

  constructor(options: TraceRecorderOptions) {
    this.#options = options;
  }

  /** How a worker records the next attempt. Null if it does not record it. */
  jobOf(run: LiveRun): TraceJob | null {
    const { settings } = this.#options;
    const trace = this.#traceOf(run);
    if (trace === null || settings === null) return null;
    // Of an attempt that another process has lost.
    this.onWorkerLost(run);
    const { hideInputs, hideOutputs, hide, hideFunction, valueBytesMax } = trace.recording;
    return {
      hideInputs,
      hideOutputs,
      hide,
      hidesByFunction: hideFunction !== null,
      valueBytesMax,
      prices: settings.prices,
      calls: trace.isHeld ? 'none' : callsOf(run.record.runId, trace.recording),
      hasThread: trace.run.hasThread,
      startUs: trace.rootStartUs,
      codeVersion: codeVersionOf(run),
    };
  }

  /** `leftOut`: number of steps that the worker has not recorded. */
  receive(run: LiveRun, spans: readonly Span[], leftOut: number): void {
    const trace = this.#traceOf(run);
    if (trace === null) return;
    trace.exportParent ??= this.#exportParentOf(run);
    for (const span of spans) {
      if (span.parentId === null) trace.rootStartUs = span.startUs;
      if (span.endUs === null) trace.open.set(span.spanId, withoutValues(span));
      else trace.open.delete(span.spanId);
      this.#put(trace, span);
    }
    if (leftOut > 0)
      this.#options.log.warn(
        { runId: run.record.runId, steps: leftOut },
        'a trace has too many steps; the rest is left out',
      );
  }

  /** Experiments and other runs whose trace is held have no recording. */
  receiveRecording(run: LiveRun, recording: Uint8Array): void {
    const trace = this.#traceOf(run);
    if (trace !== null && !trace.isHeld) this.#options.writer.putRecording(trace.run, recording);
  }

  /** The steps of the attempt end with it, except the run itself. */
  onWorkerLost(run: LiveRun): void {
    const trace = this.#live.get(run.record.runId);
    if (trace === undefined) return;
    for (const span of trace.open.values()) if (span.parentId !== null) this.#endStep(trace, span, WORKER_LOST);
  }

  onRunEnded(run: LiveRun, { status, error }: Outcome, isUndone: boolean): void {
    const { record } = run;
    // A run that never executed has no trace.
    const trace = record.lease === 0 || isUndone ? null : this.#traceOf(run);
    this.#live.delete(record.runId);
    if (trace === null) return;
    trace.exportParent ??= this.#exportParentOf(run);
    const text = error === null ? null : `${error.name}: ${error.message}`;
    if (trace.rootStartUs === null) trace.open.set(record.runId, rootOf(run, trace.recording));
    for (const span of [...trace.open.values()].reverse())
      this.#endStep(trace, span, status === 'success' ? null : (text ?? 'The run ended before this step.'));
  }

  /** Deletes the traces of runs that were deleted, by themselves or with their threads. */
  async onRunsRemoved(runIds: readonly string[]): Promise<void> {
    const { writer } = this.#options;
    writer.drop(new Set(runIds));
    await writer.flush();
    await this.#deleteTraces(
      runIds.filter((runId) => {
        const root = this.#storedRoot(runId);
        return root !== undefined && threadOf(root) !== null;
      }),
    );
  }

  async #deleteTraces(runIds: readonly string[]): Promise<void> {
    if (runIds.length === 0) return;
    const { evaluation } = this.#options;
    await evaluation.latest.flushed();
    const changes = new ListChanges(evaluation);
    for (const runId of runIds) {
      const steps = this.#storedSteps(runId).map((step) => step.runId);
      changes.removeTrace(runId, steps);
    }
    await changes.commit();
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.writer.flush(), this.#options.answers?.close()]);
  }

  /** Null if the run is not recorded. An earlier process or owner of the cluster may have begun the trace. */
  #traceOf(run: LiveRun): LiveTrace | null {
    const { record, kwargs, holdsTrace } = run;
    const { runId, assistantId, graphId, lease } = record;
    const known = this.#live.get(runId);
    if (known !== undefined) return known;
    const { settings } = this.#options;
    if (settings === null) return null;
    const name = this.#options.assistants.get(SERVER_CALLER, assistantId)?.name ?? graphId;
    const assistant = { assistantId, graphId, name };
    const recording = recordingOf(settings, assistant);
    if (recording === null || (!holdsTrace && !isSampled(runId, recording))) return null;
    const trace: LiveTrace = {
      run: { runId, assistant, hasThread: !kwargs.temporary },
      recording,
      isHeld: holdsTrace,
      open: new Map(),
      exportParent: undefined,
      rootStartUs: null,
    };
    this.#live.set(runId, trace);
    if (!holdsTrace) this.#options.answers?.onRunBegun(run, recording);
    if (lease > 1) this.#takeUp(trace);
    return trace;
  }

  /** Reads what is stored of the trace of an earlier attempt. */
  #takeUp(trace: LiveTrace): void {
    const { runId } = trace.run;
    const root = this.#storedRoot(runId);
    if (root === undefined) return;
    trace.rootStartUs = root.startUs;
    for (const step of this.#storedSteps(runId)) if (step.endUs === null) trace.open.set(step.runId, spanOf(step));
  }

  #storedRoot(runId: string): EvaluationRun | undefined {
    const { latest, experiments } = this.#options.evaluation;
    const found = findEvaluationRun(latest, runId);
    if (found === undefined || found.run.parentRunId !== null) return undefined;
    // A client may have sent a trace with the same id to a project of its own.
    const project = experiments.ofList(SERVER_CALLER, found.place.list);
    return project?.assistantId === undefined ? undefined : found.run;
  }

  #storedSteps(runId: string): EvaluationRun[] {
    const { latest } = this.#options.evaluation;
    const steps: EvaluationRun[] = [];
    for (const stepId of runIdsFrom(latest.store, spanPrefix(runId))) {
      const step = findEvaluationRun(latest, stepId)?.run;
      if (step?.traceId === runId) steps.push(step);
    }
    return steps;
  }

  #exportParentOf({ observer }: LiveRun): StepParent | null {
    return this.#options.exporter === null ? null : stepParentOf(observer?.traceparent);
  }

  #put({ run, isHeld, exportParent }: LiveTrace, span: Span): void {
    if (exportParent != null) this.#options.exporter?.put(run, exportParent, span);
    if (!isHeld) this.#options.writer.put(run, span);
    else if (!this.held.put(run.runId, span))
      this.#options.log.warn({ runId: run.runId, step: span.name }, 'a trace is too large; a step is left out');
  }

  #endStep(trace: LiveTrace, span: Span, error: string | null): void {
    trace.open.delete(span.spanId);
    const endUs = Math.max(span.startUs, this.#options.clock.nowMs() * 1_000);
    this.#put(trace, { ...span, endUs, error: error === null ? null : jsonBytes(error) });
  }
}

/** The run itself, of which no worker has reported. */
function rootOf(
  { record, kwargs, dispatchedAtMs }: LiveRun,
  { hideInputs, hide, hideFunction, valueBytesMax }: RecordingSettings,
): Span {
  const { runId, graphId, createdAtMs } = record;
  const startUs = (dispatchedAtMs === 0 ? createdAtMs : dispatchedAtMs) * 1_000;
  const bounded = (text: string): Uint8Array => boundedTraceValue(text, valueBytesMax);
  const metadata = Object.entries(kwargs.config['metadata'] as JsonObject).filter(
    ([name]) => isStoredInTrace(name) && !(kwargs.temporary && name === 'thread_id'),
  );
  const code = codeVersionOf({ record });
  const codeMetadata = code === null ? {} : { code_version: code };
  // The function is called in graph workers only.
  const isHidden = hideInputs || hideFunction !== null;
  return {
    spanId: runId,
    parentId: null,
    name: typeof kwargs.config['run_name'] === 'string' ? kwargs.config['run_name'] : graphId,
    runType: 'chain',
    startUs,
    dottedOrder: dottedOrderOf(startUs, runId),
    inputs: isHidden ? null : bounded(new HiddenPaths(hide).applyTo(JSON.stringify(inputsOf(kwargs)))),
    tags: null,
    extra: bounded(JSON.stringify({ metadata: { ...Object.fromEntries(metadata), ...codeMetadata } })),
    ...NOT_ENDED,
  };
}

/** Short form of the hash of the run's code; null if it is unknown. */
function codeVersionOf({ record: { code = null } }: Pick<LiveRun, 'record'>): string | null {
  return code === null ? null : shortVersion(code);
}

function inputsOf({ command, input }: LiveRun['kwargs']): JsonObject {
  return command === null && isObject(input) ? input : { input: command ?? input };
}

/** The thread that a trace names; null if its run had none of its own. */
function threadOf({ extra }: EvaluationRun): string | null {
  const { metadata } = (extra === null ? {} : parseJson(extra)) as { metadata?: { thread_id?: unknown } };
  return typeof metadata?.thread_id === 'string' ? metadata.thread_id : null;
}

function spanOf({ runId, parentRunId, name, runType, startUs, dottedOrder }: EvaluationRun): Span {
  return {
    spanId: runId,
    parentId: parentRunId,
    name,
    runType,
    startUs,
    dottedOrder: dottedOrder ?? dottedOrderOf(startUs, runId),
    inputs: null,
    tags: null,
    extra: null,
    ...NOT_ENDED,
  };
}
