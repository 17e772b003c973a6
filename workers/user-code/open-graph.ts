import { LIMITS } from '../../src/base/limits.js';
import type { GraphAsked } from '../../src/wire/user-code/user-code.js';
import { host, type Graph } from '../graph/graph-host.js';
import { libraryConfig } from '../graph/library-config.js';
import type { Call } from './call.js';

/** An assistant's graph: its factory, where there is one, is called with the assistant's configuration (agent-server.md, section 4). */
export async function openGraph(
  { graphId, config }: GraphAsked,
  call: Call,
): Promise<{ graph: Graph; factory: boolean }> {
  return { graph: await host.graph(graphId, libraryConfig(config), call), factory: await host.isFactory(graphId) };
}

/** JSON text of what the user's code made. Throws when it is too large or cannot be said. */
export function boundedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length > LIMITS.deskAnswerCharsMax)
    throw new Error(`the answer is larger than ${LIMITS.deskAnswerCharsMax} characters`);
  return text;
}
