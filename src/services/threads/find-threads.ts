import type { Caller } from '../../domain/caller.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { contentHash } from '../../base/ids.js';
import { isObject, jsonBytes, type JsonObject } from '../../base/json/json.js';
import { foldCase, jsonHasText } from '../../base/json/text-search.js';
import { parsePath, PATH_ROOTS, type JsonPath } from '../../domain/thread-path.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { FieldSelection } from '../../store/runs/run-json.js';
import type { ThreadContent, ThreadFilter } from '../../store/threads/thread-filter.js';
import type { ThreadCursor, ThreadSort } from '../../store/threads/thread-lists.js';
import type { ThreadRecord, ThreadStatus } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { answerTooLarge } from '../state/state.js';
import { StateContentReader } from '../state/state-content-reader.js';
import { StateView } from '../state/state-view.js';
import { threadJsonSteps } from '../state/resource-json.js';

/** Search conditions, with the field names of the API (docs/threads.md). */
export interface ThreadCondition {
  ids?: string[] | null;
  metadata?: JsonObject | null;
  values?: JsonObject | null;
  status?: ThreadStatus | null;
  exists?: string[] | null;
  text?: string | null;
  or?: unknown[] | null;
  not?: unknown;
}

export interface ThreadQuery extends ThreadCondition {
  limit?: number | null;
  offset?: number | null;
  sort_by?: ThreadSort | null;
  sort_order?: 'asc' | 'desc' | null;
  select?: string[] | null;
  extract?: Record<string, string> | null;
  extract_chars_max?: number | null;
  cursor?: string | null;
}

export interface ThreadPage {
  /** JSON of the list. */
  json: string;
  count: number;
  more: boolean;
  /** Cursor of the next page. Null on the last page, and without a cursor in the request. */
  cursor: string | null;
}

const DEFAULT_LIMIT = 10;

/** Returns one page of matching threads. Throws INVALID_REQUEST and CURSOR_EXPIRED. */
export function* searchThreads(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  asked: ThreadQuery,
): Steps<ThreadPage> {
  const filter = toThreadFilter(asked);
  const [limit, offset] = [asked.limit ?? DEFAULT_LIMIT, asked.offset ?? 0];
  const [sortBy, sortOrder] = [asked.sort_by ?? 'updated_at', asked.sort_order ?? 'desc'];
  const extract = asked.extract === undefined || asked.extract === null ? null : parsePaths(asked.extract);
  const select: FieldSelection = asked.select && asked.select.length > 0 ? new Set(asked.select) : null;
  // A cursor is only valid for the query that it was created for.
  const question = contentHash(jsonBytes([filter, sortBy, sortOrder])).toString('base64url');
  const cursor =
    asked.cursor === undefined || asked.cursor === null ? undefined : readCursor(services, asked.cursor, question);
  if (cursor !== undefined) {
    if (offset > 0) throw invalidRequest('offset: cannot be combined with a cursor');
    if (filter.ids !== undefined) throw invalidRequest('ids: cannot be combined with a cursor');
    if (sortBy !== 'updated_at' && sortBy !== 'created_at')
      throw invalidRequest('sort_by: must be updated_at or created_at with a cursor');
  }
  const page = yield* services.stores.threadLists.list(
    caller,
    { ...filter, sortBy, sortOrder, limit, offset, ...(cursor === undefined ? {} : { cursor }) },
    new HeadStateLookup(services, caller),
  );
  const parts: string[] = [];
  let chars = 0;
  for (const record of page.records) {
    const part = yield* unlessDeleted(
      threadJsonSteps(services, caller, record, { select, extract, extractCharsMax: asked.extract_chars_max ?? null }),
    );
    if (part === null) continue;
    chars += part.length;
    if (chars > LIMITS.responseBytesMax) throw answerTooLarge(parts.length);
    parts.push(part);
    yield;
  }
  return {
    json: `[${parts.join(',')}]`,
    count: parts.length,
    more: page.more,
    cursor: page.cursor === null ? null : services.stores.seal.sealText(JSON.stringify(page.cursor), question),
  };
}

/** Null if the thread was deleted during the read. */
function* unlessDeleted(steps: Steps<string>): Steps<string | null> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'THREAD_NOT_FOUND') return null;
    throw error;
  }
}

/** Number of matching threads. Throws INVALID_REQUEST. */
export function countThreads(services: Needs<'stores'>, caller: Caller, asked: ThreadCondition): Steps<number> {
  return services.stores.threadLists.count(caller, toThreadFilter(asked), new HeadStateLookup(services, caller));
}

