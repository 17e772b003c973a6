import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { downloadFile } from '../../api/http.js';
import { serverApi } from '../../api/server.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { formatBytes } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';

/** Makes a backup of all data and downloads it; shows when the last one was made. */
export function Backups() {
  const action = useAsyncAction();
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'backup'],
    queryFn: ({ signal }) => serverApi.lastBackup(signal),
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
              ['Last backup', data === null ? 'None yet' : <Time key="time" at={data.made_at} />],
              ['Size', data === null ? '–' : formatBytes(data.bytes)],
            ]}
          />
        )}
        <p className="soft">
          The server goes on while a backup is made. The file has all records of one moment and the API keys as hashes.
          It does not have the sealing key (<code>seal.key</code>), so keep a copy of that elsewhere.
        </p>
      </Panel>
      <Note>
        For regular backups, run <code>threadmill backup nightly.backup --force</code> with a key of the scope{' '}
        <code>server:backup</code> from cron or a systemd timer. <code>threadmill restore</code> checks a backup and
        makes a data folder of it.
      </Note>
    </>
  );
}
