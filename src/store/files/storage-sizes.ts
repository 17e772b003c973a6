import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import { hashOfName, type SumTable } from '../../base/sum-table.js';
import { THREAD_STATE_PREFIXES } from '../keys.js';
import { openRawDatabase } from '../reader.js';

/** Kinds of records for the report on storage. Every first part of a key (keys.ts) belongs to one kind. */
export const RECORD_KINDS: Readonly<Record<string, readonly string[]>> = {
  threads: ['t', 'ti', 'tc', 'tx', 'tu'],
  states: ['c', 'co', 'v', 'w', 'n', 'i', 'u'],
  runs: ['r', 'rk', 'tr', 'ra', 'ar'],
  events: ['e', 'ex'],
  memory: ['mi', 'mu', 'mx', 'mv', 'm'],
  assistants: ['a', 'av', 'ai'],
  crons: ['cr', 'cp', 'ci'],
  webhooks: ['wo', 'wm', 'wl', 'wx'],
  datasets: ['D', 'DN', 'DM', 'E', 'EI', 'EL'],
  experiments: [
    'S',
    'SN',
    'SM',
    'SL',
    'SD',
    'SH',
    'SQ',
    'SS',
    'R',
    'RI',
    'RG',
    'RT',
    'U',
    'J',
    'JR',
    'P',
    'PD',
    'sh',
    'st',
    'Q',
    'QE',
    'QI',
    'QR',
    'RU',
  ],
  alerts: ['AL', 'AH'],
  attachments: ['B'],
  feedback: ['F', 'FI', 'FO', 'FR', 'ft', 'fr', 'fx', 'FC'],
  code: ['cv', 'cb'],
  leftovers: ['x'],
  server: ['!', 'ak', 'se', 'au', 'hi', 'sp'],
};

export interface KindSize {
  kind: string;
  records: number;
  /** Bytes of keys and values. The file's pages also have unused space. */
  bytes: number;
}

const KIND_OF = new Map(
  Object.entries(RECORD_KINDS).flatMap(([kind, prefixes]) => prefixes.map((prefix) => [prefix, kind])),
);

const STATE_PREFIXES: ReadonlySet<string> = new Set(THREAD_STATE_PREFIXES);

/** Adds the bytes of states by the inner id of their thread. */
export class ThreadStateSums {
  readonly #sums: SumTable;
  /** All states, also those of deleted threads that are not removed yet. */
  bytes = 0;
  /** States of threads that the table has no more room for. */
  bytesNotSummed = 0;
  #uid: Uint8Array = Buffer.alloc(0);
  #pending = 0;

  constructor(sums: SumTable) {
    this.#sums = sums;
  }

  /** Records of one thread follow each other, so most of them need no look-up. */
  add(uid: Buffer, bytes: number): void {
    if (!uid.equals(this.#uid)) {
      this.flush();
      this.#uid = Uint8Array.from(uid);
    }
    this.#pending += bytes;
  }

  flush(): void {
    if (this.#pending === 0) return;
    this.bytes += this.#pending;
    if (this.#sums.add(hashOfName(this.#uid), this.#pending) === null) this.bytesNotSummed += this.#pending;
    this.#pending = 0;
  }
}

/**
 * Records and bytes of each kind, largest first, at one commit. `states` gets the bytes of each state. Yields regularly
 * so that other work can run.
 */
export function* storageByKind(file: string, states: ThreadStateSums | null = null): Steps<KindSize[]> {
  const raw = openRawDatabase(file, true);
  raw.resetReadTxn();
  const found = new Map<string, KindSize>();
  const transaction = raw.useReadTransaction();
  try {
    let counted = 0;
    for (const { key, value } of raw.getRange({ transaction })) {
      // The first part of a key is a short string that ends at a zero byte.
      const prefixEnd = key.indexOf(0);
      const prefix = key.toString('latin1', 0, prefixEnd);
      const kind = KIND_OF.get(prefix) ?? 'other';
      let size = found.get(kind);
      if (size === undefined) found.set(kind, (size = { kind, records: 0, bytes: 0 }));
      size.records += 1;
      const bytes = key.byteLength + value.byteLength;
      size.bytes += bytes;
      // So does the second part.
      if (states !== null && STATE_PREFIXES.has(prefix))
        states.add(key.subarray(prefixEnd + 1, key.indexOf(0, prefixEnd + 1)), bytes);
      counted += 1;
      if (counted % LIMITS.backupBlockRecords === 0) yield;
    }
    states?.flush();
  } finally {
    transaction.done();
  }
  return [...found.values()].toSorted((a, b) => b.bytes - a.bytes);
}
