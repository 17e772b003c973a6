import { isoMicros } from '../../base/micros.js';
import { ThreadmillError } from '../../base/errors.js';
import { asObject, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import type { ExperimentJobRecord } from '../../store/evaluation/experiment-jobs.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import { cancelRun } from '../runs/cancel-run.js';
import type { LiveRun } from '../runs/live.js';
import { NO_REQUEST } from '../runs/request-context.js';
import { startStatelessRun } from '../runs/start-run.js';
import { callEvaluator, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import { examplePages } from './examples.js';
import type { ExampleJson, ExperimentJobParts } from './parts.js';
import { evaluatedRun, storeResult, type FinishedRun } from './store-result.js';

/** How a job ended. `stopped`: it goes on after the next start. */
export type JobEnd = 'success' | 'cancelled' | 'stopped' | { error: string };

/**
 * Executes a job: for each example a run, then its evaluators, then one commit with the run, its scores and the mark
 * that it is done. A run that was not stored before a crash starts again; one that was does not.
 */
export class ExperimentJob {
  readonly record: ExperimentJobRecord;
  readonly #experiment: ExperimentRecord;
  readonly #caller: Caller;
  readonly #parts: ExperimentJobParts;
  /** Results of an earlier process, as "exampleId repetition". */
  readonly #earlier: ReadonlySet<string>;
  readonly #runs = new Set<LiveRun>();
  #end: JobEnd | null = null;
  done: number;
  failed: number;

  constructor(
    parts: ExperimentJobParts,
    {
      record,
      experiment,
      caller,
      earlier,
    }: {
      record: ExperimentJobRecord;
      experiment: ExperimentRecord;
      caller: Caller;
      /** Whether the run failed, by "exampleId repetition". */
      earlier: ReadonlyMap<string, boolean>;
    },
  ) {
    this.#parts = parts;
    this.record = record;
    this.#experiment = experiment;
    this.#caller = caller;
    this.#earlier = new Set(earlier.keys());
    this.done = earlier.size;
    this.failed = [...earlier.values()].filter((failed) => failed).length;
  }

  /** Never rejects. */
  async execute(): Promise<JobEnd> {
    const working = new Set<Promise<void>>();
    try {
      for (let repetition = 0; repetition < this.record.repetitions; repetition += 1)
        for await (const example of this.#examples()) {
          if (this.#end !== null) break;
          if (this.#earlier.has(`${example.id} ${repetition}`)) continue;
          const work = this.#runExample(example, repetition)
            .catch((error: unknown) => this.#fail(error))
            .finally(() => working.delete(work));
          working.add(work);
          if (working.size >= this.record.concurrency) await Promise.race(working);
        }
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(working);
    return this.#end ?? 'success';
  }

  /** Ends the job. Runs that execute are cancelled, and what they did is not stored. */
  end(end: JobEnd): void {
    this.#end ??= end;
    for (const run of this.#runs)
      void cancelRun(this.#parts.services, run, 'interrupt', 'its experiment has ended').catch(() => undefined);
  }

  #fail(error: unknown): void {
    if (this.#end !== null) return;
    const { log } = this.#parts;
    const { experimentId } = this.record;
    const isKnown = error instanceof ThreadmillError && error.code !== 'EVALUATION_FAILED';
    if (!isKnown) log.error({ err: error, experimentId }, 'an experiment could not go on');
    this.end({ error: error instanceof Error ? error.message : String(error) });
  }

  async *#examples(): AsyncGenerator<ExampleJson> {
    for await (const page of examplePages(this.#parts.services, this.#caller, this.record)) yield* page;
  }

  async #runExample(example: ExampleJson, repetition: number): Promise<void> {
    const { scheduler, evaluation } = this.#parts.services;
    const run = await this.#start(example, repetition);
    if (run === null) return;
    try {
      const outcome = await scheduler.wait(run);
      this.#runs.delete(run);
      const finished: FinishedRun = { run, outcome, example, repetition, endUs: evaluation.nowUs() };
      const scores = this.#end === null ? await this.#score(finished) : [];
      if (this.#end !== null) return;
      await storeResult(this.#parts, this.#experiment, finished, scores);
      this.done += 1;
      if (outcome.error !== null) this.failed += 1;
    } finally {
      this.#runs.delete(run);
      // Of a run that is not stored.
      this.#parts.heldTraces.take(run.record.runId);
    }
  }

  /** Starts the run of an example, as soon as the server and the caller's quotas allow. Null if the job has ended. */
  async #start(example: ExampleJson, repetition: number): Promise<LiveRun | null> {
    const { services } = this.#parts;
    const { experimentId, assistantId, config, context } = this.record;
    while (this.#end === null) {
      if (services.evaluation.experiments.idOfList(this.#experiment.list) === undefined) {
        // The experiment was deleted.
        this.end('cancelled');
        break;
      }
      try {
        const run = startStatelessRun(services, {
          caller: this.#caller,
          body: {
            assistant_id: assistantId,
            input: example.inputs as JsonObject,
            config: asObject(parseJson(config)),
            context: asObject(parseJson(context)),
            metadata: { experiment_id: experimentId, reference_example_id: example.id, repetition },
          },
          purpose: 'wait',
          context: NO_REQUEST,
          holdsTrace: true,
        });
        this.#runs.add(run);
        return run;
      } catch (error) {
        const isBusy = error instanceof ThreadmillError && (error.status === 429 || error.status === 503);
        if (!isBusy || error.code === 'SHUTTING_DOWN' || error.code === 'STORE_FAILED') throw error;
        await new Promise<void>((resolve) => {
          services.clock.wakeAfter(LIMITS.experimentRetryMs, resolve);
        });
      }
    }
    return null;
  }

  /** The scores of all evaluators of runs. Without outputs there is nothing to score: the error counts as such. */
  async #score(finished: FinishedRun): Promise<EvaluatorResult[]> {
    if (finished.outcome.error !== null) return [];
    const run = evaluatedRun(this.#parts, this.#experiment, finished);
    const { example } = finished;
    const all = await Promise.all(
      this.record.evaluators
        .filter(({ isSummary }) => !isSummary)
        .map((evaluator) => callEvaluator(this.#parts.userCode, 'evaluate', { evaluator, run, example })),
    );
    return all.flat();
  }
}

/** Metadata of an experiment that the server runs. */
export function experimentExtra(
  { assistantId, graphId }: { assistantId: string; graphId: string },
  { versionUs, splits, repetitions }: Pick<ExperimentJobRecord, 'versionUs' | 'splits' | 'repetitions'>,
  metadata: JsonObject,
): Uint8Array {
  return jsonBytes({
    metadata: {
      ...metadata,
      assistant_id: assistantId,
      graph_id: graphId,
      dataset_version: isoMicros(versionUs),
      num_repetitions: repetitions,
      ...(splits === null ? {} : { dataset_splits: splits }),
    },
  });
}
