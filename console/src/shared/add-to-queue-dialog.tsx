import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queues, type Queue } from '../api/queues.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { pluralize } from '../components/format.js';
import { ErrorNote, Loading } from '../components/note.js';
import { Tabs } from '../components/tabs.js';
import { showToast } from '../components/toast.js';
import { QueueField } from './queue-field.js';
import { QueueFields, useFeedbackConfigs } from './queue-fields.js';
import { draftOf, isComplete, saveQueue } from './rubric.js';

/** Asks for one of the queues, or for the fields of a new one. */
export function AddToQueueDialog({ runIds, onClose }: { runIds: readonly string[]; onClose: () => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Pick<Queue, 'id' | 'name'> | null>(null);
  const [draft, setDraft] = useState(() => draftOf(null));
  const [created, setCreated] = useState<Queue | null>(null);
  // Null until the person chooses: without a queue, the dialog begins with a new one.
  const [chosenTab, setTab] = useState<string | null>(null);
  const { configs } = useFeedbackConfigs();
  const { error, isPending, execute, clearError } = useAsyncAction();
  const any = useQuery({
    queryKey: ['queues', 'any'],
    queryFn: async ({ signal }) => (await queues.list({ name_contains: null, offset: 0, limit: 1 }, signal)).length > 0,
  });
  const tab = chosenTab ?? (any.data === false ? 'new' : 'existing');
  const isReady = tab === 'new' ? configs !== null && isComplete(draft, configs) : chosen !== null;
  const add = (): Promise<void> =>
    execute(async () => {
      let queue = chosen;
      if (tab === 'new') {
        // Adding can fail after the queue was created. Another attempt then uses the same queue.
        const saved = await saveQueue(created?.id ?? null, draft, configs!);
        setCreated(saved);
        queue = saved;
      }
      await queues.addRuns(queue!.id, runIds);
      await client.invalidateQueries({ queryKey: ['queues'] });
      showToast(`${pluralize(runIds.length, 'run is', 'runs are')} in the queue “${queue!.name}”.`);
      onClose();
    });
  return (
    <Dialog title={`Add ${pluralize(runIds.length, 'run')} to a queue`} isOpen onClose={onClose}>
      {any.isPending ? (
        <Loading what="Loading the queues" />
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) void add();
          }}
        >
          <Tabs
            label="Queue"
            tabs={[
              {
                id: 'existing',
                name: 'Existing queue',
                content: <QueueField chosen={chosen} onChoose={setChosen} />,
              },
              { id: 'new', name: 'New queue', content: <QueueFields draft={draft} onDraft={setDraft} /> },
            ]}
            value={tab}
            onChange={(next) => {
              clearError();
              setTab(next);
            }}
          />
          {error === null ? null : <ErrorNote error={error} />}
          <DialogActions>
            <Button onPress={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
              {tab === 'new' ? 'Create queue and add' : 'Add'}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
