import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Download, Scissors } from 'lucide-react';
import { ask, askResponse, download } from '../../api/http.js';
import { parseJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { Confirm } from '../../components/dialog.js';
import { useDoing } from '../../components/doing.js';
import { NumberField, Select } from '../../components/field.js';
import { bytes, count, wholeTime } from '../../components/format.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Facts, Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { say } from '../../components/toast.js';
import { MetadataEditor } from './metadata-editor.js';
import type { ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

export interface WholeThread {
  metadata: Record<string, unknown>;
  ttl?: { strategy: string; ttl_minutes: number; expires_at: string | null } | null;
  keep_last?: number;
}

interface Storage {
  total_bytes: number;
  checkpoints: { count: number; bytes: number };
  channel_values: { count: number; bytes: number; by_channel: Record<string, { versions: number; bytes: number }> };
  pending_writes: { count: number; bytes: number };
}

/** What is said of the thread, how long it is kept, how much it takes, and its file. */
export function AboutTab({ thread }: { thread: ThreadHead }) {
  const whole = useWhole(thread);
  if (whole.data === undefined)
    return whole.error === null ? <Loading /> : <ErrorNote error={whole.error} onRetry={() => void whole.refetch()} />;
  const { thread: shown, tag } = whole.data;
  return (
    <div className={styles['columns']}>
      <MetadataEditor threadId={thread.thread_id} metadata={shown.metadata} tag={tag} />
      <div className="stack">
        <Keeping
          key={JSON.stringify([shown.ttl?.strategy, shown.ttl?.ttl_minutes, shown.keep_last])}
          threadId={thread.thread_id}
          shown={shown}
        />
        <Stored thread={thread} />
        <Files threadId={thread.thread_id} />
      </div>
    </div>
  );
}

/** With the tag that says which version of it was read. */
function useWhole({ thread_id: id, updated_at: at }: ThreadHead): UseQueryResult<{ thread: WholeThread; tag: string }> {
  return useQuery({
    queryKey: ['threads', id, 'whole', at],
    queryFn: async ({ signal }) => {
      const response = await askResponse(`threads/${id}`, { query: { include: 'ttl' }, signal });
      return { tag: response.headers.get('etag') ?? '', thread: parseJson(await response.text()) as WholeThread };
    },
    // What is being typed below stays.
    placeholderData: keepPreviousData,
  });
}

const STRATEGIES = [
  { id: 'delete', name: 'Delete the thread' },
  { id: 'keep_latest', name: 'Keep the newest state alone' },
];

function Keeping({ threadId, shown: { ttl, keep_last: kept } }: { threadId: string; shown: WholeThread }) {
  const [minutes, setMinutes] = useState<number | null>(ttl?.ttl_minutes ?? null);
  const [strategy, setStrategy] = useState(ttl?.strategy ?? 'delete');
  const [last, setLast] = useState<number | null>(kept ?? null);
  const { error, pending, attempt } = useDoing();
  const queries = useQueryClient();
  const save = (): Promise<void> =>
    attempt(async () => {
      await ask(`threads/${threadId}`, {
        method: 'PATCH',
        headers: { prefer: 'return=minimal' },
        body: { ttl: minutes === null ? null : { ttl: minutes, strategy }, keep_last: last },
      });
      await queries.invalidateQueries({ queryKey: ['threads', threadId] });
      say('Saved.');
    });
  return (
    <Panel
      title="How long it is kept"
      actions={
        <Button small isPending={pending} onPress={() => void save()}>
          Save
        </Button>
      }
    >
      <NumberField
        label="Minutes without activity"
        help={
          ttl?.expires_at ? `Until ${wholeTime(ttl.expires_at)}, unless something happens there.` : 'Empty: it is kept.'
        }
        value={minutes}
        onChange={setMinutes}
        min={0}
      />
      <Select label="Then" options={STRATEGIES} value={strategy} onChange={setStrategy} isDisabled={minutes === null} />
      <NumberField
        label="Newest states that are kept"
        help="Empty: as the server is set."
        value={last}
        onChange={setLast}
        min={1}
      />
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}

function Stored({ thread: { thread_id: id, updated_at: at } }: { thread: ThreadHead }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['threads', id, 'storage', at],
    queryFn: ({ signal }) => ask<Storage>(`threads/${id}/storage`, { signal }),
  });
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const prune = async (): Promise<void> => {
    const { pruned_count: pruned } = await ask<{ pruned_count: number }>('threads/prune', {
      method: 'POST',
      body: { thread_ids: [id], strategy: 'keep_latest' },
    });
    if (pruned === 0) throw new Error('Nothing was pruned: a run executes on the thread.');
    await queries.invalidateQueries({ queryKey: ['threads', id] });
    say('Older states are deleted.');
  };
  return (
    <Panel
      title="Storage"
      actions={
        <Button small onPress={() => setAsked(true)}>
          <Scissors size={14} aria-hidden />
          Delete older states
        </Button>
      }
    >
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : (
        <>
          <Facts
            facts={[
              ['All', bytes(data.total_bytes)],
              ['Checkpoints', `${count(data.checkpoints.count)}, ${bytes(data.checkpoints.bytes)}`],
              ['Values', `${count(data.channel_values.count)}, ${bytes(data.channel_values.bytes)}`],
              ['Pending writes', `${count(data.pending_writes.count)}, ${bytes(data.pending_writes.bytes)}`],
            ]}
          />
          <Table
            label="Values by channel"
            items={Object.entries(data.channel_values.by_channel)}
            idOf={([name]) => name}
            columns={[
              { id: 'channel', name: 'Channel', cell: ([name]) => name },
              { id: 'versions', name: 'Versions', numbers: true, cell: ([, { versions }]) => count(versions) },
              { id: 'bytes', name: 'Size', numbers: true, cell: ([, { bytes: size }]) => bytes(size) },
            ]}
          />
        </>
      )}
      <Confirm
        title="Delete older states?"
        isOpen={asked}
        onClose={() => setAsked(false)}
        verb="Delete them"
        onConfirm={prune}
      >
        The newest state stays, with what it needs. The history before it is deleted: nothing can be forked from it any
        more.
      </Confirm>
    </Panel>
  );
}

function Files({ threadId }: { threadId: string }) {
  const { error, pending, attempt } = useDoing();
  return (
    <Panel title="File">
      <p className="soft">
        States, history and ended runs, to be taken in by another server with <code>threadmill threads import</code>.
      </p>
      <div className="row">
        <Button
          isPending={pending}
          onPress={() => void attempt(() => download(`threads/${threadId}/export`, `thread-${threadId}.jsonl`))}
        >
          <Download size={14} aria-hidden />
          Export
        </Button>
      </div>
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}
