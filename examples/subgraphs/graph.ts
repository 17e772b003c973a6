import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  topic: Annotation<string>,
  notes: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  report: Annotation<string>,
});

/** The subgraph: looks up a topic in two steps. */
const lookup = new StateGraph(State)
  .addNode('search', (state) => ({ notes: [`Found three pages about ${state.topic}.`] }))
  .addNode('read', (state, config) => {
    config.writer?.({ progress: 0.5, reading: state.topic });
    return { notes: [`The second page about ${state.topic} is the useful one.`] };
  })
  .addEdge(START, 'search')
  .addEdge('search', 'read')
  .addEdge('read', END)
  .compile();

/** A graph with a subgraph as a node. Stream it with `stream_subgraphs` to see events of the subgraph. */
export const graph = new StateGraph(State)
  .addNode('lookup', lookup)
  .addNode('write', (state) => ({ report: `Report on ${state.topic}: ${state.notes.length} notes.` }))
  .addEdge(START, 'lookup')
  .addEdge('lookup', 'write')
  .addEdge('write', END)
  .compile();
