import { entrypoint } from '@langchain/langgraph';

/** The functional API: what goes in comes out, an object or not. */
export const graph = entrypoint({ name: 'scalar' }, async (input: { give: unknown }) => input.give);
