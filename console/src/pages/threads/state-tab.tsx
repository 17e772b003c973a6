import { useState } from 'react';
import { Pencil } from 'lucide-react';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { EditState } from './edit-state.js';
import { TaskList } from './task-list.js';
import { assistantIdOf, useLatestState, type ThreadSummary } from './thread-data.js';

/** The latest state of a thread, with an editor. */
export function StateTab({ thread }: { thread: ThreadSummary }) {
  const state = useLatestState(thread, null);
  const [editing, setEditing] = useState(false);
  if (state.data === undefined)
    return state.error === null ? (
      <Loading what="Loading the state" />
    ) : (
      <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
    );
  const { values, next, tasks, checkpoint, created_at: at } = state.data;
  const edit = (
    <Button needs="threads:update" onPress={() => setEditing(true)} isDisabled={assistantIdOf(thread) === null}>
      <Pencil size={14} aria-hidden />
      Edit state
    </Button>
  );
  return (
    <>
      {state.error === null ? null : <ErrorNote error={state.error} onRetry={() => void state.refetch()} />}
      <Panel title="Values" actions={edit}>
        {checkpoint === null ? (
          <EmptyState title="No state yet">Start a run on this thread to create one.</EmptyState>
        ) : (
          <JsonTree label="Values of the state" value={values} openTo={2} rows={28} />
        )}
      </Panel>
      {checkpoint === null ? null : (
        <Panel title="Next">
          <DescriptionList
            facts={[
              [
                'Next nodes',
                next.length === 0 ? (
                  'None, the graph has ended'
                ) : (
                  <span className="row">
                    {next.map((name, place) => (
                      <Badge key={place}>{name}</Badge>
                    ))}
                  </span>
                ),
              ],
              ['Checkpoint', <CopyableId id={checkpoint.checkpoint_id} />],
              ['Created', <Time at={at} />],
            ]}
          />
          <TaskList tasks={tasks} />
        </Panel>
      )}
      {editing ? (
        <EditState thread={thread} values={values} checkpoint={null} onClose={() => setEditing(false)} />
      ) : null}
    </>
  );
}
