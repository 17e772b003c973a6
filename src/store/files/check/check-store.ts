import { encodeKey, keyToText, decodeKey } from '../../key-codec.js';
import { FORMAT_VERSION, keys, type Key } from '../../keys.js';
import type { PageFile } from '../page-file.js';
import { PageLookup } from '../page-lookup.js';
import { walkEntries } from '../page-walk.js';
import type { RecordCipher } from '../../encryption/record-cipher.js';
import { valueOfRawRecord } from '../../record-codec.js';
import { evaluationChecks } from './evaluation.js';
import { RecordFacts } from './record-facts.js';
import type { Check, CheckContext } from './check-context.js';
import { otherRecordChecks } from './other-records.js';
import { threadChecks } from './threads.js';

/** Kinds of findings: file pages, a record's checksum, its content, its references to other records, index entries. */
export const FINDING_KINDS = ['file', 'checksum', 'form', 'reference', 'index'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  kind: FindingKind;
  /** The record's key as JSON, or the place in the file. */
  place: string;
  problem: string;
}

/** One check for every kind of key in keys.ts; a test compares the two. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...threadChecks,
  ...otherRecordChecks,
  ...evaluationChecks,
  '!': () => undefined,
  ak: () => undefined,
  x: () => undefined,
};

export interface CheckSummary {
  records: number;
  /** Deletions that a server has not finished, which are not faults. */
  leftovers: number;
}

/**
 * Checks a data file in two passes: every record is intact, and all records that it refers to exist and refer back.
 * Writes nothing and does not use LMDB. `onRead` is called from time to time with the progress, out of `2 × records`.
 * `cipher` is null when the folder is not encrypted, and 'unknown' without its key; then only checksums are checked.
 */
export function checkStore(
  pages: PageFile,
  cipher: RecordCipher | null | 'unknown',
  onFinding: (finding: Finding) => void,
  onRead: (records: number) => void,
): CheckSummary {
  const facts = new RecordFacts();
  const store = new PageLookup(pages, cipher === 'unknown' ? null : cipher);
  const counts = { records: 0, leftovers: 0 };
  let read = 0;
  const tick = (): void => {
    if (++read % 1_000 === 0) onRead(read);
  };
  for (const { key: bytes, value: record } of walkEntries(pages, {
    values: true,
    onDamage: ({ place, problem }) => onFinding({ kind: 'file', place, problem }),
  })) {
    tick();
    counts.records += 1;
    const place = keyToText(bytes);
    const value = store.decodeValue(bytes, record);
    const key = knownKey(bytes);
    if (value === null)
      onFinding({
        kind: 'checksum',
        place,
        problem:
          valueOfRawRecord(bytes, record) === null
            ? 'its checksum does not match'
            : 'it was encrypted with another key, or for another record',
      });
    if (key === null)
      onFinding({ kind: 'form', place, problem: 'this version of Threadmill does not write such a key' });
    if (value === null || key === null) continue;
    if (key[0] === 'x') counts.leftovers += 1;
    if (cipher === 'unknown') continue;
    try {
      facts.add(key, value);
    } catch (error) {
      onFinding(unreadableFinding(place, error));
    }
  }
  const format = store.get(keys.meta('format'));
  if (format === undefined || Buffer.from(format).toString() !== String(FORMAT_VERSION))
    onFinding({
      kind: 'form',
      place: keyToText(encodeKey(keys.meta('format'))),
      problem:
        `the format is ${format === undefined ? 'missing' : Buffer.from(format).toString()} ` +
        `instead of ${FORMAT_VERSION}`,
    });
  if (cipher === 'unknown') return counts;
  for (const { key: bytes, value: record } of walkEntries(pages, { values: true, onDamage: () => undefined })) {
    tick();
    const value = store.decodeValue(bytes, record);
    const key = knownKey(bytes);
    if (value === null || key === null) continue;
    const place = keyToText(bytes);
    const tell =
      (kind: FindingKind) =>
      (problem: string): void =>
        onFinding({ kind, place, problem });
    const context: CheckContext = {
      store,
      facts,
      reportForm: tell('form'),
      reportIndex: tell('index'),
      reportMissing: (what) => onFinding({ kind: 'reference', place, problem: `${what} does not exist` }),
    };
    try {
      CHECKS[key[0] as string]!(key, value, context);
    } catch (error) {
      onFinding(unreadableFinding(place, error));
    }
  }
  return counts;
}

function unreadableFinding(place: string, error: unknown): Finding {
  return {
    kind: 'form',
    place,
    problem: `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  };
}

/** Null for a key that this version does not write. */
function knownKey(bytes: Buffer): Key | null {
  const key = decodeKey(bytes);
  if (!Array.isArray(key) || typeof key[0] !== 'string' || !Object.hasOwn(CHECKS, key[0])) return null;
  // Keys of early items with control characters do not decode to the same bytes.
  return key[0] === 'm' || encodeKey(key as Key).equals(bytes) ? (key as Key) : null;
}
