import { requestSnippets, type Snippets, type SnippetServer } from './request-snippets.js';
import { runRequest } from './run-request.js';

/** Code to copy for the first steps with a server. */

/** Creates a thread and streams a run on it. */
export function runSnippets(server: SnippetServer, assistant: string): Snippets {
  const input = { messages: [{ role: 'user', content: 'hello' }] };
  return requestSnippets(runRequest(assistant, 'new', { input }), server);
}

/** Uploads an experiment of one row, which also creates its dataset. */
export function uploadSnippets(server: SnippetServer): Snippets {
  const body = {
    dataset_name: 'questions',
    experiment_name: 'first',
    experiment_start_time: '2026-01-01T00:00:00Z',
    experiment_end_time: '2026-01-01T00:00:01Z',
    results: [
      {
        row_id: '8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d201',
        inputs: { question: '2 + 2' },
        expected_outputs: { answer: '4' },
        actual_outputs: { answer: '4' },
        evaluation_scores: [{ key: 'correct', score: 1 }],
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-01T00:00:01Z',
      },
    ],
  };
  return requestSnippets({ method: 'POST', path: 'api/v1/datasets/upload-experiment', body, sdk: null }, server);
}
