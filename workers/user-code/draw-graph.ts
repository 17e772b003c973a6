import type { UserCodeCall, UserCodeCalls } from '../../src/wire/user-code/user-code.js';
import type { Call } from './call.js';
import { boundedJson, openGraph } from './open-graph.js';

/** The graph's nodes and edges in the format of LangGraph's drawings. */
export async function drawGraph(ask: UserCodeCall<'graph.draw'>, call: Call): Promise<UserCodeCalls['graph.draw']['reply']> {
  const { graph, factory } = await openGraph(ask, call);
  const drawn = await call(() => graph.getGraphAsync({ xray: ask.xray } as never));
  return { json: call(() => boundedJson(drawn.toJSON())), factory };
}
