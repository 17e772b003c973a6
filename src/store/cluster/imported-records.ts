import { fail } from '../../base/errors.js';
import { pack, unpack } from '../../wire/codec.js';
import { keyFileNames, keysFolder, readKeyFile } from '../access/key-files.js';
import { IMPORTED_SEAL_KEY, sealImportedKey } from '../encryption/imported-seal-key.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { Seal } from '../encryption/seal.js';
import type { RawRecord } from '../files/backup-format.js';
import { decodeKey, encodeKey } from '../key-codec.js';
import { keys, type Key } from '../keys.js';
import { decodeRecord, encodeRecord } from '../record-codec.js';
import { APPLIED, appliedOperation } from './applied.js';
import type { LogPosition } from './commit-log.js';

export interface ImportContext {
  folder: string;
  cipher: RecordCipher | null;
  /** Null: the folder has none. */
  folderSealKey: Buffer | null;
  clusterSealKey: Buffer;
  position: LogPosition;
}

/** Records that only a cluster has: API keys, the sealing key of the folder, and the position in the log. */
function clusterRecords({
  folder,
  cipher,
  folderSealKey,
  clusterSealKey,
  position,
}: ImportContext): [key: Key, record: Uint8Array][] {
  const records: [Key, Uint8Array][] = keyFileNames(keysFolder(folder)).map((name) => {
    const apiKey = readKeyFile(keysFolder(folder), name);
    const key = keys.apiKey(apiKey.keyId);
    return [key, encodeRecord(key, pack(apiKey), cipher)];
  });
  if (folderSealKey !== null)
    records.push([IMPORTED_SEAL_KEY, encodeRecord(IMPORTED_SEAL_KEY, sealImportedKey(folderSealKey, clusterSealKey))]);
  const [key, record] = appliedOperation(position);
  return [...records, [key, record!]];
}

/** True for records that only a cluster has. A folder has old ones if it was restored from the backup of a node. */
export function isClusterRecord(key: Key): boolean {
  return (
    key[0] === keys.apiKeys()[0] ||
    [APPLIED, IMPORTED_SEAL_KEY].some(([kind, name]) => key[0] === kind && key[1] === name)
  );
}

/**
 * The records of a folder as those of a cluster, in key order. Throws SEAL_KEY_WRONG at the end if a caller cannot be
 * opened: its run or cron could not continue.
 */
export function* importedRecords(records: Iterable<RawRecord>, context: ImportContext): Generator<RawRecord> {
  const added = clusterRecords(context)
    .map(([key, record]): RawRecord => [encodeKey(key), record])
    .toSorted(([one], [other]) => Buffer.compare(one, other));
  const sealed = new SealedCallers(context);
  for (const record of records) {
    while (added.length > 0 && Buffer.compare(added[0]![0], record[0]) <= 0) yield added.shift()!;
    const key = decodeKey(record[0]);
    // The backup reports a damaged key, because its checksum does not match.
    if (Array.isArray(key)) {
      if (isClusterRecord(key)) continue;
      sealed.check(key, record[1]);
    }
    yield record;
  }
  yield* added;
  sealed.finish();
}

/** Names in the message of the error. */
const SHOWN_MAX = 5;

/** Checks that the sealing key opens the callers of unfinished runs and crons. */
class SealedCallers {
  readonly #context: ImportContext;
  readonly #seal: Seal | null;
  readonly #unopened: string[] = [];

  constructor(context: ImportContext) {
    this.#context = context;
    this.#seal = context.folderSealKey === null ? null : new Seal(context.folderSealKey);
  }

  check(key: Key, record: Uint8Array): void {
    const kind = key[0] === keys.activeRuns()[0] ? 'run' : key[0] === keys.crons()[0] ? 'cron' : null;
    if (kind === null) return;
    const { sealed } = unpack<{ sealed: Uint8Array }>(decodeRecord(key, record, this.#context.cipher));
    const id = String(key[1]);
    if (this.#seal === null || this.#seal.open(sealed, id) === null) this.#unopened.push(`${kind} ${id}`);
  }

  finish(): void {
    if (this.#unopened.length === 0) return;
    throw fail('SEAL_KEY_WRONG', {
      folder: this.#context.folder,
      records: this.#unopened.slice(0, SHOWN_MAX),
      count: this.#unopened.length,
    });
  }
}
