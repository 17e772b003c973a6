import { LIMITS } from '../../base/limits.js';
import { openRaw } from '../reader.js';

/** What records are of, for whoever asks what fills the file. Every first part of a key (keys.ts) has its kind. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  threads: ['t', 'ti', 'tc', 'tx', 'tu'],
  states: ['c', 'co', 'v', 'w', 'n', 'i', 'u'],
  runs: ['r', 'rk', 'tr', 'ra', 'ar'],
  events: ['e', 'ex'],
  memory: ['mi', 'mu', 'mx', 'mv', 'm'],
  assistants: ['a', 'av', 'ai'],
  crons: ['cr', 'cp', 'ci'],
  webhooks: ['wo', 'wl', 'wx'],
  datasets: ['D', 'DN', 'DM', 'E', 'EI', 'EL'],
  experiments: ['S', 'SN', 'SM', 'SL', 'SD', 'SH', 'SQ', 'SS', 'R', 'RI', 'RT', 'U', 'P', 'PD'],
  feedback: ['F', 'FI', 'FO', 'FR', 'ft', 'fr', 'fx', 'FC'],
  leftovers: ['x'],
  server: ['!'],
};

export interface KindSize {
  kind: string;
  records: number;
  /** Of keys and values; pages of the file have room left beside them. */
  bytes: number;
}

const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, prefixes]) => prefixes.map((prefix) => [prefix, kind])));

/** How much there is of each kind, largest first, as of some moment while it counts. Yields after so many records that others can have their turn. */
export function* sizesOf(file: string): Generator<void, KindSize[], void> {
  const raw = openRaw(file, true);
  raw.resetReadTxn();
  const found = new Map<string, KindSize>();
  const transaction = raw.useReadTransaction();
  try {
    let counted = 0;
    for (const { key, value } of raw.getRange({ transaction })) {
      // The first part of a key is a short text, and ends where a zero stands.
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
