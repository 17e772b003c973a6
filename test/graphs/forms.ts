import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ said: Annotation<string> });

function make(word: string) {
  return new StateGraph(State)
    .addNode('say', () => ({ said: word }))
    .addEdge(START, 'say')
    .addEdge('say', END);
}

/** Called for every use with that use's config. */
export const factory = (config: LangGraphRunnableConfig) =>
  make(`factory ${String(config.configurable?.['word'] ?? 'plain')}`).compile();

/** Not compiled. */
export const builder = make('builder');

export const promised = Promise.resolve(make('promised').compile());
