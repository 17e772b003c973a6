import { getLogger } from '@langchain/langgraph-sdk/logging';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const logger = getLogger();
logger.info('the module is loaded');

const State = Annotation.Root({ text: Annotation<string> });

/** Logs as graphs of the hosted platform do: at module scope and in nodes. */
export const graph = new StateGraph(State)
  .addNode('log', ({ text }) => {
    logger.warn(`about ${text}`, { part: 1 }).error(new TypeError('of the graph'));
    getLogger().verbose({ message: 'an object', nested: { deep: true } });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    logger.info('circular', circular);
    logger.info('x'.repeat(20_000));
    return {};
  })
  .addEdge(START, 'log')
  .addEdge('log', END)
  .compile();
