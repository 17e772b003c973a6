import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluation, type AddedRuns, type SkipReason } from '../api/evaluation.js';
import { prettyJson } from '../api/json.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { Checkbox, TextField } from '../components/field.js';
import { pluralize } from '../components/format.js';
import { JsonEditor } from '../components/json-editor.js';
import { objectProblem, readJson } from '../components/read-json.js';
import { ErrorNote, Note } from '../components/note.js';
import { showToast } from '../components/toast.js';
import { addedText } from './added-runs.js';
import type { Selection, Source } from './add-to-dataset.js';
import styles from './add-to-dataset.module.css';
import { DatasetField, datasetNamed, useIsNewDataset } from './dataset-field.js';
import { partAt } from './json-path.js';

const NOT_ADDED: Readonly<Record<SkipReason, string>> = {
  already_added: 'This run is in the dataset already.',
  running: 'This run has not ended. Add it when it has outputs.',
  no_inputs: 'The run has nothing at this place of its inputs.',
  no_outputs: 'The run has nothing at this place of its outputs.',
  truncated: 'The trace has only the beginning of a value. Write it in full, or raise max_value_bytes of traces.',
};

/** Asks for the dataset and the part of the run, and lets the person correct what the example says. */
export function AddToDatasetDialog({ run, onClose }: { run: Source; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [split, setSplit] = useState('');
  const inputs = useSide(run.inputs, true);
  const outputs = useSide(run.outputs, false);
  const [refusal, setRefusal] = useState<SkipReason | null>(null);
  const [addsAgain, setAddsAgain] = useState(false);
  const isNew = useIsNewDataset(name);
  const { error, isPending, execute } = useAsyncAction();
  const isReady = name.trim() !== '' && inputs.problem === null && outputs.problem === null;
  const add = (): Promise<void> =>
    execute(async () => {
      const dataset = await datasetNamed(name);
      const { count, skipped } = await evaluation.addRuns(dataset.id, {
        runs: [
          {
            id: run.id,
            ...(inputs.isEdited ? { inputs: readJson(inputs.text).value } : {}),
            ...(outputs.isEdited ? { outputs: readJson(outputs.text).value ?? null } : {}),
          },
        ],
        inputs_path: inputs.path,
        outputs_path: outputs.path,
        ...splitOf(split),
        allow_duplicates: addsAgain,
      });
      await client.invalidateQueries({ queryKey: ['datasets'] });
      setRefusal(count === 0 ? (skipped[0]?.reason ?? null) : null);
      if (count === 0) return;
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
        <div className={styles['pair']}>
          <DatasetField
            name={name}
            onName={(next) => {
              setName(next);
              setRefusal(null);
            }}
          />
          <SplitField split={split} onSplit={setSplit} />
        </div>
        <div className={styles['sides']}>
          <SideFields side={inputs} label="Inputs" pathLabel="Place in the inputs" />
          <SideFields
            side={outputs}
            label="Expected outputs"
            pathLabel="Place in the outputs"
            help="Correct them where the run was wrong. Empty: the example has none."
          />
        </div>
        {refusal === null ? null : (
          <Note variant="warn">
            <span className="row">
              {NOT_ADDED[refusal]}
              {refusal === 'already_added' ? (
                <Checkbox value={addsAgain} onChange={setAddsAgain}>
                  Add it once more
                </Checkbox>
              ) : null}
            </span>
          </Note>
        )}
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            {isNew ? 'Create dataset and add' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface Side {
  path: string;
  setPath: (path: string) => void;
  /** There is nothing at the path. */
  isMissing: boolean;
  text: string;
  setText: (text: string) => void;
  isEdited: boolean;
  problem: string | null;
}

/** The inputs or outputs of the example: the part of the run's that the path names, until the person edits it. */
function useSide(value: unknown, isRequired: boolean): Side {
  const [path, setPath] = useState('');
  const [edited, setEdited] = useState<string | null>(null);
  const part = partAt(value, path);
  const text = edited ?? (part === undefined ? '' : prettyJson(part));
  return {
    path,
    setPath: (next) => {
      setPath(next);
      setEdited(null);
    },
    isMissing: path.trim() !== '' && part === undefined,
    text,
    setText: (next) => {
      // React Aria also reports a change that the path has caused.
      if (next !== text) setEdited(next);
    },
    isEdited: edited !== null,
    problem: objectProblem(text, isRequired ? 'An example needs inputs.' : null),
  };
}

function SideFields({ side, label, pathLabel, help }: { side: Side; label: string; pathLabel: string; help?: string }) {
  return (
    <div className={styles['side']}>
      <TextField
        label={pathLabel}
        placeholder="All, or a path such as messages.-1"
        mono
        value={side.path}
        onChange={side.setPath}
        error={side.isMissing ? 'Nothing is there.' : null}
      />
      <JsonEditor
        label={label}
        {...(help === undefined ? {} : { help })}
        text={side.text}
        onChange={side.setText}
        error={side.problem}
        rows={9}
      />
    </div>
  );
}

/** Asks for the dataset and the part of each run. */
export function AddRunsDialog({
  selection,
  onClose,
  onAdded,
}: {
  selection: Selection;
  onClose: () => void;
  onAdded: () => void;
}) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [split, setSplit] = useState('');
  const [inputsPath, setInputsPath] = useState('');
  const [outputsPath, setOutputsPath] = useState('');
  const [refused, setRefused] = useState<AddedRuns | null>(null);
  const isNew = useIsNewDataset(name);
  const { error, isPending, execute } = useAsyncAction();
  const isReady = name.trim() !== '';
  const add = (): Promise<void> =>
    execute(async () => {
      const dataset = await datasetNamed(name);
      const added = await evaluation.addRuns(dataset.id, {
        ...selection,
        inputs_path: inputsPath,
        outputs_path: outputsPath,
        ...splitOf(split),
      });
      await client.invalidateQueries({ queryKey: ['datasets'] });
      setRefused(added.count === 0 ? added : null);
      if (added.count === 0) return;
      showToast(addedText(added, dataset.name));
      onAdded();
    });
  return (
    <Dialog
      title={
        'runs' in selection
          ? `Add ${pluralize(selection.runs.length, 'run')} to a dataset`
          : 'Add the runs of this thread to a dataset'
      }
      isOpen
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void add();
        }}
      >
        <DatasetField name={name} onName={setName} />
        <SplitField split={split} onSplit={setSplit} />
        <TextField
          label="Place in the inputs"
          placeholder="All, or a path such as messages.-1"
          mono
          value={inputsPath}
          onChange={setInputsPath}
        />
        <TextField
          label="Place in the outputs"
          placeholder="All, or a path such as messages.-1"
          mono
          value={outputsPath}
          onChange={setOutputsPath}
          help="Runs that have nothing there are left out. So are those that the dataset has already."
        />
        {refused === null ? null : (
          <Note variant="warn">
            {refused.skipped.length === 0
              ? 'No recorded runs were found. Runs leave traces with "traces": true in langgraph.json.'
              : addedText(refused, name.trim())}
          </Note>
        )}
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            {isNew ? 'Create dataset and add' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SplitField({ split, onSplit }: { split: string; onSplit: (split: string) => void }) {
  return <TextField label="Split" placeholder="base" value={split} onChange={onSplit} />;
}

function splitOf(split: string): { split?: string } {
  return split.trim() === '' ? {} : { split: split.trim() };
}
