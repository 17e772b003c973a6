import type { ThreadmillError } from '../../src/base/errors.js';
import { nearestFirst } from '../../src/base/nearest-word.js';
import { invalidRequest, type RequestPart } from '../../src/base/request-problems.js';
import { listsOf, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { feedbackConfigOf } from '../../src/store/evaluation/feedback-configs.js';
import type { Caches } from './caches.js';
import { parseFilterTree, type FilterPart } from './filter-parse.js';

/** Number of known keys that an error names. */
const NAMED_KEYS_MAX = 20;

/** A place in a request: the part, then the names. */
type Place = readonly [RequestPart, ...(string | number)[]];

export function unknownFeedbackKey(key: string, known: readonly string[], [where, ...loc]: Place): ThreadmillError {
  const named = nearestFirst(key, known).slice(0, NAMED_KEYS_MAX);
  const rest = known.length - named.length;
  const list = `${named.map((one) => JSON.stringify(one)).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return invalidRequest(where, [
    {
      loc,
      msg:
        `must be a score of these experiments, which have ${known.length === 0 ? 'none' : list}. ` +
        `They have no ${JSON.stringify(key)}`,
      type: 'unknown_key',
    },
  ]);
}

/**
 * Throws INVALID_REQUEST if no run and no experiment has feedback with this key. While there is no feedback at all,
 * scores may still arrive, so every key is accepted. So is a key with a configuration.
 */
export function checkFeedbackKey(
  caches: Caches,
  experiments: readonly ExperimentRecord[],
  key: string,
  place: Place,
): void {
  const known = new Set<string>();
  for (const list of experiments.flatMap(listsOf)) {
    for (const one of caches.facts(list).derived.feedback) {
      if (one.key === key) return;
      known.add(one.key);
    }
  }
  if (known.size === 0 || feedbackConfigOf(caches.reader, key) !== undefined) return;
  throw unknownFeedbackKey(key, [...known].sort(), place);
}

/** The feedback keys that a filter compares with, such as `correct` in `eq(feedback_key, "correct")`. */
export function feedbackKeysIn(filter: string): string[] {
  const found: string[] = [];
  const visit = (part: FilterPart): void => {
    if (part.type !== 'call') return;
    const [field, wanted] = part.args;
    if (field?.type === 'word' && field.name === 'feedback_key' && wanted !== undefined) {
      const values = wanted.type === 'value' ? [wanted.value] : wanted.type === 'list' ? wanted.values : [];
      found.push(...values.filter((value) => typeof value === 'string'));
    }
    for (const one of part.args) visit(one);
  };
  visit(parseFilterTree(filter));
  return found;
}
