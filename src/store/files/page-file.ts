import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fail, type ThreadmillError } from '../../base/errors.js';

/**
 * Reads the data file page by page, without LMDB. In a damaged file LMDB follows wrong page numbers, also beyond the
 * end of the file, and that ends the process (docs/decisions/0031). The layout is that of lmdb 3.5.6, data version 2,
 * on 64-bit little-endian machines.
 */

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
export const PAGE_HEADER_BYTES = 24;
const META_BYTES = 144;
const META_PAGE_BYTES = PAGE_HEADER_BYTES + META_BYTES;
const META_PAGES = 2;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** Branch pages kept in memory: all of them, except in files of a hundred gigabytes. */
const CACHED_PAGES_MAX = 20_000;

export const BRANCH = 1;
export const LEAF = 2;
export const OVERFLOW = 4;
const META = 8;

/** A fault in the file and its place. */
export interface Damage {
  place: string;
  problem: string;
}

/** One tree of a snapshot, as a meta page describes it. */
export interface Tree {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Null when the tree is empty. */
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
  readonly #cache = new Map<number, Buffer>();

  private constructor(file: string, fd: number, pageBytes: number, snapshot: Snapshot) {
    this.file = file;
    this.#fd = fd;
    this.fileBytes = fstatSync(fd).size;
    this.pageBytes = pageBytes;
    this.snapshot = snapshot;
  }

  /**
   * Opens the newest commit, or the one with this number. Null for an empty file. Throws STORE_FILE_DAMAGED when the
   * meta pages are not valid.
   */
  static open(file: string, txnId: number | null = null): PageFile | null {
    const fd = openSync(file, 'r');
    try {
      const heads = readMetaPages(file, fd);
      if (heads !== null) {
        const { pageBytes, snapshots } = heads;
        const snapshot =
          txnId === null
            ? snapshots.reduce((a, b) => (b.txnId > a.txnId ? b : a))
            : snapshots.find((one) => one.txnId === txnId);
        const problem =
          snapshot === undefined
            ? `no meta page has the commit ${txnId}`
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

  /** Bytes from the beginning of a page; fewer when the file ends earlier. */
  read(page: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    const read = readSync(this.#fd, buffer, 0, bytes, page * this.pageBytes);
    return buffer.subarray(0, read);
  }

  /** Like `read` for one page, but cached: for pages that many lookups read. */
  readCached(page: number): Buffer {
    const known = this.#cache.get(page);
    if (known !== undefined) return known;
    if (this.#cache.size >= CACHED_PAGES_MAX) this.#cache.delete(this.#cache.keys().next().value!);
    const bytes = this.read(page, this.pageBytes);
    this.#cache.set(page, bytes);
    return bytes;
  }

  damageError({ place, problem }: Damage): ThreadmillError {
    return fail('STORE_FILE_DAMAGED', { file: this.file, problem: `${place}: ${problem}` });
  }
}

/** Throws STORE_FILE_DAMAGED when LMDB cannot safely open the file. Null when the file is empty. */
export function readMetaPages(file: string, fd: number): { pageBytes: number; snapshots: Snapshot[] } | null {
  const damaged = (problem: string): ThreadmillError => fail('STORE_FILE_DAMAGED', { file, problem });
  const first = metaPageAt(fd, 0);
  if (first.length === 0) return null;
  if (first.length < META_PAGE_BYTES || first.readUInt32LE(PAGE_HEADER_BYTES) !== MAGIC)
    throw damaged('it does not begin as a data file does');
  const pageBytes = first.readUInt32LE(PAGE_HEADER_BYTES + 24);
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX || (pageBytes & (pageBytes - 1)) !== 0)
    throw damaged(`its meta page has a page size of ${pageBytes} bytes`);
  const snapshots = [0, pageBytes].map((at, number): Snapshot => {
    const head = metaPageAt(fd, at);
    const place = `meta page ${number + 1}`;
    if (head.length < META_PAGE_BYTES) throw damaged(`it ends before ${place}`);
    if (head.readUInt16LE(18) !== META || head.readUInt32LE(PAGE_HEADER_BYTES) !== MAGIC)
      throw damaged(`${place} is not the meta page of a data file`);
    // The higher bits are used by LMDB itself.
    const version = head.readUInt32LE(PAGE_HEADER_BYTES + 4) & 0xffff;
    if (version !== DATA_VERSION) throw damaged(`${place} has data version ${version}`);
    if (head.readUInt32LE(PAGE_HEADER_BYTES + 24) !== pageBytes) throw damaged('its meta pages differ in page size');
    return snapshotIn(head);
  });
  const [a, b] = snapshots as [Snapshot, Snapshot];
  // Commits are written to the meta pages alternately; in a copy the second one may not have a commit yet.
  if (Math.min(a.txnId, b.txnId) > 0 && Math.abs(a.txnId - b.txnId) !== 1)
    throw damaged(`its meta pages have the commits ${a.txnId} and ${b.txnId}, which are not consecutive`);
  // The last flushed commit is stored in the middle of the first page (lmdb-js, overlappingSync).
  const flushed = metaPageAt(fd, pageBytes / 2);
  if (flushed.length === META_PAGE_BYTES && flushed.readUInt32LE(PAGE_HEADER_BYTES) === MAGIC)
    snapshots.push(snapshotIn(flushed));
  return { pageBytes, snapshots };
}

function metaPageAt(fd: number, at: number): Buffer {
  const head = Buffer.alloc(META_PAGE_BYTES);
  return head.subarray(0, readSync(fd, head, 0, META_PAGE_BYTES, at));
}

function snapshotIn(head: Buffer): Snapshot {
  const meta = head.subarray(PAGE_HEADER_BYTES);
  return {
    free: treeAt(meta, 24),
    main: treeAt(meta, 72),
    lastPage: readUint64(meta, 120),
    txnId: readUint64(meta, 128),
  };
}

/** Why nothing can be read from this meta page; null when it is usable. */
function snapshotProblem(
  { lastPage, txnId, main, free }: Snapshot,
  pageBytes: number,
  fileBytes: number,
): string | null {
  if (!Number.isSafeInteger(lastPage) || !Number.isSafeInteger(txnId)) return 'its meta page has numbers out of range';
  // A file that grew and shrank again may be shorter than its pages, but not by most of them.
  if (lastPage > fileBytes) return `its meta page claims ${lastPage} pages`;
  if ((main.root === null) !== (main.entries === 0))
    return 'its meta page has a count of records that contradicts its root page';
  for (const { root } of [main, free]) {
    if (root === null) continue;
    if (root < META_PAGES || root > lastPage) return `its meta page names page ${root} as root, which does not exist`;
    if ((root + 1) * pageBytes > fileBytes) return `it ends before its root page ${root}: it was cut off`;
  }
  return null;
}

function treeAt(meta: Buffer, at: number): Tree {
  const root = meta.readBigUInt64LE(at + 40);
  return {
    depth: meta.readUInt16LE(at + 6),
    branchPages: readUint64(meta, at + 8),
    leafPages: readUint64(meta, at + 16),
    overflowPages: readUint64(meta, at + 24),
    entries: readUint64(meta, at + 32),
    root: root === 0xffff_ffff_ffff_ffffn ? null : Number(root),
  };
}

export function readUint64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
