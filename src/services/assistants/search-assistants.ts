import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { contains, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { findAssistant, lacksGraph } from './assistants.js';
import type { Needs } from '../context.js';
import type { FieldSelection } from '../../store/runs/run-json.js';
import { forEachInSlices } from '../time-slicer.js';
import { answerTooLarge } from '../state/state.js';
import { assistantJson, versionJson } from '../state/resource-json.js';

export interface AssistantFilter {
  metadata?: JsonObject | undefined;
  graphId?: string | undefined;
  /** Part of the name. The case does not matter. */
  name?: string | undefined;
}

export interface AssistantSearch extends AssistantFilter {
  limit: number;
  offset: number;
  sortBy: 'assistant_id' | 'created_at' | 'updated_at' | 'name' | 'graph_id';
  descending: boolean;
  select: FieldSelection;
}

/**
 * A page as JSON texts. Records cannot be returned, because they are views of memory that may be reused in a
 * later turn of the event loop.
 */
export interface AssistantPage {
  parts: string[];
  more: boolean;
}

const SORT_BUFFER_EXTRA = 1_000;

/** Searches in the given order. `more`: a further page exists. Orders other than `created_at` scan all matches. */
export async function searchAssistants(
  services: Needs<'graphIds' | 'stores' | 'timeSlicer'>,
  caller: Caller,
  query: AssistantSearch,
): Promise<AssistantPage> {
  const page = new PageBuilder(query);
  const matching = matcher(services, caller, query);
  if (query.sortBy === 'created_at') {
    await forEachInSlices(
      services,
      services.stores.assistants.candidateIds(caller, query, query.descending),
      (assistantId) => {
        const record = matching(assistantId);
        return record === undefined || page.add(() => assistantJson(record, query.select));
      },
    );
    return page;
  }
  const valueOf = sortValueOf(query.sortBy);
  const found: { assistantId: string; value: string | number }[] = [];
  // Equal values keep the order of `created_at`. Matches behind the page are dropped along the way, so that no
  // sort takes long.
  const sortTo = (length: number): void => {
    found
      .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (query.descending ? -1 : 1))
      .splice(length);
  };
  const wanted = query.offset + query.limit + 1;
  await forEachInSlices(
    services,
    services.stores.assistants.candidateIds(caller, query, query.descending),
    (assistantId) => {
      const record = matching(assistantId);
      if (record === undefined) return;
      found.push({ assistantId, value: valueOf(record) });
      if (found.length >= 2 * wanted + SORT_BUFFER_EXTRA) sortTo(wanted);
    },
  );
  sortTo(wanted);
  await forEachInSlices(services, found, ({ assistantId }) => {
    if (page.skipsNext()) return true;
    const record = matching(assistantId);
    return record === undefined || page.add(() => assistantJson(record, query.select));
  });
  return page;
}

export async function countAssistants(
  services: Needs<'graphIds' | 'stores' | 'timeSlicer'>,
  caller: Caller,
  filter: AssistantFilter,
): Promise<number> {
  const matching = matcher(services, caller, filter);
  let count = 0;
  await forEachInSlices(services, services.stores.assistants.candidateIds(caller, filter, true), (assistantId) => {
    if (matching(assistantId) !== undefined) count += 1;
  });
  return count;
}

/** Lists versions, newest first. Throws ASSISTANT_VERSIONS_NOT_FOUND if there are none. */
export async function listVersions(
  services: Needs<'graphIds' | 'stores' | 'timeSlicer'>,
  caller: Caller,
  nameOrId: string,
  query: { metadata?: JsonObject | undefined; limit: number; offset: number },
): Promise<string[]> {
  const { metadata } = query;
  const record = findAssistant(services, caller, nameOrId);
  const page = new PageBuilder(query);
  if (record !== undefined) {
    await services.stores.assistants.flushed(record.assistantId);
    await forEachInSlices(
      services,
      services.stores.assistants.versions(caller, record),
      (version) =>
        (metadata !== undefined && !contains(parseJson(version.metadata), metadata)) ||
        page.add(() => versionJson(version)),
    );
  }
  if (page.parts.length === 0) throw fail('ASSISTANT_VERSIONS_NOT_FOUND', { assistantId: nameOrId });
  return page.parts;
}

/**
 * Returns a function that reads the current record and returns it if it matches. Needed because the index may
 * lag behind.
 */
function matcher(
  { stores, graphIds }: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  { metadata, graphId, name }: AssistantFilter,
): (assistantId: string) => AssistantRecord | undefined {
  const part = name?.toLowerCase();
  return (assistantId) => {
    const record = stores.assistants.get(caller, assistantId);
    if (record === undefined || lacksGraph(graphIds, record)) return undefined;
    if (graphId !== undefined && record.graphId !== graphId) return undefined;
    if (part !== undefined && !record.name.toLowerCase().includes(part)) return undefined;
    return metadata === undefined || contains(parseJson(record.metadata), metadata) ? record : undefined;
  };
}

function sortValueOf(by: AssistantSearch['sortBy']): (record: AssistantRecord) => string | number {
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

/** Collects ordered entries from the offset to the limit, and notes if there is one more. */
class PageBuilder implements AssistantPage {
  readonly parts: string[] = [];
  more = false;
  readonly #limit: number;
  #toSkip: number;
  #chars = 0;

  constructor({ limit, offset }: { limit: number; offset: number }) {
    this.#limit = limit;
    this.#toSkip = offset;
  }

  /** Skips the next entry if it comes before the page. Returns true if it did. */
  skipsNext(): boolean {
    if (this.#toSkip === 0) return false;
    this.#toSkip -= 1;
    return true;
  }

  /** Adds an entry. Returns false if the page is full. Throws INVALID_REQUEST if the response would be too large. */
  add(show: () => string): boolean {
    if (this.skipsNext()) return true;
    if (this.parts.length === this.#limit) {
      this.more = true;
      return false;
    }
    const part = show();
    this.#chars += part.length;
    if (this.#chars > LIMITS.responseBytesMax) throw answerTooLarge(this.parts.length);
    this.parts.push(part);
    return true;
  }
}
