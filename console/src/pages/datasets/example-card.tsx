import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { evaluation, type Example } from '../../api/evaluation.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { Checkbox } from '../../components/field.js';
import { formatCount, shortId } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { Attachments } from '../../shared/attachments.js';
import { ExampleForm } from './example-form.js';
import styles from './examples-tab.module.css';

/** An example, which can be edited in place. `selection`: null in an earlier version, which cannot change. */
export function ExampleCard({
  example,
  place,
  selection,
  onDelete,
}: {
  example: Example;
  place: number;
  selection: { isSelected: boolean; onSelect: (isSelected: boolean) => void } | null;
  onDelete: () => void;
}) {
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const { dataset_split: splits, ...metadata } = example.metadata ?? {};
  const close = (): void => {
    setEditing(false);
    setWasEdited(true);
  };
  return (
    <article className={styles['example']} aria-label={`Example ${formatCount(place)}`}>
      <header className={styles['head']}>
        {selection === null ? (
          <strong>{formatCount(place)}</strong>
        ) : (
          <Checkbox value={selection.isSelected} onChange={selection.onSelect}>
            <strong>
              <span className="visually-hidden">Select example </span>
              {formatCount(place)}
            </strong>
          </Checkbox>
        )}
        <CopyableId id={example.id} />
        {example.name === null || example.name === generatedName(example.id) ? null : (
          <span dir="auto">{example.name}</span>
        )}
        {Array.isArray(splits) ? splits.map((split) => <Badge key={String(split)}>{String(split)}</Badge>) : null}
        <Origin example={example} />
        <span className={styles['when']}>
          Updated <Time at={example.modified_at} />
        </span>
        {selection === null || isEditing ? null : (
          <span className="row">
            <Button
              needs="datasets:update"
              small
              variant="quiet"
              autoFocus={wasEdited}
              onPress={() => setEditing(true)}
            >
              <Pencil size={14} aria-hidden />
              Edit
            </Button>
            <Button needs="datasets:delete" small variant="quiet" onPress={onDelete}>
              <Trash2 size={14} aria-hidden />
              Delete
            </Button>
          </span>
        )}
      </header>
      {isEditing ? (
        <ExampleForm
          example={example}
          saveLabel="Save"
          onClose={close}
          save={async (content) => {
            await evaluation.patchExample(example.id, content);
            await client.invalidateQueries({ queryKey: ['datasets'] });
            showToast('The example is saved as a new version.');
            close();
          }}
        />
      ) : (
        <>
          <div className={styles['sides']}>
            <div>
              <h3>Inputs</h3>
              <JsonTree label={`Inputs of example ${place}`} value={example.inputs} openTo={2} rows={10} />
            </div>
            <div>
              <h3>Reference outputs</h3>
              {example.outputs === null ? (
                <p className="soft">None</p>
              ) : (
                <JsonTree
                  label={`Reference outputs of example ${place}`}
                  value={example.outputs}
                  openTo={2}
                  rows={10}
                />
              )}
            </div>
          </div>
          <Attachments urls={example.attachment_urls} />
          {Object.keys(metadata).length === 0 ? null : (
            <div>
              <h3>Metadata</h3>
              <JsonTree label={`Metadata of example ${place}`} value={metadata} rows={6} />
            </div>
          )}
        </>
      )}
    </article>
  );
}

/** Links to the trace and the thread that the example was made from. */
function Origin({ example: { source_run_id: runId, metadata } }: { example: Example }) {
  const [traceId, threadId] = [metadata?.['source_trace_id'], metadata?.['source_thread_id']];
  if (runId === null || runId === undefined) return null;
  return (
    <span className="row">
      <Link
        href={`~${CONSOLE_PATH}/traces/${typeof traceId === 'string' ? encodeURIComponent(traceId) : runId}?step=${runId}`}
      >
        Trace
      </Link>
      {typeof threadId === 'string' ? (
        <Link href={`~${CONSOLE_PATH}/threads/${encodeURIComponent(threadId)}`}>Thread</Link>
      ) : null}
    </span>
  );
}

/** What the server calls an example without a name: its id once more. */
function generatedName(id: string): string {
  return `#${shortId(id)}`;
}
