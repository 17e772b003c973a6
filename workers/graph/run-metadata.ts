import type { RunnableConfig } from '@langchain/core/runnables';

const PER_RUN_KEYS: ReadonlySet<string> = new Set(['langgraph_request_id', 'traceparent', 'run_id']);

/**
 * False for keys that never reach checkpoint metadata (agent-server.md, 9.2). The run's id is stored in the
 * record instead.
 */
function isKept(key: string): boolean {
  return (
    !key.startsWith('__') && !key.startsWith('langgraph_auth_') && key !== 'graph_auth_user' && !PER_RUN_KEYS.has(key)
  );
}

/** The metadata that a run's config adds to all its checkpoints. */
export class RunMetadata {
  #last: { source: object; kept: Record<string, unknown> } | null = null;

  /**
   * Returns the same object as long as the config's metadata is the same object, so that it is serialized once
   * per run.
   */
  metadataOf({ metadata = {} }: RunnableConfig): Record<string, unknown> {
    if (this.#last?.source !== metadata) {
      this.#last = {
        source: metadata,
        kept: Object.fromEntries(Object.entries(metadata as Record<string, unknown>).filter(([key]) => isKept(key))),
      };
    }
    return this.#last.kept;
  }
}
