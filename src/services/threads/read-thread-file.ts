import { createHash } from 'node:crypto';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { utf8, parseJson } from '../../base/json/json.js';
import { isUuid } from '../../base/ids.js';
import { isObject } from '../../base/json/json.js';
import { parseInPieces } from '../../base/json/parse-in-pieces.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Key } from '../../store/keys.js';
import type { RunRecord } from '../../store/runs/runs.js';
import { checkpointRefs, unpackCheckpoint, unpackTaskWrites } from '../../store/threads/checkpoint-rows.js';
import {
  READABLE_THREAD_FILE_FORMATS,
  STATE_KINDS,
  type ThreadFileHeader,
  type ThreadFileLine,
} from '../../store/threads/thread-file.js';
import { unpackContent } from '../../wire/runs/content.js';
import { directHashes, hashKey, splitHashes, unpackBody, unpackView, type Ref } from '../../wire/runs/state.js';

export interface ThreadFileContent {
  head: ThreadFileHeader['thread'];
  /** Without the internal id of the thread. */
  state: { kind: (typeof STATE_KINDS)[number]; key: Key; value: Uint8Array }[];
  runs: { record: RunRecord; kwargs: Uint8Array }[];
  events: { runId: string; first: number; value: Uint8Array }[];
}

/** Parts of a key after the thread's inner id, by kind. Writes of format 1 have one more. */
const KEY_LENGTHS = { i: [1], n: [1], c: [2], co: [2], v: [2], w: [3, 4] };
const ENDED_STATUSES: readonly string[] = ['success', 'error', 'timeout', 'interrupted'];

/**
 * Reads an exported thread line by line, and checks that it is complete and consistent. Throws INVALID_REQUEST
 * with the line.
 */
export function* readThreadFile(bytes: Buffer): Steps<ThreadFileContent> {
  let number = 0;
  const problem = (text: string): ThreadmillError => fail('INVALID_REQUEST', { problems: `line ${number}: ${text}` });
  const hash = createHash('sha256');
  const read: Omit<ThreadFileContent, 'head'> = { state: [], runs: [], events: [] };
  const [content, wanted] = [new Set<string>(), new Map<string, number>()];
  let head: ThreadFileHeader['thread'] | null = null;
  let ended = false;
  for (let from = 0; from < bytes.byteLength;) {
    number += 1;
    if (ended) throw problem('the file continues after its end line');
    const end = bytes.indexOf(10, from);
    if (end < 0) throw problem('the file ends in the middle of this line');
    const line = bytes.subarray(from, end + 1);
    from = end + 1;
    let value: unknown;
    try {
      value = line.byteLength > LIMITS.jsonPieceBytes ? yield* parseInPieces(line, Infinity) : parseJson(line);
    } catch {
      throw problem('it is not JSON');
    }
    if (head === null) {
      head = readHead(value, problem);
    } else if (isObject(value) && 'end' in value) {
      const endLine = (value as Extract<ThreadFileLine, { end: unknown }>).end;
      if (endLine.lines !== number - 1 || endLine.sha256 !== hash.digest('hex'))
        throw problem('the checksum of the lines before it does not match');
      ended = true;
    } else {
      try {
        readLine(value as ThreadFileLine, read, content, (refs) => {
          for (const ref of refs.flatMap(directHashes)) wanted.set(hashKey(ref), number);
        });
      } catch (error) {
        throw problem(error instanceof Error ? error.message : 'it cannot be read');
      }
    }
    if (!ended) hash.update(line);
    yield;
  }
  if (head === null || !ended)
    throw fail('INVALID_REQUEST', { problems: 'the file is not complete: its end is missing' });
  for (const [key, at] of wanted)
    if (!content.has(key))
      throw fail('INVALID_REQUEST', { problems: `line ${at}: it names content ${key}, which is not in the file` });
  return { head, ...read };
}

function readHead(value: unknown, problem: (text: string) => ThreadmillError): ThreadFileHeader['thread'] {
  if (!isObject(value) || value['threadmill'] !== 'thread')
    throw problem('this is not a thread exported by Threadmill');
  const format = value['format'];
  if (typeof format !== 'number' || !READABLE_THREAD_FILE_FORMATS.includes(format))
    throw problem(
      `it has format ${String(format)}; this version reads formats ${READABLE_THREAD_FILE_FORMATS.join(' and ')}`,
    );
  const { thread } = value as unknown as ThreadFileHeader;
  if (!isObject(thread) || !isUuid(thread.threadId)) throw problem('it has no thread with a UUID');
  for (const name of ['createdAtMs', 'updatedAtMs', 'stateUpdatedAtMs', 'nextSeq'] as const)
    if (!Number.isSafeInteger(thread[name])) throw problem(`thread.${name} is not an integer`);
  try {
    for (const text of [thread.metadata, thread.config])
      if (!isObject(JSON.parse(text))) throw problem('thread.metadata and thread.config must be JSON objects as text');
  } catch (error) {
    throw error instanceof SyntaxError
      ? problem('thread.metadata and thread.config must be JSON objects as text')
      : error;
  }
  return thread;
}

/** Parses a line completely, so that nothing unreadable is stored. */
function readLine(
  line: ThreadFileLine,
  read: Omit<ThreadFileContent, 'head'>,
  content: Set<string>,
  onRefs: (refs: Ref[]) => void,
): void {
  if ('state' in line) {
    const { state: kind, key } = line;
    if (
      !STATE_KINDS.includes(kind) ||
      !Array.isArray(key) ||
      !KEY_LENGTHS[kind].includes(key.length) ||
      !key.every((part) => typeof part === 'string' || Number.isSafeInteger(part))
    )
      throw new Error('its key is not a key of a thread');
    const value = Buffer.from(line.value, 'base64');
    if (kind === 'i') {
      const stored = unpackContent(value);
      content.add(key[0] as string);
      if (stored[0] === 'chunk') onRefs([[2, 0, splitHashes(stored[2])]]);
    } else if (kind === 'c') {
      const checkpoint = unpackCheckpoint(value);
      onRefs(checkpointRefs(checkpoint, unpackBody(checkpoint.body)));
    } else if (kind === 'v') onRefs(unpackView(value).overrides.map(([, ref]) => ref));
    else if (kind === 'w') onRefs(unpackTaskWrites([kind, '', ...key], value).writes.map(({ ref }) => ref));
    read.state.push({ kind, key, value });
  } else if ('run' in line) {
    const { run } = line;
    if (!isUuid(run.runId) || !ENDED_STATUSES.includes(run.status) || !Number.isSafeInteger(run.createdAtMs))
      throw new Error('it is not an ended run');
    if (!isObject(JSON.parse(run.metadata)) || !isObject(JSON.parse(line.kwargs)))
      throw new Error('metadata and kwargs of a run must be JSON objects as text');
    read.runs.push({ record: { ...run, metadata: utf8(run.metadata) }, kwargs: utf8(line.kwargs) });
  } else if ('events' in line) {
    if (!read.runs.some(({ record }) => record.runId === line.events) || !Number.isSafeInteger(line.first))
      throw new Error('it has events of a run that does not come before it');
    read.events.push({ runId: line.events, first: line.first, value: Buffer.from(line.value, 'base64') });
  } else throw new Error('it is not a part of a thread');
}
