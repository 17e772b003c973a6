import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { queues } from '../api/queues.js';
import { consoleHref } from '../components/console-href.js';

/** The annotation queues that a run is in, as links. Absent without one, and for callers who may not list queues. */
export function QueuesOfRun({ runId }: { runId: string }) {
  const { data = [] } = useQuery({
    queryKey: ['queues', 'of-run', runId],
    queryFn: ({ signal }) => queues.ofRun(runId, signal),
  });
  if (data.length === 0) return null;
  return (
    <p>
      <span className="soft">In the annotation queue{data.length === 1 ? '' : 's'} </span>
      {data.map(({ id, name }, at) => (
        <Fragment key={id}>
          {at === 0 ? '' : ', '}
          <Link href={consoleHref(`/queues/${id}`)} dir="auto">
            {name}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}
