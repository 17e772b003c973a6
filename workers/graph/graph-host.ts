import type { Pregel } from '@langchain/langgraph';
import { describeThrown } from '../../src/base/thrown.js';
import { shortVersion } from '../../src/domain/code-version.js';
import type { GraphSource, GraphWorkerData } from '../../src/wire/user-code/graph-source.js';
import type { CodeContext, LogError } from '../../src/wire/user-code/code-log.js';
import type { LoadReport } from '../../src/wire/runs/messages.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { HideFunction } from './hide-function.js';
import { loadLibrary, type Library } from './library.js';

/** A compiled graph of any copy of LangGraph. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Graph = Pregel<any, any>;

/** The part of a run's config that identifies the run. */
interface RunConfig {
  configurable?: Record<string, unknown>;
}

type Factory = (config: Record<string, unknown>) => unknown;

interface GraphUse {
  call?: (factory: () => unknown) => unknown;
  source?: GraphSource | null | undefined;
}

/** The exported value, or the result of a factory, is not a graph. */
export class NotAGraphError extends Error {}

/** The modules' exports, loaded once per thread. A factory is called for each use with the config of that use. */
class GraphHost {
  readonly #exports = new Map<string, Promise<unknown>>();
  readonly #compiled = new WeakMap<object, Graph>();
  #library: Promise<Library> | null = null;
  #loaded: Library | null = null;
  /** The function of `traces.hide_with`, from the end of `loadAll`; null if there is none. */
  hideFunction: HideFunction | null = null;

  get library(): Promise<Library> {
    return (this.#library ??= this.#loadLibrary());
  }

  async #loadLibrary(): Promise<Library> {
    const { library, optimizations } = readWorkerData<GraphWorkerData>();
    this.#loaded = await loadLibrary(library, optimizations);
    // For the errors of graphs. Earlier, Node would read and parse the maps of all 500 modules of the library.
    process.setSourceMapsEnabled(true);
    return this.#loaded;
  }

  /** The run whose code is executing, as LangGraph itself keeps track of it; empty outside of runs. */
  get currentRun(): CodeContext {
    // Undefined outside of a run, whatever its type says.
    const config = this.#loaded?.langgraph.getConfig() as RunConfig | undefined;
    const { run_id: runId, thread_id: threadId } = config?.configurable ?? {};
    return { ...(typeof runId === 'string' && { runId }), ...(typeof threadId === 'string' && { threadId }) };
  }

  /**
   * Returns the graph to run. It is compiled once, unless it comes from a factory; `call` then calls the factory.
   * `source`: an old version of the graph, which is loaded now.
   */
  async graph(
    graphId: string,
    config: Record<string, unknown>,
    { call = (factory) => factory(), source = null }: GraphUse = {},
  ): Promise<Graph> {
    const exported = await (source === null ? this.#exportOf(graphId) : this.#oldExport(source));
    return this.#resolve(isFactory(exported) ? await call(() => exported(config)) : exported);
  }

  /** True if a factory creates the graph for each use from its config. */
  async isFactory(graphId: string): Promise<boolean> {
    return isFactory(await this.#exportOf(graphId));
  }

  /**
   * Loads all modules ahead of the first run and reports those that fail. `onLoading` gets the position of each graph,
   * then null.
   */
  async loadAll(onLoading: (position: number | null) => void, logError: LogError): Promise<LoadReport> {
    const problems: LoadReport['problems'] = [];
    const missing = missingExports(await this.library);
    if (missing.length > 0) {
      const reason = `@langchain/langgraph-checkpoint is too old (it lacks ${missing.join(', ')}); the minimum version is 1.2.1`;
      return {
        ok: false,
        problems: [{ graphId: '*', file: '@langchain/langgraph-checkpoint', reason, stack: reason }],
      };
    }
    for (const [position, source] of readWorkerData<GraphWorkerData>().graphs.entries()) {
      onLoading(position);
      try {
        const exported = await this.#export(source);
        if (!isFactory(exported)) this.#resolve(exported);
      } catch (error) {
        const { message, stack } = describeThrown(error);
        problems.push({ graphId: source.graphId, file: source.file, reason: message, stack: stack ?? '' });
      }
    }
    onLoading(null);
    const { hideFunction } = readWorkerData<GraphWorkerData>();
    if (hideFunction !== null) {
      try {
        this.hideFunction = await HideFunction.load(hideFunction, logError);
      } catch (error) {
        const { message, stack } = describeThrown(error);
        problems.push({ graphId: null, file: hideFunction.path, reason: message, stack: stack ?? '' });
      }
    }
    return { ok: problems.length === 0, problems };
  }

  async #exportOf(graphId: string): Promise<unknown> {
    const source = readWorkerData<GraphWorkerData>().graphs.find((one) => one.graphId === graphId);
    if (source === undefined) throw new Error(`Graph "${graphId}" is not configured.`);
    return this.#export(source);
  }

  async #oldExport(source: GraphSource): Promise<unknown> {
    try {
      return await this.#export(source);
    } catch (error) {
      const { message } = describeThrown(error);
      throw new Error(
        `Code version ${shortVersion(source.hash)} of the graph ${source.graphId}, which the thread waits on, ` +
          `does not load: ${message}`,
        { cause: error },
      );
    }
  }

