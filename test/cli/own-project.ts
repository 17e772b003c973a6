import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../helpers/server.js';

/** A folder as a user has it: a configuration and files beside it. */
export function project(t: Test, config: unknown, files: Record<string, string> = {}): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'langgraph.json'), typeof config === 'string' ? config : JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A graph that says the word of another file and this one. */
export const GRAPH = (word: string): string => `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { word } from './word';
const State = Annotation.Root({ said: Annotation<string>, ms: Annotation<number> });
export const graph = new StateGraph(State)
  .addNode('say', async (state) => {
    await new Promise((resolve) => setTimeout(resolve, state.ms ?? 0));
    return { said: \`\${word} ${word}\` };
  })
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();
`;
