import { fetchResponse, fetchJson } from '../api/http.js';
import { parseJson } from '../api/json.js';
import { parseMetadataFilter } from './parse-metadata-filter.js';
import type { CopiedRequest } from './request-snippets.js';

/** Filters of the thread list, as in the URL. */
export interface Filters {
  text: string;
  status: string;
  owner: string;
  metadata: string;
  /** Sort field and order, for example `updated_at.desc`. */
  sort: string;
}

/** A thread in the list. Short extracts of its state are read instead of the whole state. */
export interface ThreadRow {
  thread_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  /** Only if it was asked for. */
  metadata?: Record<string, unknown>;
  extracted: Extracted;
}

interface Extracted {
  title: unknown;
  graph: unknown;
  assistant: unknown;
  owner: unknown;
  first: unknown;
  firstBlock: unknown;
  last: unknown;
  lastBlock: unknown;
  lastType: unknown;
  interrupts: unknown;
}

export interface ThreadResultPage {
  rows: ThreadRow[];
  /** Cursor or offset of the next page; null on the last page. */
  next: string | number | null;
  /** The server reached its scan limit per request before the page was full. */
  isPartial: boolean;
}

export const SORT_OPTIONS = [
  { id: 'updated_at.desc', name: 'Newest update' },
  { id: 'updated_at.asc', name: 'Oldest update' },
  { id: 'created_at.desc', name: 'Newest' },
  { id: 'created_at.asc', name: 'Oldest' },
  { id: 'state_updated_at.desc', name: 'Newest state' },
  { id: 'status.asc', name: 'Status' },
  { id: 'thread_id.asc', name: 'ID' },
];
export const DEFAULT_SORT = SORT_OPTIONS[0]!.id;
export const STATUSES = ['idle', 'busy', 'interrupted', 'error'];

const PAGE = 25;
const SHOWN = ['thread_id', 'status', 'created_at', 'updated_at'];
/** Characters of each extract. */
const EXTRACT_CHARS_MAX = 300;
const EXTRACTS: Record<keyof Extracted, string> = {
  title: 'metadata.title',
  graph: 'metadata.graph_id',
  assistant: 'metadata.assistant_id',
  owner: 'metadata.owner',
  first: 'values.messages[0].content',
  firstBlock: 'values.messages[0].content[0].text',
  last: 'values.messages[-1].content',
  lastBlock: 'values.messages[-1].content[0].text',
  lastType: 'values.messages[-1].type',
  interrupts: 'interrupts',
};

export async function searchThreads(
  filters: Filters,
  from: string | number | null,
  signal: AbortSignal,
  { limit = PAGE, withMetadata = false }: { limit?: number; withMetadata?: boolean } = {},
): Promise<ThreadResultPage> {
  const [sortBy, sortOrder] = filters.sort.split('.') as [string, string];
  // Sort orders with an index support cursors, which skip no rows when threads change between pages.
  const paged = sortBy === 'updated_at' || sortBy === 'created_at';
  const body = {
    ...searchConditions(filters),
    sort_by: sortBy,
    sort_order: sortOrder,
    limit,
    select: withMetadata ? [...SHOWN, 'metadata'] : SHOWN,
    extract: EXTRACTS,
    extract_chars_max: EXTRACT_CHARS_MAX,
    ...(paged ? { cursor: from ?? '*' } : { offset: from ?? 0 }),
  };
  const response = await fetchResponse('threads/search', { method: 'POST', body, signal });
  const rows = parseJson(await response.text()) as ThreadRow[];
  const cursor = response.headers.get('x-pagination-cursor');
  const offset = response.headers.get('x-pagination-next');
  const next = paged ? cursor : offset === null ? null : Number(offset);
  return { rows, next, isPartial: next !== null && rows.length < limit };
}

/** The search of the list as a request to copy. */
export function searchRequest(filters: Filters): CopiedRequest {
  const [sortBy, sortOrder] = filters.sort.split('.') as [string, string];
  const body = { ...searchConditions(filters), sort_by: sortBy, sort_order: sortOrder, limit: PAGE };
  return {
    method: 'POST',
    path: 'threads/search',
    body,
    // The SDKs cannot search texts.
    sdk: 'text' in body ? null : { library: 'langgraph', method: 'threads.search', args: [], options: body },
  };
}

/** One thread by its id; null if it does not exist or the caller has no access. */
export async function fetchThread(
  threadId: string,
  signal: AbortSignal,
): Promise<(ThreadRow & { metadata: Record<string, unknown>; state_updated_at: string }) | null> {
  const body = {
    ids: [threadId],
    select: [...SHOWN, 'metadata', 'state_updated_at'],
    extract: EXTRACTS,
    extract_chars_max: EXTRACT_CHARS_MAX,
  };
  return (
    (
      await fetchJson<(ThreadRow & { metadata: Record<string, unknown>; state_updated_at: string })[]>(
        'threads/search',
        {
          method: 'POST',
          body,
          signal,
        },
      )
    )[0] ?? null
  );
}

/** Number of matching threads; null with a text filter, because counting would scan all texts. */
export function countThreads(filters: Filters, signal: AbortSignal): Promise<number> | null {
  return filters.text.trim() === ''
    ? fetchJson<number>('threads/count', { method: 'POST', body: searchConditions(filters), signal })
    : null;
}

export function isFiltered({ text, status, owner, metadata }: Filters): boolean {
  return [text, status, owner, metadata].some((one) => one.trim() !== '');
}

function searchConditions({ text, status, owner, metadata }: Filters): object {
  const metadataFilter = {
    ...parseMetadataFilter(metadata).value,
    ...(owner.trim() === '' ? {} : { owner: owner.trim() }),
  };
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(status === '' ? {} : { status }),
    ...(Object.keys(metadataFilter).length === 0 ? {} : { metadata: metadataFilter }),
  };
}
