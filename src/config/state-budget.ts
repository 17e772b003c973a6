import { isObject } from '../base/json/json.js';
import { STATE_BUDGET_ACTIONS, type StateBudget, type StateBudgetAction } from '../domain/state-budget.js';

const KEEP_LAST = { default: 1, max: 1_000_000 };
const BYTES_MIN = 1_000;
const BYTES_MAX = 1e15;
const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
};
const EXAMPLE = '{"thread_bytes": "50MB", "on_exceed": "warn"}';

/**
 * Reads `state_budget` of langgraph.json; null without it. Throws the error that `problem` makes, which names the
 * place.
 */
export function readStateBudget(value: unknown, problem: (text: string) => Error): StateBudget | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw problem(`state_budget: must be an object such as ${EXAMPLE}.`);
  const { thread_bytes: bytes, on_exceed: onExceed = 'warn', keep_last: keepLast } = value;
  const threadBytes = bytesOf(bytes);
  if (threadBytes === null || threadBytes < BYTES_MIN || threadBytes > BYTES_MAX)
    throw problem(
      `state_budget.thread_bytes: must be a size from 1KB to 1000000GB such as "50MB", or a number of bytes.`,
    );
  if (!STATE_BUDGET_ACTIONS.includes(onExceed as StateBudgetAction))
    throw problem('state_budget.on_exceed: must be "warn", "refuse" or "thin".');
  if (keepLast !== undefined && onExceed !== 'thin')
    throw problem('state_budget.keep_last: has an effect only with "on_exceed": "thin".');
  const kept = keepLast ?? KEEP_LAST.default;
  if (typeof kept !== 'number' || !Number.isInteger(kept) || kept < 1 || kept > KEEP_LAST.max)
    throw problem(`state_budget.keep_last: must be a whole number from 1 to ${KEEP_LAST.max}.`);
  return { threadBytes, onExceed: onExceed as StateBudgetAction, keepLast: kept };
}

/** Null if it is not a size. */
function bytesOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) ? value : null;
  const [, amount, unit] = (typeof value === 'string' && /^(\d+(?:\.\d+)?) ?([KMG]i?B|B)$/i.exec(value)) || [];
  return amount === undefined ? null : Math.round(Number(amount) * UNITS[unit!.toUpperCase()]!);
}
