import { sent, type Served } from '../helpers/sent-runs.js';

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

export const createAlert = (server: Served, body: Record<string, unknown>): Promise<ShownAlert> =>
  sent(server, 'POST', '/alerts', {
    name: 'Too many errors',
    metric: 'error_rate',
    window_seconds: 900,
    operator: 'above',
    threshold: 0.1,
    ...body,
  });

export const getAlert = (server: Served, id: string): Promise<ShownAlert> => sent(server, 'GET', `/alerts/${id}`);

export const listAlerts = (server: Served, query = ''): Promise<ShownAlert[]> => sent(server, 'GET', `/alerts${query}`);

export const patchAlert = (server: Served, id: string, body: Record<string, unknown>): Promise<ShownAlert> =>
  sent(server, 'PATCH', `/alerts/${id}`, body);

export const historyOf = (server: Served, id: string): Promise<ShownChange[]> =>
  sent(server, 'GET', `/alerts/${id}/history`);

/** The alert as soon as it is as wanted. */
export async function alertWhen(
  server: Served,
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
export const checkedAt = (server: Served, id: string, nowMs: number): Promise<ShownAlert> =>
  alertWhen(server, id, ({ last_checked_at: at }) => at !== null && Date.parse(at) >= nowMs);

/** Resolves when the webhook of the newest change is delivered. */
export async function lastDelivered(server: Served, id: string): Promise<void> {
  for (;;) {
    const [change] = await historyOf(server, id);
    if (change?.webhook?.status === 'delivered') return;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
