import type { JsonObject } from '../../base/json/json.js';

/** What `POST /server/sample` creates. Ids are fixed, so that loading it again finds what exists. */

export interface SampleThread {
  threadId: string;
  /** Graph of `examples/langgraph.json`. */
  graphId: string;
  /** File of the graph below `examples/`. */
  file: string;
  title: string;
  /** One run for each. */
  inputs: readonly JsonObject[];
}

const userMessage = (content: string): JsonObject => ({ messages: [{ role: 'user', content }] });

export const SAMPLE_THREADS: readonly SampleThread[] = [
  {
    threadId: '5a3b1e00-0000-4000-8000-000000000001',
    graphId: 'research',
    file: 'subgraphs/graph.ts',
    title: 'Sample: a graph with a subgraph',
    inputs: [{ topic: 'tide tables' }],
  },
  {
    threadId: '5a3b1e00-0000-4000-8000-000000000002',
    graphId: 'agent',
    file: 'tools-agent/agent.ts',
    title: 'Sample: weather in two cities',
    inputs: [userMessage('What is the weather in Lisbon?'), userMessage('And the weather in Berlin?')],
  },
  {
    threadId: '5a3b1e00-0000-4000-8000-000000000003',
    graphId: 'agent',
    file: 'tools-agent/agent.ts',
    title: 'Sample: a mail that waits for approval',
    inputs: [userMessage('Send a mail to Ada: lunch on Friday at noon?')],
  },
];

export const SAMPLE_DATASET = 'sample-city-questions';

/** Each question with its answer, and what the two versions answered. */
const ROWS: readonly [question: string, expected: string, first: string, second: string][] = [
  ['Which river flows through Lisbon?', 'Tagus', 'Tagus', 'Tagus'],
  ['Which river flows through Berlin?', 'Spree', 'Havel', 'Spree'],
  ['Which river flows through Vienna?', 'Danube', 'Danube', 'Danube'],
  ['Which river flows through Rome?', 'Tiber', 'Tiber', 'Tiber'],
  ['Which river flows through Warsaw?', 'Vistula', 'I do not know.', 'Vistula'],
  ['Which river flows through Prague?', 'Vltava', 'Elbe', 'Vltava'],
  ['Which river flows through Cairo?', 'Nile', 'Nile', 'Nile'],
  ['Which river flows through Seoul?', 'Han', 'Han', 'Nakdong'],
  ['Which river flows through Baghdad?', 'Tigris', 'Euphrates', 'Tigris'],
  ['Which river flows through Budapest?', 'Danube', 'Danube', 'Danube'],
  ['Which river flows through Ottawa?', 'Ottawa', 'Saint Lawrence', 'Ottawa'],
  ['Which river flows through Vilnius?', 'Neris', 'I do not know.', 'I do not know.'],
];

interface Version {
  name: string;
  description: string;
  model: string;
  /** How long before the sample is loaded it ran. */
  ageMs: number;
  /** Of the first row; later rows take up to twice as long. */
  latencyMs: number;
  answer: (row: (typeof ROWS)[number]) => string;
}

const VERSIONS: readonly Version[] = [
  {
    name: 'sample-prompt-1',
    description: 'The first prompt. Made-up results.',
    model: 'small',
    ageMs: 26 * 3_600_000,
    latencyMs: 420,
    answer: (row) => row[2],
  },
  {
    name: 'sample-prompt-2',
    description: 'A longer prompt: more correct answers, one regression, slower. Made-up results.',
    model: 'small',
    ageMs: 2 * 3_600_000,
    latencyMs: 610,
    answer: (row) => row[3],
  },
];

export interface SampleExperiment {
  name: string;
  /** Body of `POST /datasets/upload-experiment`. */
  upload: JsonObject;
}

export function sampleExperiments(nowMs: number): SampleExperiment[] {
  return VERSIONS.map((version) => ({ name: version.name, upload: uploadOf(version, nowMs) }));
}

function uploadOf({ name, description, model, ageMs, latencyMs, answer }: Version, nowMs: number): JsonObject {
  const startMs = nowMs - ageMs;
  const time = (afterMs: number): string => new Date(startMs + afterMs).toISOString();
  let elapsedMs = 0;
  const results = ROWS.map((row, at) => {
    const [question, expected] = row;
    const given = answer(row);
    const rowStart = time(elapsedMs);
    elapsedMs += latencyMs + ((at * 7) % 12) * (latencyMs / 12);
    const isUnknown = given === 'I do not know.';
    return {
      row_id: `5a3b1e00-0000-4000-8000-0000000001${String(at).padStart(2, '0')}`,
      inputs: { question },
      expected_outputs: { answer: expected },
      actual_outputs: { answer: given },
      evaluation_scores: [
        { key: 'correct', score: given === expected ? 1 : 0 },
        {
          key: 'helpful',
          score: isUnknown ? 0.2 : given === expected ? 0.9 : 0.5,
          ...(isUnknown ? { comment: 'Gives up without a guess.' } : {}),
        },
      ],
      start_time: rowStart,
      end_time: time(elapsedMs),
    };
  });
  return {
    experiment_name: name,
    experiment_description: description,
    experiment_metadata: { model, sample: true },
    dataset_name: SAMPLE_DATASET,
    dataset_description: 'Twelve questions about rivers, for trying the console.',
    experiment_start_time: time(0),
    experiment_end_time: time(elapsedMs),
    results,
  };
}
