import { randomUUID } from 'node:crypto';

/** A server of this process, or of another one. */
export interface Served {
  url: string;
}

/** Sends JSON and returns the status with the parsed response. */
export async function send<T = unknown>(
  server: Served,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** The body of a response. Throws for an error. */
export async function sent<T>(server: Served, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send<T>(server, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function createProject(server: Served, name = `project ${randomUUID()}`): Promise<string> {
  return (await sent<{ id: string }>(server, 'POST', '/sessions', { name })).id;
}

export interface RunFacts {
  startMs: number;
  /** Null: not ended. */
  tookMs?: number | null;
  error?: string;
  more?: Record<string, unknown>;
}

/** Stores a trace of one run and returns its id. */
export async function addRun(
  server: Served,
  projectId: string,
  { startMs, tookMs = 1_000, error, more }: RunFacts,
): Promise<string> {
  const id = randomUUID();
  const at = new Date(startMs).toISOString();
  await sent(server, 'POST', '/runs', {
    id,
    trace_id: id,
    dotted_order: `${at.replaceAll(/[-:.]/g, '').replace('Z', '000Z')}${id}`,
    name: 'answer',
    run_type: 'chain',
    start_time: at,
    ...(tookMs === null ? {} : { end_time: new Date(startMs + tookMs).toISOString() }),
    inputs: { question: 'why' },
    ...(error === undefined ? { outputs: { text: 'because' } } : { error }),
    session_id: projectId,
    ...more,
  });
  return id;
}
