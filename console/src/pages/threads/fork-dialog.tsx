import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDoing } from '../../components/doing.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { JsonEditor, readJson } from '../../components/json-editor.js';
import { ErrorNote, Note } from '../../components/note.js';
import { say } from '../../components/toast.js';
import { useQueryString } from '../../components/query-string.js';
import { assistantOf, startRun, type Checkpoint, type ThreadHead } from './thread-data.js';

/** Starts a run from a checkpoint; what came after it stays in the history. */
export function ForkDialog({
  thread,
  checkpoint,
  next,
  onClose,
}: {
  thread: ThreadHead;
  checkpoint: Checkpoint;
  next: readonly string[];
  onClose: () => void;
}) {
  const ended = next.length === 0;
  const [way, setWay] = useState(ended ? 'input' : 'as it is');
  const [text, setText] = useState('');
  const { error, pending, attempt } = useDoing();
  const queries = useQueryClient();
  const [, change] = useQueryString();
  const read = readJson(text);
  const ways = [
    { id: 'as it is', name: ended ? 'As it is: nothing is left to do' : `As it is: next is ${next.join(', ')}` },
    { id: 'input', name: 'With new input' },
  ];
  const start = (): Promise<void> =>
    attempt(async () => {
      await startRun(thread.thread_id, assistantOf(thread)!, {
        input: way === 'input' ? (read.value ?? null) : null,
        checkpoint_id: checkpoint.checkpoint_id,
      });
      await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
      say('A run goes on from there.');
      change({ at: null, with: null }, { push: true });
      onClose();
    });
  return (
    <Dialog title="Fork from here" isOpen onClose={onClose}>
      <Note>
        The thread goes on from this checkpoint. What came after it stays in the history, where it can be forked from as
        well.
      </Note>
      <Select label="How" options={ways} value={way} onChange={setWay} />
      {way === 'input' ? (
        <JsonEditor
          label="Input"
          rows={8}
          text={text}
          onChange={setText}
          help="As a run takes it, for example an object with messages."
        />
      ) : null}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Leave it</Button>
        <Button
          look="primary"
          isPending={pending}
          isDisabled={pending || (way === 'input' && (read.error !== null || read.value === undefined))}
          onPress={() => void start()}
        >
          Start the run
        </Button>
      </DialogActions>
    </Dialog>
  );
}
