import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { Stores } from '../../store/stores.js';
import type { EvaluatorKind } from '../../wire/evaluation/evaluators.js';
import type { Access } from '../access/access.js';
import type { EvaluationContext } from '../evaluation/context.js';
import type { EvaluationRule } from '../traces/trace-settings.js';
import { ruleActions } from './actions.js';
import { RuleBook } from './rule-book.js';
import { RuleRunner } from './rule-runner.js';

/** Builds the rules: those of langgraph.json work at once, those of the API after `recover`. */
export function openRules(
  ofFile: readonly EvaluationRule[],
  parts: {
    evaluation: EvaluationContext;
    stores: Stores;
    access: Access;
    userCode: UserCodePool;
    clock: Clock;
    evaluators: () => readonly EvaluatorKind[];
    log: Logger;
  },
): RuleBook {
  const { evaluation, stores, clock } = parts;
  const runner = new RuleRunner({
    ...parts,
    assistants: stores.assistants,
    act: ruleActions(parts),
    nowMs: () => clock.nowMs(),
    random: Math.random,
  });
  const book = new RuleBook({ ...parts, runner, seal: stores.seal }, ofFile, SERVER_CALLER);
  evaluation.watcher = book;
  return book;
}
