import type { FeedbackConfigListQuery, FeedbackListQuery } from '../../schemas/compiled/types.js';
import { filterOf, type Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { isoMicros } from '../../src/base/micros.js';
import { itemAt, type BlockPosition } from '../../src/store/evaluation/blocks.js';
import { findEvaluationRun } from '../../src/store/evaluation/evaluation-runs.js';
import { listsOf } from '../../src/store/evaluation/experiments.js';
import {
  findFeedback,
  seesFeedbackWithoutExperiment,
  unpackFeedback,
  unpackFeedbackHead,
  type Feedback,
} from '../../src/store/evaluation/feedback.js';
import { feedbackConfigOf, type FeedbackConfigRecord } from '../../src/store/evaluation/feedback-configs.js';
import { keys } from '../../src/store/keys.js';
import { ORPHAN_LIST } from '../../src/store/evaluation/block-lists.js';
import { unpack } from '../../src/wire/codec.js';
import type { Caches } from './caches.js';
import { byTimeDescending, keptFeedback, type KeptFeedback } from './list-facts.js';
import { parseIds, listJson, sliceOfPage, parseTime } from './pages.js';
import { jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';
import { feedbackJson } from './run-json.js';

const get: QueryHandler<{ feedback_id: string }> = (caches, caller, { feedback_id }) => {
  const found = findFeedback(caches.reader, feedback_id);
  if (found === undefined || !isVisible(caches, caller, found.place.list, found.feedback))
    throw fail('FEEDBACK_NOT_FOUND', { feedbackId: feedback_id });
  return shownFeedbackJson(caches, keptFeedbackAt(caches, found.place));
};

function keptFeedbackAt(caches: Caches, place: BlockPosition): KeptFeedback {
  return keptFeedback(unpackFeedbackHead(itemAt(caches.reader, 'F', place)!), place);
}

function isVisible(
  caches: Caches,
  caller: Caller,
  list: number,
  feedback: Pick<Feedback, 'runId' | 'thread'>,
): boolean {
  return list === ORPHAN_LIST
    ? seesFeedbackWithoutExperiment(caches.reader, caller, feedback)
    : caches.experiments.ofList(caller, list) !== undefined;
}

function shownFeedbackJson(caches: Caches, kept: KeptFeedback): Buffer {
  const { list } = kept.place;
  const feedback = unpackFeedback(itemAt(caches.reader, 'F', kept.place)!);
  const run =
    feedback.runId === null || list === ORPHAN_LIST ? undefined : caches.facts(list).derived.byId.get(feedback.runId);
  return feedbackJson(feedback, list === ORPHAN_LIST ? null : (caches.experiments.idOfList(list) ?? null), run);
}

const list: QueryHandler<FeedbackListQuery> = (caches, caller, query) => {
  const runs = parseIds(query.run, 'run');
  const sessions = parseIds(query.session, 'session');
  if (runs === null && sessions === null && filterOf(caller, 'experiments') !== null)
    throw invalidRequest('query', [{ loc: ['session'], msg: 'is required when run is not given', type: 'missing' }]);
  const fromUs = parseTime(query.min_created_at, 'min_created_at');
  const toUs = parseTime(query.max_created_at, 'max_created_at');
  const runSet = runs === null ? null : new Set(runs);
  const matches = (one: KeptFeedback): boolean =>
    (one.place.list !== ORPHAN_LIST || seesFeedbackWithoutExperiment(caches.reader, caller, one)) &&
    (runSet === null || (one.runId !== null && runSet.has(one.runId))) &&
    (query.key === undefined || query.key.includes(one.key)) &&
    (query.source === undefined || (one.source !== null && query.source.includes(one.source))) &&
    (query.level === undefined || (query.level === 'run') === (one.runId !== null)) &&
    (query.has_comment === undefined || query.has_comment === (one.comment !== null && one.comment !== '')) &&
    (query.has_score === undefined || query.has_score === (one.score !== null)) &&
    (fromUs === null || one.createdAtUs >= fromUs) &&
    (toUs === null || one.createdAtUs <= toUs) &&
    (query.comparative_experiment_id === undefined ||
      comparativeIdOf(caches, one) === query.comparative_experiment_id.toLowerCase());
  const lists = [...listsFor(caches, caller, runs, sessions)];
  const waiting = runSet === null || sessions !== null ? [] : orphanedFeedback(caches, [...runSet]);
  if (lists.length !== 1 || lists[0] === ORPHAN_LIST || waiting.length > 0) {
    const count = (query.offset ?? 0) + (query.limit ?? LIMITS.pageRows);
    const newest = newestOf(caches, { lists, single: waiting }, matches, count);
    return listJson(sliceOfPage(newest, query), (one) => shownFeedbackJson(caches, one));
  }
  const all = caches.facts(lists[0]!).derived.feedback;
  // Without a filter, take the page directly from the ordered list in memory. Then its offset does not matter
  // for the cost.
  const plain =
    runs === null &&
    [
      query.key,
      query.source,
      query.level,
      query.has_comment,
      query.has_score,
      query.min_created_at,
      query.max_created_at,
      query.comparative_experiment_id,
    ].every((one) => one === undefined);
  return listJson(sliceOfPage(plain ? all : all.filter(matches), query), (one) => shownFeedbackJson(caches, one));
};

/** The newest matching feedback of many lists, of which only one at a time is in memory, and of single records. */
function newestOf(
  caches: Caches,
  { lists, single }: { lists: readonly number[]; single: readonly KeptFeedback[] },
  matches: (one: KeptFeedback) => boolean,
  count: number,
): KeptFeedback[] {
  let newest: KeptFeedback[] = single.filter(matches);
  for (const list of lists) {
    for (const one of caches.uncachedFacts(list).derived.feedback) {
      if (matches(one)) newest.push(one);
      if (newest.length >= 2 * count) newest = newest.sort(byTimeDescending).slice(0, count);
    }
  }
  return newest.sort(byTimeDescending);
}

export function comparativeIdOf(caches: Caches, { place }: KeptFeedback): string | null {
  return unpackFeedback(itemAt(caches.reader, 'F', place)!).comparativeId;
}

/** The lists that can contain matching feedback. */
function listsFor(caches: Caches, caller: Caller, runs: string[] | null, sessions: string[] | null): Set<number> {
  const lists = new Set<number>();
  for (const id of sessions ?? []) {
    const experiment = caches.experiments.get(caller, id);
    for (const list of experiment === undefined ? [] : listsOf(experiment)) lists.add(list);
  }
  if (sessions !== null) return lists;
  for (const id of runs ?? []) {
    const place = findEvaluationRun(caches.reader, id)?.place;
    if (place !== undefined && caches.experiments.ofList(caller, place.list) !== undefined) lists.add(place.list);
  }
  if (runs !== null) return lists;
  for (const key of caches.reader.keys({ prefix: keys.experiments() })) {
    const experiment = caches.experiments.get(caller, key[1] as string);
    for (const list of experiment === undefined ? [] : listsOf(experiment)) lists.add(list);
  }
  return lists.add(ORPHAN_LIST);
}

/**
 * Feedback on these runs that belongs to no experiment. The list of all such feedback may be long, so it is not
 * scanned.
 */
export function orphanedFeedback(caches: Caches, runs: readonly string[]): KeptFeedback[] {
  return runs.flatMap((runId) =>
    [...caches.reader.keys({ prefix: keys.orphanFeedbackOfRun(runId) })].flatMap((key) => {
      const found = findFeedback(caches.reader, key[2] as string);
      return found?.place.list === ORPHAN_LIST ? [keptFeedbackAt(caches, found.place)] : [];
    }),
  );
}

const configs: QueryHandler<FeedbackConfigListQuery> = (caches, _caller, query) => {
  const found: FeedbackConfigRecord[] = [];
  const part = query.name_contains?.toLowerCase();
  for (const [, bytes] of caches.reader.entries({ prefix: keys.feedbackConfigs() })) {
    const record = unpack<FeedbackConfigRecord>(bytes);
    if (
      (query.key === undefined || query.key.includes(record.feedbackKey)) &&
      (part === undefined || record.feedbackKey.toLowerCase().includes(part))
    )
      found.push(record);
  }
  return listJson(sliceOfPage(found, query), configJson);
};

/** Reads a configuration that was just created. It may already have been deleted. */
const config: QueryHandler<{ feedback_key: string }> = (caches, _caller, { feedback_key: feedbackKey }) => {
  const record = feedbackConfigOf(caches.reader, feedbackKey);
  if (record === undefined) throw fail('FEEDBACK_CONFIG_NOT_FOUND', { feedbackKey });
  return configJson(record);
};

function configJson(record: FeedbackConfigRecord): Buffer {
  return jsonObject({
    feedback_key: record.feedbackKey,
    feedback_config: record.config,
    tenant_id: TENANT_ID,
    modified_at: isoMicros(record.modifiedAtUs),
    is_lower_score_better: record.isLowerScoreBetter,
  });
}

export const feedbackReads = {
  'feedback.get': get,
  'feedback.list': list,
  'feedbackConfigs.list': configs,
  'feedbackConfigs.get': config,
};
