import { createHash } from 'node:crypto';

/** A file that the executable unpacks. */
export interface TreeFile {
  bytes: Uint8Array;
  executable: boolean;
}

/** The table of contents of the archive, for the launcher. */
export interface ArchiveIndex {
  /** Hash over all paths, modes and bytes. It names the folder to which they are unpacked. */
  hash: string;
  /** In the order of the archive. */
  files: { path: string; size: number; executable: boolean }[];
}

/** Concatenates all files, sorted by path. The index has the size of each. */
export function packArchive(tree: ReadonlyMap<string, TreeFile>): { index: ArchiveIndex; bytes: Buffer } {
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
