import { useQueryClient } from '@tanstack/react-query';
import { useAsyncAction } from '../components/async-action.js';
import { Switch } from '../components/field.js';
import type { Needs } from '../components/needs.js';
import { ErrorNote } from '../components/note.js';
import { showToast } from '../components/toast.js';

/** Enables or disables something. `what`: its kind, such as "Alert"; `queryKey`: of the queries that show it. */
export function EnabledSwitch({
  what,
  name,
  isEnabled,
  queryKey,
  needs,
  hideLabel = false,
  onChange,
}: {
  what: string;
  name: string;
  isEnabled: boolean;
  queryKey: string;
  needs: Needs;
  hideLabel?: boolean;
  onChange: (isEnabled: boolean) => Promise<unknown>;
}) {
  const client = useQueryClient();
  const { error, execute } = useAsyncAction();
  const change = (next: boolean): Promise<void> =>
    execute(async () => {
      await onChange(next);
      await client.invalidateQueries({ queryKey: [queryKey] });
      showToast(`${what} ${next ? 'enabled' : 'disabled'}.`);
    });
  return (
    <>
      <Switch needs={needs} value={isEnabled} onChange={(next) => void change(next)}>
        <span className={hideLabel ? 'visually-hidden' : ''}>{hideLabel ? `Enabled: ${name}` : 'Enabled'}</span>
      </Switch>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}
