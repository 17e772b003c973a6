import { LIMITS } from '../../base/limits.js';
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
  server: ['!', 'ak', 'se', 'au', 'hi'],
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

/** Records and bytes of each kind, largest first, at one commit. Yields regularly so that other work can run. */
export function* storageByKind(file: string): Generator<void, KindSize[], void> {
  const raw = openRawDatabase(file, true);
  raw.resetReadTxn();
  const found = new Map<string, KindSize>();
  const transaction = raw.useReadTransaction();
  try {
    let counted = 0;
    for (const { key, value } of raw.getRange({ transaction })) {
      // The first part of a key is a short string that ends at a zero byte.
      const kind = KIND_OF.get(key.toString('latin1', 0, key.indexOf(0))) ?? 'other';
      let size = found.get(kind);
      if (size === undefined) found.set(kind, (size = { kind, records: 0, bytes: 0 }));
      size.records += 1;
      size.bytes += key.byteLength + value.byteLength;
      counted += 1;
      if (counted % LIMITS.backupBlockRecords === 0) yield;
    }
  } finally {
    transaction.done();
  }
  return [...found.values()].toSorted((a, b) => b.bytes - a.bytes);
}
