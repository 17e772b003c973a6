import { askResponse, ask } from '../../api/http.js';
import { parseJson } from '../../api/json.js';
import { readMetadata } from '../../shared/metadata-filter.js';

/** What is asked for, as it stands in the address. */
export interface Filters {
  text: string;
  status: string;
  owner: string;
  metadata: string;
  /** `updated_at.desc` and the like. */
  sort: string;
}

/** A thread in a list: what it is about comes as short parts, so that no state is read whole. */
export interface ThreadRow {
  thread_id: string;
  status: string;
  created_at: string;
  updated_at: string;
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

export interface ThreadRows {
  rows: ThreadRow[];
  /** Where the next page begins; null on the last one. */
  next: string | number | null;
  /** The server looked at as much as one request may, and found less than a page. */
  cut: boolean;
}

export const SORTS = [
  { id: 'updated_at.desc', name: 'Newest change first' },
  { id: 'updated_at.asc', name: 'Oldest change first' },
  { id: 'created_at.desc', name: 'Newest first' },
  { id: 'created_at.asc', name: 'Oldest first' },
  { id: 'state_updated_at.desc', name: 'Newest state first' },
  { id: 'status.asc', name: 'By status' },
  { id: 'thread_id.asc', name: 'By id' },
];
export const SORT = SORTS[0]!.id;
export const STATUSES = ['idle', 'busy', 'interrupted', 'error'];

const PAGE = 25;
const SHOWN = ['thread_id', 'status', 'created_at', 'updated_at'];
/** Characters of each part. */
const PART_MAX = 300;
const PARTS: Record<keyof Extracted, string> = {
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
): Promise<ThreadRows> {
  const [sortBy, sortOrder] = filters.sort.split('.') as [string, string];
  // Orders that the server has an index for are paged without a gap.
  const paged = sortBy === 'updated_at' || sortBy === 'created_at';
  const body = {
    ...conditionsOf(filters),
    sort_by: sortBy,
    sort_order: sortOrder,
    limit: PAGE,
    select: SHOWN,
    extract: PARTS,
    extract_chars_max: PART_MAX,
    ...(paged ? { cursor: from ?? '*' } : { offset: from ?? 0 }),
  };
  const response = await askResponse('threads/search', { method: 'POST', body, signal });
  const rows = parseJson(await response.text()) as ThreadRow[];
  const cursor = response.headers.get('x-pagination-cursor');
  const offset = response.headers.get('x-pagination-next');
  const next = paged ? cursor : offset === null ? null : Number(offset);
  return { rows, next, cut: next !== null && rows.length < PAGE };
}

/** One thread by its id; null when it is not there for whoever asks. */
export async function findThread(
  threadId: string,
  signal: AbortSignal,
): Promise<(ThreadRow & { metadata: Record<string, unknown>; state_updated_at: string }) | null> {
  const body = {
    ids: [threadId],
    select: [...SHOWN, 'metadata', 'state_updated_at'],
    extract: PARTS,
    extract_chars_max: PART_MAX,
  };
  return (
    (
      await ask<(ThreadRow & { metadata: Record<string, unknown>; state_updated_at: string })[]>('threads/search', {
        method: 'POST',
        body,
        signal,
      })
    )[0] ?? null
  );
}

/** Null where only a search could tell: counting what texts say would read them all. */
export function countThreads(filters: Filters, signal: AbortSignal): Promise<number> | null {
  return filters.text.trim() === ''
    ? ask<number>('threads/count', { method: 'POST', body: conditionsOf(filters), signal })
    : null;
}

export function isFiltered({ text, status, owner, metadata }: Filters): boolean {
  return [text, status, owner, metadata].some((one) => one.trim() !== '');
}

function conditionsOf({ text, status, owner, metadata }: Filters): object {
  const wanted = { ...readMetadata(metadata).value, ...(owner.trim() === '' ? {} : { owner: owner.trim() }) };
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(status === '' ? {} : { status }),
    ...(Object.keys(wanted).length === 0 ? {} : { metadata: wanted }),
  };
}
