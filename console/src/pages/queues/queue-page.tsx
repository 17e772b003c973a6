import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { queues, type QueuedRun } from '../../api/queues.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { CopyableId } from '../../components/copy.js';
import { formatCount, pluralize, statusName } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { ReviewForm } from './review-form.js';

const CRUMBS = [{ name: 'Annotation queues', to: '/' }];
const ERROR_CHARS_MAX = 2_000;

/** The next run of a queue, with the fields of its rubric. `at` in the address counts skipped runs. */
export function QueuePage() {
  const { id } = useParams<{ id: string }>();
  const client = useQueryClient();
  const [query, change] = useQueryString();
  const index = queryNumber(query, 'at');
  const queue = useQuery({ queryKey: ['queues', 'one', id], queryFn: ({ signal }) => queues.get(id, signal) });
  const next = useQuery({
    queryKey: ['queues', 'next', id, index],
    queryFn: async ({ signal }) => {
      const [run, size] = await Promise.all([queues.run(id, index, signal), queues.size(id, signal)]);
      return { run, size };
    },
  });
  const failed = [queue, next].find(({ error }) => error !== null);
  const retry = failed === undefined ? null : <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (queue.data === undefined || next.data === undefined)
    return (
      <Page title="Annotation queue" crumbs={CRUMBS}>
        {retry ?? <Loading />}
      </Page>
    );
  const { name, description, rubric_instructions: instructions, rubric_items: items } = queue.data;
  const { run, size } = next.data;
  return (
    <Page
      title={name}
      crumbs={CRUMBS}
      about={
        description === null || description === '' ? undefined : <span dir="auto">{description.slice(0, 500)}</span>
      }
    >
      {retry}
      {run === null ? (
        <EmptyState title={size === 0 ? 'Nothing to review' : 'End of the queue'}>
          {size === 0 ? (
            'Add runs with a client.'
          ) : (
            <Link href={`/${id}`}>Review the {pluralize(size, 'skipped run')}</Link>
          )}
        </EmptyState>
      ) : (
        <>
          <RunPanel run={run} place={index + 1} size={size} />
          <Panel title="Review">
            {instructions === null || instructions === '' ? null : (
              <p dir="auto" className="soft">
                {instructions}
              </p>
            )}
            <ReviewForm
              key={run.queue_run_id}
              run={run}
              items={items}
              onSkip={() => change({ at: String(index + 1) })}
              onDone={async () => {
                showToast('Review stored.');
                await client.invalidateQueries({ queryKey: ['queues'] });
              }}
            />
          </Panel>
        </>
      )}
    </Page>
  );
}

function RunPanel({ run, place, size }: { run: QueuedRun; place: number; size: number }) {
  return (
    <Panel title={`Run ${formatCount(place)} of ${formatCount(size)}`}>
      <DescriptionList
        facts={[
          [
            'Status',
            <Badge key="status" variant={run.error === null ? 'good' : 'bad'}>
              {statusName(run.status)}
            </Badge>,
          ],
          ['Name', run.name],
          ['Added', <Time key="added" at={run.added_at} />],
          [
            'Experiment',
            <Link key="experiment" href={`~${CONSOLE_PATH}/experiments/${run.session_id}?run=${run.id}`}>
              Show the run
            </Link>,
          ],
          ['Run', <CopyableId key="run" id={run.id} />],
        ]}
      />
      {run.error === null ? null : <ErrorNote error={run.error.slice(0, ERROR_CHARS_MAX)} />}
      <h3>Inputs</h3>
      <JsonTree label="Inputs" value={run.inputs} openTo={2} rows={12} />
      <h3>Outputs</h3>
      <JsonTree label="Outputs" value={run.outputs} openTo={2} rows={12} />
    </Panel>
  );
}
