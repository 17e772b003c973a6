import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { shortVersion } from '../../domain/code-version.js';
import { cacheModule } from '../../pool/graphs/bundle.js';
import { importedModules, relocateBundle } from '../../pool/graphs/relocate-bundle.js';
import type { NeededCode } from '../../pool/graphs/run-workers.js';
import type { CodeVersionRecord, UsedCode } from '../../store/code-versions.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import type { LiveRun } from '../runs/live.js';

/** `code_versions` of langgraph.json. */
export interface CodeVersionSettings {
  /** Versions of each graph that are kept. */
  keep: number;
  /** Which code continues a thread that waits at an interrupt: the newest, or that with which it stopped there. */
  parkedThreads: 'newest' | 'same';
  /** Absolute paths of folders from which other code may be deployed. The folder of the project always may. */
  deployFrom: readonly string[];
}

/** The project's graphs as they were bundled. */
export interface BundledProject {
  root: string;
  graphs: readonly GraphSource[];
  imports: ReadonlyMap<string, readonly string[]>;
  libraryVersion: string | null;
}

interface CodeRegistryOptions {
  stores: Stores;
  clock: Clock;
  log: Logger;
  /** Folder for bundles. */
  cache: string;
}

/** The versions of the graphs' code: which is in use, which are kept, and which a run needs. */
export class CodeRegistry {
  readonly #options: CodeRegistryOptions;
  #settings: CodeVersionSettings;
  #root = '';
  /** By graph id. */
  #current: ReadonlyMap<string, GraphSource> = new Map();
  /** Without their bundles, by hash. */
  #kept: Map<string, CodeVersionRecord>;
  /** Settles when the last change is on disk. */
  #stored: Promise<void> = Promise.resolve();
  /** URLs of the modules of old versions that were used, by hash. */
  readonly #modules = new Map<string, string>();

  constructor(settings: CodeVersionSettings, options: CodeRegistryOptions) {
    this.#options = options;
    this.#settings = settings;
    this.#kept = byHash(options.stores.codeVersions.list());
  }

  /** Stores code that is loaded now. Resolves when it is on disk. */
  async use(project: BundledProject, settings: CodeVersionSettings): Promise<void> {
    this.#settings = settings;
    this.#root = project.root;
    this.#modules.clear();
    this.#current = new Map(project.graphs.map((source) => [source.graphId, source]));
    await this.#store(usedCode(project));
  }

  /** Selects the graphs of another node that this process does not have, and whose code is not kept. */
  wanted(graphs: Readonly<Record<string, string>>): string[] {
    return Object.keys(graphs).filter((graphId) => !this.#current.has(graphId) && !this.#kept.has(graphs[graphId]!));
  }

  /** Stores the code of another node of the cluster. */
  receive(code: UsedCode): void {
    this.#store([code]).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'the code of another node could not be stored'),
    );
  }

