import {
  BRANCH,
  LEAF,
  readUint64,
  OVERFLOW,
  PAGE_HEADER_BYTES,
  type Damage,
  type PageFile,
  type Tree,
} from './page-file.js';

/** A record as stored in the file, with its key in LMDB's encoding. */
export interface StoredEntry {
  key: Buffer;
  /** Empty when values are not read. */
  value: Buffer;
  /** `page 17`. */
  place: string;
}

export interface WalkOptions {
  /** Called for each fault; the walk then continues elsewhere. Throw to end it. */
  onDamage: (damage: Damage) => void;
  /** Read values that have pages of their own. */
  values: boolean;
  /** Skip leaf pages, which are nearly all pages. Then no record is found. */
  branchesOnly?: boolean;
}

const NODE_HEADER_BYTES = 8;
const OVERFLOW_FLAG = 1;
const OVERFLOW_NODE_BYTES = 24;

type Compare = (a: Buffer, b: Buffer) => number;

/** A tree and the order of its keys. */
interface OrderedTree {
  tree: Tree;
  compare: Compare;
}

interface Node {
  key: Buffer;
  /** In a branch the page below; in a leaf the bytes of the value. */
  number: number;
  flags: number;
  /** Offset of the value in its page. */
  at: number;
}

/** Walks a tree in key order. Reports damaged pages and skips what is below them. */
class TreeWalk {
  readonly #file: PageFile;
  readonly #tree: Tree;
  readonly #compare: Compare;
  readonly #options: WalkOptions;
  readonly #used: PageSet;
  readonly #counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
  #damageFound = false;

  constructor(file: PageFile, { tree, compare }: OrderedTree, used: PageSet, options: WalkOptions) {
    this.#file = file;
    this.#tree = tree;
    this.#used = used;
    this.#compare = compare;
    this.#options = options;
  }

