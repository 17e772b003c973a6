import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from '../../base/program-files.js';
import { FILE_KEY_VARIABLES } from '../../config/env.js';
import type { Server } from '../../server/server.js';
import { serve } from './serve.js';

export interface DemoFlags {
  port?: string;
  data?: string;
}

/** Serves the example graphs and prints commands to try. Without `data`, the data folder is removed at the end. */
export async function demo({ port, data }: DemoFlags): Promise<void> {
  const folder = data ?? temporaryFolder();
  // Variables that configure the graphs of another project must not affect the examples.
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...process.env };
  for (const [, name] of FILE_KEY_VARIABLES) delete env[name];
  await serve(
    { config: EXAMPLES, data: folder, ...(port === undefined ? {} : { port }) },
    {
      watch: false,
      env,
      greeting: (server) => demoMessage(server, data === undefined ? `${folder}, which is removed at the end` : folder),
    },
  );
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function demoMessage({ url, graphIds }: Server, dataFolder: string): string {
  const post = (path: string, body: object): string =>
    `curl -sN ${url}${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const userMessage = (content: string): object => ({ messages: [{ role: 'user', content }] });
  const result = (rowId: string, question: string, answer: string, score: number): object => ({
    row_id: rowId,
    inputs: { question },
    expected_outputs: { answer: '4' },
    actual_outputs: { answer },
    evaluation_scores: [{ key: 'correct', score }],
    start_time: '2026-01-01T00:00:01Z',
    end_time: '2026-01-01T00:00:02Z',
  });
  return `Threadmill at ${url} hosts ${graphIds.join(', ')}. Data folder: ${dataFolder}. Press Ctrl-C to stop.

Try these commands in another terminal. The model of "agent" is scripted, so no API key is needed:

# Stream a run, word by word
${post('/runs/stream', { assistant_id: 'agent', input: userMessage('What is the weather in Lisbon?'), stream_mode: 'messages-tuple' })}

# Ask a person for approval: the first run stops with a question, the second one answers it
thread=$(curl -s ${url}/threads -H 'content-type: application/json' -d '{}' | grep -o '"thread_id":"[^"]*' | cut -d'"' -f4)
${post('/threads/$thread/runs/wait', { assistant_id: 'agent', input: userMessage('Send a mail to Ada') })}
${post('/threads/$thread/runs/wait', { assistant_id: 'agent', command: { resume: { approved: true } } })}

# Upload the results of an experiment, then read its statistics
${post('/api/v1/datasets/upload-experiment', { experiment_name: 'monday', dataset_name: 'quiz', experiment_start_time: '2026-01-01T00:00:00Z', experiment_end_time: '2026-01-01T00:01:00Z', results: [result('8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d201', '2 + 2', '4', 1), result('8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d202', '1 + 3', '5', 0)] })}
curl -s '${url}/api/v1/sessions?name=monday&include_stats=true'

API reference, for a browser: ${url}/docs`;
}
