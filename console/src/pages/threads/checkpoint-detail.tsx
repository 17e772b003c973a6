import { useState } from 'react';
import { GitBranch, GitCompareArrows, Pencil } from 'lucide-react';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { JsonTree } from '../../components/json-tree.js';
import { RUN } from '../../components/needs.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { EditState } from './edit-state.js';
import { ForkDialog } from './fork-dialog.js';
import { stepName, useCheckpointState, type HistoryStep } from './history-data.js';
import { useQueryString } from '../../components/query-string.js';
import { TaskList } from './task-list.js';
import { assistantIdOf, type ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

/** The state at one checkpoint, with actions to compare, edit and fork it. */
export function CheckpointDetail({
  thread,
  ns,
  checkpointId,
  step,
}: {
  thread: ThreadSummary;
  ns: string;
  checkpointId: string;
  step: HistoryStep | null;
}) {
  const state = useCheckpointState(thread.thread_id, ns, checkpointId);
  const [, change] = useQueryString();
  const [open, setOpen] = useState<'fork' | 'edit' | null>(null);
  if (state.data === undefined)
    return state.error === null ? (
      <Loading what="Loading the state" />
    ) : (
      <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
    );
  const { values, next, tasks, metadata, created_at: at, parent_checkpoint: parent } = state.data;
  const known = assistantIdOf(thread) !== null;
  // Pin this checkpoint, so that the page does not switch to a newer one.
  const begin = (what: 'fork' | 'edit'): void => {
    change({ at: checkpointId });
    setOpen(what);
  };
  const checkpoint = { checkpoint_id: checkpointId, checkpoint_ns: ns };
  const runId = metadata['run_id'];
  const actions = (
    <>
      {parent === null ? null : (
        <Button small onPress={() => change({ at: checkpointId, with: parent.checkpoint_id }, { push: true })}>
          <GitCompareArrows size={14} aria-hidden />
          Show changes
        </Button>
      )}
      <Button needs="threads:update" small isDisabled={!known} onPress={() => begin('edit')}>
        <Pencil size={14} aria-hidden />
        Edit state
      </Button>
      {ns === '' ? (
        <Button needs={RUN} small isDisabled={!known} onPress={() => begin('fork')}>
          <GitBranch size={14} aria-hidden />
          Fork
        </Button>
      ) : null}
    </>
  );
  return (
    <div className={styles['detail']}>
      <Panel title={step === null ? 'State' : `State after step ${step.step}`} actions={actions}>
        <DescriptionList
          facts={[
            ['Written by', <bdi dir="auto">{step === null ? String(metadata['source'] ?? '') : stepName(step)}</bdi>],
            [
              'Next nodes',
              next.length === 0 ? (
                'None'
              ) : (
                <span className="row">
                  {next.map((name, place) => (
                    <Badge key={place}>{name}</Badge>
                  ))}
                </span>
              ),
            ],
            ['Created', <Time at={at} />],
            ['Checkpoint', <CopyableId id={checkpointId} />],
            ...(typeof runId === 'string' ? [['Run', <CopyableId id={runId} />] as const] : []),
          ]}
        />
        <JsonTree label="Values at this checkpoint" value={values} openTo={2} rows={22} />
      </Panel>
      {tasks.length === 0 ? null : (
        <Panel title="Next tasks">
          <TaskList
            tasks={tasks}
            extra={({ checkpoint: below }) =>
              below === null ? null : (
                <Button small onPress={() => change({ ns: below.checkpoint_ns, at: null, with: null }, { push: true })}>
                  Subgraph history
                </Button>
              )
            }
          />
        </Panel>
      )}
      {open === 'fork' ? (
        <ForkDialog thread={thread} checkpoint={checkpoint} next={next} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'edit' ? (
        <EditState thread={thread} values={values} checkpoint={checkpoint} onClose={() => setOpen(null)} />
      ) : null}
    </div>
  );
}
