import { Client, runCommand, type Connection } from './client.js';
import { formatTable } from './output/table.js';

export interface AlertListFlags extends Connection {
  json?: boolean;
  firing?: boolean;
}

interface ListedAlert {
  name: string;
  is_enabled: boolean;
  project_id: string | null;
  project_name: string | null;
  metric: string;
  feedback_key: string | null;
  operator: string;
  threshold: number;
  window_seconds: number;
  state: string;
  state_since: string;
  last_value: number | null;
  error: string | null;
}

const ALERTING: readonly string[] = ['firing', 'error'];

/** Prints the alerts, and sets the exit code to 1 if one is firing or cannot be checked. */
export function listAlerts(flags: AlertListFlags): Promise<void> {
  return runCommand(2, async () => {
    const all = JSON.parse(await new Client(flags).get('/api/v1/alerts')) as ListedAlert[];
    const alerting = all.filter(({ is_enabled: isEnabled, state }) => isEnabled && ALERTING.includes(state));
    const shown = flags.firing === true ? alerting : all;
    if (flags.json === true) process.stdout.write(`${JSON.stringify(shown)}\n`);
    else if (shown.length === 0)
      process.stderr.write(flags.firing === true ? 'No alert is firing.\n' : 'There are no alerts.\n');
    else process.stdout.write(`${alertTable(shown)}\n`);
    return alerting.length === 0 ? 0 : 1;
  });
}

function alertTable(alerts: readonly ListedAlert[]): string {
  return formatTable(
    ['state', 'name', 'condition', 'value', 'since'],
    alerts.map((alert) => [
      alert.is_enabled ? alert.state : 'disabled',
      alert.name,
      conditionText(alert),
      alert.error ?? String(alert.last_value ?? '-'),
      alert.state_since,
    ]),
  );
}

function conditionText(alert: ListedAlert): string {
  const { metric, feedback_key: key, project_id: id, project_name: name, operator, threshold } = alert;
  const what = key === null ? metric : `${metric} ${key}`;
  const where = id === null ? 'all assistants' : (name ?? id);
  return `${what} of ${where} ${operator} ${threshold} over ${alert.window_seconds} s`;
}
