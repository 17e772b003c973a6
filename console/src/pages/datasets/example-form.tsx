import { useState } from 'react';
import type { Example, ExampleContent } from '../../api/evaluation.js';
import { errorMessage } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { objectProblem, readJson } from '../../components/read-json.js';
import { ErrorNote } from '../../components/note.js';
import styles from './examples-tab.module.css';

const FIELDS = ['inputs', 'outputs', 'metadata'] as const;
type Field = (typeof FIELDS)[number];

/** Fields of an example as JSON. `save` rejects with the errors of the server, which are shown at their fields. */
export function ExampleForm({
  example,
  saveLabel,
  save,
  onClose,
}: {
  /** Null for a new one. */
  example: Example | null;
  saveLabel: string;
  save: (content: ExampleContent) => Promise<void>;
  onClose: () => void;
}) {
  const { dataset_split: splitsBefore, ...metadataBefore } = example?.metadata ?? {};
  const [inputs, setInputs] = useState(() => textOf(example?.inputs ?? null));
  const [outputs, setOutputs] = useState(() => textOf(example?.outputs ?? null));
  const [metadata, setMetadata] = useState(() =>
    Object.keys(metadataBefore).length === 0 ? '' : prettyJson(metadataBefore),
  );
  const [splits, setSplits] = useState(() => (Array.isArray(splitsBefore) ? splitsBefore.join(', ') : ''));
  const { error, isPending, execute, clearError } = useAsyncAction();
  const problems: Record<Field, string | null> = {
    inputs: objectProblem(inputs, 'An example needs inputs.'),
    // The API has no way to remove them: null leaves them as they are.
    outputs: objectProblem(
      outputs,
      (example?.outputs ?? null) === null ? null : 'Outputs can be changed, not removed.',
    ),
    metadata: objectProblem(metadata, null),
  };
  const refused = refusedFields(error);
  const [before] = useState({ inputs, outputs, metadata, splits });
  const isChanged =
    before.inputs !== inputs || before.outputs !== outputs || before.metadata !== metadata || before.splits !== splits;
  const isReady = FIELDS.every((field) => problems[field] === null);
  const names = splits
    .split(',')
    .map((split) => split.trim())
    .filter((split) => split !== '');
  const submit = (): Promise<void> =>
    execute(() =>
      save({
        inputs: readJson(inputs).value,
        outputs: readJson(outputs).value ?? null,
        metadata: (readJson(metadata).value ?? {}) as Record<string, unknown>,
        split: names.length === 0 && example === null ? null : names,
      }),
    );
  return (
    <form
      className="stack"
      // The browser refuses to submit while a field has an error of the server.
      onChange={clearError}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        else if (event.key === 'Escape' && !isChanged) onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) void submit();
      }}
    >
      <div className={styles['sides']}>
        <JsonEditor
          label="Inputs"
          autoFocus
          text={inputs}
          onChange={setInputs}
          error={problems.inputs ?? refused.inputs}
          rows={rowsOf(inputs)}
        />
        <JsonEditor
          label="Reference outputs"
          text={outputs}
          onChange={setOutputs}
          error={problems.outputs ?? refused.outputs}
          rows={rowsOf(outputs)}
        />
      </div>
      <div className={styles['sides']}>
        <JsonEditor
          label="Metadata"
          text={metadata}
          onChange={setMetadata}
          error={problems.metadata ?? refused.metadata}
          rows={3}
        />
        <TextField
          label="Splits"
          placeholder="base"
          help="Several are separated by commas."
          value={splits}
          onChange={setSplits}
        />
      </div>
      {error === null || FIELDS.some((field) => refused[field] !== null) ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
          {saveLabel}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

/** The errors of the server by the field that they are about, such as those of the schema of the dataset. */
function refusedFields(error: unknown): Record<Field, string | null> {
  const lines = error === null ? [] : errorMessage(error).split('\n');
  const of = (field: Field): string | null => {
    const own = lines.flatMap((line) => {
      const found = /^body\.(\w+)\.?(.*?): (.*)$/s.exec(line);
      return found?.[1] === field ? [found[2] === '' ? found[3]! : `${found[2]}: ${found[3]}`] : [];
    });
    return own.length === 0 ? null : own.join('\n');
  };
  return { inputs: of('inputs'), outputs: of('outputs'), metadata: of('metadata') };
}

function textOf(value: unknown): string {
  return value === null ? '' : prettyJson(value);
}

const ROWS = { min: 5, max: 18 };

function rowsOf(text: string): number {
  return Math.min(ROWS.max, Math.max(ROWS.min, text.split('\n').length + 1));
}
