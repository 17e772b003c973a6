import { appendFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ ask: Annotation<boolean>, messages: Annotation<unknown[]> });

/** Paths of all strings in a config that contain `FORGED`. Values of the library's own classes are not entered. */
function forgedIn(value: unknown, path: string, found: string[], depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('FORGED')) found.push(`${path} = ${value}`);
    return;
  }
  if (typeof value !== 'object' || value === null || depth > 6) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return;
  for (const name of Object.getOwnPropertyNames(value))
    forgedIn((value as Record<string, unknown>)[name], `${path}.${name}`, found, depth + 1);
}

function note(place: string, config: object): void {
  const found: string[] = [];
  forgedIn(config, place, found);
  const { configurable, store } = config as LangGraphRunnableConfig;
  if (place === 'node' && typeof store?.get !== 'function') found.push('node.store was replaced');
  appendFileSync(
    process.env['WITNESS_FILE']!,
    `${JSON.stringify({ place, found, user: configurable?.['langgraph_auth_user_id'] ?? null })}\n`,
  );
}

/** Writes down what of its config was forged: of the factory's call, of a node's and of an edge's. */
export const graph = (config: LangGraphRunnableConfig) => {
  note('factory', config);
  return new StateGraph(State)
    .addNode('look', (state, seen: LangGraphRunnableConfig) => {
      note('node', seen);
      return state.ask === true ? { messages: [interrupt('Go on?')] } : {};
    })
    .addEdge(START, 'look')
    .addConditionalEdges(
      'look',
      (_state, seen) => {
        note('edge', seen);
        return END;
      },
      [END],
    )
    .compile();
};
