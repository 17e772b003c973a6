import { randomUUID } from 'node:crypto';

/** Times of the experiments that tests upload; rows lie inside. */
export const START = '2024-05-01T10:00:00Z';
export const END = '2024-05-01T11:00:00Z';

export interface UploadRow {
  row_id: string;
  inputs: unknown;
  start_time: string;
  end_time: string;
  [field: string]: unknown;
}

export interface Upload {
  experiment_name: string;
  experiment_start_time: string;
  experiment_end_time: string;
  results: UploadRow[];
  [field: string]: unknown;
}

export type Json = Record<string, unknown>;

/** What answers: the server of this process, or one that runs as its own. */
export interface Target {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

export interface Uploaded {
  experiment: Json & { id: string; name: string; test_run_number: number };
  dataset: Json & { id: string; name: string };
}

export function row(more: Json = {}): UploadRow {
  return {
    row_id: randomUUID(),
    inputs: { question: 'x' },
    start_time: '2024-05-01T10:10:00Z',
    end_time: '2024-05-01T10:10:01Z',
    ...more,
  };
}

export function upload(more: Json = {}): Upload {
  return {
    experiment_name: `experiment ${randomUUID()}`,
    experiment_start_time: START,
    experiment_end_time: END,
    results: [row()],
    ...more,
  };
}

export function at(url: string): Target {
  const headers = { 'content-type': 'application/json' };
  return {
    get: (path) => fetch(`${url}${path}`),
    post: (path, body) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

export async function send(
  target: Target,
  body: unknown,
  prefix = '/api/v1',
): Promise<{ status: number; text: string; body: Json }> {
  const response = await target.post(`${prefix}/datasets/upload-experiment`, body);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Json };
}

/** The answer to an upload that must be taken. */
export async function sent(target: Target, body: unknown, prefix = '/api/v1'): Promise<Uploaded> {
  const answer = await send(target, body, prefix);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as unknown as Uploaded;
}

export async function read<T = Json>(target: Target, path: string): Promise<T> {
  const response = await target.get(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

export async function runsOf(target: Target, experimentId: string): Promise<Json[]> {
  const response = await target.post('/api/v1/runs/query', { session: [experimentId], limit: 100 });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { runs: Json[] }).runs;
}

/** The experiment as soon as its statistics are there. */
export async function withStatistics(target: Target, experimentId: string): Promise<Json> {
  for (;;) {
    const experiment = await read(target, `/api/v1/sessions/${experimentId}`);
    // Without a row there is no rate, but there is an object for the scores.
    if (experiment['error_rate'] !== null || experiment['session_feedback_stats'] !== null) return experiment;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/**
 * All datasets, experiments and examples that a client can see; without statistics, which come in their own time. As
 * text: names such as `__proto__` compare as any other.
 */
export async function everything(target: Target): Promise<string> {
  const datasets = await read<Json[]>(target, '/api/v1/datasets?limit=1000&sort_by=name');
  const sessions = await read<Json[]>(target, '/api/v1/sessions?limit=1000&sort_by=name&include_stats=false');
  const examples = await Promise.all(
    datasets.map(({ id }) => read<number>(target, `/api/v1/examples/count?dataset=${String(id)}`)),
  );
  return JSON.stringify({ datasets, sessions, examples }, null, 1);
}
