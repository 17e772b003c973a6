import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../base/json/json.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { buildConfig } from '../../domain/run-config.js';
import { UserCodeError, type UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { TypesPool } from '../../pool/user-code/types-pool.js';
import type { UserCodeCalls } from '../../wire/user-code/user-code.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import type { NamedSchemas } from '../../wire/user-code/graph-types.js';

interface CacheEntry {
  answer: Promise<unknown>;
  /** Characters of the result; 0 while it is computed, and for a failure. */
  chars: number;
}

/** Counted for each entry besides its key and its result. */
const ENTRY_OVERHEAD_CHARS = 256;

/** Cached results for the current bundles. */
class ResultCache {
  readonly #entries = new LRUCache<string, CacheEntry>({
    maxSize: LIMITS.graphFactsCharsMax,
    sizeCalculation: ({ chars }, key) => key.length + chars + ENTRY_OVERHEAD_CHARS,
  });
  /** Graphs that are not created by a factory: they are the same for every configuration. */
  readonly staticGraphs = new Set<string>();

  /**
   * Computes a value once, even for concurrent requests. `remembersFailure` decides whether a failure is cached
   * for a while; results are cached until the code changes.
   */
  get<T>(
    key: string,
    make: () => Promise<{ answer: T; chars: number }>,
    remembersFailure: (error: unknown) => boolean,
  ): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known.answer as Promise<T>;
    const entry: CacheEntry = { answer: Promise.resolve(), chars: 0 };
    const isCurrent = (): boolean => this.#entries.peek(key) === entry;
    const computed = make().then(
      ({ answer, chars }) => {
        if (isCurrent()) this.#entries.set(key, { ...entry, chars });
        return answer;
      },
      (error: unknown) => {
        if (isCurrent()) {
          if (remembersFailure(error)) this.#entries.set(key, entry, { ttl: LIMITS.graphFailureMs });
          else this.#entries.delete(key);
        }
        throw error;
      },
    );
    entry.answer = computed;
    this.#entries.set(key, entry);
    return computed;
  }
}

type GraphCallType = 'graph.draw' | 'graph.schemas';

/**
 * Drawings and schemas of graphs. They come from the user code thread and the types thread, and are cached
 * until `dev` loads new code.
 */
export class GraphInspector {
  readonly #userCode: UserCodePool;
  readonly #types: TypesPool;
  readonly #log: Logger;
  #sources: readonly GraphSource[];
  #cache = new ResultCache();

  constructor(options: { userCode: UserCodePool; types: TypesPool; sources: readonly GraphSource[]; log: Logger }) {
    this.#userCode = options.userCode;
    this.#types = options.types;
    this.#log = options.log;
    this.#sources = options.sources;
  }

  /** Switches to new code and clears the cache. */
  replaceSources(sources: readonly GraphSource[]): void {
    this.#sources = sources;
    this.#cache = new ResultCache();
  }

  /** Throws GRAPH_UNREADABLE, GRAPH_ROOT_NOT_FOUND, OVERLOADED. */
  inspect<T extends GraphCallType>(type: T, params: UserCodeCalls[T]['params']): Promise<UserCodeCalls[T]['reply']> {
    const { graphId, config, ...rest } = params;
    const cache = this.#cache;
    const key = JSON.stringify([type, graphId, rest, cache.staticGraphs.has(graphId) ? null : config]);
    return cache.get(
      key,
      async () => {
        try {
          const answer = await this.#userCode.callHandler(type, params);
          if (!answer.factory) cache.staticGraphs.add(graphId);
          return { answer, chars: 'json' in answer ? answer.json.length : JSON.stringify(answer).length };
        } catch (error) {
          if (!(error instanceof UserCodeError)) throw error;
          if (error.kind === 'no-graph') throw fail('GRAPH_ROOT_NOT_FOUND', { graphId }, error);
          this.#log.warn({ err: error, graph: graphId }, 'a graph could not be inspected');
          throw fail('GRAPH_UNREADABLE', { graphId, reason: error.message }, error);
        }
        // Code that blocked or ended a thread would do so again, so this failure is cached.
      },
      (error) =>
        error instanceof Error &&
        error.cause instanceof UserCodeError &&
        (error.cause.kind === 'ended' || error.cause.kind === 'silent'),
    );
  }

  /** Source file of a graph; null for an unknown graph. */
  fileOf(graphId: string): string | null {
    return this.#sources.find((one) => one.graphId === graphId)?.file ?? null;
  }

  /** The schemas that the types in the source define. Empty if there are none or reading them fails. */
  async readTypes(graphId: string): Promise<NamedSchemas> {
    const source = this.#sources.find((one) => one.graphId === graphId);
    if (source === undefined) return {};
    try {
      return await this.#cache.get(
        JSON.stringify(['types', graphId]),
        async () => {
          try {
            const answer = await this.#types.readTypes(source.file, source.exportName);
            return { answer, chars: JSON.stringify(answer).length };
          } catch (error) {
            this.#log.warn(
              { graph: graphId, reason: error instanceof Error ? error.message : String(error) },
              'the types of a graph could not be read: schemas are missing',
            );
            throw error;
          }
        },
        () => true,
      );
    } catch {
      return {};
    }
  }
}

/**
 * The configuration that the factory of an assistant's graph receives: that of a run, without the fields that
 * only a run has.
 */
export function factoryConfig({
  assistantId,
  graphId,
  config,
  context,
}: {
  assistantId: string;
  graphId: string;
  config: JsonObject;
  context: JsonObject;
}): JsonObject {
  const names = { graph_id: graphId, assistant_id: assistantId };
  return {
    ...buildConfig([config], { configurable: names, metadata: names }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
}
