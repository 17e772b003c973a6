import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { Badge } from '../../components/badge.js';
import { Button, IconButton } from '../../components/button.js';
import { Empty, ErrorNote, Loading, Note } from '../../components/note.js';
import { Time } from '../../components/time.js';
import { VirtualList } from '../../components/virtual-list.js';
import { CheckpointDetail } from './checkpoint-detail.js';
import { CompareStates } from './compare-states.js';
import { nameOf, stepsOf, useHistory, type Step } from './history-data.js';
import { useQueryString } from '../../components/query-string.js';
import type { ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

/** The line of checkpoints. One that is chosen shows its state, two what changed between them; both stand in the address. */
export function HistoryTab({ thread }: { thread: ThreadHead }) {
  const [params, change] = useQueryString();
  const ns = params.get('ns') ?? '';
  const history = useHistory(thread, ns);
  const steps = useMemo(() => stepsOf(history.data?.pages.flat() ?? []), [history.data]);
  if (history.data === undefined)
    return history.error === null ? (
      <Loading what="Reading the history" />
    ) : (
      <ErrorNote error={history.error} onRetry={() => void history.refetch()} />
    );
  const at = params.get('at') ?? steps[0]?.past.checkpoint.checkpoint_id ?? null;
  const other = params.get('with');
  const toRoot =
    ns === '' ? null : (
      <Note>
        <span className="row">
          History of the graph in the graph <code dir="auto">{ns}</code>
          <Button small onPress={() => change({ ns: null, at: null, with: null }, { push: true })}>
            Back to the whole graph
          </Button>
        </span>
      </Note>
    );
  if (at === null)
    return (
      <>
        {toRoot}
        <Empty title="There is no history.">
          {ns === ''
            ? 'A run, or a change of the state, begins one.'
            : 'This graph in the graph has kept no state of its own.'}
        </Empty>
      </>
    );
  return (
    <>
      {history.error === null ? null : <ErrorNote error={history.error} onRetry={() => void history.refetch()} />}
      {toRoot}
      <div className={styles['split']}>
        <div className={styles['past']}>
          <VirtualList
            label="Checkpoints, newest first"
            items={steps}
            idOf={({ past }) => past.checkpoint.checkpoint_id}
            estimate={58}
            render={(step) => (
              <Line
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
                    Show older ones
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

function Line({
  step,
  at,
  other,
  onChoose,
  onCompare,
}: {
  step: Step;
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
  const name = nameOf(step);
  const here = id === at;
  const mark = here ? styles['here'] : id === other ? styles['other'] : '';
  return (
    <div className={`${styles['checkpoint']} ${mark}`}>
      <button type="button" className={styles['pick']} aria-pressed={here || id === other} onClick={() => onChoose(id)}>
        <span className={styles['step']}>{step.step}</span>
        <span className={styles['node']} dir="auto">
          {name}
        </span>
        <span className={styles['more']}>
          <span>{source}</span>
          <Time at={made} />
          {next.length === 0 ? <Badge>end</Badge> : null}
          {id === other ? <Badge look="info">compared</Badge> : null}
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
