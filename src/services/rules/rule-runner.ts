import { fail, ThreadmillError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import type { Assistants } from '../../store/assistants.js';
import { keys } from '../../store/keys.js';
import type { RunMatch } from '../../wire/evaluation/run-match.js';
import type { EvaluationContext } from '../evaluation/context.js';
import type { StoredChange } from '../evaluation/run-watcher.js';
import type { RuleAction } from './actions.js';
import type { Rule, RuleSettings } from './rule.js';

const NO_RUN = '00000000-0000-4000-8000-000000000000';

export interface RuleRunnerOptions {
  evaluation: EvaluationContext;
  assistants: Assistants;
  act: RuleAction;
  log: Logger;
  nowMs: () => number;
  /** From 0 to 1, below 1. */
  random: () => number;
}

type RuleFilters = Pick<RuleSettings, 'filter' | 'traceFilter' | 'treeFilter'>;

interface WaitingRun {
  runId: string;
  rule: Rule;
}

/** The project of a run, as rules name it. */
interface RunProject {
  projectId: string;
  /** Id, name and graph of the assistant whose runs are recorded here; null for another project. */
  assistant: readonly string[] | null;
}

/**
 * Lets rules act on runs that were stored: few at a time, and a bounded number waits. What waits is lost when the
 * server stops.
 */
export class RuleRunner {
  readonly #options: RuleRunnerOptions;
  readonly #waiting: WaitingRun[] = [];
  readonly #working = new Set<Promise<void>>();
  #dropped = 0;
  #closed = false;

  constructor(options: RuleRunnerOptions) {
    this.#options = options;
  }

  onStored(changes: readonly StoredChange[], rules: readonly Rule[]): void {
    const projects = new Map<number, RunProject | null>();
    for (const { runId, list, trigger } of changes) {
      if (!projects.has(list)) projects.set(list, this.#projectOf(list));
      const project = projects.get(list)!;
      if (project === null) continue;
      const inScope = rules.filter(({ settings }) => isInScope(settings, project));
      for (const rule of inScope.filter(({ settings }) => settings.trigger === trigger)) this.#add(runId, rule);
      if (trigger === 'feedback') continue;
      const forFeedback = inScope.filter(({ settings }) => settings.trigger === 'feedback');
      // Feedback may have arrived before the run has ended.
      if (forFeedback.length > 0 && this.#hasFeedback(runId)) for (const rule of forFeedback) this.#add(runId, rule);
    }
    this.#work();
  }

  #hasFeedback(runId: string): boolean {
    return this.#options.evaluation.latest.keysUnder(keys.feedbackOfRun(runId)).length > 0;
  }

  /** Throws INVALID_REQUEST for a filter that cannot be parsed. */
  async checkFilters({ filter, traceFilter, treeFilter }: RuleFilters): Promise<void> {
    await this.#find(SERVER_CALLER, NO_RUN, { filter, traceFilter, treeFilter, select: ['id'] });
  }

  /** Ends without what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    await Promise.all(this.#working);
  }

  #add(runId: string, rule: Rule): void {
    const { random, log } = this.#options;
    const { name, samplingRate, runsPerHour } = rule.settings;
    if (random() >= samplingRate) return;
    if (rule.budget.isUsedUp(runsPerHour)) {
      if (rule.budget.shouldReport()) log.warn({ rule: name, runsPerHour }, 'a rule has used up its hour');
    } else if (this.#waiting.length >= LIMITS.ruleRunsWaitingMax) this.#drop(rule);
    else this.#waiting.push({ runId, rule });
  }

  #drop({ counts, onCounted }: Rule): void {
    counts.dropped += 1;
    onCounted();
    this.#dropped += 1;
    if (this.#dropped === 1) this.#options.log.warn('rules leave out runs, because evaluators are too slow');
  }

  #projectOf(list: number): RunProject | null {
    const { evaluation, assistants } = this.#options;
    const project = evaluation.experiments.ofList(SERVER_CALLER, list);
    if (project === undefined) return null;
    const { experimentId, assistantId } = project;
    if (assistantId === undefined) return { projectId: experimentId, assistant: null };
    const known = assistants.get(SERVER_CALLER, assistantId);
    return {
      projectId: experimentId,
      assistant: known === undefined ? [assistantId] : [assistantId, known.graphId, known.name],
    };
  }

  #work(): void {
    while (!this.#closed && this.#working.size < LIMITS.ruleRunsMax) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#dropped = 0;
        return;
      }
      const work = this.#apply(next)
        .catch((error: unknown) => this.#onFailed(next, error))
        .finally(() => {
          this.#working.delete(work);
          this.#work();
        });
      this.#working.add(work);
    }
  }

  async #apply({ runId, rule }: WaitingRun): Promise<void> {
    const { act, nowMs } = this.#options;
    const { settings, counts, budget, callerOf, onCounted } = rule;
    // Changed or deleted while the run waited.
    if (!settings.isEnabled || budget.isUsedUp(settings.runsPerHour)) return;
    const found = callerOf();
    if ('refusal' in found) throw new RuleRefusal(found.refusal);
    const { filter, traceFilter, treeFilter, actions } = settings;
    const select = actions.evaluators.length > 0 ? null : ['id'];
    const run = await this.#find(found.caller, runId, { filter, traceFilter, treeFilter, select });
    if (run === null) return;
    budget.take();
    counts.matched += 1;
    const { hasChanged, problems } = await act(settings, found.caller, { runId, run });
    if (hasChanged) {
      counts.acted += 1;
      counts.actedAtMs = nowMs();
    }
    if (problems.length > 0) throw new RuleRefusal(problems.join('; '));
    onCounted();
  }

  #onFailed({ runId, rule }: WaitingRun, error: unknown): void {
    if (this.#closed) return;
    const { settings, counts, onCounted } = rule;
    const isExpected = error instanceof RuleRefusal || error instanceof ThreadmillError;
    if (!isExpected) this.#options.log.error({ err: error, runId, rule: settings.name }, 'a rule could not act');
    const text = isExpected ? error.message : 'An unexpected error, which the log of the server has.';
    counts.error = text.slice(0, LIMITS.ruleErrorCharsMax);
    counts.errorAtMs = this.#options.nowMs();
    onCounted();
  }

  /** The run in the format of the API; null if it is deleted, or does not match. */
  async #find(caller: Caller, id: string, match: Omit<RunMatch, 'id'>): Promise<JsonObject | null> {
    const { body } = await this.#options.evaluation.pool.read('runs.match', caller, {
      id,
      ...match,
    } satisfies RunMatch);
    const [run] = JSON.parse(Buffer.from(body).toString()) as JsonObject[];
    return run ?? null;
  }
}

/** A rule cannot act on a run, for a reason that its owner can change. */
class RuleRefusal extends Error {}

function isInScope({ scope }: RuleSettings, { projectId, assistant }: RunProject): boolean {
  if ('projectId' in scope) return scope.projectId === projectId;
  if (assistant === null) return false;
  return scope.assistants === null || scope.assistants.some((one) => assistant.includes(one));
}

/** The same error as one of langgraph.json. `place`: the rule in the file. */
export function configError(error: unknown, file: string, place: string): Error {
  if (!(error instanceof ThreadmillError) || error.code !== 'INVALID_REQUEST') return error as Error;
  return fail('CONFIG_INVALID', { file, problem: `${place}.filter: ${error.message}` }, error);
}
