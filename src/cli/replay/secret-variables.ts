import { readProject } from '../../config/config.js';
import type { Recording } from '../../wire/runs/recording.js';
import type { Client } from '../client.js';
import { newestRecordedRuns } from './gate.js';
import { configFileOf } from './replay.js';

/** Newest recorded runs of each graph that tell which variables have secrets. */
const RUNS_PER_GRAPH = 3;

/**
 * Names of environment variables with secrets that recent runs of the project's graphs had. Throws CONFIG_INVALID if
 * the project at `place` cannot be read.
 */
export function secretVariablesOf(client: Client, place: string): Promise<string[]> {
  return secretVariablesIn(newestRecordings(client, place));
}

async function* newestRecordings(client: Client, place: string): AsyncGenerator<Recording | null> {
  for (const { graphId } of readProject(configFileOf(place), process.env).graphs)
    for (const { recording } of await newestRecordedRuns(client, graphId, RUNS_PER_GRAPH)) yield recording;
}

/** Names of environment variables with secrets that recorded runs had, each once. */
export async function secretVariablesIn(recordings: AsyncIterable<Recording | null>): Promise<string[]> {
  const names = new Set<string>();
  for await (const recording of recordings) for (const name of recording?.secretVariables ?? []) names.add(name);
  return [...names];
}
