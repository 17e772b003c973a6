import { alerts, type Alert, type AlertState } from '../../api/alerts.js';
import { Badge } from '../../components/badge.js';
import type { Needs } from '../../components/needs.js';
import { stateWords } from '../../shared/alert-words.js';
import { EnabledSwitch } from '../../shared/enabled-switch.js';

/** Refresh interval, because the server checks alerts once a minute. */
export const REFRESH_MS = 15_000;

export const UPDATE_ALERT: Needs = ['experiments:update', 'experiments:search'];

export function StateBadge({ state }: { state: AlertState }) {
  const [name, variant] = stateWords(state);
  return <Badge variant={variant}>{name}</Badge>;
}

export function AlertBadge({ alert }: { alert: Alert }) {
  return alert.is_enabled ? <StateBadge state={alert.state} /> : <Badge>Off</Badge>;
}

export function AlertSwitch({ alert, hideLabel = false }: { alert: Alert; hideLabel?: boolean }) {
  return (
    <EnabledSwitch
      what="Alert"
      name={alert.name}
      isEnabled={alert.is_enabled}
      queryKey="alerts"
      hideLabel={hideLabel}
      needs={UPDATE_ALERT}
      onChange={(isEnabled) => alerts.update(alert.id, { is_enabled: isEnabled })}
    />
  );
}
