import type { Clock } from '../../base/clock.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { UserCodePool } from '../../pool/user-code/user-code-pool.js';
import { evaluatorCall } from '../../wire/evaluation/evaluators.js';
import { callEvaluator, feedbackOf, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import type { EvaluationRule } from './trace-settings.js';
import type { TracedRun, TraceWriter } from './trace-writer.js';

const HOUR_MS = 3_600_000;
const NO_RUN = '00000000-0000-4000-8000-000000000000';

export interface OnlineEvaluationOptions {
  rules: readonly EvaluationRule[];
  evaluation: EvaluationContext;
  writer: TraceWriter;
  userCode: UserCodePool;
  clock: Clock;
  log: Logger;
  /** From 0 to 1, below 1. */
  random: () => number;
}

/** How many runs a rule has scored in the present hour. */
interface Budget {
  sinceMs: number;
  used: number;
  /** The log has said that it is used up. */
  isReported: boolean;
}

/** Scores runs after they were recorded, by the rules of langgraph.json. What waits is lost when the server stops. */
export class OnlineEvaluation {
  readonly #options: OnlineEvaluationOptions;
  readonly #budgets: Budget[];
  readonly #waiting: { runId: string; rule: EvaluationRule }[] = [];
  readonly #working = new Set<Promise<void>>();
  #dropped = 0;
  #closed = false;

  constructor(options: OnlineEvaluationOptions) {
    this.#options = options;
    this.#budgets = options.rules.map(() => ({ sinceMs: -Infinity, used: 0, isReported: false }));
  }

  /** Throws CONFIG_INVALID for a filter that cannot be parsed. `file` is langgraph.json. */
  async checkFilters(file: string): Promise<void> {
    for (const [at, rule] of this.#options.rules.entries()) {
      if (rule.filter === null) continue;
      try {
        await this.#find(NO_RUN, rule);
      } catch (error) {
        if (!(error instanceof ThreadmillError) || error.code !== 'INVALID_REQUEST') throw error;
        throw fail('CONFIG_INVALID', { file, problem: `traces.evaluate.${at}.filter: ${error.message}` }, error);
      }
    }
  }

  /** A run has ended, and its trace is complete. */
  onRecorded({ runId, assistant }: TracedRun): void {
    const { rules, random } = this.#options;
    for (const [at, rule] of rules.entries()) {
      const names = [assistant.assistantId, assistant.graphId, assistant.name];
      if (rule.assistants !== null && !rule.assistants.some((one) => names.includes(one))) continue;
      if (random() >= rule.sampleRate) continue;
      if (this.#waiting.length >= LIMITS.onlineEvaluationsWaitingMax) this.#onDropped();
      else if (this.#takeBudget(at, rule)) this.#waiting.push({ runId, rule });
    }
    this.#work();
  }

  /** Ends without what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    await Promise.all(this.#working);
  }

  #onDropped(): void {
    this.#dropped += 1;
    if (this.#dropped > 1) return;
    this.#options.log.warn('runs are not scored, because evaluators are too slow');
  }

  #takeBudget(at: number, { runsPerHour }: EvaluationRule): boolean {
    const { clock, log } = this.#options;
    const budget = this.#budgets[at]!;
    const now = clock.elapsedMs();
    if (now - budget.sinceMs >= HOUR_MS) Object.assign(budget, { sinceMs: now, used: 0, isReported: false });
    if (budget.used < runsPerHour) {
      budget.used += 1;
      return true;
    }
    if (!budget.isReported) log.warn({ rule: at, runsPerHour }, 'a rule of traces.evaluate has used up its hour');
    budget.isReported = true;
    return false;
  }

  #work(): void {
    while (!this.#closed && this.#working.size < LIMITS.onlineEvaluationsMax) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#dropped = 0;
        return;
      }
      const { runId } = next;
      const work = this.#score(runId, next.rule)
        .catch((error: unknown) => {
          if (!this.#closed) this.#options.log.error({ err: error, runId }, 'a run could not be scored');
        })
        .finally(() => {
          this.#working.delete(work);
          this.#work();
        });
      this.#working.add(work);
    }
  }

  async #score(runId: string, rule: EvaluationRule): Promise<void> {
    const { evaluation, writer, userCode, log } = this.#options;
    await writer.flush();
    const run = await this.#find(runId, rule);
    if (run === null) return;
    const results: EvaluatorResult[] = [];
    for (const name of rule.evaluators) {
      const example = { inputs: run['inputs'], outputs: null };
      results.push(
        ...(await callEvaluator(userCode, 'evaluate', { evaluator: evaluatorCall({ name }), run, example })),
      );
    }
    for (const { key, failed, comment } of results)
      if (failed) log.warn({ runId, key, comment }, 'an evaluator failed');
    const changes = new ListChanges(evaluation);
    const found = changes.run(runId);
    // Deleted meanwhile.
    if (found === undefined) return;
    for (const result of results) changes.putFeedback(found.list, feedbackOf(evaluation, result, runId));
    await changes.commit();
  }

  /** The run in the format of the API; null if it is deleted, or does not match the filter. */
  async #find(runId: string, { filter }: EvaluationRule): Promise<JsonObject | null> {
    const { body } = await this.#options.evaluation.pool.read('runs.match', SERVER_CALLER, { id: runId, filter });
    const [run] = JSON.parse(Buffer.from(body).toString()) as JsonObject[];
    return run ?? null;
  }
}
