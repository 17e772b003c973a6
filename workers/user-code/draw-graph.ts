import type { UserCodeCall, UserCodeCalls } from '../../src/wire/user-code/user-code.js';
import { boundedJson, openGraph, type RunUserCode } from './open-graph.js';

/** The graph's nodes and edges in the format of LangGraph's drawings. */
export async function drawGraph(
  request: UserCodeCall<'graph.draw'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['graph.draw']['reply']> {
  const { graph, factory } = await openGraph(request, runUserCode);
  const drawn = await runUserCode(() => graph.getGraphAsync({ xray: request.xray } as never));
  return { json: runUserCode(() => boundedJson(drawn.toJSON())), factory };
}
