import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Queue, QueueWithRubric } from '../api/queues.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { ErrorNote } from '../components/note.js';
import { QueueFields, useFeedbackConfigs } from './queue-fields.js';
import { draftOf, isComplete, saveQueue } from './rubric.js';

/** Creates an annotation queue, or edits one. */
export function QueueDialog({
  queue,
  onClose,
  onSaved,
}: {
  queue: QueueWithRubric | null;
  onClose: () => void;
  onSaved: (queue: Queue) => void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(queue));
  const { configs } = useFeedbackConfigs();
  const { error, isPending, execute } = useAsyncAction();
  const isReady = configs !== null && isComplete(draft, configs);
  const save = (): Promise<void> =>
    execute(async () => {
      const saved = await saveQueue(queue?.id ?? null, draft, configs!);
      await client.invalidateQueries({ queryKey: ['queues'] });
      onClose();
      onSaved(saved);
    });
  return (
    <Dialog title={queue === null ? 'New annotation queue' : 'Edit annotation queue'} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void save();
        }}
      >
        <QueueFields draft={draft} onDraft={setDraft} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            {queue === null ? 'Create queue' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
