/** Code to copy for the first steps with a server. */

export interface Snippets {
  curl: string;
  javascript: string;
  python: string;
}

export interface SnippetOptions {
  /** Without a final slash. */
  url: string;
  /** The server requires an API key, which the snippet reads from the variable KEY. */
  needsKey: boolean;
}

/** Creates a thread and streams a run on it. */
export function runSnippets({ url, needsKey }: SnippetOptions, assistant: string): Snippets {
  const header = needsKey ? ' -H "x-api-key: $KEY"' : '';
  const graph = JSON.stringify(assistant);
  const body = JSON.stringify({
    assistant_id: assistant,
    input: { messages: [{ role: 'user', content: 'hello' }] },
  });
  return {
    curl: `THREAD=$(curl -s ${url}/threads${header} --json '{}' | jq -r .thread_id)
curl -N ${url}/threads/$THREAD/runs/stream${header} --json ${shellQuoted(body)}`,
    javascript: `// npm install @langchain/langgraph-sdk@1
import { Client } from '@langchain/langgraph-sdk';

const client = new Client({ apiUrl: '${url}'${needsKey ? ', apiKey: process.env.KEY' : ''} });
const thread = await client.threads.create();
const input = { messages: [{ role: 'user', content: 'hello' }] };
for await (const { event, data } of client.runs.stream(thread.thread_id, ${graph}, { input }))
  console.log(event, data);`,
    python: `# pip install langgraph-sdk${needsKey ? '\nimport os' : ''}
from langgraph_sdk import get_sync_client

client = get_sync_client(url="${url}"${needsKey ? ', api_key=os.environ["KEY"]' : ''})
thread = client.threads.create()
input = {"messages": [{"role": "user", "content": "hello"}]}
for part in client.runs.stream(thread["thread_id"], ${graph}, input=input):
    print(part.event, part.data)`,
  };
}

/** Uploads an experiment of one row, which also creates its dataset. */
export function uploadSnippets({ url, needsKey }: SnippetOptions): Snippets {
  const address = `${url}/api/v1/datasets/upload-experiment`;
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
  const json = JSON.stringify(body, null, 2);
  return {
    curl: `curl ${address}${needsKey ? ' -H "x-api-key: $KEY"' : ''} --json ${shellQuoted(json)}`,
    javascript: `const experiment = ${json};
const response = await fetch('${address}', {
  method: 'POST',
  headers: { 'content-type': 'application/json'${needsKey ? ", 'x-api-key': process.env.KEY" : ''} },
  body: JSON.stringify(experiment),
});
console.log(response.status, await response.json());`,
    python: `# pip install requests${needsKey ? '\nimport os' : ''}
import requests

experiment = ${json}
response = requests.post("${address}", json=experiment${needsKey ? ', headers={"x-api-key": os.environ["KEY"]}' : ''})
print(response.status_code, response.json())`,
  };
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
