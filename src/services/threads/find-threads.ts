import type { Caller } from '../../domain/caller.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { contentHash } from '../../base/ids.js';
import { isObject, jsonBytes, type JsonObject } from '../../base/json/json.js';
import { foldCase, textOccurs } from '../../base/json/text.js';
import { parsePath, PATH_ROOTS, type JsonPath } from '../../domain/thread-path.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Select } from '../../store/runs/run-json.js';
import type { Look, ThreadFilter } from '../../store/threads/thread-filter.js';
import type { ThreadCursor, ThreadSort } from '../../store/threads/thread-lists.js';
import type { ThreadRecord, ThreadStatus } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
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

const LIMIT = 10;

/** Returns one page of matching threads. Throws INVALID_REQUEST and CURSOR_EXPIRED. */
export function* searchThreads(services: Services, caller: Caller, asked: ThreadQuery): Steps<ThreadPage> {
  const filter = filterOf(asked);
  const [limit, offset] = [asked.limit ?? LIMIT, asked.offset ?? 0];
  const [sortBy, sortOrder] = [asked.sort_by ?? 'updated_at', asked.sort_order ?? 'desc'];
  const extract = asked.extract === undefined || asked.extract === null ? null : pathsOf(asked.extract);
  const select: Select = asked.select && asked.select.length > 0 ? new Set(asked.select) : null;
  // A cursor is only valid for the query that it was created for.
  const question = contentHash([jsonBytes([filter, sortBy, sortOrder])]).toString('base64url');
  const cursor =
    asked.cursor === undefined || asked.cursor === null ? undefined : readCursor(services, asked.cursor, question);
  if (cursor !== undefined) {
    if (offset > 0) throw invalid('offset: not together with a cursor');
    if (filter.ids !== undefined) throw invalid('ids: not together with a cursor');
    if (sortBy !== 'updated_at' && sortBy !== 'created_at')
      throw invalid('sort_by: a cursor goes by updated_at or created_at');
  }
  const page = yield* services.stores.threadLists.list(
    caller,
    { ...filter, sortBy, sortOrder, limit, offset, ...(cursor === undefined ? {} : { cursor }) },
    new HeadStateLookup(services, caller),
  );
  const parts: string[] = [];
  let chars = 0;
  for (const record of page.records) {
    const part = yield* unlessGone(
      threadJsonSteps(services, caller, record, { select, extract, extractCharsMax: asked.extract_chars_max ?? null }),
    );
    if (part === null) continue;
    chars += part.length;
    if (chars > LIMITS.answerBytesMax) throw answerTooLarge(parts.length);
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
function* unlessGone(steps: Steps<string>): Steps<string | null> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'THREAD_NOT_FOUND') return null;
    throw error;
  }
}

/** Number of matching threads. Throws INVALID_REQUEST. */
export function countThreads(services: Services, caller: Caller, asked: ThreadCondition): Steps<number> {
  return services.stores.threadLists.count(caller, filterOf(asked), new HeadStateLookup(services, caller));
}

/** Reads the newest checkpoints of threads for conditions on values. */
class HeadStateLookup implements Look {
  readonly #services: Services;
  readonly #caller: Caller;
  bytes = 0;

  constructor(services: Services, caller: Caller) {
    this.#services = services;
    this.#caller = caller;
  }

  *contains(record: ThreadRecord, values: JsonObject): Steps<boolean> {
    return yield* this.#into(record, (view) => view.contains(values));
  }

  *exists(record: ThreadRecord, path: JsonPath): Steps<boolean> {
    return yield* this.#into(record, function* (view) {
      return (yield* view.readPart(path, 'whether')) !== undefined;
    });
  }

  *says(record: ThreadRecord, text: string): Steps<boolean> {
    this.bytes += record.metadata.byteLength;
    return (yield* textOccurs(record.metadata, text)) || (yield* this.#into(record, (view) => view.containsText(text)));
  }

  /** A thread without runs has no values and no interrupts. */
  *#into(record: ThreadRecord, ask: (view: StateView) => Steps<boolean>): Steps<boolean> {
    const { stores } = this.#services;
    const head = record.graphId === null ? undefined : stores.checkpoints.get(this.#caller, record, '', null);
    if (head === undefined) return false;
    const content = new StateContentReader(stores, this.#caller, record);
    try {
      return yield* ask(new StateView(stores, this.#caller, record, head, content));
    } catch (error) {
      // The thread was deleted during the read.
      if (stores.threads.get(this.#caller, record.threadId)?.uid !== record.uid) return false;
      throw error;
    } finally {
      this.bytes += head.body.byteLength + content.bytes;
    }
  }
}

/** `*` starts at the first page. Other values must be cursors that this server created for the same query. */
function readCursor({ stores }: Services, text: string, question: string): 'begin' | ThreadCursor {
  if (text === '*') return 'begin';
  const opened = stores.seal.openText(text, question);
  if (opened === null) throw invalid('cursor: is none that was given for this search; begin again with "*"');
  return JSON.parse(opened) as ThreadCursor;
}

function pathsOf(extract: Readonly<Record<string, string>>): Map<string, JsonPath> {
  return new Map(Object.entries(extract).map(([alias, path]) => [alias, pathOf(path, `extract.${alias}`)]));
}

function pathOf(text: string, place: string): JsonPath {
  const path = parsePath(text);
  if (path === null)
    throw invalid(
      `${place}: must be a path such as values.messages[-1].content, which begins with one of ${PATH_ROOTS.join(', ')}`,
    );
  return path;
}

/** Normalizes a search text. */
function textOf(text: string, place: string): string {
  const folded = foldCase(text.trim());
  if (folded === '') throw invalid(`${place}: must have at least one character besides space`);
  return folded;
}

/** Converts the conditions for the store. Throws INVALID_REQUEST if there are too many. */
function filterOf(asked: ThreadCondition): ThreadFilter {
  const seen = { conditions: 0 };
  const read = (
    { ids, metadata, values, status, exists, text, or, not }: ThreadCondition,
    place: string,
    depth: number,
  ): ThreadFilter => {
    if (depth > LIMITS.conditionDepthMax)
      throw invalid(`${place}: is nested deeper than ${LIMITS.conditionDepthMax} levels`);
    if (++seen.conditions > LIMITS.conditionsMax)
      throw invalid(`${place}: more than ${LIMITS.conditionsMax} conditions`);
    return {
      ...(ids ? { ids: [...new Set(ids.map((id) => id.toLowerCase()))] } : {}),
      ...(metadata ? { metadata } : {}),
      ...(values ? { values } : {}),
      ...(status ? { status } : {}),
      ...(exists && exists.length > 0
        ? { exists: exists.map((path, at) => pathOf(path, `${place}exists.${at}`)) }
        : {}),
      ...(typeof text === 'string' ? { text: textOf(text, `${place}text`) } : {}),
      ...(or ? { or: or.map((one, at) => read(one as ThreadCondition, `${place}or.${at}.`, depth + 1)) } : {}),
      ...(isObject(not) ? { not: read(not, `${place}not.`, depth + 1) } : {}),
    };
  };
  return read(asked, '', 0);
}

function invalid(problems: string): Error {
  return fail('INVALID_REQUEST', { problems });
}
