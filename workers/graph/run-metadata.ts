import type { RunnableConfig } from '@langchain/core/runnables';

const OF_ONE_RUN: ReadonlySet<string> = new Set(['langgraph_request_id', 'traceparent', 'run_id']);

/** Keys of the run's config that never reach checkpoint metadata (agent-server.md, 9.2); the run's id stands in the record. */
function isKept(key: string): boolean {
  return (
    !key.startsWith('__') && !key.startsWith('langgraph_auth_') && key !== 'graph_auth_user' && !OF_ONE_RUN.has(key)
  );
}

/** What a run's config says for all its checkpoints. */
export class RunMetadata {
  #last: { source: object; kept: Record<string, unknown> } | null = null;

  /** One object as long as the config's is the same, so that it is serialised once a run. */
  of({ metadata = {} }: RunnableConfig): Record<string, unknown> {
    if (this.#last?.source !== metadata) {
      this.#last = {
        source: metadata,
        kept: Object.fromEntries(Object.entries(metadata as Record<string, unknown>).filter(([key]) => isKept(key))),
      };
    }
    return this.#last.kept;
  }
}
