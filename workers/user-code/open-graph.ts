import { LIMITS } from '../../src/base/limits.js';
import type { GraphTarget } from '../../src/wire/user-code/user-code.js';
import { graphHost, type Graph } from '../graph/graph-host.js';
import { libraryConfig } from '../graph/library-config.js';

/** Runs user code. If the event loop blocks during the call, the user code is blamed. */
export type RunUserCode = <T>(work: () => T) => T;

/**
 * Opens an assistant's graph. A factory is called with the assistant's configuration (agent-server.md, section
 * 4).
 */
export async function openGraph(
  { graphId, config }: GraphTarget,
  runUserCode: RunUserCode,
): Promise<{ graph: Graph; factory: boolean }> {
  return {
    graph: await graphHost.graph(graphId, libraryConfig(config), { call: runUserCode }),
    factory: await graphHost.isFactory(graphId),
  };
}

/** JSON text of a value from user code. Throws when it is too large or not serializable. */
export function boundedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length > LIMITS.userCodeResultCharsMax)
    throw new Error(`the result is larger than ${LIMITS.userCodeResultCharsMax} characters`);
  return text;
}
