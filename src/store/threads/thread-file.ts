import { createHash } from 'node:crypto';
import { fail } from '../../base/errors.js';
import { asText } from '../../base/json/json.js';
import { VERSION } from '../../base/version.js';
import { unpack } from '../../wire/codec.js';
import { decompress } from '../../wire/compression.js';
import { keys, type Key } from '../keys.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { openDatabase } from '../reader.js';
import { decodeRecord } from '../record-codec.js';
import { unpackRun, type RunRecord } from '../runs/runs.js';
import type { ThreadRecord } from './threads.js';

/**
 * Version of the file format for one thread. The file consists of JSON lines. The first line describes the thread; the
 * last has the number of lines and their hash. State records are stored bytes in base64. Free-form JSON is inside
 * strings, so that no reader rounds its numbers. An unchanged thread produces the same file.
 */
export const THREAD_FILE_FORMAT = 2;

/** Formats that can be read. Format 1 has the records of data formats 1 to 3. */
export const READABLE_THREAD_FILE_FORMATS: readonly number[] = [1, THREAD_FILE_FORMAT];

/** Kinds of records that are copied as stored. The order matters: records come before those that refer to them. */
export const STATE_KINDS = ['i', 'n', 'c', 'co', 'v', 'w'] as const;

type WithTexts<T, K extends keyof T> = Omit<T, K> & Record<K, string>;

export interface ThreadFileHeader {
  threadmill: 'thread';
  format: typeof THREAD_FILE_FORMAT;
  version: string;
  thread: WithTexts<
    Omit<ThreadRecord, 'uid' | 'status' | 'temporary' | 'thinnedAtMs' | 'indexedAs'>,
    'metadata' | 'config'
  >;
}

export type ThreadFileLine =
  /** `key` is the part of the key after the thread's inner id. */
  | { state: (typeof STATE_KINDS)[number]; key: Key; value: string }
  | { run: WithTexts<RunRecord, 'metadata'>; kwargs: string }
  /** A batch of frames of a resumable run. */
  | { events: string; first: number; value: string }
  | { end: { lines: number; sha256: string } };

/**
 * The lines of a thread as of the last commit, each with its line break. Unfinished runs are left out. Throws
 * THREAD_NOT_FOUND or STORE_DAMAGED.
 */
export function* threadFileLines(dataFile: string, cipher: RecordCipher | null, threadId: string): Generator<string> {
  const db = openDatabase(dataFile, true);
  db.resetReadTxn();
  const transaction = db.useReadTransaction();
  const get = (key: Key): Uint8Array | undefined => {
    const stored = db.get(key, { transaction });
    return stored === undefined ? undefined : Buffer.from(decodeRecord(key, stored, cipher));
  };
  function* under(prefix: Key): Generator<[Key, Uint8Array]> {
    const range = { start: prefix, end: [...prefix, Buffer.from([0xff])] as unknown as Key, transaction };
    for (const { key, value } of db.getRange(range)) yield [key, decodeRecord(key, value, cipher)];
  }
  const hash = createHash('sha256');
  let lines = 0;
  const line = (value: ThreadFileHeader | ThreadFileLine): string => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    lines += 1;
    return text;
  };
  try {
    const stored = get(keys.thread(threadId));
    if (stored === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
    const {
      uid,
      status: _status,
      temporary: _temporary,
      thinnedAtMs: _thinned,
      indexedAs: _indexed,
      metadata,
      config,
      ...thread
    } = unpack<ThreadRecord>(stored);
    yield line({
      threadmill: 'thread',
      format: THREAD_FILE_FORMAT,
      version: VERSION,
      thread: { ...thread, metadata: asText(metadata), config: asText(config) },
    });
    for (const state of STATE_KINDS) {
      for (const [key, value] of under([state, uid])) yield line({ state, key: key.slice(2), value: base64(value) });
    }
    for (const [key] of under(keys.threadRuns(uid))) {
      const runId = key[3] as string;
      const row = get(keys.run(runId));
      if (row === undefined || get(keys.activeRun(runId)) !== undefined) continue;
      const record = unpackRun(row);
      yield line({
        run: { ...record, metadata: asText(record.metadata) },
        kwargs: asText(decompress(get(keys.runKwargs(runId)) ?? Buffer.from('{}'))),
      });
      for (const [at, value] of under(keys.events(runId)))
        yield line({ events: runId, first: at[2] as number, value: base64(value) });
    }
    yield `${JSON.stringify({ end: { lines, sha256: hash.digest('hex') } } satisfies ThreadFileLine)}\n`;
  } finally {
    transaction.done();
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
