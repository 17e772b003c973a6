import { MessagesSquare, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button, ButtonLink } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Confirm } from '../../components/dialog.js';
import { wholeTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { inConsole } from '../../components/link.js';
import { Menu } from '../../components/menu.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Facts, Page, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { deleteCron, useCron, type Cron } from './data.js';
import { EditDialog } from './edit-dialog.js';
import { AssistantName, FiresSwitch, Paused } from './parts.js';
import { wordsOf } from './schedule-words.js';
import styles from './crons.module.css';

const LIST = inConsole('/crons');
const CRUMBS = [{ name: 'Crons', to: LIST }];

export function CronPage({ id }: { id: string }) {
  const { data, error, refetch } = useCron(id);
  if (data !== undefined) return <Shown cron={data} />;
  return (
    <Page title="Cron" crumbs={CRUMBS}>
      {error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Shown({ cron }: { cron: Cron }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const [, navigate] = useLocation();
  const close = (): void => setDialog(null);
  const { cron_id: id, thread_id: thread, schedule, timezone, last_error: refused } = cron;
  return (
    <Page
      title={wordsOf(schedule) ?? schedule}
      crumbs={CRUMBS}
      badge={cron.enabled ? undefined : <Paused />}
      actions={
        <>
          <FiresSwitch cron={cron} />
          <ButtonLink
            to={
              thread === null
                ? inConsole('/threads', { metadata: JSON.stringify({ cron_id: id }) })
                : inConsole(`/threads/${thread}`)
            }
          >
            <MessagesSquare size={15} aria-hidden />
            {thread === null ? 'Threads' : 'Thread'}
          </ButtonLink>
          <Button look="primary" onPress={() => setDialog('edit')}>
            <Pencil size={15} aria-hidden />
            Edit
          </Button>
          <Menu
            label="More"
            actions={[
              {
                id: 'delete',
                name: 'Delete…',
                icon: <Trash2 size={15} aria-hidden />,
                danger: true,
                onAction: () => setDialog('delete'),
              },
            ]}
          />
        </>
      }
    >
      {refused === null ? null : (
        <ErrorNote
          error={`Its last firing, ${wholeTime(refused.at)}, was refused (${refused.error}): ${refused.message}`}
        />
      )}
      <Panel title="Facts">
        <Facts
          facts={[
            ['Schedule', <code key="schedule">{schedule}</code>],
            ['Time zone', timezone ?? 'UTC'],
            [
              'Next run',
              cron.enabled ? (
                cron.next_run_date === null ? (
                  'none before its end'
                ) : (
                  <NextRun key="next" at={cron.next_run_date} zone={timezone ?? 'UTC'} />
                )
              ) : (
                'none while it is paused'
              ),
            ],
            ['Last run', <Time key="last" at={cron.last_run_date} />],
            ['Ends', cron.end_time === null ? 'never' : wholeTime(cron.end_time)],
            ['Assistant', <AssistantName key="assistant" id={cron.assistant_id} />],
            [
              'Thread',
              thread === null ? (
                `one for each run, ${cron.on_run_completed === 'keep' ? 'kept' : 'deleted after it'}`
              ) : (
                <span key="thread" className="row">
                  <Link href={inConsole(`/threads/${thread}`)}>its own</Link>
                  <Id id={thread} />
                </span>
              ),
            ],
            ['Id', <Id key="id" id={id} />],
            ['Made', <Time key="made" at={cron.created_at} />],
            ...(cron.user_id === null ? [] : [['Runs as', cron.user_id] as const]),
          ]}
        />
      </Panel>
      <div className={styles['two']}>
        <Panel title="What each run is asked to do">
          <JsonTree label="Body of the runs" value={cron.payload} openTo={2} />
        </Panel>
        <Panel title="Metadata">
          <JsonTree label="Metadata" value={cron.metadata} openTo={2} />
        </Panel>
      </div>
      {dialog === 'edit' ? (
        <EditDialog
          cron={cron}
          assistant={cron.assistant_id}
          thread={thread ?? ''}
          onClose={close}
          onDone={() => undefined}
        />
      ) : null}
      <Confirm
        title="Delete this cron?"
        isOpen={dialog === 'delete'}
        onClose={close}
        verb="Delete"
        onConfirm={async () => {
          await deleteCron(id);
          say('The cron is deleted.');
          navigate(LIST);
        }}
      >
        It fires no more. Runs that it has started go on.
      </Confirm>
    </Page>
  );
}

/** In the zone of the schedule, which is what it was written for, and told from now. */
function NextRun({ at, zone }: { at: string; zone: string }) {
  return (
    <span className={styles['schedule']}>
      <Time at={at} />
      <span className="soft">
        {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })} there
      </span>
    </span>
  );
}
