import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fail, type ThreadmillError } from '../../base/errors.js';

/**
 * The data file as it lies on disk, read page by page, without LMDB: a damaged file makes LMDB follow what stands there,
 * over the end of the file too, and that ends the process (docs/decisions/0031). Layout of lmdb 3.5.6, data version 2, as
 * 64-bit machines with the low byte first write it.
 */

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
export const PAGE_HEAD_BYTES = 24;
const META_BYTES = 144;
const HEAD_BYTES = PAGE_HEAD_BYTES + META_BYTES;
const METAS = 2;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** Pages of branches that are remembered: all of them, but for files of a hundred gigabytes. */
const KEPT_PAGES_MAX = 20_000;

export const BRANCH = 1;
export const LEAF = 2;
export const OVERFLOW = 4;
const META = 8;

/** What is wrong, and where in the file. */
export interface Damage {
  place: string;
  problem: string;
}

/** One tree of a snapshot, as the head of the file says it. */
export interface Tree {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Null: the tree is empty. */
  root: number | null;
}

export interface Snapshot {
  txnId: number;
  /** Number of the last page in use. */
  lastPage: number;
  free: Tree;
  main: Tree;
}

export class PageFile {
  readonly file: string;
  readonly pageBytes: number;
  readonly fileBytes: number;
  readonly snapshot: Snapshot;
  readonly #fd: number;
  readonly #kept = new Map<number, Buffer>();

  private constructor(file: string, fd: number, pageBytes: number, snapshot: Snapshot) {
    this.file = file;
    this.#fd = fd;
    this.fileBytes = fstatSync(fd).size;
    this.pageBytes = pageBytes;
    this.snapshot = snapshot;
  }

  /** The newest commit, or this one. Null: an empty file. Throws STORE_FILE_DAMAGED when its heads do not stand. */
  static open(file: string, txnId: number | null = null): PageFile | null {
    const fd = openSync(file, 'r');
    try {
      const heads = readHeads(file, fd);
      if (heads !== null) {
        const { pageBytes, snapshots } = heads;
        const snapshot =
          txnId === null
            ? snapshots.reduce((a, b) => (b.txnId > a.txnId ? b : a))
            : snapshots.find((one) => one.txnId === txnId);
        const problem =
          snapshot === undefined
            ? `no head of it has the commit ${txnId}`
            : snapshotProblem(snapshot, pageBytes, fstatSync(fd).size);
        if (problem !== null) throw fail('STORE_FILE_DAMAGED', { file, problem });
        return new PageFile(file, fd, pageBytes, snapshot!);
      }
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
    return null;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Bytes from the beginning of a page on; fewer when the file ends before. */
  read(page: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    const read = readSync(this.#fd, buffer, 0, bytes, page * this.pageBytes);
    return buffer.subarray(0, read);
  }

  /** As `read` of one page, which is remembered: for pages that many searches pass. */
  kept(page: number): Buffer {
    const known = this.#kept.get(page);
    if (known !== undefined) return known;
    if (this.#kept.size >= KEPT_PAGES_MAX) this.#kept.delete(this.#kept.keys().next().value!);
    const bytes = this.read(page, this.pageBytes);
    this.#kept.set(page, bytes);
    return bytes;
  }

  damaged({ place, problem }: Damage): ThreadmillError {
    return fail('STORE_FILE_DAMAGED', { file: this.file, problem: `${place}: ${problem}` });
  }
}

/** Throws STORE_FILE_DAMAGED when LMDB must not be given the file. Null: there is nothing in it. */
export function readHeads(file: string, fd: number): { pageBytes: number; snapshots: Snapshot[] } | null {
  const damaged = (problem: string): ThreadmillError => fail('STORE_FILE_DAMAGED', { file, problem });
  const first = headAt(fd, 0);
  if (first.length === 0) return null;
  if (first.length < HEAD_BYTES || first.readUInt32LE(PAGE_HEAD_BYTES) !== MAGIC)
    throw damaged('it does not begin as a data file does');
  const pageBytes = first.readUInt32LE(PAGE_HEAD_BYTES + 24);
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX || (pageBytes & (pageBytes - 1)) !== 0)
    throw damaged(`its head says that pages have ${pageBytes} bytes`);
  const snapshots = [0, pageBytes].map((at, number): Snapshot => {
    const head = headAt(fd, at);
    const place = `head ${number + 1}`;
    if (head.length < HEAD_BYTES) throw damaged(`it ends before ${place}`);
    if (head.readUInt16LE(18) !== META || head.readUInt32LE(PAGE_HEAD_BYTES) !== MAGIC)
      throw damaged(`${place} is not the head of a data file`);
    // Higher bits are for LMDB's own use.
    const version = head.readUInt32LE(PAGE_HEAD_BYTES + 4) & 0xffff;
    if (version !== DATA_VERSION) throw damaged(`${place} says version ${version}`);
    if (head.readUInt32LE(PAGE_HEAD_BYTES + 24) !== pageBytes) throw damaged('its heads say different sizes of pages');
    return snapshotIn(head);
  });
  const [a, b] = snapshots as [Snapshot, Snapshot];
  // Commits are written to the heads by turns; the second one of a copy may have none yet.
  if (Math.min(a.txnId, b.txnId) > 0 && Math.abs(a.txnId - b.txnId) !== 1)
    throw damaged(`its heads have the commits ${a.txnId} and ${b.txnId}, which do not follow one another`);
  // What was last flushed, in the middle of the first page (lmdb-js, overlappingSync).
  const flushed = headAt(fd, pageBytes / 2);
  if (flushed.length === HEAD_BYTES && flushed.readUInt32LE(PAGE_HEAD_BYTES) === MAGIC)
    snapshots.push(snapshotIn(flushed));
  return { pageBytes, snapshots };
}

function headAt(fd: number, at: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, at));
}

function snapshotIn(head: Buffer): Snapshot {
  const meta = head.subarray(PAGE_HEAD_BYTES);
  return { free: treeAt(meta, 24), main: treeAt(meta, 72), lastPage: number64(meta, 120), txnId: number64(meta, 128) };
}

/** Why nothing can be read by this head; null when something can. */
function snapshotProblem(
  { lastPage, txnId, main, free }: Snapshot,
  pageBytes: number,
  fileBytes: number,
): string | null {
  if (!Number.isSafeInteger(lastPage) || !Number.isSafeInteger(txnId)) return 'its head has numbers that are too large';
  // Of a file that has grown and shrunk again the end may be missing, but never most of it.
  if (lastPage > fileBytes) return `its head names ${lastPage} pages`;
  if ((main.root === null) !== (main.entries === 0))
    return 'its head says that there are records and no place for them, or a place and no records';
  for (const { root } of [main, free]) {
    if (root === null) continue;
    if (root < METAS || root > lastPage)
      return `its head says that its content begins on page ${root}, and there is none`;
    if ((root + 1) * pageBytes > fileBytes)
      return `it ends before page ${root}, where its content begins: it was cut off`;
  }
  return null;
}

function treeAt(meta: Buffer, at: number): Tree {
  const root = meta.readBigUInt64LE(at + 40);
  return {
    depth: meta.readUInt16LE(at + 6),
    branchPages: number64(meta, at + 8),
    leafPages: number64(meta, at + 16),
    overflowPages: number64(meta, at + 24),
    entries: number64(meta, at + 32),
    root: root === 0xffff_ffff_ffff_ffffn ? null : Number(root),
  };
}

export function number64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
