import { MessagesSquare, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button, ButtonLink } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatDateTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { consoleHref } from '../../components/console-href.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { CopyAs } from '../../shared/copy-as.js';
import { sameCronRequest } from './cron-requests.js';
import { deleteCron, useCron, type Cron } from './data.js';
import { AssistantName } from '../../shared/assistant-name.js';
import { CronDialog } from './cron-dialog.js';
import { EnabledSwitch, PausedBadge } from './cron-parts.js';
import { describeSchedule } from '../../shared/describe-schedule.js';
import styles from './crons.module.css';

const LIST_HREF = consoleHref('/crons');
const CRUMBS = [{ name: 'Crons', to: LIST_HREF }];

export function CronPage({ id }: { id: string }) {
  const { data, error, refetch } = useCron(id);
  if (data !== undefined) return <CronDetails cron={data} />;
  return (
    <Page title="Cron" crumbs={CRUMBS}>
      {error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function CronDetails({ cron }: { cron: Cron }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const [, navigate] = useLocation();
  const close = (): void => setDialog(null);
  const { cron_id: id, thread_id: thread, schedule, timezone, last_error: lastError } = cron;
  return (
    <Page
      title={describeSchedule(schedule) ?? schedule}
      crumbs={CRUMBS}
      badge={cron.enabled ? undefined : <PausedBadge />}
      actions={
        <>
          <EnabledSwitch cron={cron} />
          <CopyAs request={sameCronRequest(cron)} />
          <ButtonLink
            to={
              thread === null
                ? consoleHref('/threads', { metadata: JSON.stringify({ cron_id: id }) })
                : consoleHref(`/threads/${thread}`)
            }
          >
            <MessagesSquare size={15} aria-hidden />
            {thread === null ? 'Threads' : 'Thread'}
          </ButtonLink>
          <Button needs={['crons:update', 'threads:create_run']} variant="primary" onPress={() => setDialog('edit')}>
            <Pencil size={15} aria-hidden />
            Edit
          </Button>
          <Menu label="More" actions={[deleteAction('crons:delete', () => setDialog('delete'))]} />
        </>
      }
    >
      {lastError === null ? null : (
        <ErrorNote
          error={`The last scheduled run (${formatDateTime(lastError.at)}) was rejected with ${lastError.error}: ${lastError.message}`}
        />
      )}
      <Panel title="Details">
        <DescriptionList
          facts={[
            ['Schedule', <code key="schedule">{schedule}</code>],
            ['Time zone', timezone ?? 'UTC'],
            [
              'Next run',
              cron.enabled ? (
                cron.next_run_date === null ? (
                  'None before the end time'
                ) : (
                  <NextRun key="next" at={cron.next_run_date} zone={timezone ?? 'UTC'} />
                )
              ) : (
                'None while paused'
              ),
            ],
            ['Last run', <Time key="last" at={cron.last_run_date} />],
            ['Ends', cron.end_time === null ? 'Never' : formatDateTime(cron.end_time)],
            ['Assistant', <AssistantName key="assistant" id={cron.assistant_id} />],
            [
              'Thread',
              thread === null ? (
                `One per run, ${cron.on_run_completed === 'keep' ? 'kept' : 'deleted afterwards'}`
              ) : (
                <span key="thread" className="row">
                  <Link href={consoleHref(`/threads/${thread}`)}>Fixed thread</Link>
                  <CopyableId id={thread} />
                </span>
              ),
            ],
            ['ID', <CopyableId key="id" id={id} />],
            ['Created', <Time key="created" at={cron.created_at} />],
            ...(cron.user_id === null ? [] : [['Runs as', cron.user_id] as const]),
          ]}
        />
      </Panel>
      <div className={styles['two']}>
        <Panel title="Run payload">
          <JsonTree label="Run payload" value={cron.payload} openTo={2} />
        </Panel>
        <Panel title="Metadata">
          <JsonTree label="Metadata" value={cron.metadata} openTo={2} />
        </Panel>
      </div>
      {dialog === 'edit' ? (
        <CronDialog
          cron={cron}
          assistant={cron.assistant_id}
          thread={thread ?? ''}
          onClose={close}
          onDone={() => undefined}
        />
      ) : null}
      <ConfirmDialog
        title="Delete this cron?"
        isOpen={dialog === 'delete'}
        onClose={close}
        confirmLabel="Delete"
        onConfirm={async () => {
          await deleteCron(id);
          showToast('Cron deleted.');
          navigate(LIST_HREF);
        }}
      >
        It starts no more runs. Runs that it has started continue. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}

/** The next run, relative to now and in the time zone of the schedule. */
function NextRun({ at, zone }: { at: string; zone: string }) {
  return (
    <span className={styles['schedule']}>
      <Time at={at} mayBeAhead />
      <span className="soft">
        {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })} ({zone})
      </span>
    </span>
  );
}
