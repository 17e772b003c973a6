import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { evaluation } from '../../api/evaluation.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { TextArea, TextField } from '../../components/field.js';
import { useDenial } from '../../components/needs.js';
import { ErrorNote } from '../../components/note.js';
import { useQueryString } from '../../components/query-string.js';

/** A button that creates an empty dataset and opens it. A link can open its dialog. */
export function NewDatasetButton() {
  const [query, change] = useQueryString();
  const isAllowed = useDenial('datasets:create') === null;
  return (
    <>
      <Button needs="datasets:create" variant="primary" onPress={() => change({ new: 'true' })}>
        <Plus size={15} aria-hidden />
        New dataset
      </Button>
      {isAllowed && query.get('new') === 'true' ? <NewDatasetDialog onClose={() => change({ new: null })} /> : null}
    </>
  );
}

function NewDatasetDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { error, isPending, execute } = useAsyncAction();
  const create = (): Promise<void> =>
    execute(async () => {
      const { id } = await evaluation.createDataset({
        name: name.trim(),
        ...(description.trim() === '' ? {} : { description }),
      });
      await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
      navigate(`/${id}?tab=examples`);
    });
  return (
    <Dialog title="New dataset" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void create();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} isRequired />
        <TextArea label="Description" value={description} onChange={setDescription} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={name.trim() === ''}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
