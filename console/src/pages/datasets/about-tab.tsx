import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../../api/session.js';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { download } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Confirm } from '../../components/dialog.js';
import { useDoing } from '../../components/doing.js';
import { TextArea, TextField } from '../../components/field.js';
import { count, many } from '../../components/format.js';
import { JsonEditor, readJson } from '../../components/json-editor.js';
import { ErrorNote } from '../../components/note.js';
import { Facts, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { ExperimentName } from '../../shared/experiment-name.js';

/** What a dataset is called, what it is for, and the ways out of it. */
export function AboutTab({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Panel title="Facts">
        <Facts
          facts={[
            ['Id', <Id key="id" id={dataset.id} />],
            ['Examples', count(dataset.example_count)],
            ['Experiments', count(dataset.session_count)],
            ['Kind', dataset.data_type],
            ['Made', <Time key="made" at={dataset.created_at} />],
            ['Changed', <Time key="changed" at={dataset.modified_at} />],
            ['Takes uploads', dataset.externally_managed ? 'yes' : 'no: its examples were made by hand or by a client'],
            [
              'Baseline',
              dataset.baseline_experiment_id === null ? (
                'none'
              ) : (
                <ExperimentName
                  key="baseline"
                  id={dataset.baseline_experiment_id}
                  href={`~${BASE}/experiments/${dataset.baseline_experiment_id}`}
                />
              ),
            ],
          ]}
        />
      </Panel>
      <Editing dataset={dataset} />
      <Exports dataset={dataset} />
      <Panel title="Delete">
        <div className="row">
          <Button look="danger" onPress={() => setAsks(true)}>
            <Trash2 size={15} aria-hidden />
            Delete this dataset
          </Button>
        </div>
      </Panel>
      <Confirm
        title={`Delete ${dataset.name}?`}
        isOpen={asks}
        onClose={() => setAsks(false)}
        verb="Delete it"
        onConfirm={async () => {
          await evaluation.deleteDataset(dataset.id);
          await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
          say('The dataset is deleted.');
          navigate('/');
        }}
      >
        Its {many(dataset.example_count, 'example')} and {many(dataset.session_count, 'experiment')} with all runs and
        scores are deleted too. This cannot be taken back.
      </Confirm>
    </>
  );
}

function Editing({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [name, setName] = useState(dataset.name);
  const [description, setDescription] = useState(dataset.description ?? '');
  const [metadata, setMetadata] = useState(prettyJson(dataset.metadata ?? {}));
  const { error, pending, attempt } = useDoing();
  const read = readJson(metadata);
  const save = (): Promise<void> =>
    attempt(async () => {
      const saved = await evaluation.patchDataset(dataset.id, {
        name,
        description,
        metadata: read.value as Dataset['metadata'],
      });
      client.setQueryData(['datasets', 'one', dataset.id], saved);
      await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
      say('Saved.');
    });
  return (
    <Panel title="Name, description and metadata">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} isRequired />
        <TextArea label="Description" value={description} onChange={setDescription} />
        <JsonEditor label="Metadata" text={metadata} onChange={setMetadata} rows={6} />
        {error === null ? null : <ErrorNote error={error} />}
        <div className="row">
          <Button
            type="submit"
            look="primary"
            isPending={pending}
            isDisabled={name.trim() === '' || read.error !== null}
          >
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Exports({ dataset }: { dataset: Dataset }) {
  const { error, attempt } = useDoing();
  const take = (path: string, ending: string): void => {
    void attempt(() =>
      download(`api/v1/datasets/${encodeURIComponent(dataset.id)}/${path}`, `${fileName(dataset.name)}.${ending}`),
    );
  };
  return (
    <Panel title="Take the examples with you">
      <div className="row">
        <Button onPress={() => take('export', 'jsonl')}>
          <Download size={15} aria-hidden />
          JSON lines
        </Button>
        <Button onPress={() => take('export?format=csv', 'csv')}>
          <Download size={15} aria-hidden />
          CSV
        </Button>
        <span className="soft">
          JSON lines have everything and can be imported again; CSV is flat, for spreadsheets.
        </span>
      </div>
      {error === null ? null : <ErrorNote error={error} />}
    </Panel>
  );
}

function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'dataset';
}
