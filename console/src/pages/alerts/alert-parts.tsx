import { useQueryClient } from '@tanstack/react-query';
import { alerts, type Alert, type AlertState } from '../../api/alerts.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Switch } from '../../components/field.js';
import { ErrorNote } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { stateWords } from '../../shared/alert-words.js';

/** Refresh interval, because the server checks alerts once a minute. */
export const REFRESH_MS = 15_000;

export function StateBadge({ state }: { state: AlertState }) {
  const [name, variant] = stateWords(state);
  return <Badge variant={variant}>{name}</Badge>;
}

export function AlertBadge({ alert }: { alert: Alert }) {
  return alert.is_enabled ? <StateBadge state={alert.state} /> : <Badge>Off</Badge>;
}

export function EnabledSwitch({ alert, hideLabel = false }: { alert: Alert; hideLabel?: boolean }) {
  const client = useQueryClient();
  const { error, execute } = useAsyncAction();
  const setEnabled = (isEnabled: boolean): Promise<void> =>
    execute(async () => {
      await alerts.update(alert.id, { is_enabled: isEnabled });
      await client.invalidateQueries({ queryKey: ['alerts'] });
      showToast(isEnabled ? 'Alert enabled.' : 'Alert disabled.');
    });
  return (
    <>
      <Switch value={alert.is_enabled} onChange={(isEnabled) => void setEnabled(isEnabled)}>
        <span className={hideLabel ? 'visually-hidden' : ''}>{hideLabel ? `Enabled: ${alert.name}` : 'Enabled'}</span>
      </Switch>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}
