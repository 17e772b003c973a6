import { linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../base/errors.js';
import { unpack } from '../../wire/codec.js';
import { fixedLeaves, type AssistantRecord } from '../assistants.js';
import type { RawRecord } from './backup-format.js';
import type { CronRecord } from '../crons.js';
import { dataFile, encryptingFile, removeDataFile } from './data-file.js';
import type { DatasetRecord } from '../evaluation/datasets.js';
import { openCipher, readEncryptionRecord, newCipher } from '../encryption/encryption.js';
import { metadataOfExtra, type ExperimentRecord } from '../evaluation/experiments.js';
import { requireCurrentFormat } from './store-format.js';
import { encodeKey, keyToText, decodeKey } from '../key-codec.js';
import { keys, type Key } from '../keys.js';
import { storedLeaves } from '../metadata-index.js';
import { isHashed, isHashedKind, type RecordCipher } from '../encryption/record-cipher.js';
import { storedRecords, syncPath, writeDataFile, type OfflineStore } from './offline-store.js';
import { decodeRawRecord, encodeRawRecord } from '../record-codec.js';
import { indexEntries, type ThreadRecord } from '../threads/threads.js';

export interface EncryptionResult {
  records: number;
  /** Folder with the previous data file; null when it was not kept. */
  before: string | null;
  /** Folders in the data folder with records from before an upgrade, a restore or an encryption. */
  older: string[];
}

/** The current and the new encryption key; null means not encrypted. */
export interface EncryptionChange {
  from: Uint8Array | null;
  to: Uint8Array | null;
  /** Keep the previous data file. */
  keep: boolean;
}

/** Suffixes of the files that an upgrade, a restore or a compaction writes before it replaces the data file. */
const UNFINISHED_SUFFIXES = ['upgrading', 'restoring', 'compacting'];
const OLDER_FOLDER = /^before-(upgrade|restore|encrypt)-/;

/**
 * Encrypts a data folder, encrypts it with another key, or decrypts it. The new file is written beside the old one and
 * replaces it once it is on disk. If interrupted at any moment, the folder is either unchanged or done. Throws, with
 * the folder unchanged: STORE_DAMAGED, STORE_FILE_DAMAGED, ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG,
 * STORE_NOT_ENCRYPTED, STORE_FORMAT.
 */
export async function encryptFolder(
  { folder, pages }: OfflineStore,
  { from, to, keep }: EncryptionChange,
  onWritten: (records: number) => void,
): Promise<EncryptionResult> {
  requireCurrentFormat(pages, folder);
  const old = openCipher(readEncryptionRecord(pages), folder, from);
  const made = to === null ? null : newCipher(to);
  const aside = encryptingFile(folder);
  const encryption = encodeKey(keys.meta('encryption'));
  let count = 0;
  function* rewritten(): Generator<RawRecord> {
    const names = old === null ? null : hashedNames(storedRecords(pages), old);
    if (made !== null) yield [encryption, made.record];
    for (const [stored, record] of storedRecords(pages)) {
      if (encryption.equals(stored)) continue;
      const value = decryptValue(stored, decodeRawRecord(stored, record), old);
      const key = newKeyOf(stored, names, made?.cipher ?? null);
      // An index entry without its record: nothing finds it, and the text behind its hash is unknown.
      if (key === null) continue;
      count += 1;
      yield [key, encodeRawRecord(key, made === null ? value : made.cipher.encrypt(key, value))];
    }
  }
  await writeDataFile(aside, rewritten(), { sorted: false, onWritten });
  const file = dataFile(folder);
  const before = keep ? join(folder, `before-encrypt-${new Date().toISOString().replace(/[:.]/g, '-')}`) : null;
  if (before !== null) {
    mkdirSync(before, { recursive: true, mode: 0o700 });
    // A hard link, so that a data file exists at every moment.
    linkSync(file, dataFile(before));
    syncPath(before);
  }
  renameSync(aside, file);
  rmSync(`${file}-lock`, { force: true });
  // Files of interrupted operations still contain records in their previous form.
  for (const unfinished of UNFINISHED_SUFFIXES) removeDataFile(`${file}.${unfinished}`);
  syncPath(folder);
  return {
    records: count,
    before,
    older: readdirSync(folder)
      .filter((name) => OLDER_FOLDER.test(name))
      .map((name) => join(folder, name)),
  };
}

function decryptValue(key: Uint8Array, value: Uint8Array, cipher: RecordCipher | null): Uint8Array {
  const plain = cipher === null ? value : cipher.decrypt(key, value);
  if (plain === null) throw fail('STORE_DAMAGED', { key: keyToText(key) });
  return plain;
}

/** The new key of a record; null when it cannot be known. `names` maps the hashes in old keys to their text. */
function newKeyOf(
  stored: Uint8Array,
  names: ReadonlyMap<string, string> | null,
  cipher: RecordCipher | null,
): Uint8Array | null {
  const key = decodeKey(stored) as Key;
  if (!Array.isArray(key) || !isHashedKind(key[0])) return stored;
  let logical = key;
  if (names !== null && isHashed(key[1])) {
    const name = names.get(String(key[1]));
    if (name === undefined) return null;
    logical = [key[0]!, name, ...key.slice(2)];
  }
  return encodeKey(cipher === null ? logical : cipher.storedKey(logical));
}

/** Index leaves and names of all records, by their hash in keys. */
function hashedNames(records: Iterable<RawRecord>, cipher: RecordCipher): Map<string, string> {
  const names = new Map<string, string>();
  for (const [stored, record] of records) {
    const key = decodeKey(stored);
    const read = Array.isArray(key) ? HASHED_KEYS[String(key[0])] : undefined;
    if (read === undefined) continue;
    const value = decryptValue(stored, decodeRawRecord(stored, record), cipher);
    for (const named of read(value)) names.set(String(cipher.storedKey(named)[1]), String(named[1]));
  }
  return names;
}

/** By kind of record: keys that contain each hashed leaf and name of the record. */
const HASHED_KEYS: Readonly<Record<string, (value: Uint8Array) => Key[]>> = {
  t: (value) => indexEntries(unpack<ThreadRecord>(value), 'updated'),
  a: (value) => {
    const record = unpack<AssistantRecord>(value);
    return [...fixedLeaves(record), ...storedLeaves(record.metadata)].map((leaf) => keys.assistantIndexLeaf(leaf));
  },
  cr: (value) => storedLeaves(unpack<CronRecord>(value).metadata).map((leaf) => keys.cronLeaves(leaf)),
  D: (value) => {
    const { name, metadata } = unpack<DatasetRecord>(value);
    return [keys.datasetName(name), ...storedLeaves(metadata).map((leaf) => keys.datasetLeaves(leaf))];
  },
  S: (value) => {
    const { name, extra } = unpack<ExperimentRecord>(value);
    return [
      keys.experimentName(name),
      ...storedLeaves(metadataOfExtra(extra)).map((leaf) => keys.experimentLeaves(leaf)),
    ];
  },
};
