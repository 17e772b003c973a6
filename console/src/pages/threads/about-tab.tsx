import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Download, Scissors } from 'lucide-react';
import { fetchJson, fetchResponse, downloadFile } from '../../api/http.js';
import { parseJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Select } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { formatBytes, formatCount, formatDateTime } from '../../components/format.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { showToast } from '../../components/toast.js';
import { MetadataEditor } from './metadata-editor.js';
import type { ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

export interface ThreadDetails {
  metadata: Record<string, unknown>;
  ttl?: { strategy: string; ttl_minutes: number; expires_at: string | null } | null;
  keep_last?: number;
}

interface StorageUse {
  total_bytes: number;
  checkpoints: { count: number; bytes: number };
  channel_values: { count: number; bytes: number; by_channel: Record<string, { versions: number; bytes: number }> };
  pending_writes: { count: number; bytes: number };
}

/** Metadata, retention, storage use and export of a thread. */
export function AboutTab({ thread }: { thread: ThreadSummary }) {
  const whole = useThreadDetails(thread);
  if (whole.data === undefined)
    return whole.error === null ? <Loading /> : <ErrorNote error={whole.error} onRetry={() => void whole.refetch()} />;
  const { thread: shown, tag } = whole.data;
  return (
    <div className={styles['columns']}>
      <MetadataEditor threadId={thread.thread_id} metadata={shown.metadata} tag={tag} />
      <div className="stack">
        <RetentionPanel
          key={JSON.stringify([shown.ttl?.strategy, shown.ttl?.ttl_minutes, shown.keep_last])}
          threadId={thread.thread_id}
          shown={shown}
        />
        <StoragePanel thread={thread} />
        <ExportPanel threadId={thread.thread_id} />
      </div>
    </div>
  );
}

/** Reads the thread together with its ETag, for conditional updates. */
function useThreadDetails({
  thread_id: id,
  updated_at: at,
}: ThreadSummary): UseQueryResult<{ thread: ThreadDetails; tag: string }> {
  return useQuery({
    queryKey: ['threads', id, 'whole', at],
    queryFn: async ({ signal }) => {
      const response = await fetchResponse(`threads/${id}`, { query: { include: 'ttl' }, signal });
      return { tag: response.headers.get('etag') ?? '', thread: parseJson(await response.text()) as ThreadDetails };
    },
    // Keep the form mounted, with its input, while the thread is reloaded.
    placeholderData: keepPreviousData,
  });
}

const STRATEGIES = [
  { id: 'delete', name: 'Delete the thread' },
  { id: 'keep_latest', name: 'Keep only the latest state' },
];

function RetentionPanel({ threadId, shown: { ttl, keep_last: kept } }: { threadId: string; shown: ThreadDetails }) {
  const [minutes, setMinutes] = useState<number | null>(ttl?.ttl_minutes ?? null);
  const [strategy, setStrategy] = useState(ttl?.strategy ?? 'delete');
  const [last, setLast] = useState<number | null>(kept ?? null);
  const { error, isPending, execute } = useAsyncAction();
  const queries = useQueryClient();
  const save = (): Promise<void> =>
    execute(async () => {
      await fetchJson(`threads/${threadId}`, {
        method: 'PATCH',
        headers: { prefer: 'return=minimal' },
        body: { ttl: minutes === null ? null : { ttl: minutes, strategy }, keep_last: last },
      });
      await queries.invalidateQueries({ queryKey: ['threads', threadId] });
      showToast('Saved.');
    });
  return (
    <Panel
      title="Retention"
      actions={
        <Button needs="threads:update" small isPending={isPending} onPress={() => void save()}>
          Save
        </Button>
      }
    >
      <NumberField
        label="Time to live (minutes)"
        help={
          ttl?.expires_at
            ? `Expires ${formatDateTime(ttl.expires_at)} unless there is new activity.`
            : 'Time without activity. Leave empty to keep the thread.'
        }
        value={minutes}
        onChange={setMinutes}
        min={0}
      />
      <Select
        label="When it expires"
        options={STRATEGIES}
        value={strategy}
        onChange={setStrategy}
        isDisabled={minutes === null}
      />
      <NumberField
        label="Latest states to keep"
        help="Leave empty to use the setting of the server."
        value={last}
        onChange={setLast}
        min={1}
      />
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}

function StoragePanel({ thread: { thread_id: id, updated_at: at } }: { thread: ThreadSummary }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['threads', id, 'storage', at],
    queryFn: ({ signal }) => fetchJson<StorageUse>(`threads/${id}/storage`, { signal }),
  });
  const [isPruning, setPruning] = useState(false);
  const queries = useQueryClient();
  const prune = async (): Promise<void> => {
    const { pruned_count: pruned } = await fetchJson<{ pruned_count: number }>('threads/prune', {
      method: 'POST',
      body: { thread_ids: [id], strategy: 'keep_latest' },
    });
    if (pruned === 0)
      throw new Error('Nothing was deleted because a run is active on the thread. Try again after it ends.');
    await queries.invalidateQueries({ queryKey: ['threads', id] });
    showToast('Older states deleted.');
  };
  return (
    <Panel
      title="Storage"
      actions={
        <Button needs="threads:delete" small onPress={() => setPruning(true)}>
          <Scissors size={14} aria-hidden />
          Delete older states
        </Button>
      }
    >
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : (
        <>
          <DescriptionList
            facts={[
              ['Total', formatBytes(data.total_bytes)],
              ['Checkpoints', `${formatCount(data.checkpoints.count)}, ${formatBytes(data.checkpoints.bytes)}`],
              ['Values', `${formatCount(data.channel_values.count)}, ${formatBytes(data.channel_values.bytes)}`],
              [
                'Pending writes',
                `${formatCount(data.pending_writes.count)}, ${formatBytes(data.pending_writes.bytes)}`,
              ],
            ]}
          />
          <Table
            label="Values by channel"
            items={Object.entries(data.channel_values.by_channel)}
            idOf={([name]) => name}
            columns={[
              { id: 'channel', name: 'Channel', cell: ([name]) => name },
              { id: 'versions', name: 'Versions', numbers: true, cell: ([, { versions }]) => formatCount(versions) },
              { id: 'bytes', name: 'Size', numbers: true, cell: ([, { bytes: size }]) => formatBytes(size) },
            ]}
          />
        </>
      )}
      <ConfirmDialog
        title="Delete older states?"
        isOpen={isPruning}
        onClose={() => setPruning(false)}
        confirmLabel="Delete"
        onConfirm={prune}
      >
        The latest state is kept. The history before it is deleted and can no longer be forked. This cannot be undone.
      </ConfirmDialog>
    </Panel>
  );
}

function ExportPanel({ threadId }: { threadId: string }) {
  const { error, isPending, execute } = useAsyncAction();
  return (
    <Panel title="Export">
      <p className="soft">
        States, history and finished runs. Import the file into another server with{' '}
        <code>threadmill threads import</code>.
      </p>
      <div className="row">
        <Button
          isPending={isPending}
          onPress={() => void execute(() => downloadFile(`threads/${threadId}/export`, `thread-${threadId}.jsonl`))}
        >
          <Download size={14} aria-hidden />
          Export
        </Button>
      </div>
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}
