import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { errorMessage } from '../api/http.js';
import { queues, type Queue } from '../api/queues.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { formatCount, pluralize } from '../components/format.js';
import { ErrorNote, Loading } from '../components/note.js';
import { SearchableSelect } from '../components/searchable-select.js';
import { Tabs } from '../components/tabs.js';
import { showToast } from '../components/toast.js';
import { QueueFields, useFeedbackConfigs } from './queue-fields.js';
import { draftOf, isComplete, saveQueue } from './rubric.js';

/** Queues in the list at once. Typing narrows the list. */
const QUEUES_OFFERED_MAX = 30;

/** A button that adds runs to an annotation queue. */
export function AddToQueueButton({ runIds, small = false }: { runIds: readonly string[]; small?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small={small} onPress={() => setOpen(true)}>
        <ListPlus size={14} aria-hidden />
        Add to queue
      </Button>
      {isOpen ? <AddToQueueDialog runIds={runIds} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Asks for one of the queues, or for the fields of a new one. */
function AddToQueueDialog({ runIds, onClose }: { runIds: readonly string[]; onClose: () => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Queue | null>(null);
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
        queue = await saveQueue(created?.id ?? null, draft, configs!);
        setCreated(queue);
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

/** Selection of a queue with a search by name on the server. */
function QueueField({ chosen, onChoose }: { chosen: Queue | null; onChoose: (queue: Queue | null) => void }) {
  const [text, setText] = useState(chosen?.name ?? '');
  const searched = useDeferredValue(chosen === null ? text.trim() : '');
  const found = useQuery({
    queryKey: ['queues', 'offered', searched],
    queryFn: ({ signal }) =>
      queues.list({ name_contains: searched === '' ? null : searched, offset: 0, limit: QUEUES_OFFERED_MAX }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <SearchableSelect
      label="Queue"
      placeholder="Search by name"
      text={text}
      onTextChange={(next) => {
        if (next === text) return;
        setText(next);
        onChoose(null);
      }}
      options={(found.data ?? []).map(({ id, name, total_runs: runs }) => ({
        id,
        name,
        detail: `${formatCount(runs ?? 0)} to review`,
      }))}
      selectedId={chosen?.id ?? null}
      onSelect={(id) => {
        const queue = found.data?.find((one) => one.id === id);
        if (queue === undefined) return;
        setText(queue.name);
        onChoose(queue);
      }}
      emptyText={found.isPending || found.isPlaceholderData ? 'Searching…' : 'No queue matches'}
      error={found.error === null ? null : errorMessage(found.error)}
      isRequired
    />
  );
}
