import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseZap } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { evaluation, type Run } from '../api/evaluation.js';
import { errorMessage } from '../api/http.js';
import { prettyJson } from '../api/json.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { pluralize } from '../components/format.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { ErrorNote } from '../components/note.js';
import { SearchableSelect } from '../components/searchable-select.js';
import { showToast } from '../components/toast.js';

/** Datasets in the list at once. Typing narrows the list. */
const DATASETS_OFFERED_MAX = 30;

type Source = Pick<Run, 'id' | 'inputs' | 'outputs'>;

/** A button that makes an example of a run or of one of its steps. */
export function AddToDatasetButton({ run, small = false }: { run: Source; small?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small={small} onPress={() => setOpen(true)}>
        <DatabaseZap size={14} aria-hidden />
        Add to dataset
      </Button>
      {isOpen ? <AddToDatasetDialog run={run} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Asks for the dataset, and lets the person correct what the example says. */
function AddToDatasetDialog({ run, onClose }: { run: Source; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [inputs, setInputs] = useState(() => textOf(run.inputs));
  const [outputs, setOutputs] = useState(() => textOf(run.outputs));
  const { error, isPending, execute } = useAsyncAction();
  const searched = useDeferredValue(name.trim());
  const found = useQuery({
    queryKey: ['datasets', 'offered', searched],
    queryFn: ({ signal }) =>
      evaluation.datasets({ name_contains: searched === '' ? null : searched, limit: DATASETS_OFFERED_MAX }, signal),
    placeholderData: keepPreviousData,
  });
  const known = found.data?.find((one) => one.name === name.trim());
  const problems = [problemOf(inputs, true), problemOf(outputs, false)];
  const isReady = name.trim() !== '' && problems.every((problem) => problem === null);
  const add = (): Promise<void> =>
    execute(async () => {
      const [existing] = await evaluation.datasets({ name: name.trim(), limit: 1 });
      const dataset = existing ?? (await evaluation.createDataset({ name: name.trim() }));
      await evaluation.createExample({
        dataset_id: dataset.id,
        inputs: readJson(inputs).value,
        outputs: readJson(outputs).value ?? null,
        source_run_id: run.id,
      });
      await client.invalidateQueries({ queryKey: ['datasets'] });
      showToast(`The example is in the dataset “${dataset.name}”.`);
      onClose();
    });
  return (
    <Dialog title="Add to a dataset" isOpen size="wide" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void add();
        }}
      >
        <SearchableSelect
          label="Dataset"
          placeholder="Search by name, or name a new one"
          help={
            name.trim() === '' || known !== undefined || found.isPlaceholderData ? undefined : 'This dataset is new.'
          }
          text={name}
          onTextChange={setName}
          options={(found.data ?? []).map(({ id, name: one, example_count: count }) => ({
            id,
            name: one,
            detail: pluralize(count, 'example'),
          }))}
          selectedId={known?.id ?? null}
          onSelect={(id) => setName(found.data?.find((one) => one.id === id)?.name ?? name)}
          emptyText={null}
          error={found.error === null ? null : errorMessage(found.error)}
          isRequired
        />
        <JsonEditor label="Inputs" text={inputs} onChange={setInputs} error={problems[0] ?? null} rows={8} />
        <JsonEditor
          label="Expected outputs"
          help="Correct them where the run was wrong. Empty: the example has none."
          text={outputs}
          onChange={setOutputs}
          error={problems[1] ?? null}
          rows={8}
        />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            {known === undefined && name.trim() !== '' ? 'Create dataset and add' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : prettyJson(value);
}

/** Null if the text is an object, or may be empty and is. */
function problemOf(text: string, isRequired: boolean): string | null {
  const { value, error } = readJson(text);
  if (error !== null) return error;
  if (value === undefined) return isRequired ? 'An example needs inputs.' : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'Must be a JSON object.';
}
