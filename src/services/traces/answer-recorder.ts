import { contentHash, uuidOf } from '../../base/ids.js';
import { jsonBytes } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import { HiddenPaths } from '../../domain/hidden-paths.js';
import { humanAnswers, isDecision, type HumanAnswer } from '../../domain/human-answers.js';
import type { Runs } from '../../store/runs/runs.js';
import { feedbackOf, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import type { LiveRun } from '../runs/live.js';
import type { RecordingSettings } from './trace-settings.js';
import type { TraceWriter } from './trace-writer.js';

/** Key of the feedback. */
const KEY = 'answer';
const SOURCE_TYPE = 'app';
/** More runs of a thread than these do not wait behind an answer. */
const RUNS_MAX = 20;

export interface AnswerRecorderOptions {
  evaluation: EvaluationContext;
  runs: Runs;
  writer: TraceWriter;
  log: Logger;
}

/** Records what people answer to an interrupt, as feedback on the run that asked. */
export class AnswerRecorder {
  readonly #options: AnswerRecorderOptions;
  readonly #working = new Set<Promise<void>>();

  constructor(options: AnswerRecorderOptions) {
    this.#options = options;
  }

  /** A run begins to execute. Does nothing if it brings no answer. A failure is logged. */
  onRunBegun(run: LiveRun, recording: RecordingSettings): void {
    const answers = humanAnswers(run.kwargs.command?.['resume']);
    if (answers.length === 0 || run.kwargs.temporary) return;
    const work = this.#record(run, answers, recording)
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, runId: run.record.runId }, 'an answer could not be recorded');
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async close(): Promise<void> {
    await Promise.all(this.#working);
  }

  async #record(run: LiveRun, answers: readonly HumanAnswer[], recording: RecordingSettings): Promise<void> {
    const { evaluation, writer } = this.#options;
    const { runId, threadId } = run.record;
    const askedBy = this.#askingRun(run);
    // The trace of the run that asked may have to be stored.
    await writer.flush();
    const changes = new ListChanges(evaluation);
    const asked = askedBy === null ? undefined : changes.run(askedBy);
    if (asked === undefined) return;
    // A client may have sent a trace with the same id to a project of its own.
    if (evaluation.experiments.ofList(SERVER_CALLER, asked.list)?.assistantId === undefined) return;
    for (const [at, answer] of answers.entries())
      changes.putFeedback(asked.list, {
        ...feedbackOf(evaluation, resultOf(answer, recording), askedBy),
        // The same for each attempt of the run.
        feedbackId: uuidOf(contentHash(`answer ${runId} ${at}`)),
        source: jsonBytes({ type: SOURCE_TYPE, metadata: { thread_id: threadId, run_id: runId } }),
      });
    await changes.commit();
  }

  /** The newest earlier run of the thread, if it waits for an answer. */
  #askingRun({ thread, record }: LiveRun): string | null {
    if (thread.record === null) return null;
    const newest = this.#options.runs.list(SERVER_CALLER, thread.record, { limit: RUNS_MAX, offset: 0 });
    const before = newest.find(({ runId, createdAtMs }) => runId !== record.runId && createdAtMs <= record.createdAtMs);
    // An interrupt of the graph ends a run without an error.
    return before?.status === 'success' ? before.runId : null;
  }
}

/** What the person wrote is left out as far as the trace of the run may not have it. */
function resultOf(
  { score, value, correction, comment }: HumanAnswer,
  { hideInputs, hide, hideFunction, valueBytesMax }: RecordingSettings,
): EvaluatorResult {
  const written = (content: unknown): string | null => {
    // The function is called in graph workers only.
    if (content === null || hideInputs || hideFunction !== null) return null;
    const text = new HiddenPaths(hide).applyTo(JSON.stringify(content));
    // A part of an answer would be a wrong one.
    return Buffer.byteLength(text) > valueBytesMax ? null : text;
  };
  return {
    key: KEY,
    score: score === null ? null : JSON.stringify(score),
    value: isDecision(value) ? JSON.stringify(value) : written(value),
    correction: written(correction),
    comment: written(comment),
    failed: false,
  };
}
