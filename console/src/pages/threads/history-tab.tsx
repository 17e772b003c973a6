import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { Badge } from '../../components/badge.js';
import { Button, IconButton } from '../../components/button.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { Time } from '../../components/time.js';
import { VirtualList } from '../../components/virtual-list.js';
import { CheckpointDetail } from './checkpoint-detail.js';
import { CompareStates } from './compare-states.js';
import { stepName, historySteps, useHistory, type HistoryStep } from './history-data.js';
import { useQueryString } from '../../components/query-string.js';
import type { ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

/** The checkpoints of a thread. One selected checkpoint shows its state, two show the changes. The URL keeps both. */
export function HistoryTab({ thread }: { thread: ThreadSummary }) {
  const [params, change] = useQueryString();
  const ns = params.get('ns') ?? '';
  const history = useHistory(thread, ns);
  const steps = useMemo(() => historySteps(history.data?.pages.flat() ?? []), [history.data]);
  if (history.data === undefined)
    return history.error === null ? (
      <Loading what="Loading the history" />
    ) : (
      <ErrorNote error={history.error} onRetry={() => void history.refetch()} />
    );
  const at = params.get('at') ?? steps[0]?.past.checkpoint.checkpoint_id ?? null;
  const other = params.get('with');
  const toRoot =
    ns === '' ? null : (
      <Note>
        <span className="row">
          History of the subgraph <code dir="auto">{ns}</code>
          <Button small onPress={() => change({ ns: null, at: null, with: null }, { push: true })}>
            Back to the main graph
          </Button>
        </span>
      </Note>
    );
  if (at === null)
    return (
      <>
        {toRoot}
        <EmptyState title="No checkpoints yet">
          {ns === ''
            ? 'Start a run or edit the state to create one.'
            : 'This subgraph stores no state of its own. Go back to the main graph.'}
        </EmptyState>
      </>
    );
  return (
    <>
      {history.error === null ? null : <ErrorNote error={history.error} onRetry={() => void history.refetch()} />}
      {toRoot}
      <div className={styles['split']}>
        <div className={styles['checkpoints']}>
          <VirtualList
            label="Checkpoints, newest first"
            items={steps}
            idOf={({ past }) => past.checkpoint.checkpoint_id}
            estimate={58}
            render={(step) => (
              <CheckpointRow
                step={step}
                at={at}
                other={other}
                onChoose={(id) => change({ at: id, with: null }, { push: true })}
                onCompare={(id) => change({ with: id === other ? null : id }, { push: true })}
              />
            )}
            tail={
              history.hasNextPage ? (
                <div className={styles['compare']}>
                  <Button small isPending={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
                    Show older
                  </Button>
                </div>
              ) : undefined
            }
          />
        </div>
        {other === null ? (
          <CheckpointDetail
            key={at}
            thread={thread}
            ns={ns}
            checkpointId={at}
            step={steps.find(({ past }) => past.checkpoint.checkpoint_id === at) ?? null}
          />
        ) : (
          <CompareStates
            threadId={thread.thread_id}
            ns={ns}
            ids={[at, other]}
            steps={steps}
            onClose={() => change({ with: null }, { push: true })}
          />
        )}
      </div>
    </>
  );
}

function CheckpointRow({
  step,
  at,
  other,
  onChoose,
  onCompare,
}: {
  step: HistoryStep;
  at: string;
  other: string | null;
  onChoose: (id: string) => void;
  onCompare: (id: string) => void;
}) {
  const {
    past: {
      checkpoint: { checkpoint_id: id },
      created_at: made,
      next,
    },
    source,
  } = step;
  const name = stepName(step);
  const here = id === at;
  const mark = here ? styles['here'] : id === other ? styles['other'] : '';
  return (
    <div className={`${styles['checkpoint']} ${mark}`}>
      <button
        type="button"
        className={styles['checkpointButton']}
        aria-pressed={here || id === other}
        onClick={() => onChoose(id)}
      >
        <span className={styles['step']}>{step.step}</span>
        <span className={styles['node']} dir="auto">
          {name}
        </span>
        <span className={styles['more']}>
          <span>{source}</span>
          <Time at={made} />
          {next.length === 0 ? <Badge>End</Badge> : null}
          {id === other ? <Badge variant="info">Compared</Badge> : null}
        </span>
      </button>
      <span className={styles['compare']}>
        {here ? null : (
          <IconButton small label={`Compare with step ${step.step}, ${name}`} onPress={() => onCompare(id)}>
            <GitCompareArrows size={14} aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  );
}
