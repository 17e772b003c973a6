import type { Logger } from '../../base/log/log.js';
import { LIMITS } from '../../base/limits.js';
import { USAGE_FIELDS } from '../../domain/usage.js';
import type { EvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import type { Span } from '../../wire/runs/spans.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import { listForTrace } from '../evaluation/project-lists.js';
import { mergeSpans, spanBytes, toEvaluationRun } from './stored-span.js';
import type { TracedAssistant, TraceProjects } from './trace-projects.js';

/** The run that a step belongs to. */
export interface TracedRun {
  runId: string;
  assistant: TracedAssistant;
  /** False for a run whose thread is deleted with it. Its trace outlives it. */
  hasThread: boolean;
}

interface WaitingSpan {
  run: TracedRun;
  span: Span;
}

/** Stores steps of runs, many in one commit. */
export class TraceWriter {
  readonly #evaluation: EvaluationContext;
  readonly #projects: TraceProjects;
  readonly #log: Logger;
  /** By the id of the step: a step that begins and ends before it is stored is stored once. */
  #waiting = new Map<string, WaitingSpan>();
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

  put(run: TracedRun, span: Span): void {
    const bytes = spanBytes(span);
    if (this.#waitingBytes + this.#writingBytes + bytes > LIMITS.traceWaitingBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#waitingBytes += bytes;
    const before = this.#waiting.get(span.spanId)?.span;
    this.#waiting.set(span.spanId, { run, span: before === undefined ? span : mergeSpans(before, span) });
    if (this.#waitingBytes >= LIMITS.traceBatchBytes) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), LIMITS.traceDelayMs);
  }

  /** Forgets what waits of the runs that are on threads. */
  drop(runIds: ReadonlySet<string>): void {
    for (const [spanId, { run }] of this.#waiting)
      if (run.hasThread && runIds.has(run.runId)) this.#waiting.delete(spanId);
  }

  /** Resolves when everything that was put is on disk, or could not be stored. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.size > 0) this.#written = this.#write();
    await this.#written;
  }

  async #write(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    const bytes = this.#waitingBytes;
    this.#waiting = new Map();
    this.#waitingBytes = 0;
    this.#writingBytes += bytes;
    try {
      const changes = new ListChanges(this.#evaluation);
      const listOf = this.#listFinder(changes);
      for (const { run, span } of waiting) this.#putSpan(changes, listOf(run), run.runId, span);
      await changes.commit();
    } catch (error) {
      this.#log.error({ err: error, steps: waiting.length }, 'steps of traces could not be stored');
    } finally {
      this.#writingBytes -= bytes;
    }
    if (this.#dropped === 0) return;
    this.#log.warn({ steps: this.#dropped }, 'steps of traces were dropped, because the disk is too slow');
    this.#dropped = 0;
  }

  /** Most steps of a commit are of few runs, and most runs of few assistants. */
  #listFinder(changes: ListChanges): (run: TracedRun) => number {
    const lists = new Map<string, number>();
    const projects = new Map<string, ExperimentRecord>();
    return ({ runId, assistant }) => {
      const known = lists.get(runId);
      if (known !== undefined) return known;
      const { assistantId } = assistant;
      const found = projects.get(assistantId) ?? this.#projects.projectOf(changes.plan, assistant);
      const { list, project } = listForTrace(this.#evaluation, changes, found, runId);
      projects.set(assistantId, project);
      lists.set(runId, list);
      return list;
    };
  }

  #putSpan(changes: ListChanges, list: number, runId: string, span: Span): void {
    const run = toEvaluationRun(runId, span, this.#evaluation.nowUs());
    if (span.extra !== null && span.parentId === null) changes.putRun(list, run);
    else if (span.extra !== null) changes.addStep(list, run);
    else {
      const stored = changes.run(span.spanId)?.run;
      if (stored !== undefined) changes.putRun(list, withEnd(stored, run));
      // Its beginning was lost with an earlier owner of the cluster. Of another step, the trace was deleted meanwhile.
      else if (span.parentId === null) changes.putRun(list, run);
    }
  }
}

function withEnd(stored: EvaluationRun, { endUs, firstTokenUs, outputs, error, ...run }: EvaluationRun): EvaluationRun {
  const usage = Object.fromEntries(USAGE_FIELDS.map((field) => [field, run[field]]));
  return { ...stored, ...usage, endUs, firstTokenUs, outputs, error };
}
