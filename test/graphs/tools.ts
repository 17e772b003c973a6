import { tool } from '@langchain/core/tools';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { z } from 'zod';

const State = Annotation.Root({ city: Annotation<string>, said: Annotation<string> });

const forecast = tool(
  async function* ({ city }: { city: string }) {
    yield { asked: city };
    if (city === 'nowhere') throw new RangeError('There is no weather.');
    return `fine in ${city}`;
  },
  { name: 'forecast', description: 'The weather of a city', schema: z.object({ city: z.string() }) },
);

/** A tool that says how far it is, and fails for one city. */
export const graph = new StateGraph(State)
  .addNode('ask', async ({ city }, config: LangGraphRunnableConfig) => {
    const { content } = (await forecast.invoke(
      { type: 'tool_call', id: 'call-1', name: 'forecast', args: { city } },
      config,
    )) as { content: string };
    return { said: content };
  })
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