  *entries(): Generator<StoredEntry> {
    const { root } = this.#tree;
    if (root !== null) yield* this.#walkPage(root, 1, null, null);
    // Skipped pages are not counted.
    if (this.#damageFound || this.#options.branchesOnly === true) return;
    for (const name of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (this.#counts[name] !== this.#tree[name])
        this.#reportDamage(
          'head',
          `its meta page has ${name} ${this.#tree[name]}, but there are ${this.#counts[name]}`,
        );
    }
  }

  /** All keys must be at or above `low` and below `high`. */
  *#walkPage(page: number, depth: number, low: Buffer | null, high: Buffer | null): Generator<StoredEntry> {
    const place = `page ${page}`;
    const isLeaf = depth === this.#tree.depth;
    if (isLeaf && this.#options.branchesOnly === true) return;
    const bytes = this.#readPage(page);
    const nodes = bytes === null ? null : this.#parseNodes(page, bytes, isLeaf);
    if (nodes === null) return;
    this.#counts[isLeaf ? 'leafPages' : 'branchPages'] += 1;
    let before: Buffer | null = null;
    for (const [at, node] of nodes.entries()) {
      // The first key of a branch is empty: the page below starts where the branch starts.
      const { key } = node;
      const isFirstOfBranch = !isLeaf && at === 0;
      if (
        !isFirstOfBranch &&
        ((before !== null && this.#compare(before, key) >= 0) ||
          (low !== null && this.#compare(key, low) < 0) ||
          (high !== null && this.#compare(key, high) >= 0))
      ) {
        this.#reportDamage(place, `key ${at} is out of order`);
        continue;
      }
      if (!isFirstOfBranch) before = key;
      if (isLeaf) {
        const value = this.#readValue(place, bytes!, node);
        if (value === null) continue;
        this.#counts.entries += 1;
        yield { key, value, place };
      } else yield* this.#walkPage(node.number, depth + 1, at === 0 ? low : key, nodes[at + 1]?.key ?? high);
    }
  }

  #readPage(page: number): Buffer | null {
    const place = `page ${page}`;
    const { lastPage, txnId } = this.#file.snapshot;
    if (page < 2 || page > lastPage) return this.#reportDamage(place, 'it is referenced but does not exist');
    if (!this.#used.add(page)) return this.#reportDamage(place, 'it is referenced twice');
    const bytes = this.#file.read(page, this.#file.pageBytes);
    if (bytes.length < this.#file.pageBytes) return this.#reportDamage(place, 'the file ends before the page does');
    if (readUint64(bytes, 0) !== page)
      return this.#reportDamage(place, `it has the page number ${readUint64(bytes, 0)}`);
    if (readUint64(bytes, 8) > txnId)
      return this.#reportDamage(place, `it belongs to commit ${readUint64(bytes, 8)}, which is after the last commit`);
    return bytes;
  }

  #parseNodes(page: number, bytes: Buffer, isLeaf: boolean): Node[] | null {
    const place = `page ${page}`;
    if (bytes.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH))
      return this.#reportDamage(
        place,
        `it has the type ${bytes.readUInt16LE(18)} instead of ${isLeaf ? LEAF : BRANCH}`,
      );
    const room = this.#file.pageBytes - PAGE_HEADER_BYTES;
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
    if (lower % 2 !== 0 || lower < (isLeaf ? 2 : 4) || lower > upper || upper > room)
      return this.#reportDamage(place, 'its bounds are invalid');
    const nodes: Node[] = [];
    let filled = 0;
    for (let at = 0; at < lower / 2; at += 1) {
      const offset = bytes.readUInt16LE(PAGE_HEADER_BYTES + at * 2);
      if (offset < upper || offset + NODE_HEADER_BYTES > room)
        return this.#reportDamage(place, `entry ${at} is out of bounds`);
      const start = PAGE_HEADER_BYTES + offset;
      const [low, middle, flags, keyBytes] = [
        bytes.readUInt16LE(start),
        bytes.readUInt16LE(start + 2),
        bytes.readUInt16LE(start + 4),
        bytes.readUInt16LE(start + 6),
      ];
      const size = low + middle * 0x1_0000;
      if (isLeaf && flags !== 0 && flags !== OVERFLOW_FLAG)
        return this.#reportDamage(place, `entry ${at} has the flags ${flags}`);
      const inside = !isLeaf ? 0 : flags === OVERFLOW_FLAG ? OVERFLOW_NODE_BYTES : size;
      const length = NODE_HEADER_BYTES + keyBytes + inside;
      if (offset + length > room) return this.#reportDamage(place, `entry ${at} is longer than the page`);
      filled += length + (length % 2);
      const keyAt = start + NODE_HEADER_BYTES;
      nodes.push({
        key: bytes.subarray(keyAt, keyAt + keyBytes),
        number: isLeaf ? size : size + flags * 0x1_0000_0000,
        flags,
        at: keyAt + keyBytes,
      });
    }
    // Entries are adjacent, without gaps.
    if (filled !== room - upper)
      return this.#reportDamage(place, `its entries have ${filled} bytes but occupy ${room - upper}`);
    return nodes;
  }

  #readValue(place: string, bytes: Buffer, { number: size, flags, at }: Node): Buffer | null {
    if (flags !== OVERFLOW_FLAG) return bytes.subarray(at, at + size);
    const [first, pages] = [readUint64(bytes, at), readUint64(bytes, at + 16)];
    const { pageBytes, snapshot } = this.#file;
    const own = `${place}, a value on page ${first}`;
    if (pages !== Math.floor((PAGE_HEADER_BYTES - 1 + size) / pageBytes) + 1)
      return this.#reportDamage(own, `it has ${size} bytes but ${pages} pages`);
    if (first < 2 || first + pages - 1 > snapshot.lastPage) return this.#reportDamage(own, 'the page does not exist');
    for (let page = first; page < first + pages; page += 1)
      if (!this.#used.add(page)) return this.#reportDamage(own, `page ${page} is used twice`);
    this.#counts.overflowPages += pages;
    const read = this.#file.read(first, this.#options.values ? PAGE_HEADER_BYTES + size : PAGE_HEADER_BYTES);
    if (
      read.length < PAGE_HEADER_BYTES + (this.#options.values ? size : 0) ||
      (first + pages) * pageBytes > this.#file.fileBytes
    )
      return this.#reportDamage(own, 'the file ends before the value does');
    if (readUint64(read, 0) !== first || read.readUInt16LE(18) !== OVERFLOW || read.readUInt32LE(20) !== pages)
      return this.#reportDamage(own, 'the page does not begin with this value');
    return read.subarray(PAGE_HEADER_BYTES);
  }

  #reportDamage(place: string, problem: string): null {
    this.#damageFound = true;
    this.#options.onDamage({ place, problem });
    return null;
  }
}

/** Set of the pages in use. */
class PageSet {
  readonly #bits: Uint8Array;

  constructor(pages: number) {
    this.#bits = new Uint8Array((pages >> 3) + 1);
  }

  /** False when the page is already in the set. */
  add(page: number): boolean {
    const bit = 1 << (page & 7);
    if ((this.#bits[page >> 3]! & bit) !== 0) return false;
    this.#bits[page >> 3]! |= bit;
    return true;
  }
}

/** Every record in key order. Afterwards checks that the list of free pages names no page that is in use. */
export function* walkEntries(file: PageFile, options: WalkOptions): Generator<StoredEntry> {
  const { main, lastPage } = file.snapshot;
  const used = new PageSet(lastPage + 1);
  yield* new TreeWalk(file, { tree: main, compare: Buffer.compare }, used, options).entries();
  if (options.branchesOnly !== true) checkFreePages(file, used, options);
}

/** Checks the list of free pages, which LMDB will overwrite. */
function checkFreePages(file: PageFile, used: PageSet, options: WalkOptions): void {
  const { free, lastPage } = file.snapshot;
  const byNumber: Compare = (a, b) => readUint64(a, 0) - readUint64(b, 0);
  const walk = new TreeWalk(file, { tree: free, compare: byNumber }, used, { ...options, values: true });
  const lists: StoredEntry[] = [...walk.entries()];
  for (const { value, place } of lists) {
    const damage = (problem: string): void => options.onDamage({ place: `${place}, free pages`, problem });
    const count = value.length < 8 ? -1 : readUint64(value, 0);
    if ((count + 1) * 8 > value.length || count < 0) {
      damage('the list is longer than its record');
      continue;
    }
    for (let at = 1; at <= count; at += 1) {
      // A negative number is a count of consecutive pages, whose first one follows. Zero means nothing.
      const number = Number(value.readBigInt64LE(at * 8));
      const [first, pages] = number >= 0 ? [number, 1] : [at < count ? readUint64(value, (at + 1) * 8) : -1, -number];
      if (number < 0) at += 1;
      if (number === 0) continue;
      if (first < 2 || pages > lastPage || first + pages - 1 > lastPage)
        damage(`it names ${pages} pages from page ${first} on, but the last page is ${lastPage}`);
      else
        for (let page = first; page < first + pages; page += 1)
          if (!used.add(page)) damage(`page ${page} is in use or named twice`);
    }
  }
}

/** Every record. Throws STORE_FILE_DAMAGED at the first fault. */
export function* verifiedEntries(file: PageFile): Generator<StoredEntry> {
  yield* walkEntries(file, {
    values: true,
    onDamage: (damage) => {
      throw file.damageError(damage);
    },
  });
}
