import { readProject } from '../../config/config.js';
import type { Client } from '../client.js';
import { newestRecordedRuns } from './gate.js';
import { configFileOf } from './replay.js';

/** Newest recorded runs of each graph that tell which variables have secrets. */
const RUNS_PER_GRAPH = 3;

/**
 * Names of environment variables with secrets that recent runs of the project's graphs had. Throws CONFIG_INVALID if
 * the project at `place` cannot be read.
 */
export async function secretVariablesOf(client: Client, place: string): Promise<string[]> {
  const names = new Set<string>();
  for (const { graphId } of readProject(configFileOf(place), process.env).graphs)
    for (const { recording } of await newestRecordedRuns(client, graphId, RUNS_PER_GRAPH))
      for (const name of recording?.secretVariables ?? []) names.add(name);
  return [...names];
}
