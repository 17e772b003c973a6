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
  #last: { members: Record<string, unknown>; kept: Record<string, unknown> } | null = null;

  /**
   * Returns the same object as long as the metadata has the same members, so that it is serialized once per run: the
   * library copies the config several times.
   */
  metadataOf({ metadata = {} }: RunnableConfig): Record<string, unknown> {
    if (this.#last === null || !hasSameMembers(this.#last.members, metadata)) {
      const members = { ...(metadata as Record<string, unknown>) };
      this.#last = { members, kept: Object.fromEntries(Object.entries(members).filter(([key]) => isKept(key))) };
    }
    return this.#last.kept;
  }
}

function hasSameMembers(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && other[name] === one[name])
  );
}
