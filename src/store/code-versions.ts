import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { LIMITS } from '../base/limits.js';
import { pack, unpack } from '../wire/codec.js';
import { keys } from './keys.js';
import type { Commit, Store } from './store.js';

/** A graph that a version is the code of. Graphs with the same file have the same code. */
export interface VersionedGraph {
  graphId: string;
  /** Relative to the folder of the project. */
  file: string;
  exportName: string;
}

/** A module of a package that a bundle imports. */
export interface ImportedModule {
  /** URL or path, as the bundle names it. */
  place: string;
  packageName: string;
  version: string;
  /** Path in the folder of the package. */
  file: string;
}

/** Code of graphs that was in use. */
export interface CodeVersionRecord {
  /** See GraphSource. */
  hash: string;
  graphs: VersionedGraph[];
  /** Folder of the project, which paths in the bundle contain. */
  root: string;
  /** Folder of the bundle, which the paths in its source map are relative to. */
  folder: string;
  imports: ImportedModule[];
  /** `name@version` of the packages that it imports, sorted. */
  packages: string[];
  /** Of LangGraph; null if it states none. */
  libraryVersion: string | null;
  firstUsedMs: number;
  lastUsedMs: number;
  /** Of the compressed bundle. */
  bytes: number;
}

/** What is stored of a version that is in use. */
export type UsedCode = Omit<CodeVersionRecord, 'firstUsedMs' | 'lastUsedMs' | 'bytes'> & { bundle: Uint8Array };

/** A version and its bundle as it was on disk. */
export type CodeVersion = CodeVersionRecord & { bundle: Uint8Array };

/** Higher qualities take several times as long and save a tenth. */
const QUALITY = 5;

/** The code of graphs: a bounded number of versions of each graph. */
export class CodeVersions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The last used ones first. */
  list(): CodeVersionRecord[] {
    return [...this.#store.entries({ prefix: keys.codeVersions() })]
      .map(([, value]) => unpack<CodeVersionRecord>(value))
      .toSorted((a, b) => b.lastUsedMs - a.lastUsedMs);
  }

  /** Undefined if it is not kept. */
  get(hash: string): CodeVersionRecord | undefined {
    const bytes = this.#store.get(keys.codeVersion(hash));
    return bytes === undefined ? undefined : unpack<CodeVersionRecord>(bytes);
  }

  /** The version with its bundle; undefined if it is not kept. */
  load(hash: string): CodeVersion | undefined {
    const record = this.get(hash);
    const compressed = this.#store.get(keys.codeBundle(hash));
    return record === undefined || compressed === undefined
      ? undefined
      : { ...record, bundle: brotliDecompressSync(compressed) };
  }

  /**
   * Stores that the code is in use now, and removes versions beyond `keep` of each graph, or beyond the size of all,
   * those first that have not been used for longest. Versions of `parked` stay as long as there is room; it is called
   * if others do not. Returns what is kept.
   */
  use(
    commit: Commit,
    used: readonly UsedCode[],
    { nowMs, keep, parked }: { nowMs: number; keep: number; parked: () => ReadonlySet<string> },
  ): CodeVersionRecord[] {
    const before = this.list();
    const all = new Map(before.map((record) => [record.hash, record]));
    const added = new Map<string, Uint8Array>();
    for (const { bundle, ...code } of used) {
      const known = all.get(code.hash);
      if (known !== undefined) {
        all.set(code.hash, { ...known, graphs: withGraphs(known.graphs, code.graphs), lastUsedMs: nowMs });
        continue;
      }
      const compressed = brotliCompressSync(bundle, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
      added.set(code.hash, compressed);
      all.set(code.hash, { ...code, firstUsedMs: nowMs, lastUsedMs: nowMs, bytes: compressed.byteLength });
    }
    const newest = keptOf([...all.values()], keep, new Set());
    const kept = newest.length === all.size ? newest : keptOf([...all.values()], keep, parked());
    const keptHashes = new Set(kept.map(({ hash }) => hash));
    for (const { hash } of before) if (!keptHashes.has(hash)) this.#remove(commit, hash);
    for (const { hash } of used) {
      if (!keptHashes.has(hash)) continue;
      this.put(commit, all.get(hash)!);
      const compressed = added.get(hash);
      if (compressed !== undefined) commit.put(keys.codeBundle(hash), compressed);
    }
    return kept;
  }

  /** Replaces the record of a version that is kept. */
  put(commit: Commit, record: CodeVersionRecord): void {
    commit.put(keys.codeVersion(record.hash), pack(record));
  }

  #remove(commit: Commit, hash: string): void {
    commit.remove(keys.codeVersion(hash));
    commit.remove(keys.codeBundle(hash));
  }
}

function withGraphs(known: VersionedGraph[], more: readonly VersionedGraph[]): VersionedGraph[] {
  const isNew = ({ graphId }: VersionedGraph): boolean => !known.some((one) => one.graphId === graphId);
  return [...known, ...more.filter(isNew)];
}

/** A version stays while it is one of the newest of any of its graphs or is parked, and has room. */
function keptOf(records: CodeVersionRecord[], keep: number, parked: ReadonlySet<string>): CodeVersionRecord[] {
  const counts = new Map<string, number>();
  let bytes = 0;
  return records
    .toSorted((a, b) => b.lastUsedMs - a.lastUsedMs)
    .filter((record) => {
      const isNew = record.graphs.some(({ graphId }) => (counts.get(graphId) ?? 0) < keep);
      if (!(isNew || parked.has(record.hash)) || bytes + record.bytes > LIMITS.codeBytesMax) return false;
      for (const { graphId } of record.graphs) counts.set(graphId, (counts.get(graphId) ?? 0) + 1);
      bytes += record.bytes;
      return true;
    });
}