  /** One after the other, because each change depends on what is on disk. */
  #store(used: readonly UsedCode[]): Promise<void> {
    const { stores, clock } = this.#options;
    const stored = this.#stored.then(async () => {
      const commit = new Commit();
      const limits = {
        nowMs: clock.nowMs(),
        keep: this.#settings.keep,
        parked: () => stores.threads.parkedCode(LIMITS.parkedThreadsMax),
      };
      const kept = byHash(stores.codeVersions.use(commit, used, limits));
      await stores.store.write(commit);
      this.#kept = kept;
    });
    this.#stored = stored.catch(() => undefined);
    return stored;
  }

  get settings(): CodeVersionSettings {
    return this.#settings;
  }

  /** Versions that are kept, the last used ones first. */
  list(): CodeVersionRecord[] {
    return [...this.#kept.values()].toSorted((a, b) => b.lastUsedMs - a.lastUsedMs);
  }

  /** Hash of the newest code of a graph; undefined if this process does not have the graph. */
  currentOf(graphId: string): string | undefined {
    return this.#current.get(graphId)?.hash;
  }

  /** The code that a run must execute on; null if any worker that has the graph will do. */
  neededFor(run: LiveRun): NeededCode | null {
    const { alive, thread, record } = run;
    if (this.#settings.parkedThreads === 'newest' || alive === null || thread.record === null) return null;
    const { parked = null } = thread.record;
    if (parked === null || parked.graphId !== record.graphId) return null;
    // A further attempt executes on the code of the first one: the thread may not be where it was then.
    const needsParked = record.lease > 0 ? record.code === parked.hash : this.#continuesThread(run);
    const isKept = this.#kept.has(parked.hash) || this.currentOf(record.graphId) === parked.hash;
    return needsParked ? { hash: parked.hash, isKept } : null;
  }

  /** False for new input, and for a run that begins at an earlier checkpoint. */
  #continuesThread({ kwargs, thread, caller }: LiveRun): boolean {
    if (kwargs.command === null && kwargs.input !== null && kwargs.input !== undefined) return false;
    const { checkpoint_id: from } = kwargs.config['configurable'] as { checkpoint_id?: unknown };
    if (!thread.record!.unfinished) return false;
    return from === undefined || this.#options.stores.checkpoints.newest(caller, thread.record!)?.id === from;
  }

  /** An old version of a graph, for workers of this process. Throws CODE_VERSION_UNAVAILABLE. */
  sourceOf(hash: string, graphId: string): GraphSource {
    const { stores, cache, log } = this.#options;
    const unavailable = (reason: string): Error =>
      fail('CODE_VERSION_UNAVAILABLE', { version: shortVersion(hash), graphId, reason });
    const graph = this.#kept.get(hash)?.graphs.find((one) => one.graphId === graphId);
    if (graph === undefined) throw unavailable('it is no longer kept');
    const known = this.#modules.get(hash);
    if (known !== undefined) return { ...graph, module: known, hash };
    const version = stores.codeVersions.load(hash);
    if (version === undefined) throw unavailable('it is no longer kept');
    const { code, problems } = relocateBundle(version, this.#root);
    const missing = problems.filter(({ found }) => found === null);
    if (missing.length > 0)
      throw unavailable(
        `these packages are missing: ${missing.map(({ name, wanted }) => `${name}@${wanted}`).join(', ')}`,
      );
    if (problems.length > 0)
      log.warn({ version: shortVersion(hash), packages: problems }, 'An old code version runs with other packages');
    const module = cacheModule(code, cache);
    this.#modules.set(hash, module);
    return { ...graph, module, hash };
  }

  /** A run begins to execute on this code. */
  onUsed(hash: string): void {
    const { stores, clock, log } = this.#options;
    const known = this.#kept.get(hash);
    const nowMs = clock.nowMs();
    if (known === undefined || nowMs - known.lastUsedMs < LIMITS.codeUsedMs) return;
    const record = { ...known, lastUsedMs: nowMs };
    this.#kept.set(hash, record);
    this.#stored = this.#stored
      .then(async () => {
        // It may have been removed since.
        if (!this.#kept.has(hash)) return;
        const commit = new Commit();
        stores.codeVersions.put(commit, record);
        await stores.store.write(commit);
      })
      .catch((error: unknown) => log.error({ err: error }, 'the use of a code version could not be stored'));
  }
}

function byHash(records: readonly CodeVersionRecord[]): Map<string, CodeVersionRecord> {
  return new Map(records.map((record) => [record.hash, record]));
}

/** One for each hash: graphs with the same file have the same code. */
export function usedCode({ root, graphs, imports, libraryVersion }: BundledProject): UsedCode[] {
  const used = new Map<string, UsedCode>();
  for (const { graphId, file, exportName, module, hash } of graphs) {
    const graph = { graphId, file: relative(root, file), exportName };
    const known = used.get(hash);
    if (known !== undefined) {
      known.graphs.push(graph);
      continue;
    }
    const path = fileURLToPath(module);
    const modules = importedModules(imports.get(module) ?? []);
    used.set(hash, {
      hash,
      graphs: [graph],
      root,
      folder: dirname(path),
      imports: modules,
      packages: [...new Set(modules.map(({ packageName, version }) => `${packageName}@${version}`))].toSorted(),
      libraryVersion,
      bundle: readFileSync(path),
    });
  }
  return [...used.values()];
}
