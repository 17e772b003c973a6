import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RawRecord } from './backup-format.js';
import { dataFile } from './data-file.js';
import { formatError, storedFormat } from './store-format.js';
import { encodeKey } from '../key-codec.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import { PageFile } from './page-file.js';
import { openOfflineStore, storedRecords, syncPath, writeDataFile } from './offline-store.js';
import { isCheckpointKey, assignPositions, sortByKey, threadUidOfKey } from './upgrade-positions.js';
import { CHECKSUM_BYTES, encodeRawRecord, valueOfRawRecord, valueOfFormat1Record } from '../record-codec.js';

/** Converts the records of one format to the next one. Receives all records of a folder in key order. */
type UpgradeStep = (records: Iterable<RawRecord>) => Iterable<RawRecord>;

/**
 * By the format that a step converts from. Steps of released formats are never removed. Those from format 4 on must
 * leave records alone that they have converted: in a cluster, a step can be interrupted (cluster/upgrade-records.ts).
 */
const UPGRADE_STEPS: Readonly<Record<number, UpgradeStep>> = { 1: toFormat2, 2: toFormat3, 3: toFormat4 };

export interface UpgradeResult {
  from: number;
  to: number;
  records: number;
  /** Folder with the previous data file. */
  before: string;
}

export interface UpgradeHooks {
  /** Called when there is something to upgrade. */
  onBegin(from: number, bytes: number): void;
  onWritten(records: number): void;
}

/**
 * Upgrades a data folder of an earlier release to the current format. The new file is written beside the old one and
 * replaces it once it is on disk; the old one is kept in a folder of its own. If interrupted at any moment, the folder
 * is either unchanged or done. Damaged records stay damaged. Returns null when nothing has to be done. Throws
 * STORE_FORMAT when a newer release wrote the folder, STORE_LOCKED or STORE_FILE_DAMAGED.
 */
export async function upgradeFolder(
  folder: string,
  { onBegin, onWritten }: UpgradeHooks,
): Promise<UpgradeResult | null> {
  if (!needsUpgrade(folder)) return null;
  const store = await openOfflineStore(folder);
  try {
    const from = formatOf(store.pages, folder);
    if (from === FORMAT_VERSION) return null;
    onBegin(from, store.pages.fileBytes);
    const file = dataFile(folder);
    const made = `${file}.upgrading`;
    const records = convertRecords(storedRecords(store.pages), from);
    let count = 0;
    await writeDataFile(
      made,
      countEach(records, () => {
        count += 1;
      }),
      { onWritten },
    );
    const before = join(folder, `before-upgrade-${from}-${new Date().toISOString().replace(/[:.]/g, '-')}`);
    mkdirSync(before, { recursive: true, mode: 0o700 });
    // A hard link, so that a data file exists at every moment.
    linkSync(file, dataFile(before));
    syncPath(before);
    renameSync(made, file);
    rmSync(`${file}-lock`, { force: true });
    syncPath(folder);
    return { from, to: FORMAT_VERSION, records: count, before };
  } finally {
    store.release();
  }
}

/** Records of an earlier format as those of this release. Both are all records of a store, in key order. */
export function convertRecords(records: Iterable<RawRecord>, from: number): Iterable<RawRecord> {
  let converted = records;
  for (let format = from; format < FORMAT_VERSION; format += 1) converted = UPGRADE_STEPS[format]!(converted);
  return converted;
}

/** A cheap check at every start. Ignores unreadable files: opening the folder reports them with the reason. */
function needsUpgrade(folder: string): boolean {
  if (!existsSync(dataFile(folder))) return false;
  let pages: PageFile | null = null;
  try {
    pages = PageFile.open(dataFile(folder));
    const found = pages === null ? null : storedFormat(pages);
    return found !== null && found !== String(FORMAT_VERSION);
  } catch {
    return false;
  } finally {
    pages?.close();
  }
}

function formatOf(pages: PageFile, folder: string): number {
  const found = storedFormat(pages) ?? 'none';
  const format = Number(found);
  if (format === FORMAT_VERSION || UPGRADE_STEPS[format] !== undefined) return format;
  throw formatError(folder, found);
}

function* countEach<T>(all: Iterable<T>, count: () => void): Generator<T> {
  for (const one of all) {
    count();
    yield one;
  }
}

/** Makes checksums cover the key as well. */
function* toFormat2(records: Iterable<RawRecord>): Generator<RawRecord> {
  const format = encodeKey(keys.meta('format'));
  for (const [key, record] of records) {
    const value = valueOfFormat1Record(record);
    if (value === null) yield [key, keepDamaged(key, record)];
    else yield [key, encodeRawRecord(key, format.equals(key) ? Buffer.from('2') : value)];
  }
}

/** Gives checkpoints positions in the order in which they were stored instead of the order of their ids. */
function* toFormat3(records: Iterable<RawRecord>): Generator<RawRecord> {
  const format = encodeKey(keys.meta('format'));
  const firstPosition = encodeKey(['co']);
  let [uid, ofThread]: [uid: string, ofThread: RawRecord[]] = ['', []];
  let positions: RawRecord[] = [];
  function* finished(): Generator<RawRecord> {
    const done = assignPositions(ofThread);
    ofThread = [];
    positions.push(...done.positions);
    yield* done.checkpoints;
  }
  for (const [key, record] of records) {
    if (isCheckpointKey(key)) {
      if (threadUidOfKey(key) !== uid) yield* finished();
      uid = threadUidOfKey(key);
      // Copies, because the bytes are valid only until the next record is read.
      ofThread.push([Buffer.from(key), Buffer.from(record)]);
      continue;
    }
    if (ofThread.length > 0) yield* finished();
    if (positions.length > 0 && Buffer.compare(key, firstPosition) > 0) {
      yield* sortByKey(positions);
      positions = [];
    }
    const isFormat = format.equals(key) && valueOfRawRecord(key, record) !== null;
    yield isFormat ? [key, encodeRawRecord(key, Buffer.from('3'))] : [key, record];
  }
  yield* finished();
  yield* sortByKey(positions);
}

/**
 * Records of checkpoints and writes have other layouts in format 4, but those of format 3 are still read
 * (threads/checkpoint-rows.ts). The number keeps earlier releases from opening the folder.
 */
function* toFormat4(records: Iterable<RawRecord>): Generator<RawRecord> {
  const format = encodeKey(keys.meta('format'));
  for (const [key, record] of records) {
    const isFormat = format.equals(key) && valueOfRawRecord(key, record) !== null;
    yield isFormat ? [key, encodeRawRecord(key, Buffer.from('4'))] : [key, record];
  }
}

/** Changes the checksum if it would match in the new format. */
function keepDamaged(key: Uint8Array, record: Uint8Array): Uint8Array {
  const copy = Buffer.from(record);
  if (copy.length >= CHECKSUM_BYTES && valueOfRawRecord(key, copy) !== null) copy[0]! ^= 1;
  return copy;
}
