import { useQueryClient } from '@tanstack/react-query';
import { CircleStop, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fetchJson } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { pluralize } from '../../components/format.js';
import { showToast } from '../../components/toast.js';
import { AddRunsToDatasetButton } from '../../shared/add-to-dataset.js';
import type { ThreadRow } from '../../shared/thread-search.js';
import { cancelRunsOfThreads } from './cancel-runs.js';

/** What can be done with all selected threads. */
export function BulkActions({ rows, onDone }: { rows: readonly ThreadRow[]; onDone: () => void }) {
  const ids = rows.map(({ thread_id: id }) => id);
  const busy = rows.filter(({ status }) => status === 'busy').map(({ thread_id: id }) => id);
  return (
    <>
      {busy.length === 0 ? null : <CancelRuns ids={busy} onDone={onDone} />}
      <AddRunsToDatasetButton small selection={{ threads: ids }} onAdded={onDone} />
      <DeleteThreads ids={ids} onDone={onDone} />
    </>
  );
}

function CancelRuns({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const cancel = async (): Promise<void> => {
    try {
      const count = await cancelRunsOfThreads(ids);
      showToast(count === 0 ? 'The runs had ended already.' : `${pluralize(count, 'run')} cancelled.`);
      onDone();
    } finally {
      void queries.invalidateQueries({ queryKey: ['threads'] });
    }
  };
  const threads = pluralize(ids.length, 'thread');
  return (
    <>
      <Button needs="threads:update" small onPress={() => setConfirming(true)}>
        <CircleStop size={14} aria-hidden />
        Cancel runs
      </Button>
      <ConfirmDialog
        title={`Cancel the runs of ${threads}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        confirmLabel="Cancel runs"
        dismissLabel="Keep running"
        onConfirm={cancel}
      >
        Running and queued runs end now. Their changes so far are kept.
      </ConfirmDialog>
    </>
  );
}

function DeleteThreads({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const threads = pluralize(ids.length, 'thread');
  const remove = async (): Promise<void> => {
    const deleted = await deleteThreads(ids);
    void queries.invalidateQueries({ queryKey: ['threads'] });
    if (deleted < ids.length)
      throw new Error(`${deleted} of ${threads} deleted. The others are gone or have an active run to cancel first.`);
    onDone();
    showToast(`${pluralize(deleted, 'thread')} deleted.`);
  };
  return (
    <>
      <Button needs="threads:delete" variant="danger" small onPress={() => setConfirming(true)}>
        <Trash2 size={14} aria-hidden />
        Delete {threads}
      </Button>
      <ConfirmDialog
        title={`Delete ${threads}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        confirmLabel={`Delete ${threads}`}
        onConfirm={remove}
      >
        Their messages, states and runs are deleted too. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** What the server accepts at once. */
const DELETED_AT_ONCE_MAX = 1_000;

async function deleteThreads(ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (let at = 0; at < ids.length; at += DELETED_AT_ONCE_MAX) {
    const { pruned_count: count } = await fetchJson<{ pruned_count: number }>('threads/prune', {
      method: 'POST',
      body: { thread_ids: ids.slice(at, at + DELETED_AT_ONCE_MAX), strategy: 'delete' },
    });
    deleted += count;
  }
  return deleted;
}
