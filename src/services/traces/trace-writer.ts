import type { Logger } from '../../base/log/log.js';
import { LIMITS } from '../../base/limits.js';
import {
  packAttachments,
  putAttachment,
  removeAttachment,
  unpackAttachments,
} from '../../store/evaluation/attachments.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import type { TraceStep } from '../../wire/runs/trace-steps.js';
import { RECORDING_NAME, RECORDING_TYPE } from '../../wire/runs/recording.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import { listForTrace } from '../evaluation/project-lists.js';
import { endOf, itemBytes, mergeSteps, textsBytes } from './stored-step.js';
import type { TracedAssistant, TraceProjects } from './trace-projects.js';

/** The run that a step belongs to. */
export interface TracedRun {
  runId: string;
  assistant: TracedAssistant;
  /** False for a run whose thread is deleted with it. Its trace outlives it. */
  hasThread: boolean;
}

interface WaitingTrace {
  run: TracedRun;
  /** The steps of each message. Most runs end before their worker sends a second one. */
  messages: (readonly TraceStep[])[];
}

interface WaitingRecording {
  run: TracedRun;
  recording: Uint8Array;
}

/** Stores steps of runs, many in one commit. */
export class TraceWriter {
  readonly #evaluation: EvaluationContext;
  readonly #projects: TraceProjects;
  readonly #log: Logger;
  /** By the run's id. */
  #waiting = new Map<string, WaitingTrace>();
  /** Recordings of what runs got from outside, by the run's id. */
  #recordings = new Map<string, WaitingRecording>();
  #waitingBytes = 0;
  /** Bytes of commits that are not on disk. */
  #writingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #written: Promise<void> = Promise.resolve();
  /** Number of steps that were dropped because the disk was too slow. */
  #dropped = 0;

  constructor(evaluation: EvaluationContext, projects: TraceProjects, log: Logger) {
    this.#evaluation = evaluation;
    this.#projects = projects;
    this.#log = log;
  }

  put(run: TracedRun, steps: readonly TraceStep[]): void {
    if (steps.length === 0) return;
    const bytes = steps.reduce((sum, { item }) => sum + itemBytes(item), textsBytes(steps[0]!.item));
    if (!this.#reserve(bytes, steps.length)) return;
    const waiting = this.#waiting.get(run.runId);
    if (waiting === undefined) this.#waiting.set(run.runId, { run, messages: [steps] });
    else waiting.messages.push(steps);
    this.#schedule();
  }

  /** The recording becomes an attachment of the trace's root. */
  putRecording(run: TracedRun, recording: Uint8Array): void {
    if (!this.#reserve(recording.byteLength, 1)) return;
    // The bytes of a message are reused.
    this.#recordings.set(run.runId, { run, recording: Uint8Array.from(recording) });
    this.#schedule();
  }

  /** False, and the steps are counted, if too much waits for the disk. */
  #reserve(bytes: number, steps: number): boolean {
    const isTooMuch = this.#waitingBytes + this.#writingBytes + bytes > LIMITS.traceWaitingBytesMax;
    if (isTooMuch) this.#dropped += steps;
    else this.#waitingBytes += bytes;
    return !isTooMuch;
  }

  #schedule(): void {
    if (this.#waitingBytes >= LIMITS.traceBatchBytes) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), LIMITS.traceDelayMs);
  }

  /** Forgets what waits of the runs that are on threads. */
  drop(runIds: ReadonlySet<string>): void {
    for (const waiting of [this.#waiting, this.#recordings])
      for (const [runId, { run }] of waiting) if (run.hasThread && runIds.has(runId)) waiting.delete(runId);
  }

  /** Resolves when everything that was put is on disk, or could not be stored. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.size + this.#recordings.size > 0) this.#written = this.#write();
    await this.#written;
  }

  async #write(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    const recordings = [...this.#recordings.values()];
    const bytes = this.#waitingBytes;
    this.#waiting = new Map();
    this.#recordings = new Map();
    this.#waitingBytes = 0;
    this.#writingBytes += bytes;
    try {
      const changes = new ListChanges(this.#evaluation);
      const listOf = this.#listFinder(changes);
      changes.expectNewGraphRuns(waiting.filter(beginsWithRoot).map(({ run }) => run.runId));
      for (const { run, messages } of waiting) {
        const list = listOf(run);
        for (const step of mergedSteps(messages)) putStep(changes, list, step);
      }
      for (const { run, recording } of recordings) this.#attach(changes, run.runId, recording);
      await changes.commit();
    } catch (error) {
      this.#log.error({ err: error, runs: waiting.length }, 'traces could not be stored');
    } finally {
      this.#writingBytes -= bytes;
    }
    if (this.#dropped === 0) return;
    this.#log.warn({ steps: this.#dropped }, 'steps of traces were dropped, because the disk is too slow');
    this.#dropped = 0;
  }

  /** A later attempt of a run replaces the recording of an earlier one. */
  #attach(changes: ListChanges, runId: string, recording: Uint8Array): void {
    const root = changes.run(runId);
    // The trace was deleted meanwhile.
    if (root === undefined) return;
    const attachments = unpackAttachments(root.run.attachments);
    const earlier = attachments.find(({ name }) => name === RECORDING_NAME);
    if (earlier !== undefined) removeAttachment(changes.plan, earlier);
    const group = this.#evaluation.lists.assign(changes.plan);
    const added = { name: RECORDING_NAME, mime: RECORDING_TYPE, bytes: recording.byteLength, group, at: 0 };
    putAttachment(changes.plan, added, recording);
    const kept = attachments.filter((one) => one !== earlier);
    changes.changeRun(runId, { attachments: packAttachments([...kept, added]) });
  }

  /** Most runs of a commit are of few assistants. */
  #listFinder(changes: ListChanges): (run: TracedRun) => number {
    const projects = new Map<string, ExperimentRecord>();
    return ({ runId, assistant }) => {
      const { assistantId } = assistant;
      const found = projects.get(assistantId) ?? this.#projects.projectOf(changes.plan, assistant);
      const { list, project } = listForTrace(this.#evaluation, changes, found, runId);
      projects.set(assistantId, project);
      return list;
    };
  }
}

/** True if the first step is the root as it began: the trace is most likely new. */
function beginsWithRoot({ messages }: WaitingTrace): boolean {
  const { item, isEndOnly } = messages[0]![0]!;
  return item.isRoot && !isEndOnly;
}

/** A step that begins and ends before it is stored is stored once. */
function mergedSteps(messages: readonly (readonly TraceStep[])[]): readonly TraceStep[] {
  if (messages.length === 1) return messages[0]!;
  const merged = new Map<string, TraceStep>();
  for (const step of messages.flat()) merged.set(step.item.runId, mergeSteps(merged.get(step.item.runId), step));
  return [...merged.values()];
}

function putStep(changes: ListChanges, list: number, { item, isEndOnly }: TraceStep): void {
  if (!isEndOnly) {
    if (item.isRoot) changes.putGraphRun(list, item);
    else changes.addStep(list, item);
    return;
  }
  const isKnown = changes.changeRun(item.runId, endOf(item.run));
  // Its beginning was lost with an earlier owner of the cluster. Of another step, the trace was deleted meanwhile.
  if (!isKnown && item.isRoot) changes.putRun(list, item);
}
