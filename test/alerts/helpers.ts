import { randomUUID } from 'node:crypto';
import type { TestServer } from '../helpers/server.js';

export interface ShownAlert {
  id: string;
  name: string;
  is_enabled: boolean;
  state: string;
  state_since: string;
  error: string | null;
  last_value: number | null;
  last_run_count: number | null;
  last_checked_at: string | null;
  project_name: string | null;
  webhook: { url: string; header_names: string[] } | null;
}

export interface ShownChange {
  at: string;
  state_before: string;
  state: string;
  value: number | null;
  run_count: number;
  error: string | null;
  webhook: { id: string; status: string; attempts: number; last_error: string | null } | null;
}

/** Sends JSON and returns the status with the parsed response. */
export async function send<T = unknown>(
  server: TestServer,
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

async function sent<T>(server: TestServer, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send<T>(server, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function createProject(server: TestServer, name = `project ${randomUUID()}`): Promise<string> {
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
  server: TestServer,
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

export const createAlert = (server: TestServer, body: Record<string, unknown>): Promise<ShownAlert> =>
  sent(server, 'POST', '/alerts', {
    name: 'Too many errors',
    metric: 'error_rate',
    window_seconds: 900,
    operator: 'above',
    threshold: 0.1,
    ...body,
  });

export const getAlert = (server: TestServer, id: string): Promise<ShownAlert> => sent(server, 'GET', `/alerts/${id}`);

export const listAlerts = (server: TestServer, query = ''): Promise<ShownAlert[]> =>
  sent(server, 'GET', `/alerts${query}`);

export const patchAlert = (server: TestServer, id: string, body: Record<string, unknown>): Promise<ShownAlert> =>
  sent(server, 'PATCH', `/alerts/${id}`, body);

export const historyOf = (server: TestServer, id: string): Promise<ShownChange[]> =>
  sent(server, 'GET', `/alerts/${id}/history`);

/** The alert as soon as it is as wanted. */
export async function alertWhen(
  server: TestServer,
  id: string,
  wanted: (alert: ShownAlert) => boolean,
): Promise<ShownAlert> {
  for (;;) {
    const alert = await getAlert(server, id);
    if (wanted(alert)) return alert;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** The alert after a check at this time of the server's clock or later. */
export const checkedAt = (server: TestServer, id: string, nowMs: number): Promise<ShownAlert> =>
  alertWhen(server, id, ({ last_checked_at: at }) => at !== null && Date.parse(at) >= nowMs);
