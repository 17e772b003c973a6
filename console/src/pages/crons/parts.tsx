import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { client } from '../../api/client.js';
import { useDoing } from '../../components/doing.js';
import { shortId } from '../../components/format.js';
import { Badge } from '../../components/badge.js';
import { Switch } from '../../components/field.js';
import { inConsole } from '../../components/link.js';
import { say } from '../../components/toast.js';
import { ErrorNote } from '../../components/note.js';
import { changeCron, type Cron } from './data.js';
import { wordsOf } from './schedule-words.js';
import styles from './crons.module.css';

/** In words where there are some, and as it is written; leads to the cron. */
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

/** Its name, once it is known: a cron has the id alone. */
export function AssistantName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['assistants', 'one', id],
    queryFn: ({ signal }) => client.assistants.get(id, { signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <Link href={inConsole(`/assistants/${encodeURIComponent(id)}`)}>{data?.name ?? <code>{shortId(id)}</code>}</Link>
  );
}

/** Pauses and resumes a cron. */
export function FiresSwitch({ cron, quiet = false }: { cron: Cron; quiet?: boolean }) {
  const { error, attempt } = useDoing();
  const turn = (enabled: boolean): Promise<void> =>
    attempt(async () => {
      await changeCron(cron.cron_id, { enabled });
      say(enabled ? 'The cron fires again.' : 'The cron is paused.');
    });
  return (
    <>
      <Switch value={cron.enabled} onChange={(on) => void turn(on)}>
        <span className={quiet ? 'seen-by-readers-only' : ''}>
          {quiet ? `Enabled: ${wordsOf(cron.schedule) ?? cron.schedule}` : 'Enabled'}
        </span>
      </Switch>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

export function Paused() {
  return <Badge look="warn">paused</Badge>;
}
