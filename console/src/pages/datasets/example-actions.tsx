import { useQueryClient } from '@tanstack/react-query';
import { Plus, Split, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog, Dialog, DialogActions } from '../../components/dialog.js';
import { Switch, TextField } from '../../components/field.js';
import { pluralize } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { SelectionStatus } from '../../components/selection-status.js';
import { showToast } from '../../components/toast.js';
import { ExampleForm } from './example-form.js';
import styles from './examples-tab.module.css';

/** What can be done with the selected examples, and buttons that add some. */
export function ExampleActions({
  dataset,
  selected,
  onClear,
}: {
  dataset: Dataset;
  selected: ReadonlySet<string>;
  onClear: () => void;
}) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'add' | 'split' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey: ['datasets'] });
  return (
    <div className={styles['actions']}>
      {selected.size === 0 ? null : (
        <>
          <SelectionStatus
            text={`${pluralize(selected.size, 'example')} selected`}
            count={selected.size}
            onClear={onClear}
          />
          <Button needs="datasets:update" small onPress={() => setDialog('split')}>
            <Split size={14} aria-hidden />
            Change split
          </Button>
          <Button needs="datasets:delete" small variant="danger" onPress={() => setDialog('delete')}>
            <Trash2 size={14} aria-hidden />
            Delete selected
          </Button>
        </>
      )}
      <Button needs="datasets:create" small variant="primary" onPress={() => setDialog('add')}>
        <Plus size={14} aria-hidden />
        Add example
      </Button>
      {dialog === 'add' ? (
        <Dialog title="Add an example" isOpen size="wide" onClose={close}>
          <ExampleForm
            example={null}
            saveLabel="Add"
            onClose={close}
            save={async (content) => {
              await evaluation.createExample({ dataset_id: dataset.id, ...content });
              await changed();
              showToast('The example is added.');
              close();
            }}
          />
        </Dialog>
      ) : null}
      {dialog === 'split' ? (
        <SplitDialog
          datasetId={dataset.id}
          ids={[...selected]}
          onClose={close}
          onDone={async (text) => {
            await changed();
            showToast(text);
            close();
          }}
        />
      ) : null}
      <DeleteExamples
        ids={dialog === 'delete' ? [...selected] : []}
        onClose={close}
        onDeleted={async () => {
          onClear();
          await changed();
        }}
      />
    </div>
  );
}

/** Asks before examples are deleted. Without ids it is closed. */
export function DeleteExamples({
  ids,
  onClose,
  onDeleted,
}: {
  ids: readonly string[];
  onClose: () => void;
  onDeleted: () => Promise<void>;
}) {
  const count = pluralize(ids.length, 'example');
  return (
    <ConfirmDialog
      title={`Delete ${count}?`}
      isOpen={ids.length > 0}
      onClose={onClose}
      confirmLabel="Delete"
      onConfirm={async () => {
        await evaluation.deleteExamples(ids);
        await onDeleted();
        showToast(`${pluralize(ids.length, 'example is', 'examples are')} deleted.`);
      }}
    >
      Earlier versions of the dataset keep them, and so do the experiments that ran them.
    </ConfirmDialog>
  );
}

function SplitDialog({
  datasetId,
  ids,
  onClose,
  onDone,
}: {
  datasetId: string;
  ids: readonly string[];
  onClose: () => void;
  onDone: (text: string) => Promise<void>;
}) {
  const [split, setSplit] = useState('');
  const [isRemoved, setRemoved] = useState(false);
  const { error, isPending, execute } = useAsyncAction();
  const name = split.trim();
  const save = (): Promise<void> =>
    execute(async () => {
      await evaluation.changeSplit(datasetId, { split_name: name, examples: ids, remove: isRemoved });
      const count = pluralize(ids.length, 'example is', 'examples are');
      await onDone(isRemoved ? `${count} no longer in “${name}”.` : `${count} in “${name}”.`);
    });
  return (
    <Dialog title={`Change the split of ${pluralize(ids.length, 'example')}`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') void save();
        }}
      >
        <TextField label="Split" placeholder="test" value={split} onChange={setSplit} isRequired />
        <Switch value={isRemoved} onChange={setRemoved}>
          Remove them from this split
        </Switch>
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={name === ''}>
            {isRemoved ? 'Remove' : 'Add to split'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
