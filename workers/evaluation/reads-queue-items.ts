import type { QueueItemsCountQuery, QueueItemsQuery } from '../../schemas/compiled/types.js';
import { fail } from '../../src/base/errors.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { sectionOf } from '../../src/domain/queue-reviews.js';
import { rulesOf, type QueueRecord } from '../../src/store/evaluation/annotation-queues.js';
import { cursorText, listJson, parseCursor, parseTime } from './pages.js';
import {
  count,
  entriesOf,
  nowUs,
  requireQueue,
  reviewFields,
  sectionEntries,
  within,
  type FoundEntry,
  type InQueue,
} from './reads-queues.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';

/** Entries of annotation queues in the words of the newest clients: items of a section, in pages with cursors. */

function itemFields(found: FoundEntry, queue: QueueRecord): Record<string, unknown> {
  const { entry, run: item, experiment } = found;
  return {
    id: entry.entryId,
    item_type: 'RUN',
    queue_id: entry.queueId,
    run_id: entry.runId,
    project_id: experiment.experimentId,
    start_time: isoMicros(item.startUs),
    ...reviewFields(found, queue),
    source_proposed_example_id: null,
  };
}

/** A cursor is a boundary: the entries up to this one come before it. */
type Position = [addedAtUs: number, entryId: string];
const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string';
const positionOf = ({ entry }: FoundEntry): Position => [entry.addedAtUs, entry.entryId];
const START: Position = [0, ''];

function isBefore([aUs, aId]: Position, [bUs, bId]: Position): boolean {
  return aUs !== bUs ? aUs < bUs : aId <= bId;
}

const items: QueryHandler<QueueItemsQuery & InQueue> = (caches, caller, query) => {
  const queue = requireQueue(caches, caller, query.queue_id);
  const started = within(
    parseTime(query.min_start_time, 'min_start_time'),
    parseTime(query.max_start_time, 'max_start_time'),
  );
  const cursor = parseCursor(query.cursor, isPosition);
  if (query.direction === 'backward' && cursor === null)
    throw invalidRequest('query', [{ loc: ['cursor'], msg: 'is required to read backward', type: 'missing' }]);
  const found =
    query.item_type === 'THREAD'
      ? []
      : [...sectionEntries(caches, caller, queue, query.status)].filter(({ run: item }) => started(item.startUs));
  const boundary = found.filter((one) => isBefore(positionOf(one), cursor ?? START)).length;
  const pageSize = query.page_size ?? LIMITS.pageRows;
  const [from, to] =
    query.direction === 'backward'
      ? [Math.max(0, boundary - pageSize), boundary]
      : [boundary, Math.min(found.length, boundary + pageSize)];
  const last = query.direction === 'backward' ? found[from - 1] : to < found.length ? found[to - 1] : undefined;
  return jsonObject({
    items: listJson(found.slice(from, to), (one) => jsonObject(itemFields(one, queue))),
    next_cursor: last === undefined ? null : cursorText(positionOf(last)),
  });
};

const itemCount: QueryHandler<QueueItemsCountQuery & InQueue> = (caches, caller, query) => {
  const queue = requireQueue(caches, caller, query.queue_id);
  const time = (name: 'start_time' | 'end_time' | 'min_start_time' | 'max_start_time'): number | null =>
    parseTime(query[name], name);
  const started = within(time('min_start_time'), time('max_start_time'));
  const reviewed = query.status === 'archived' ? within(time('start_time'), time('end_time')) : () => true;
  const found = [...sectionEntries(caches, caller, queue, query.status)];
  return jsonBytes({
    count: count(found.filter(({ entry, run: item }) => started(item.startUs) && reviewed(entry.reviewedAtUs))),
  });
};

interface ItemParams extends InQueue {
  item_ids: readonly string[];
}

/** The items in the given order. */
const itemsById: QueryHandler<ItemParams & { single?: boolean }> = (caches, caller, params) => {
  const queue = requireQueue(caches, caller, params.queue_id);
  const byId = new Map([...entriesOf(caches, caller, queue)].map((one) => [one.entry.entryId, one]));
  const found = params.item_ids.map((id) => {
    const one = byId.get(id);
    if (one === undefined) throw fail('QUEUE_RUN_NOT_FOUND', { id });
    return one;
  });
  if (params.single === true) return jsonObject(itemFields(found[0]!, queue));
  return jsonObject({ items: listJson(found, (one) => jsonObject(itemFields(one, queue))) });
};

/** The section of an item, and its place there. A list that begins at the cursor begins with the item. */
const placement: QueryHandler<InQueue & { item_id: string }> = (caches, caller, { queue_id: queueId, item_id: id }) => {
  const queue = requireQueue(caches, caller, queueId);
  const rules = rulesOf(queue);
  const who = { reviewer: caller.identity, nowUs: nowUs() };
  const all = [...entriesOf(caches, caller, queue)].map((one) => ({ one, section: sectionOf(one.entry, rules, who) }));
  const item = all.find(({ one }) => one.entry.entryId === id);
  if (item === undefined) throw fail('QUEUE_RUN_NOT_FOUND', { id });
  const { section } = item;
  const same = all.filter((other) => other.section === section);
  const position = same.indexOf(item);
  const previous = same[position - 1];
  return jsonBytes({
    section,
    position,
    item_type: 'RUN',
    cursor: cursorText(previous === undefined ? START : positionOf(previous.one)),
  });
};

export const queueItemReads = {
  'queues.items': items,
  'queues.itemCount': itemCount,
  'queues.itemsById': itemsById,
  'queues.placement': placement,
};
