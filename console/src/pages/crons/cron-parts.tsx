import { Link } from 'wouter';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Switch } from '../../components/field.js';
import { showToast } from '../../components/toast.js';
import { ErrorNote } from '../../components/note.js';
import { updateCron, type Cron } from './data.js';
import { describeSchedule } from '../../shared/describe-schedule.js';
import styles from './crons.module.css';

/** Link to a cron, with its schedule in words if possible, and as an expression. */
export function ScheduleLink({ cron_id: id, schedule, timezone }: Cron) {
  return (
    <span className={styles['schedule']}>
      <Link href={`/${id}`}>{describeSchedule(schedule) ?? schedule}</Link>
      <span className="soft">
        <code>{schedule}</code> {timezone ?? 'UTC'}
      </span>
    </span>
  );
}

/** Pauses and resumes a cron. */
export function EnabledSwitch({ cron, hideLabel = false }: { cron: Cron; hideLabel?: boolean }) {
  const { error, execute } = useAsyncAction();
  const setEnabled = (enabled: boolean): Promise<void> =>
    execute(async () => {
      await updateCron(cron.cron_id, { enabled });
      showToast(enabled ? 'Cron resumed.' : 'Cron paused.');
    });
  return (
    <>
      <Switch needs="crons:update" value={cron.enabled} onChange={(on) => void setEnabled(on)}>
        <span className={hideLabel ? 'visually-hidden' : ''}>
          {hideLabel ? `Enabled: ${describeSchedule(cron.schedule) ?? cron.schedule}` : 'Enabled'}
        </span>
      </Switch>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

export function PausedBadge() {
  return <Badge variant="warn">Paused</Badge>;
}
