import type { RuleCreate, RuleListQuery, RulePatch } from '../../../schemas/compiled/types.js';
import type { Clock } from '../../base/clock.js';
import { fail, type Problem } from '../../base/errors.js';
import { canonicalUuid, contentHash, uuidOf } from '../../base/ids.js';
import { jsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { invalidRequest } from '../../base/request-problems.js';
import { filterOf, seesStored, type Caller } from '../../domain/caller.js';
import type { Seal } from '../../store/encryption/seal.js';
import { queueOf } from '../../store/evaluation/annotation-queues.js';
import {
  hasRule,
  putRule,
  removeRule,
  ruleRecords,
  type RuleActions,
  type RuleRecord,
} from '../../store/evaluation/rules.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { EvaluatorKind } from '../../wire/evaluation/evaluators.js';
import type { Access } from '../access/access.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { stampMetadata } from '../evaluation/extra.js';
import type { RunWatcher, StoredChange } from '../evaluation/run-watcher.js';
import type { EvaluationRule } from '../traces/trace-settings.js';
import { HourlyBudget } from './hourly-budget.js';
import { NO_COUNTS, placeOf, settingsOfFile, settingsOfRecord, type Rule, type RuleCaller } from './rule.js';
import { configError, type RuleRunner } from './rule-runner.js';

export interface RuleBookParts {
  evaluation: EvaluationContext;
  runner: RuleRunner;
  access: Pick<Access, 'isKeyValid'>;
  seal: Seal;
  clock: Clock;
  log: Logger;
  /** The evaluators of langgraph.json, which `dev` replaces. */
  evaluators: () => readonly EvaluatorKind[];
}

/** A rule as the API shows it. */
export interface ListedRule {
  rule: Rule;
  /** Null: it is in langgraph.json, at `place`. */
  record: RuleRecord | null;
  place: string | null;
}

export interface RuleNames {
  project: string | null;
  dataset: string | null;
  queue: string | null;
}

interface StoredRule extends ListedRule {
  record: RuleRecord;
  hasNewCounts: boolean;
}

/** The rules of the API and those of langgraph.json, and what changes them. */
export class RuleBook implements RunWatcher {
  readonly #parts: RuleBookParts;
  readonly #ofFile: readonly ListedRule[];
  readonly #stored = new Map<string, StoredRule>();
  #active: readonly Rule[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: RuleBookParts, ofFile: readonly EvaluationRule[], serverCaller: Caller) {
    this.#parts = parts;
    this.#ofFile = ofFile.map((rule, index) => {
      const place = placeOf(index);
      const ruleId = uuidOf(contentHash(`${place} ${JSON.stringify(rule)}`));
      return {
        rule: {
          settings: settingsOfFile(rule, index, ruleId),
          counts: { ...NO_COUNTS },
          budget: new HourlyBudget(parts.clock),
          callerOf: () => ({ caller: serverCaller }),
          onCounted: () => undefined,
        },
        record: null,
        place,
      };
    });
    this.#activate();
  }

  /** Throws CONFIG_INVALID for a filter of langgraph.json that cannot be parsed. */
  async checkFile(file: string): Promise<void> {
    for (const { rule, place } of this.#ofFile) {
      if (rule.settings.filter === null) continue;
      try {
        await this.#parts.runner.checkFilters(rule.settings);
      } catch (error) {
        throw configError(error, file, place!);
      }
    }
  }

  /** Loads what is stored, at the start or after a takeover. */
  recover(): void {
    for (const record of ruleRecords(this.#parts.evaluation.latest.store)) this.#keep(record);
    this.#activate();
  }

  async close(): Promise<void> {
    await this.#parts.runner.close();
    await this.#storeCounts();
  }

  get isWatching(): boolean {
    return this.#active.length > 0;
  }

  onStored(changes: readonly StoredChange[]): void {
    this.#parts.runner.onStored(changes, this.#active);
  }

  onProjectRemoved(commit: DraftCommit, experimentId: string): void {
    for (const { record } of this.#stored.values())
      if (record.projectId === experimentId) {
        removeRule(commit, record.ruleId);
        this.#forget(record.ruleId);
      }
  }

  /** Those that the caller may see, the oldest first; before them, those of langgraph.json. */
  list(caller: Caller, query: RuleListQuery): ListedRule[] {
    const wanted = (id: string | null | undefined, known: string | null): boolean =>
      id == null || canonicalUuid(id) === known;
    return [
      ...(seesFile(caller) ? this.#ofFile : []),
      ...[...this.#stored.values()]
        .filter(({ record }) => this.#isVisible(caller, record))
        .toSorted((a, b) => a.record.createdAtMs - b.record.createdAtMs),
    ].filter(
      ({ rule: { settings }, record }) =>
        wanted(query.session_id, record?.projectId ?? null) &&
        wanted(query.dataset_id, settings.actions.dataset?.datasetId ?? null) &&
        (query.name_contains == null || settings.name.toLowerCase().includes(query.name_contains.toLowerCase())),
    );
  }

  /** Names of what a rule refers to. Null: none, deleted, or not visible to the caller. */
  namesFor(caller: Caller, { rule, record }: ListedRule): RuleNames {
    const { experiments, datasets, latest } = this.#parts.evaluation;
    const { dataset, queueId } = rule.settings.actions;
    const projectId = record?.projectId ?? null;
    return {
      project: projectId === null ? null : (experiments.get(caller, projectId)?.name ?? null),
      dataset: dataset === null ? null : (datasets.get(caller, dataset.datasetId)?.name ?? null),
      queue: queueId === null ? null : (queueOf(latest, caller, queueId)?.name ?? null),
    };
  }

  /** Throws RULE_NOT_FOUND. */
  get(caller: Caller, ruleId: string): ListedRule {
    const ofFile = this.#ofFile.find(({ rule }) => rule.settings.ruleId === ruleId);
    if (ofFile !== undefined && seesFile(caller)) return ofFile;
    const found = this.#stored.get(ruleId);
    if (found === undefined || !this.#isVisible(caller, found.record)) throw fail('RULE_NOT_FOUND', { ruleId });
    return found;
  }

  /**
   * Throws EXPERIMENT_NOT_FOUND, DATASET_NOT_FOUND, QUEUE_NOT_FOUND, RULES_LIMITED, and INVALID_REQUEST for a filter,
   * an evaluator or a set of actions that cannot work.
   */
  async create(caller: Caller, body: RuleCreate): Promise<ListedRule> {
    const { evaluation, clock, seal } = this.#parts;
    const ruleId = evaluation.ids.next();
    const nowMs = clock.nowMs();
    const record: RuleRecord = {
      ...fieldsOf(body, null),
      ruleId,
      metadata: stampMetadata(caller, body.metadata == null ? null : jsonBytes(body.metadata)),
      sealed: seal.seal(caller, ruleId),
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
      counts: { ...NO_COUNTS },
    };
    return this.#alone(async () => {
      if (this.#stored.size >= LIMITS.rulesMax) throw fail('RULES_LIMITED', { limit: LIMITS.rulesMax });
      await this.#check(caller, record, null);
      return this.#store(record);
    });
  }

  /**
   * Changes the given fields. From now on the rule acts on behalf of this caller. Throws what `create` throws,
   * RULE_NOT_FOUND and RULE_READ_ONLY.
   */
  async patch(caller: Caller, ruleId: string, body: RulePatch): Promise<ListedRule> {
    const { clock, seal } = this.#parts;
    return this.#alone(async () => {
      const before = this.#toChange(caller, ruleId);
      const record = {
        ...before,
        ...fieldsOf(body, before),
        ...(body.metadata == null ? {} : { metadata: stampMetadata(caller, jsonBytes(body.metadata)) }),
        sealed: seal.seal(caller, ruleId),
        modifiedAtMs: clock.nowMs(),
      };
      await this.#check(caller, record, before);
      // Prevents a change that would hide the rule from its own caller.
      if (!this.#isVisible(caller, record)) throw fail('FORBIDDEN', { action: 'experiments:update' });
      // The change may have removed the cause of the last error.
      Object.assign(before.counts, { error: null, errorAtMs: null });
      return this.#store(record);
    });
  }

  /** Throws RULE_NOT_FOUND, RULE_READ_ONLY. */
  async delete(caller: Caller, ruleId: string): Promise<void> {
    const { latest } = this.#parts.evaluation;
    await this.#alone(async () => {
      this.#toChange(caller, ruleId);
      const plan = new DraftCommit(latest);
      removeRule(plan, ruleId);
      this.#forget(ruleId);
      await latest.write(plan);
    });
  }

  /** Changes one after the other, so that each begins with what the one before has stored. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    return this.#parts.evaluation.locks.withLocks(['rules'], change);
  }

  #toChange(caller: Caller, ruleId: string): RuleRecord {
    const { record, place } = this.get(caller, ruleId);
    if (record === null) throw fail('RULE_READ_ONLY', { place: place! });
    return record;
  }

  #isVisible(caller: Caller, { projectId, metadata }: RuleRecord): boolean {
    const { experiments } = this.#parts.evaluation;
    return (
      seesStored(caller, 'experiments', metadata) &&
      (projectId === null || experiments.get(caller, projectId) !== undefined)
    );
  }

  /** What a change leaves as it was may be gone. Otherwise such a rule could not be disabled or renamed. */
  async #check(caller: Caller, record: RuleRecord, before: RuleRecord | null): Promise<void> {
    const { evaluation, runner } = this.#parts;
    const { projectId, actions } = record;
    const problems = [...actionProblems(record), ...this.#evaluatorProblems(actions, before?.actions.evaluators ?? [])];
    if (problems.length > 0) throw invalidRequest('body', problems);
    if (projectId !== null && evaluation.experiments.get(caller, projectId) === undefined)
      throw fail('EXPERIMENT_NOT_FOUND', { experimentId: projectId });
    const { dataset, queueId } = actions;
    const isNewDataset = dataset !== null && dataset.datasetId !== before?.actions.dataset?.datasetId;
    if (isNewDataset && evaluation.datasets.get(caller, dataset.datasetId) === undefined)
      throw fail('DATASET_NOT_FOUND', { datasetId: dataset.datasetId });
    const isNewQueue = queueId !== null && queueId !== before?.actions.queueId;
    if (isNewQueue && queueOf(evaluation.latest, caller, queueId) === undefined)
      throw fail('QUEUE_NOT_FOUND', { queueId });
    await runner.checkFilters(record);
  }

  #evaluatorProblems({ evaluators }: RuleActions, before: readonly string[]): Problem[] {
    const known = this.#parts.evaluators().filter(({ isSummary }) => !isSummary);
    return evaluators.flatMap((name, index) =>
      before.includes(name) || known.some((one) => one.name === name)
        ? []
        : [
            {
              loc: ['evaluators', index],
              msg: `must be one of the evaluators of langgraph.json that score single runs; it is "${name}"`,
              type: 'enum',
            },
          ],
    );
  }

  async #store(record: RuleRecord): Promise<ListedRule> {
    const { latest } = this.#parts.evaluation;
    const plan = new DraftCommit(latest);
    putRule(plan, record);
    await latest.write(plan);
    const kept = this.#keep(record);
    this.#activate();
    return kept;
  }

  #keep(record: RuleRecord): StoredRule {
    const { clock } = this.#parts;
    const known = this.#stored.get(record.ruleId);
    const counts = known?.rule.counts ?? record.counts;
    const kept: StoredRule = known ?? {
      rule: {
        settings: settingsOfRecord(record),
        counts,
        budget: new HourlyBudget(clock),
        callerOf: () => this.#callerOf(kept.record),
        onCounted: () => this.#onCounted(kept),
      },
      record,
      place: null,
      hasNewCounts: false,
    };
    kept.record = { ...record, counts };
    kept.rule.settings = settingsOfRecord(record);
    this.#stored.set(record.ruleId, kept);
    return kept;
  }

  #forget(ruleId: string): void {
    const known = this.#stored.get(ruleId);
    if (known === undefined) return;
    known.rule.settings = { ...known.rule.settings, isEnabled: false };
    this.#stored.delete(ruleId);
    this.#activate();
  }

  #activate(): void {
    this.#active = [...this.#ofFile, ...this.#stored.values()]
      .map(({ rule }) => rule)
      .filter(({ settings }) => settings.isEnabled);
  }

  #callerOf({ ruleId, sealed }: RuleRecord): RuleCaller {
    const { seal, access } = this.#parts;
    const caller = seal.open(sealed, ruleId);
    if (caller === null)
      return { refusal: 'Its caller cannot be decrypted, because the sealing key is missing. Save the rule again.' };
    return access.isKeyValid(caller)
      ? { caller }
      : { refusal: 'The API key that made it has expired or was revoked. Save the rule again.' };
  }

  #onCounted(stored: StoredRule): void {
    stored.hasNewCounts = true;
    this.#timer ??= setTimeout(() => void this.#storeCounts(), LIMITS.ruleCountsDelayMs).unref();
  }

  async #storeCounts(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { evaluation, log } = this.#parts;
    const plan = new DraftCommit(evaluation.latest);
    for (const stored of this.#stored.values()) {
      if (!stored.hasNewCounts || !hasRule(evaluation.latest, stored.record.ruleId)) continue;
      stored.hasNewCounts = false;
      putRule(plan, stored.record);
    }
    if (plan.operations.length === 0) return;
    try {
      await evaluation.latest.write(plan);
    } catch (error) {
      log.error({ err: error }, 'the counts of rules could not be stored');
    }
  }
}

