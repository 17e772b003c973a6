import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { contains, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { findAssistant, isOrphan } from './assistants.js';
import type { Services } from '../context.js';
import type { Select } from '../../store/runs/run-json.js';
import { inSlices } from '../in-slices.js';
import { tooLarge } from '../state/state.js';
import { assistantJson, versionJson } from '../state/list-states.js';

export interface AssistantFilter {
  metadata?: JsonObject | undefined;
  graphId?: string | undefined;
  /** Part of the name, in any case. */
  name?: string | undefined;
}

export interface AssistantSearch extends AssistantFilter {
  limit: number;
  offset: number;
  sortBy: 'assistant_id' | 'created_at' | 'updated_at' | 'name' | 'graph_id';
  descending: boolean;
  select: Select;
}

/** A page as JSON texts: records are views of the store's memory, which a later turn may use for something else. */
export interface Page {
  parts: string[];
  more: boolean;
}

const SORTED_AT_ONCE = 1_000;

/** In the order asked for, and whether a further page exists. Other orders than `created_at` look at all that match. */
export async function searchAssistants(services: Services, caller: Caller, query: AssistantSearch): Promise<Page> {
  const page = new PageBuilder(query);
  const matching = matcher(services, caller, query);
  if (query.sortBy === 'created_at') {
    await inSlices(services, services.stores.assistants.candidates(caller, query, query.descending), (assistantId) => {
      const record = matching(assistantId);
      return record === undefined || page.take(() => assistantJson(record, query.select));
    });
    return page;
  }
  const valueOf = sortValue(query.sortBy);
  const found: { assistantId: string; value: string | number }[] = [];
  // What is equal stays in the order of `created_at`. What lies behind the page is dropped on the way, so that no sort is long.
  const sortTo = (length: number): void => {
    found
      .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (query.descending ? -1 : 1))
      .splice(length);
  };
  const wanted = query.offset + query.limit + 1;
  await inSlices(services, services.stores.assistants.candidates(caller, query, query.descending), (assistantId) => {
    const record = matching(assistantId);
    if (record === undefined) return;
    found.push({ assistantId, value: valueOf(record) });
    if (found.length >= 2 * wanted + SORTED_AT_ONCE) sortTo(wanted);
  });
  sortTo(wanted);
  await inSlices(services, found, ({ assistantId }) => {
    if (page.skips()) return true;
    const record = matching(assistantId);
    return record === undefined || page.take(() => assistantJson(record, query.select));
  });
  return page;
}

export async function countAssistants(services: Services, caller: Caller, filter: AssistantFilter): Promise<number> {
  const matching = matcher(services, caller, filter);
  let count = 0;
  await inSlices(services, services.stores.assistants.candidates(caller, filter, true), (assistantId) => {
    if (matching(assistantId) !== undefined) count += 1;
  });
  return count;
}

/** Newest first. Throws ASSISTANT_VERSIONS_NOT_FOUND when there is none to show. */
export async function listVersions(
  services: Services,
  caller: Caller,
  nameOrId: string,
  query: { metadata?: JsonObject | undefined; limit: number; offset: number },
): Promise<string[]> {
  const { metadata } = query;
  const record = findAssistant(services, caller, nameOrId);
  const page = new PageBuilder(query);
  if (record !== undefined) {
    await services.stores.assistants.settled(record.assistantId);
    await inSlices(
      services,
      services.stores.assistants.versions(caller, record),
      (version) =>
        (metadata !== undefined && !contains(parseJson(version.metadata), metadata)) ||
        page.take(() => versionJson(version)),
    );
  }
  if (page.parts.length === 0) throw fail('ASSISTANT_VERSIONS_NOT_FOUND', { assistantId: nameOrId });
  return page.parts;
}

/** The record when it matches, as it is now: the index may be a moment behind. */
function matcher(
  { stores, graphIds }: Services,
  caller: Caller,
  { metadata, graphId, name }: AssistantFilter,
): (assistantId: string) => AssistantRecord | undefined {
  const part = name?.toLowerCase();
  return (assistantId) => {
    const record = stores.assistants.get(caller, assistantId);
    if (record === undefined || isOrphan(graphIds, record)) return undefined;
    if (graphId !== undefined && record.graphId !== graphId) return undefined;
    if (part !== undefined && !record.name.toLowerCase().includes(part)) return undefined;
    return metadata === undefined || contains(parseJson(record.metadata), metadata) ? record : undefined;
  };
}

function sortValue(by: AssistantSearch['sortBy']): (record: AssistantRecord) => string | number {
  switch (by) {
    case 'assistant_id':
      return ({ assistantId }) => assistantId;
    case 'created_at':
      return ({ createdAtMs }) => createdAtMs;
    case 'updated_at':
      return ({ updatedAtMs }) => updatedAtMs;
    case 'name':
      return ({ name }) => name;
    case 'graph_id':
      return ({ graphId }) => graphId;
  }
}

/** Takes what comes in order, from the offset to the limit and one further. */
class PageBuilder implements Page {
  readonly parts: string[] = [];
  more = false;
  readonly #limit: number;
  #toSkip: number;
  #chars = 0;

  constructor({ limit, offset }: { limit: number; offset: number }) {
    this.#limit = limit;
    this.#toSkip = offset;
  }

  /** The next one lies before the page: nobody has to look at it. */
  skips(): boolean {
    if (this.#toSkip === 0) return false;
    this.#toSkip -= 1;
    return true;
  }

  /** False when the page is full. Throws INVALID_REQUEST when the answer would be too large. */
  take(show: () => string): boolean {
    if (this.skips()) return true;
    if (this.parts.length === this.#limit) {
      this.more = true;
      return false;
    }
    const part = show();
    this.#chars += part.length;
    if (this.#chars > LIMITS.answerBytesMax) throw tooLarge(this.parts.length);
    this.parts.push(part);
    return true;
  }
}
