import { AIMessage } from '@langchain/core/messages';
import {
  Annotation,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import {
  typedUi,
  uiMessageReducer,
  type RemoveUIMessage,
  type UIMessage,
} from '@langchain/langgraph-sdk/react-ui/server';
import type components from './ui.js';

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  ui: Annotation<UIMessage[], UIMessage | RemoveUIMessage | (UIMessage | RemoveUIMessage)[]>({
    reducer: uiMessageReducer,
    default: () => [],
  }),
});

/** Attaches a component and its properties to a message. */
export const graph = new StateGraph(State)
  .addNode('tell', (_state, config: LangGraphRunnableConfig) => {
    const ui = typedUi<typeof components>(config);
    const message = new AIMessage({ id: 'forecast-1', content: 'The weather in Lisbon:' });
    ui.push({ id: 'weather-1', name: 'weather', props: { city: 'Lisbon', degrees: 24 } }, { message });
    return { messages: [message] };
  })
  .addEdge(START, 'tell')
  .addEdge('tell', END)
  .compile();
