import { LIMITS } from '../../src/base/limits.js';
import type { GraphTarget } from '../../src/wire/user-code/user-code.js';
import { host, type Graph } from '../graph/graph-host.js';
import { libraryConfig } from '../graph/library-config.js';
import type { Call } from './call.js';

/**
 * Opens an assistant's graph. A factory is called with the assistant's configuration (agent-server.md, section
 * 4).
 */
export async function openGraph(
  { graphId, config }: GraphTarget,
  call: Call,
): Promise<{ graph: Graph; factory: boolean }> {
  return { graph: await host.graph(graphId, libraryConfig(config), call), factory: await host.isFactory(graphId) };
}

/** JSON text of a value from user code. Throws when it is too large or not serializable. */
export function boundedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length > LIMITS.deskAnswerCharsMax)
    throw new Error(`the result is larger than ${LIMITS.deskAnswerCharsMax} characters`);
  return text;
}