  #export(source: GraphSource): Promise<unknown> {
    const key = `${source.module} ${source.exportName}`;
    let loaded = this.#exports.get(key);
    if (loaded === undefined) {
      loaded = import(source.module).then((module: Record<string, unknown>) => {
        const exported = module[source.exportName];
        if (exported === undefined || exported === null) {
          throw new Error(
            `Failed to load graph: the file has no export "${source.exportName}" (it has: ${Object.keys(module).join(', ') || 'none'}).`,
          );
        }
        return exported;
      });
      this.#exports.set(key, loaded);
    }
    return loaded;
  }

  #resolve(value: unknown): Graph {
    if (typeof value !== 'object' || value === null)
      throw new NotAGraphError(
        `Failed to load graph: the export is ${value === null ? 'null' : `a ${typeof value}`}, not a graph.`,
      );
    const known = this.#compiled.get(value);
    if (known !== undefined) return known;
    let graph: unknown = value;
    // The result of createAgent wraps its compiled graph.
    const inner = (value as { graph?: unknown }).graph;
    if (inner !== undefined && looksLikeGraph(inner)) graph = inner;
    else if (typeof (value as { compile?: unknown }).compile === 'function')
      graph = (value as { compile(): unknown }).compile();
    if (!looksLikeGraph(graph))
      throw new NotAGraphError(
        'Failed to load graph: the export is neither a compiled graph, a builder, an agent nor a function that makes one.',
      );
    this.#compiled.set(value, graph);
    return graph;
  }
}

function isFactory(exported: unknown): exported is Factory {
  return typeof exported === 'function' && !looksLikeGraph(exported);
}

function looksLikeGraph(value: unknown): value is Graph {
  const graph = value as { stream?: unknown; nodes?: unknown; channels?: unknown; compile?: unknown } | null;
  return (
    graph !== null &&
    (typeof graph === 'object' || typeof graph === 'function') &&
    typeof graph.stream === 'function' &&
    graph.nodes !== undefined &&
    graph.channels !== undefined &&
    typeof graph.compile !== 'function'
  );
}

/**
 * Exports of the checkpoint package that the saver needs. Without this check a run would fail only when it is
 * resumed.
 */
function missingExports({ checkpoint }: Library): string[] {
  const needed = [
    'BaseCheckpointSaver',
    'BaseStore',
    'MemorySaver',
    'WRITES_IDX_MAP',
    'compareWritesSortKeys',
    'writesSortKey',
  ] as const;
  return needed.filter((name) => (checkpoint as Record<string, unknown>)[name] === undefined);
}

export const graphHost = new GraphHost();
