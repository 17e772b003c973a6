import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from '../../base/places.js';
import { KEYS } from '../../config/env.js';
import type { Server } from '../../server/server.js';
import { serve } from './serve.js';

export interface DemoFlags {
  port?: string;
  data?: string;
}

/** Serves the example graphs, which need neither a key nor a network, and says what to try. Without `data` nothing is left of it. */
export async function demo({ port, data }: DemoFlags): Promise<void> {
  const folder = data ?? temporaryFolder();
  // The examples, whatever the environment says of the graphs of another project.
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...process.env };
  for (const [, name] of KEYS) delete env[name];
  await serve(
    { config: EXAMPLES, data: folder, ...(port === undefined ? {} : { port }) },
    {
      watch: false,
      env,
      greeting: (server) =>
        greeting(server, data === undefined ? `in ${folder}, and removed at the end` : `in ${folder}`),
    },
  );
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function greeting({ url, graphIds }: Server, kept: string): string {
  const post = (path: string, body: object): string =>
    `curl -sN ${url}${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const asked = (content: string): object => ({ messages: [{ role: 'user', content }] });
  const result = (rowId: string, question: string, answer: string, score: number): object => ({
    row_id: rowId,
    inputs: { question },
    expected_outputs: { answer: '4' },
    actual_outputs: { answer },
    evaluation_scores: [{ key: 'correct', score }],
    start_time: '2026-01-01T00:00:01Z',
    end_time: '2026-01-01T00:00:02Z',
  });
  return `Threadmill at ${url} hosts ${graphIds.join(', ')}. Everything is kept ${kept}. Ctrl-C ends it.

Try in another terminal. The model of "agent" is a script, so no key is needed:

# A streamed run, word by word
${post('/runs/stream', { assistant_id: 'agent', input: asked('What is the weather in Lisbon?'), stream_mode: 'messages-tuple' })}

# A person in between: the first run ends with a question, the second answers it
thread=$(curl -s ${url}/threads -H 'content-type: application/json' -d '{}' | grep -o '"thread_id":"[^"]*' | cut -d'"' -f4)
${post('/threads/$thread/runs/wait', { assistant_id: 'agent', input: asked('Send a mail to Ada') })}
${post('/threads/$thread/runs/wait', { assistant_id: 'agent', command: { resume: { approved: true } } })}

# Results of an experiment, and a moment later its statistics
${post('/api/v1/datasets/upload-experiment', { experiment_name: 'monday', dataset_name: 'quiz', experiment_start_time: '2026-01-01T00:00:00Z', experiment_end_time: '2026-01-01T00:01:00Z', results: [result('8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d201', '2 + 2', '4', 1), result('8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d202', '1 + 3', '5', 0)] })}
curl -s '${url}/api/v1/sessions?name=monday&include_stats=true'

In a browser: ${url}/docs`;
}
