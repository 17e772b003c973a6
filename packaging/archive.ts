import { createHash } from 'node:crypto';

/** A file of the tree that the executable unpacks. */
export interface TreeFile {
  bytes: Uint8Array;
  executable: boolean;
}

/** What the launcher is told of the archive. */
export interface Index {
  /** Of all paths, modes and bytes: the name of the folder that they are unpacked to. */
  hash: string;
  /** In the order of their bytes in the archive. */
  files: { path: string; size: number; executable: boolean }[];
}

/** All files, one behind the other by path, and where each ends. */
export function pack(tree: ReadonlyMap<string, TreeFile>): { index: Index; bytes: Buffer } {
  const sorted = [...tree].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const [path, { bytes, executable }] of sorted)
    hash.update(`${path}\0${executable}\0${bytes.length}\0`).update(bytes);
  return {
    index: {
      hash: hash.digest('hex').slice(0, 32),
      files: sorted.map(([path, { bytes, executable }]) => ({ path, size: bytes.length, executable })),
    },
    bytes: Buffer.concat(sorted.map(([, { bytes }]) => bytes)),
  };
}
