import type { ExperimentStart } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { isUuid } from '../../base/ids.js';
import { jsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { invalidRequest } from '../../base/request-problems.js';
import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { UserCodeError, type UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { DatasetRecord } from '../../store/evaluation/datasets.js';
import {
  experimentJobOf,
  experimentJobs,
  putExperimentJob,
  removeResults,
  type ExperimentJobRecord,
} from '../../store/evaluation/experiment-jobs.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import {
  BUILT_IN_EVALUATORS,
  evaluatorCall,
  isBuiltIn,
  type EvaluatorCall,
  type EvaluatorKind,
} from '../../wire/evaluation/evaluators.js';
import { resolveAssistant } from '../assistants/assistants.js';
import { feedbackOf, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import { newExperiment } from '../evaluation/experiments.js';
import { stampExtra } from '../evaluation/extra.js';
import { ListChanges } from '../evaluation/list-changes.js';
import { datasetLock } from '../evaluation/locks.js';
import { ExperimentJob, experimentExtra, type JobEnd } from './experiment-job.js';
import type { ExperimentRunner } from './experiment-runner.js';
import type { ExperimentJobParts } from './parts.js';
import { scoreExperiment } from './score-experiment.js';

/** Keeps the jobs that execute, and stores their beginning and their end. */
export class ExperimentJobs implements ExperimentRunner {
  readonly #parts: ExperimentJobParts;
  readonly #running = new Map<string, { job: ExperimentJob; ended: Promise<void> }>();
  evaluators: readonly EvaluatorKind[];
  #closed = false;

  constructor(parts: ExperimentJobParts, evaluators: readonly EvaluatorKind[]) {
    this.#parts = parts;
    this.evaluators = evaluators;
  }

  recover(): void {
    const { evaluation } = this.#parts.services;
    for (const record of [...experimentJobs(evaluation.latest.store)])
      if (record.status === 'running') this.#resume(record);
  }

  #resume(record: ExperimentJobRecord): void {
    const { services, log } = this.#parts;
    const { experimentId } = record;
    const caller = services.stores.seal.open(record.sealed, experimentId);
    const refusal =
      caller === null
        ? 'Its caller cannot be decrypted, because the sealing key is missing.'
        : services.access.isKeyValid(caller)
          ? null
          : 'The API key that started it has expired or was revoked.';
    const earlier = this.#resultsOf(experimentId);
    if (caller !== null && refusal === null) this.#execute(record, caller, earlier);
    else {
      const failed = [...earlier.values()].filter((one) => one).length;
      this.#storeEnd({ ...record, done: earlier.size, failed }, { error: refusal! }).catch((error: unknown) =>
        log.error({ err: error, experimentId }, 'the end of an experiment could not be stored'),
      );
    }
  }

  #resultsOf(experimentId: string): Map<string, boolean> {
    const results = new Map<string, boolean>();
    for (const [key, value] of this.#parts.services.evaluation.latest.store.entries({
      prefix: keys.experimentResults(experimentId),
    }))
      results.set(`${key[2]} ${key[3]}`, value[0] === 1);
    return results;
  }

  async start(caller: Caller, body: ExperimentStart): Promise<ExperimentJobRecord> {
    const { services, userCode } = this.#parts;
    const { evaluation, scheduler, stores } = services;
    scheduler.checkIntake();
    if (this.#running.size >= LIMITS.experimentsRunningMax)
      throw fail('EXPERIMENTS_LIMITED', { running: this.#running.size });
    const assistant = resolveAssistant(services, caller, body.assistant_id);
    const { datasetId } = this.#datasetOf(caller, body.dataset);
    const evaluators = this.#evaluatorsOf(body);
    await checkEvaluators(userCode, evaluators);
    const experimentId = evaluation.ids.next();
    const name = body.name ?? `${assistant.name}-${experimentId.slice(-8)}`;
    return evaluation.locks.withLocks([datasetLock(datasetId)], async () => {
      const { datasets, experiments, latest } = evaluation;
      const versionUs = evaluation.nowUs();
      const splits = body.splits ?? null;
      const repetitions = body.repetitions ?? 1;
      const examples = await this.#countExamples(caller, { datasetId, splits });
      const dataset = datasets.get(caller, datasetId);
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
      if (examples * repetitions > LIMITS.experimentRunsMax)
        throw invalidRequest('body', [
          { loc: ['repetitions'], msg: `makes more than ${LIMITS.experimentRunsMax} runs`, type: 'too_many' },
        ]);
      const record: ExperimentJobRecord = {
        experimentId,
        datasetId,
        versionUs,
        splits,
        assistantId: assistant.assistantId,
        config: jsonBytes(body.config ?? {}),
        context: jsonBytes(body.context ?? {}),
        evaluators,
        repetitions,
        concurrency: body.max_concurrency ?? LIMITS.experimentConcurrency,
        sealed: stores.seal.seal(caller, experimentId),
        status: 'running',
        error: null,
        total: examples * repetitions,
        done: 0,
        failed: 0,
        createdAtMs: services.clock.nowMs(),
        endedAtMs: null,
      };
      if (experiments.idByName(name) !== undefined || evaluation.reservedNames.has(name))
        throw fail('EXPERIMENT_EXISTS', { name });
      const plan = new DraftCommit(latest);
      const experiment = newExperiment(evaluation, plan, {
        experimentId,
        name,
        description: body.description ?? null,
        extra: stampExtra(caller, experimentExtra(assistant, record, body.metadata ?? {})),
        progress: jsonBytes({ expected_run_count: record.total, evaluator_keys: [] }),
        referenceDatasetId: datasetId,
        testRunNumber: dataset.nextTestRun,
      });
      datasets.put(plan, { ...dataset, nextTestRun: dataset.nextTestRun + 1 }, dataset);
      experiments.put(plan, experiment, null);
      putExperimentJob(plan, record);
      await latest.write(plan);
      this.#execute(record, caller, new Map());
      return record;
    });
  }

  get(caller: Caller, experimentId: string): ExperimentJobRecord {
    const { evaluation } = this.#parts.services;
    if (evaluation.experiments.get(caller, experimentId) === undefined)
      throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
    const record = experimentJobOf(evaluation.latest, experimentId);
    if (record === undefined) throw fail('EXPERIMENT_NOT_RUN_HERE', { experimentId });
    const job = this.#running.get(experimentId)?.job;
    return job === undefined ? record : { ...record, done: job.done, failed: job.failed };
  }

  async cancel(caller: Caller, experimentId: string): Promise<ExperimentJobRecord> {
    this.get(caller, experimentId);
    const running = this.#running.get(experimentId);
    running?.job.end('cancelled');
    await running?.ended;
    return this.get(caller, experimentId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running.values()];
    for (const { job } of running) job.end('stopped');
    await Promise.all(running.map(({ ended }) => ended));
  }

  #execute(record: ExperimentJobRecord, caller: Caller, earlier: ReadonlyMap<string, boolean>): void {
    const { experimentId } = record;
    const { services, log } = this.#parts;
    const experiment = services.evaluation.experiments.get(SERVER_CALLER, experimentId);
    if (experiment === undefined || this.#closed) return;
    const job = new ExperimentJob(this.#parts, { record, experiment, caller, earlier });
    const ended = this.#finish(job, caller)
      .catch((error: unknown) => {
        // It goes on after the next start.
        if (!this.#closed) log.error({ err: error, experimentId }, 'the end of an experiment could not be stored');
      })
      .finally(() => this.#running.delete(experimentId));
    this.#running.set(experimentId, { job, ended });
  }

  async #finish(job: ExperimentJob, caller: Caller): Promise<void> {
    const end = await job.execute();
    const record = { ...job.record, done: job.done, failed: job.failed };
    if (end !== 'success') return this.#storeEnd(record, end);
    let scores: EvaluatorResult[];
    try {
      scores = await scoreExperiment(this.#parts, caller, record);
    } catch (error) {
      if (this.#closed) return;
      return this.#storeEnd(record, { error: error instanceof Error ? error.message : String(error) });
    }
    return this.#storeEnd(record, end, scores);
  }

  async #storeEnd(record: ExperimentJobRecord, end: JobEnd, scores: readonly EvaluatorResult[] = []): Promise<void> {
    const { evaluation, clock } = this.#parts.services;
    const { experiments, remover } = evaluation;
    const { experimentId } = record;
    const experiment = experiments.get(SERVER_CALLER, experimentId);
    // Deleted meanwhile, and the job with it.
    if (end === 'stopped' || experiment === undefined) return;
    const changes = new ListChanges(evaluation);
    const { plan } = changes;
    for (const score of scores) changes.putFeedback(experiment.list, feedbackOf(evaluation, score, null));
    const [status, error] = typeof end === 'string' ? [end, null] : (['error', end.error] as const);
    putExperimentJob(plan, { ...record, status, error, endedAtMs: clock.nowMs() });
    experiments.put(plan, { ...experiment, endTimeUs: evaluation.nowUs() }, experiment);
    removeResults(plan, experimentId);
    await changes.commit();
    remover.wake();
  }

  #datasetOf(caller: Caller, nameOrId: string): DatasetRecord {
    const { datasets } = this.#parts.services.evaluation;
    const byName = datasets.idByName(nameOrId);
    const found =
      (isUuid(nameOrId) ? datasets.get(caller, nameOrId.toLowerCase()) : undefined) ??
      (byName === undefined ? undefined : datasets.get(caller, byName));
    if (found === undefined) throw fail('DATASET_NOT_FOUND', { datasetId: nameOrId });
    return found;
  }

  async #countExamples(
    caller: Caller,
    { datasetId, splits }: Pick<ExperimentJobRecord, 'datasetId' | 'splits'>,
  ): Promise<number> {
    const { body } = await this.#parts.services.evaluation.pool.read('examples.count', caller, {
      dataset: datasetId,
      ...(splits === null ? {} : { splits }),
    });
    return JSON.parse(Buffer.from(body).toString()) as number;
  }

  #evaluatorsOf({ evaluators = [] }: ExperimentStart): EvaluatorCall[] {
    const known = [...this.evaluators.map(({ name }) => name), ...BUILT_IN_EVALUATORS];
    return evaluators.map((given, index) => {
      const asked = typeof given === 'string' ? { name: given } : given;
      if (!known.includes(asked.name))
        throw invalidRequest('body', [
          {
            loc: ['evaluators', index],
            msg: `must be one of ${known.join(', ')}; it is "${asked.name}"`,
            type: 'enum',
          },
        ]);
      const isSummary = this.evaluators.some((one) => one.isSummary && one.name === asked.name);
      return evaluatorCall(asked, isSummary);
    });
  }
}

/**
 * Loads the evaluators, so that a mistake is found before the first run. Throws EVALUATOR_LOAD_FAILED for one of the
 * project, and INVALID_REQUEST for options that a built-in one does not take.
 */
async function checkEvaluators(userCode: UserCodePool, evaluators: readonly EvaluatorCall[]): Promise<void> {
  for (const [index, evaluator] of evaluators.entries()) {
    try {
      await userCode.callHandler('evaluator.load', { evaluator });
    } catch (error) {
      if (!(error instanceof UserCodeError)) throw error;
      const { name } = evaluator;
      if (isBuiltIn(name))
        throw invalidRequest('body', [{ loc: ['evaluators', index], msg: error.message, type: 'evaluator' }]);
      throw fail('EVALUATOR_LOAD_FAILED', { file: name, reason: error.message }, error);
    }
  }
}
