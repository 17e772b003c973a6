import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { readJson } from '../../components/read-json.js';
import { ErrorNote, Note } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { useQueryString } from '../../components/query-string.js';
import { startRun } from '../../shared/start-run.js';
import { assistantIdOf, type Checkpoint, type ThreadSummary } from './thread-data.js';

/** Starts a run from a checkpoint. Later checkpoints stay in the history. */
export function ForkDialog({
  thread,
  checkpoint,
  next,
  onClose,
}: {
  thread: ThreadSummary;
  checkpoint: Checkpoint;
  next: readonly string[];
  onClose: () => void;
}) {
  const ended = next.length === 0;
  const [mode, setMode] = useState(ended ? 'input' : 'resume');
  const [text, setText] = useState('');
  const { error, isPending, execute } = useAsyncAction();
  const queries = useQueryClient();
  const [, change] = useQueryString();
  const read = readJson(text);
  const modes = [
    { id: 'resume', name: ended ? 'Without input (no next nodes)' : `Without input (next: ${next.join(', ')})` },
    { id: 'input', name: 'With new input' },
  ];
  const start = (): Promise<void> =>
    execute(async () => {
      await startRun(thread.thread_id, assistantIdOf(thread)!, {
        input: mode === 'input' ? (read.value ?? null) : null,
        checkpoint_id: checkpoint.checkpoint_id,
      });
      await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
      showToast('Run started from this checkpoint.');
      change({ at: null, with: null }, { push: true });
      onClose();
    });
  return (
    <Dialog title="Fork thread" isOpen onClose={onClose}>
      <Note>
        The thread continues from this checkpoint. Later checkpoints stay in the history and can be forked too.
      </Note>
      <Select label="Continue" options={modes} value={mode} onChange={setMode} />
      {mode === 'input' ? (
        <JsonEditor
          label="Input"
          rows={8}
          text={text}
          onChange={setText}
          help="Input of the run, for example an object with messages."
        />
      ) : null}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isPending={isPending}
          isDisabled={isPending || (mode === 'input' && (read.error !== null || read.value === undefined))}
          onPress={() => void start()}
        >
          Start run
        </Button>
      </DialogActions>
    </Dialog>
  );
}
