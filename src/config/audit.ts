import { isObject } from '../base/json/json.js';
import type { AuditRetention } from '../store/access/audit-log.js';

const DAY_MS = 86_400_000;
const ENTRIES = { default: 100_000, max: 10_000_000 };
const DAYS = { default: 365, max: 3_650 };

/** Reads `audit` of langgraph.json. Throws the error that `problem` makes, which names the place. */
export function readAudit(value: unknown, problem: (text: string) => Error): AuditRetention {
  if (value !== undefined && value !== null && !isObject(value))
    throw problem('audit: must be an object such as {"keep_days": 90}.');
  const number = (name: string, bounds: { default: number; max: number }): number => {
    const given = (value ?? {})[name] ?? bounds.default;
    if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > bounds.max)
      throw problem(`audit.${name}: must be a whole number from 1 to ${bounds.max}.`);
    return given;
  };
  return { entriesMax: number('keep_entries', ENTRIES), keepMs: number('keep_days', DAYS) * DAY_MS };
}
