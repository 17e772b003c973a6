import type { UseQueryResult } from '@tanstack/react-query';
import { consoleHref } from '../../components/console-href.js';
import { formatCount } from '../../components/format.js';
import { StatTile, StatTiles, type StatVariant } from '../../components/stat-tile.js';
import { useFiringAlerts, useQueueState, useThreadCount } from './home-data.js';
import { isForbidden } from '../../shared/forbidden.js';

/** What runs and waits at this moment, and what needs a person. */
export function Now() {
  const queue = useQueueState();
  const busy = useThreadCount('busy');
  const interrupted = useThreadCount('interrupted');
  const failed = useThreadCount('error');
  const firing = useFiringAlerts();
  const queueHref = consoleHref('/server', { tab: 'queue' });
  const threadsHref = (status: string): string => consoleHref('/threads', { status });
  const tiles = isForbidden(queue.error)
    ? [tile('Busy threads', busy, threadsHref('busy'), { when: 'info' })]
    : [
        tile(
          'Running',
          mapped(queue, ({ running }) => running.total),
          queueHref,
          { when: 'info' },
        ),
        tile(
          'Queued',
          mapped(queue, ({ waiting }) => waiting.total),
          queueHref,
          { when: 'warn' },
        ),
      ];
  return (
    <StatTiles label="Now">
      {[
        ...tiles,
        tile('Interrupted threads', interrupted, threadsHref('interrupted'), { when: 'warn' }),
        tile('Failed threads', failed, threadsHref('error'), { when: 'bad' }),
        tile(
          'Firing alerts',
          mapped(firing, ({ length }) => length),
          consoleHref('/alerts'),
          { when: 'bad' },
        ),
      ]}
    </StatTiles>
  );
}

type Count = Pick<UseQueryResult<number, unknown>, 'data' | 'error'>;

function mapped<T>({ data, error }: UseQueryResult<T, unknown>, count: (data: T) => number): Count {
  return { data: data === undefined ? undefined : count(data), error };
}

/** `when`: the color if the number is not zero. Nothing if it may not be read. */
function tile(name: string, { data, error }: Count, to: string, { when }: { when: StatVariant }) {
  if (isForbidden(error)) return null;
  return (
    <StatTile
      key={name}
      name={name}
      to={to}
      value={data === undefined ? '–' : formatCount(data)}
      variant={data === undefined || data === 0 ? 'neutral' : when}
    />
  );
}
