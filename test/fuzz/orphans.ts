import type { Reader } from '../../src/store/reader.js';
import type { Key } from '../../src/store/keys.js';

/** Entries that stand for a record of another kind, and where its id is in their keys (src/store/keys.ts). */
const BELONG: readonly (readonly [kind: string, at: number, record: string])[] = [
  ['ti', 3, 't'],
  ['tc', 3, 't'],
  ['rk', 1, 'r'],
  ['ra', 1, 'r'],
  ['tr', 3, 'r'],
  ['ai', 3, 'a'],
  ['av', 1, 'a'],
  ['ci', 2, 'cr'],
  ['cp', 1, 'cr'],
  ['DM', 2, 'D'],
  ['SM', 2, 'S'],
  ['SD', 3, 'S'],
  ['PD', 3, 'P'],
  ['fr', 2, 'ft'],
  ['fx', 2, 'ft'],
];

/**
 * Of a store at rest: what was left when its record went, the keys as JSON. While things are being removed, nothing is
 * said.
 */
export function orphans(reader: Reader): string[] {
  if (reader.count({ prefix: ['x'] }) > 0) return [];
  return BELONG.flatMap(([kind, at, record]) =>
    [...reader.keys({ prefix: [kind] })]
      .filter((key: Key) => !reader.has([record, key[at]!]))
      .map((key) => JSON.stringify(key)),
  );
}
