import type { Clock } from '../../base/clock.js';
import { isObject, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import { TransientMap } from '../../base/transient.js';
import { shortVersion } from '../../domain/code-version.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import { dottedOrderOf } from '../../domain/dotted-order.js';
import { HiddenPaths } from '../../domain/hidden-paths.js';
import { boundedTraceValue, isStoredInTrace } from '../../domain/trace-values.js';
import { findEvaluationRun, idsOfTrace, type PlacedRun } from '../../store/evaluation/evaluation-runs.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { Assistants } from '../../store/assistants.js';
import { RunItem } from '../../wire/evaluation/run-item.js';
import { NOT_ENDED, unpackSteps, type TraceStep } from '../../wire/runs/trace-steps.js';
import type { RecorderSettings, TraceJob } from '../../wire/runs/spans.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import type { LiveRun, Outcome } from '../runs/live.js';
import type { AnswerRecorder } from './answer-recorder.js';
import { HeldTraces } from './held-traces.js';
import { withoutValues } from './stored-step.js';
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
  open: Map<string, EvaluationRun>;
  /** Where its steps are exported to; null: nowhere. Undefined until the first one. */
  exportParent: StepParent | null | undefined;
  /** Null until a step has arrived. */
  rootStartUs: number | null;
}

/** Records runs as traces: what workers report of their steps, and the end of steps that no worker reports. */
export class TraceRecorder {
  readonly #options: TraceRecorderOptions;
  readonly #live = new TransientMap<string, LiveTrace>();
  readonly #texts = new WeakMap<RecordingSettings, string>();
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
    return {
      settings: this.#textOf(trace.recording, settings),
      calls: trace.isHeld ? 'none' : callsOf(run.record.runId, trace.recording),
      hasThread: trace.run.hasThread,
      startUs: trace.rootStartUs,
      codeVersion: codeVersionOf(run),
    };
  }

  /** Settings for workers as JSON. */
  #textOf(recording: RecordingSettings, { prices }: TraceSettings): string {
    let text = this.#texts.get(recording);
    if (text === undefined) {
      const { hideInputs, hideOutputs, hide, hideFunction, valueBytesMax } = recording;
      const hidesByFunction = hideFunction !== null;
      const sent: RecorderSettings = { hideInputs, hideOutputs, hide, hidesByFunction, valueBytesMax, prices };
      text = JSON.stringify(sent);
      this.#texts.set(recording, text);
    }
    return text;
  }

  /** `packed`: see `packSteps`. `leftOut`: number of steps that the worker has not recorded. */
  receive(run: LiveRun, packed: Uint8Array, leftOut: number): void {
    const trace = this.#traceOf(run);
    if (trace === null) return;
    trace.exportParent ??= this.#exportParentOf(run);
    const steps = unpackSteps(run.record.runId, packed);
    for (const { item } of steps) {
      if (item.isRoot) trace.rootStartUs = item.startUs;
      if (item.endUs === null) trace.open.set(item.runId, withoutValues(item.runWithMarks));
      else trace.open.delete(item.runId);
    }
    this.#put(trace, steps);
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
    const open = [...trace.open.values()].filter(({ parentRunId }) => parentRunId !== null);
    this.#endSteps(trace, open, WORKER_LOST);
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
    const open = [...trace.open.values()].reverse();
    this.#endSteps(trace, open, status === 'success' ? null : (text ?? 'The run ended before this step.'));
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
    changes.removeTraces(
      runIds.map((runId) => ({ traceId: runId, places: this.#storedSteps(runId).map(({ place }) => place) })),
    );
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
    for (const { run } of this.#storedSteps(runId))
      if (run.endUs === null) trace.open.set(run.runId, withoutValues(run));
  }

  #storedRoot(runId: string): EvaluationRun | undefined {
    const { latest, experiments } = this.#options.evaluation;
    const found = findEvaluationRun(latest, runId);
    if (found === undefined || found.run.parentRunId !== null) return undefined;
    // A client may have sent a trace with the same id to a project of its own.
    const project = experiments.ofList(SERVER_CALLER, found.place.list);
    return project?.assistantId === undefined ? undefined : found.run;
  }

  #storedSteps(runId: string): PlacedRun[] {
    const { latest } = this.#options.evaluation;
    const steps: PlacedRun[] = [];
    for (const stepId of idsOfTrace(latest, runId)) {
      const step = findEvaluationRun(latest, stepId);
      if (step?.run.traceId === runId) steps.push(step);
    }
    return steps;
  }

  #exportParentOf({ observer }: LiveRun): StepParent | null {
    return this.#options.exporter === null ? null : stepParentOf(observer?.traceparent);
  }

  #put({ run, isHeld, exportParent }: LiveTrace, steps: readonly TraceStep[]): void {
    const { exporter, writer, log } = this.#options;
    if (exportParent != null) for (const step of steps) exporter?.put(run, exportParent, step);
    if (!isHeld) {
      writer.put(run, steps);
      return;
    }
    for (const step of steps)
      if (!this.held.put(step))
        log.warn({ runId: run.runId, step: step.item.run.name }, 'a trace is too large; a step is left out');
  }

  #endSteps(trace: LiveTrace, steps: readonly EvaluationRun[], error: string | null): void {
    const nowUs = this.#options.clock.nowMs() * 1_000;
    const ended = steps.map((step) => {
      trace.open.delete(step.runId);
      const endUs = Math.max(step.startUs, nowUs);
      const item = RunItem.of({ ...step, endUs, error: error === null ? null : jsonBytes(error) });
      return { item, isEndOnly: step.extra === null };
    });
    this.#put(trace, ended);
  }
}

/** The run itself, of which no worker has reported. */
function rootOf(
  { record, kwargs, dispatchedAtMs }: LiveRun,
  { hideInputs, hide, hideFunction, valueBytesMax }: RecordingSettings,
): EvaluationRun {
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
    ...NOT_ENDED,
    runId,
    traceId: runId,
    parentRunId: null,
    name: typeof kwargs.config['run_name'] === 'string' ? kwargs.config['run_name'] : graphId,
    runType: 'chain',
    startUs,
    receivedUs: startUs,
    dottedOrder: dottedOrderOf(startUs, runId),
    inputs: isHidden ? null : bounded(new HiddenPaths(hide).applyTo(JSON.stringify(inputsOf(kwargs)))),
    tags: null,
    extra: bounded(JSON.stringify({ metadata: { ...Object.fromEntries(metadata), ...codeMetadata } })),
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
