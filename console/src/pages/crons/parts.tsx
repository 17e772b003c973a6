import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { client } from '../../api/client.js';
import { useAsyncAction } from '../../components/doing.js';
import { shortId } from '../../components/format.js';
import { Badge } from '../../components/badge.js';
import { Switch } from '../../components/field.js';
import { consoleHref } from '../../components/link.js';
import { showToast } from '../../components/toast.js';
import { ErrorNote } from '../../components/note.js';
import { changeCron, type Cron } from './data.js';
import { wordsOf } from './schedule-words.js';
import styles from './crons.module.css';

/** Link to a cron, with its schedule in words if possible, and as an expression. */
export function ScheduleLink({ cron_id: id, schedule, timezone }: Cron) {
  return (
    <span className={styles['schedule']}>
      <Link href={`/${id}`}>{wordsOf(schedule) ?? schedule}</Link>
      <span className="soft">
        <code>{schedule}</code> {timezone ?? 'UTC'}
      </span>
    </span>
  );
}

/** Link to an assistant, with its name looked up by id. */
export function AssistantName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['assistants', 'one', id],
    queryFn: ({ signal }) => client.assistants.get(id, { signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <Link href={consoleHref(`/assistants/${encodeURIComponent(id)}`)}>{data?.name ?? <code>{shortId(id)}</code>}</Link>
  );
}

/** Pauses and resumes a cron. */
export function FiresSwitch({ cron, quiet = false }: { cron: Cron; quiet?: boolean }) {
  const { error, execute } = useAsyncAction();
  const setEnabled = (enabled: boolean): Promise<void> =>
    execute(async () => {
      await changeCron(cron.cron_id, { enabled });
      showToast(enabled ? 'Cron resumed.' : 'Cron paused.');
    });
  return (
    <>
      <Switch value={cron.enabled} onChange={(on) => void setEnabled(on)}>
        <span className={quiet ? 'visually-hidden' : ''}>
          {quiet ? `Enabled: ${wordsOf(cron.schedule) ?? cron.schedule}` : 'Enabled'}
        </span>
      </Switch>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

export function Paused() {
  return <Badge look="warn">Paused</Badge>;
}