/** Rules of langgraph.json act on runs of everybody. */
function seesFile(caller: Caller): boolean {
  return filterOf(caller, 'experiments') === null;
}

type RuleFields = Omit<RuleRecord, 'ruleId' | 'metadata' | 'sealed' | 'createdAtMs' | 'modifiedAtMs' | 'counts'>;

/** The fields of a rule. A field that the body lacks keeps its value, or gets the default. */
function fieldsOf(body: RulePatch, before: RuleRecord | null): RuleFields {
  const given = <T>(value: T | undefined, known: T): T => (value === undefined ? known : value);
  const id = (name: 'session_id' | 'add_to_dataset_id' | 'add_to_annotation_queue_id', known: string | null) =>
    body[name] == null ? given(body[name], known) : (canonicalUuid(body[name]) ?? body[name]);
  const dataset = before?.actions.dataset ?? null;
  const datasetId = id('add_to_dataset_id', dataset?.datasetId ?? null);
  return {
    name: body.display_name ?? before?.name ?? '',
    isEnabled: body.is_enabled ?? before?.isEnabled ?? true,
    projectId: id('session_id', before?.projectId ?? null),
    trigger: body.trigger ?? before?.trigger ?? 'end',
    filter: given(body.filter, before?.filter ?? null),
    traceFilter: given(body.trace_filter, before?.traceFilter ?? null),
    treeFilter: given(body.tree_filter, before?.treeFilter ?? null),
    samplingRate: body.sampling_rate ?? before?.samplingRate ?? 1,
    runsPerHour: body.runs_per_hour ?? before?.runsPerHour ?? LIMITS.ruleRunsPerHour,
    actions: {
      dataset:
        datasetId === null
          ? null
          : {
              datasetId,
              inputsPath: given(body.dataset_inputs_path, dataset?.inputsPath ?? null),
              outputsPath: given(body.dataset_outputs_path, dataset?.outputsPath ?? null),
              splits: given(splitsOf(body.dataset_split), dataset?.splits ?? null),
              prefersCorrection: body.add_to_dataset_prefer_correction ?? dataset?.prefersCorrection ?? false,
            },
      queueId: id('add_to_annotation_queue_id', before?.actions.queueId ?? null),
      evaluators: body.evaluators === undefined ? (before?.actions.evaluators ?? []) : (body.evaluators ?? []),
    },
  };
}

function splitsOf(split: RulePatch['dataset_split']): readonly string[] | null | undefined {
  return split == null ? split : [split].flat();
}

function actionProblems({ trigger, actions }: RuleRecord): Problem[] {
  const { dataset, queueId, evaluators } = actions;
  if (dataset === null && queueId === null && evaluators.length === 0)
    return [
      {
        loc: ['add_to_dataset_id'],
        msg: 'is required when add_to_annotation_queue_id and evaluators are not given',
        type: 'missing',
      },
    ];
  // Their scores are feedback, which would trigger the rule again.
  return trigger === 'feedback' && evaluators.length > 0
    ? [{ loc: ['evaluators'], msg: 'are possible with the trigger "end" only', type: 'value_error' }]
    : [];
}
