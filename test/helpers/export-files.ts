import type { TestServer } from './server.js';

export const START = '2024-05-01T10:00:00Z';
export const END = '2024-05-01T12:00:00Z';
export const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

export interface Uploaded {
  experiment: { id: string; name: string };
  dataset: { id: string };
}

export async function uploaded(server: TestServer, body: string, contentType = 'application/json'): Promise<Uploaded> {
  const response = await server.post('/api/v1/datasets/upload-experiment', undefined, {
    body,
    headers: { 'content-type': contentType },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text) as Uploaded;
}

export async function fileOf(server: TestServer, path: string): Promise<string> {
  const response = await server.get(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text;
}

export const linesOf = (file: string): string[] => file.split('\n').slice(0, -1);

/** An upload of `count` rows with some `bytes` in each. */
export function manyRows(count: number, bytes: number, name = 'many'): string {
  const rows = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      row_id: uuid(at + 1),
      inputs: { n: at, text: String(at).repeat(bytes).slice(0, bytes) },
      expected_outputs: { n: at },
      actual_outputs: { n: at + 1 },
      evaluation_scores: [
        { key: 'a', score: at / count },
        { key: 'b', value: 'x' },
      ],
      start_time: START,
      end_time: END,
    }),
  );
  return `{"experiment_name":"${name}","dataset_name":"${name}","experiment_start_time":"${START}","experiment_end_time":"${END}","results":[${rows.join(',')}]}`;
}
