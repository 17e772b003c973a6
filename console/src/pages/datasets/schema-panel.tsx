import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { errorMessage } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { JsonEditor } from '../../components/json-editor.js';
import { objectProblem, readJson } from '../../components/read-json.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { showToast } from '../../components/toast.js';
import styles from './examples-tab.module.css';

/** The JSON schemas that new and changed examples must match. */
export function SchemaPanel({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [inputs, setInputs] = useState(() => textOf(dataset.inputs_schema_definition));
  const [outputs, setOutputs] = useState(() => textOf(dataset.outputs_schema_definition));
  const { error, isPending, execute, clearError } = useAsyncAction();
  const isReady = [inputs, outputs].every((text) => objectProblem(text, null) === null);
  const refused = error === null ? '' : errorMessage(error);
  const refusalOf = (name: string): string | null => {
    const lines = refused.split('\n').filter((line) => line.includes(name));
    return lines.length === 0 ? null : lines.map((line) => line.replace(/^.*?_definition\.?/, '')).join('\n');
  };
  const [ofInputs, ofOutputs] = [refusalOf('inputs_schema_definition'), refusalOf('outputs_schema_definition')];
  const save = (): Promise<void> =>
    execute(async () => {
      const saved = await evaluation.patchDataset(dataset.id, {
        inputs_schema_definition: readJson(inputs).value ?? null,
        outputs_schema_definition: readJson(outputs).value ?? null,
      });
      client.setQueryData(['datasets', 'one', dataset.id], saved);
      showToast('The schemas are saved.');
    });
  return (
    <Panel title="Schemas">
      <form
        className="stack"
        // The browser refuses to submit while a field has an error of the server.
        onChange={clearError}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void save();
        }}
      >
        <div className={styles['sides']}>
          <JsonEditor
            label="Schema of the inputs"
            text={inputs}
            onChange={setInputs}
            error={objectProblem(inputs, null) ?? ofInputs}
            rows={8}
          />
          <JsonEditor
            label="Schema of the reference outputs"
            text={outputs}
            onChange={setOutputs}
            error={objectProblem(outputs, null) ?? ofOutputs}
            rows={8}
          />
        </div>
        {error === null || ofInputs !== null || ofOutputs !== null ? null : <ErrorNote error={error} />}
        <div className="row">
          <Button needs="datasets:update" type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            Save schemas
          </Button>
          <span className="soft">
            New and changed examples must match these JSON schemas. Examples that are there already are not checked.
          </span>
        </div>
      </form>
    </Panel>
  );
}

function textOf(schema: unknown): string {
  return schema === null || schema === undefined ? '' : prettyJson(schema);
}