/** Reads the newest checkpoints of threads for conditions on values. */
class HeadStateLookup implements ThreadContent {
  readonly #services: Needs<'stores'>;
  readonly #caller: Caller;
  bytesSearched = 0;

  constructor(services: Needs<'stores'>, caller: Caller) {
    this.#services = services;
    this.#caller = caller;
  }

  *contains(record: ThreadRecord, values: JsonObject): Steps<boolean> {
    return yield* this.#searchHead(record, (view) => view.contains(values));
  }

  *exists(record: ThreadRecord, path: JsonPath): Steps<boolean> {
    return yield* this.#searchHead(record, function* (view) {
      return (yield* view.readPart(path, 'whether')) !== undefined;
    });
  }

  *hasText(record: ThreadRecord, text: string): Steps<boolean> {
    this.bytesSearched += record.metadata.byteLength;
    return (
      (yield* jsonHasText(record.metadata, text)) ||
      (yield* this.#searchHead(record, (view) => view.containsText(text)))
    );
  }

  /** A thread without runs has no values and no interrupts. */
  *#searchHead(record: ThreadRecord, matches: (view: StateView) => Steps<boolean>): Steps<boolean> {
    const { stores } = this.#services;
    const head = record.graphId === null ? undefined : stores.checkpoints.newestWithView(this.#caller, record, '');
    if (head === undefined) return false;
    const content = new StateContentReader(stores, this.#caller, record);
    try {
      return yield* matches(new StateView(content, head));
    } catch (error) {
      // The thread was deleted during the read.
      if (stores.threads.get(this.#caller, record.threadId)?.uid !== record.uid) return false;
      throw error;
    } finally {
      this.bytesSearched += head.body.byteLength + content.bytes;
    }
  }
}

/** `*` starts at the first page. Other values must be cursors that this server created for the same query. */
function readCursor({ stores }: Needs<'stores'>, text: string, question: string): 'begin' | ThreadCursor {
  if (text === '*') return 'begin';
  const opened = stores.seal.openText(text, question);
  if (opened === null) throw invalidRequest('cursor: does not belong to this search; start again with "*"');
  return JSON.parse(opened) as ThreadCursor;
}

function parsePaths(extract: Readonly<Record<string, string>>): Map<string, JsonPath> {
  return new Map(Object.entries(extract).map(([alias, path]) => [alias, parseThreadPath(path, `extract.${alias}`)]));
}

function parseThreadPath(text: string, place: string): JsonPath {
  const path = parsePath(text);
  if (path === null)
    throw invalidRequest(
      `${place}: must be a path such as values.messages[-1].content, which begins with one of ${PATH_ROOTS.join(', ')}`,
    );
  return path;
}

/** Normalizes a search text. */
function normalizeText(text: string, place: string): string {
  const folded = foldCase(text.trim());
  if (folded === '') throw invalidRequest(`${place}: must have at least one character besides space`);
  return folded;
}

/** Converts the conditions for the store. Throws INVALID_REQUEST if there are too many. */
function toThreadFilter(asked: ThreadCondition): ThreadFilter {
  const seen = { conditions: 0 };
  const read = (
    { ids, metadata, values, status, exists, text, or, not }: ThreadCondition,
    place: string,
    depth: number,
  ): ThreadFilter => {
    if (depth > LIMITS.conditionDepthMax)
      throw invalidRequest(`${place}: is nested deeper than ${LIMITS.conditionDepthMax} levels`);
    if (++seen.conditions > LIMITS.conditionsMax)
      throw invalidRequest(`${place}: more than ${LIMITS.conditionsMax} conditions`);
    return {
      ...(ids ? { ids: [...new Set(ids.map((id) => id.toLowerCase()))] } : {}),
      ...(metadata ? { metadata } : {}),
      ...(values ? { values } : {}),
      ...(status ? { status } : {}),
      ...(exists && exists.length > 0
        ? { exists: exists.map((path, at) => parseThreadPath(path, `${place}exists.${at}`)) }
        : {}),
      ...(typeof text === 'string' ? { text: normalizeText(text, `${place}text`) } : {}),
      ...(or ? { or: or.map((one, at) => read(one as ThreadCondition, `${place}or.${at}.`, depth + 1)) } : {}),
      ...(isObject(not) ? { not: read(not, `${place}not.`, depth + 1) } : {}),
    };
  };
  return read(asked, '', 0);
}

function invalidRequest(problems: string): Error {
  return fail('INVALID_REQUEST', { problems });
}
