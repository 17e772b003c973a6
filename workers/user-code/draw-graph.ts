import type { DeskAsk, DeskKinds } from '../../src/wire/user-code/user-code.js';
import type { Call } from './call.js';
import { boundedJson, openGraph } from './open-graph.js';

/** The graph's nodes and edges as LangGraph draws them. */
export async function drawGraph(ask: DeskAsk<'graph.draw'>, call: Call): Promise<DeskKinds['graph.draw']['answer']> {
  const { graph, factory } = await openGraph(ask, call);
  const drawn = await call(() => graph.getGraphAsync({ xray: ask.xray } as never));
  return { json: call(() => boundedJson(drawn.toJSON())), factory };
}
