import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { downloadFile } from '../../api/http.js';
import { serverApi, type BackupSchedule } from '../../api/server.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { formatBytes } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { describeSchedule } from '../../shared/describe-schedule.js';

/** Makes a backup of all data and downloads it; shows the last one and those of the schedule. */
export function Backups() {
  const action = useAsyncAction();
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'backup'],
    queryFn: ({ signal }) => serverApi.backups(signal),
  });
  const download = (): Promise<void> =>
    action.execute(async () => {
      await downloadFile('backup', `threadmill-${new Date().toISOString().slice(0, 10)}.backup`);
      await refetch();
    });
  return (
    <>
      <Panel
        title="Backup of all data"
        actions={
          <Button needs="server:backup" variant="primary" isPending={action.isPending} onPress={() => void download()}>
            <Download size={15} aria-hidden />
            Make a backup
          </Button>
        }
      >
        {action.error === null ? null : <ErrorNote error={action.error} />}
        {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Loading />
          ) : null
        ) : (
          <DescriptionList
            facts={[
              ['Last backup', data.last === null ? 'None yet' : <Time key="time" at={data.last.made_at} />],
              ['Size', data.last === null ? '–' : formatBytes(data.last.bytes)],
            ]}
          />
        )}
        <p className="soft">
          The server goes on while a backup is made. The file has all records of one moment and the API keys as hashes.
          It does not have the sealing key (<code>seal.key</code>), so keep a copy of that elsewhere.
        </p>
      </Panel>
      {data === undefined ? null : data.schedule === null ? (
        <Note>
          For regular backups, set <code>backups</code> in <code>langgraph.json</code>, such as{' '}
          <code>{'{"schedule": "0 3 * * *", "folder": "/mnt/backups"}'}</code>. <code>threadmill restore</code> checks a
          backup and makes a data folder of it.
        </Note>
      ) : (
        <Schedule schedule={data.schedule} />
      )}
    </>
  );
}

function Schedule({ schedule }: { schedule: BackupSchedule }) {
  const { next_at: nextAt, last_failure: failure } = schedule;
  return (
    <>
      <Panel title="Schedule">
        {failure === null ? null : (
          <Note variant="warn">
            The backup of <Time at={failure.at} /> failed: {failure.message}
          </Note>
        )}
        <DescriptionList
          facts={[
            ['When', `${describeSchedule(schedule.schedule) ?? schedule.schedule} (${schedule.timezone})`],
            [
              'Next',
              schedule.is_running ? (
                'Being made now'
              ) : nextAt === null ? (
                'Never'
              ) : (
                <Time key="next" at={nextAt} mayBeAhead />
              ),
            ],
            ['Folder', <code key="folder">{schedule.folder}</code>],
            ['Keeps', `The newest ${schedule.keep}`],
          ]}
        />
      </Panel>
      <Panel title="Files of the schedule" flush>
        <Table
          label="Files of the schedule"
          items={schedule.files}
          idOf={({ name }) => name}
          empty={<EmptyState title="No files yet">The first backup is made soon after the server starts.</EmptyState>}
          columns={[
            { id: 'name', name: 'Name', cell: ({ name }) => <code>{name}</code> },
            { id: 'made', name: 'Made', cell: ({ made_at: at }) => <Time at={at} /> },
            { id: 'size', name: 'Size', numbers: true, cell: ({ bytes }) => formatBytes(bytes) },
          ]}
        />
      </Panel>
    </>
  );
}
