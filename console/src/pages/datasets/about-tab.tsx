import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { CONSOLE_PATH } from '../../api/session.js';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { downloadFile } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { TextArea, TextField } from '../../components/field.js';
import { formatCount, pluralize } from '../../components/format.js';
import { JsonEditor } from '../../components/json-editor.js';
import { readJson } from '../../components/read-json.js';
import { useDenial } from '../../components/needs.js';
import { ErrorNote } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { ExperimentName } from '../../shared/experiment-name.js';
import { exportFileName } from './export-name.js';
import { SchemaPanel } from './schema-panel.js';

/** Details of a dataset, with editing, export and deletion. */
export function AboutTab({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Panel title="Details">
        <DescriptionList
          facts={[
            ['ID', <CopyableId key="id" id={dataset.id} />],
            ['Examples', formatCount(dataset.example_count)],
            ['Experiments', formatCount(dataset.session_count)],
            ['Type', dataset.data_type],
            ['Created', <Time key="created" at={dataset.created_at} />],
            ['Updated', <Time key="updated" at={dataset.modified_at} />],
            ['Accepts uploads', dataset.externally_managed ? 'Yes' : 'No, its examples were created by a client'],
            [
              'Baseline',
              dataset.baseline_experiment_id === null ? (
                'None'
              ) : (
                <ExperimentName
                  key="baseline"
                  id={dataset.baseline_experiment_id}
                  href={`~${CONSOLE_PATH}/experiments/${dataset.baseline_experiment_id}`}
                />
              ),
            ],
          ]}
        />
      </Panel>
      <DatasetForm dataset={dataset} />
      <SchemaPanel dataset={dataset} />
      <ExportPanel dataset={dataset} />
      <Panel title="Delete">
        <div className="row">
          <Button needs="datasets:delete" variant="danger" onPress={() => setDeleting(true)}>
            <Trash2 size={15} aria-hidden />
            Delete dataset
          </Button>
        </div>
      </Panel>
      <ConfirmDialog
        title={`Delete ${dataset.name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirmLabel="Delete"
        onConfirm={async () => {
          await evaluation.deleteDataset(dataset.id);
          await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
          showToast('Dataset deleted.');
          navigate('/');
        }}
      >
        Its {pluralize(dataset.example_count, 'example')} and {pluralize(dataset.session_count, 'experiment')} are
        deleted too, with all runs and scores. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

function DatasetForm({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [name, setName] = useState(dataset.name);
  const [description, setDescription] = useState(dataset.description ?? '');
  const [metadata, setMetadata] = useState(prettyJson(dataset.metadata ?? {}));
  const { error, isPending, execute } = useAsyncAction();
  const read = readJson(metadata);
  const denial = useDenial('datasets:update');
  const save = (): Promise<void> =>
    execute(async () => {
      const saved = await evaluation.patchDataset(dataset.id, {
        name,
        description,
        metadata: read.value as Dataset['metadata'],
      });
      client.setQueryData(['datasets', 'one', dataset.id], saved);
      await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
      showToast('Saved.');
    });
  return (
    <Panel title="Name, description and metadata">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (denial === null) void save();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} isRequired />
        <TextArea label="Description" value={description} onChange={setDescription} />
        <JsonEditor label="Metadata" text={metadata} onChange={setMetadata} rows={6} />
        {error === null ? null : <ErrorNote error={error} />}
        <div className="row">
          <Button
            type="submit"
            variant="primary"
            needs="datasets:update"
            isPending={isPending}
            isDisabled={name.trim() === '' || read.error !== null}
          >
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function ExportPanel({ dataset }: { dataset: Dataset }) {
  const { error, execute } = useAsyncAction();
  const exportAs = (path: string, extension: string): void => {
    void execute(() =>
      downloadFile(
        `api/v1/datasets/${encodeURIComponent(dataset.id)}/${path}`,
        exportFileName(dataset.name, extension),
      ),
    );
  };
  return (
    <Panel title="Export examples">
      <div className="row">
        <Button onPress={() => exportAs('export', 'jsonl')}>
          <Download size={15} aria-hidden />
          JSON Lines
        </Button>
        <Button onPress={() => exportAs('export?format=csv', 'csv')}>
          <Download size={15} aria-hidden />
          CSV
        </Button>
        <span className="soft">JSON Lines is complete and can be imported again. CSV is flat, for spreadsheets.</span>
      </div>
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}
