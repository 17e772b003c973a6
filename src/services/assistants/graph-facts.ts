import type { JsonObject } from '../../base/json/json.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { buildConfig } from '../../domain/run-config.js';
import { DeskError, type DeskPool } from '../../pool/user-code/user-code-pool.js';
import type { TypesPool } from '../../pool/user-code/types-pool.js';
import type { DeskKinds } from '../../wire/user-code/user-code.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import type { NamedSchemas } from '../../wire/user-code/graph-types.js';

interface Remembered {
  answer: Promise<unknown>;
  chars: number;
  /** Failures are remembered for a while, answers until the code changes. */
  untilMs: number;
}

/** What the graphs of these bundles answered. Least recently used out first. */
class Memory {
  readonly #entries = new Map<string, Remembered>();
  /** Graphs that no factory makes: the same for every configuration. */
  readonly fixed = new Set<string>();
  #chars = 0;

  /** Asked once, however many wait for it. `remembersFailure` says whether the same failure is to be told for a while. */
  get<T>(
    key: string,
    make: () => Promise<{ answer: T; chars: number }>,
    remembersFailure: (error: unknown) => boolean,
  ): Promise<T> {
    const known = this.#entries.get(key);
    this.#drop(key);
    if (known !== undefined && known.untilMs > performance.now()) {
      this.#keep(key, known);
      return known.answer as Promise<T>;
    }
    const entry: Remembered = { answer: Promise.resolve(), chars: 0, untilMs: Infinity };
    const asked = make().then(
      ({ answer, chars }) => {
        if (this.#entries.get(key) === entry) {
          this.#drop(key);
          this.#keep(key, { ...entry, chars });
        }
        return answer;
      },
      (error: unknown) => {
        if (remembersFailure(error)) entry.untilMs = performance.now() + LIMITS.graphFailureMs;
        else if (this.#entries.get(key) === entry) this.#drop(key);
        throw error;
      },
    );
    entry.answer = asked;
    this.#keep(key, entry);
    return asked;
  }

  #keep(key: string, entry: Remembered): void {
    this.#entries.set(key, entry);
    this.#chars += weight(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#chars <= LIMITS.graphFactsCharsMax || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#chars -= weight(key, entry);
  }
}

function weight(key: string, { chars }: Remembered): number {
  return key.length + chars + 256;
}

type GraphAsk = 'graph.draw' | 'graph.schemas';

/** What is known of the graphs' form: asked of the desk and of the types once, and remembered until `dev` brings other code. */
export class GraphFacts {
  readonly #desk: DeskPool;
  readonly #types: TypesPool;
  readonly #log: Logger;
  #sources: readonly GraphSource[];
  #memory = new Memory();

  constructor(options: { desk: DeskPool; types: TypesPool; sources: readonly GraphSource[]; log: Logger }) {
    this.#desk = options.desk;
    this.#types = options.types;
    this.#log = options.log;
    this.#sources = options.sources;
  }

  /** Other code: nothing of what was known counts any more. */
  use(sources: readonly GraphSource[]): void {
    this.#sources = sources;
    this.#memory = new Memory();
  }

  /** Throws GRAPH_UNREADABLE, GRAPH_ROOT_NOT_FOUND, OVERLOADED. */
  ask<T extends GraphAsk>(type: T, ask: DeskKinds[T]['ask']): Promise<DeskKinds[T]['answer']> {
    const { graphId, config, ...rest } = ask;
    const memory = this.#memory;
    const key = JSON.stringify([type, graphId, rest, memory.fixed.has(graphId) ? null : config]);
    return memory.get(
      key,
      async () => {
        try {
          const answer = await this.#desk.ask(type, ask);
          if (!answer.factory) memory.fixed.add(graphId);
          return { answer, chars: 'json' in answer ? answer.json.length : JSON.stringify(answer).length };
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          if (error.why === 'no-graph') throw fail('GRAPH_ROOT_NOT_FOUND', { graphId }, error);
          this.#log.warn({ err: error, graph: graphId }, 'a graph could not be read');
          throw fail('GRAPH_UNREADABLE', { graphId, reason: error.message }, error);
        }
        // What held a thread up would hold it up again.
      },
      (error) =>
        error instanceof Error &&
        error.cause instanceof DeskError &&
        (error.cause.why === 'ended' || error.cause.why === 'silent'),
    );
  }

  /** What the types in the source say; nothing when they say nothing, or not in time. */
  async types(graphId: string): Promise<NamedSchemas> {
    const source = this.#sources.find((one) => one.graphId === graphId);
    if (source === undefined) return {};
    try {
      return await this.#memory.get(
        JSON.stringify(['types', graphId]),
        async () => {
          try {
            const answer = await this.#types.ask(source.file, source.exportName);
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

/** What a graph's factory is called with for an assistant: what a run of it gets, without what only a run has. */
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
