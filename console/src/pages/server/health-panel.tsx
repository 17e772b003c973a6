import { useQuery } from '@tanstack/react-query';
import { AlertTriangle, CircleAlert, CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { alerts } from '../../api/alerts.js';
import { fetchJson } from '../../api/http.js';
import { serverApi } from '../../api/server.js';
import { consoleHref } from '../../components/console-href.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { refreshUnlessForbidden } from '../../shared/forbidden.js';
import { MetricsSample, type MetricName, type MetricsResponse } from '../../shared/server-metrics.js';
import { describeHour, healthProblems, type HealthFacts, type HealthProblem } from './health.js';
import { HOUR, useServerHistory } from './history-data.js';
import { useInfo } from '../../shared/use-info.js';
import styles from './health-panel.module.css';

const REFRESH_MS = 10_000;
const SLOW_REFRESH_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
const NAMES: readonly MetricName[] = [
  'threadmill_store_failed',
  'threadmill_store_disk_free_bytes',
  'threadmill_workers_silent',
];

/** The state of the server in one sentence, and what to do if something is wrong. */
export function HealthPanel() {
  const { facts, error, refetch } = useHealthFacts();
  if (facts === null) return error === null ? <Loading /> : <ErrorNote error={error} onRetry={refetch} />;
  const problems = healthProblems(facts);
  return (
    <section className={styles['panel']} aria-label="Health">
      <Summary problems={problems} />
      {problems.length === 0 ? null : (
        <ul className={styles['problems']}>
          {problems.map((problem) => (
            <li key={problem.what}>
              {problems.length === 1 ? null : <span className={styles['what']}>{problem.what}</span>}
              <span className={styles['advice']}>
                {problem.advice}
                {problem.link === undefined ? null : (
                  <>
                    {' '}
                    <Link href={consoleHref(problem.link.path, problem.link.query)}>{problem.link.name}</Link>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['hour']}>{describeHour(facts.hour)}</p>
      {error === null ? null : <ErrorNote error={error} onRetry={refetch} />}
    </section>
  );
}

/** Screen readers hear it when it changes. */
function Summary({ problems }: { problems: readonly HealthProblem[] }) {
  const [first] = problems;
  const [level, text] =
    first === undefined
      ? (['good', 'All is well.'] as const)
      : ([first.level, problems.length === 1 ? first.what : `${problems.length} things need attention.`] as const);
  const Icon = { good: CircleCheck, warn: AlertTriangle, bad: CircleAlert }[level];
  return (
    <p role="status" className={`${styles['summary']} ${styles[level]}`}>
      <Icon size={22} aria-hidden />
      <span>{text}</span>
    </p>
  );
}

function useHealthFacts(): { facts: HealthFacts | null; error: unknown; refetch: () => void } {
  const isCluster = useInfo()?.metadata.cluster === true;
  const metrics = useQuery({
    queryKey: ['server', 'health'],
    queryFn: async ({ signal }) =>
      new MetricsSample(
        await fetchJson<MetricsResponse>('metrics', { query: { format: 'json', names: NAMES.join(',') }, signal }),
        Date.now(),
      ),
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
    structuralSharing: false,
  });
  const history = useServerHistory(HOUR);
  const firing = useQuery({
    queryKey: ['alerts', 'firing'],
    queryFn: ({ signal }) => alerts.firing(signal),
    refetchInterval: refreshUnlessForbidden(SLOW_REFRESH_MS),
  });
  const deliveries = useQuery({
    queryKey: ['server', 'deliveries', 'failed'],
    queryFn: ({ signal }) => serverApi.deliveries('failed', signal),
    refetchInterval: refreshUnlessForbidden(SLOW_REFRESH_MS),
  });
  const nodes = useQuery({
    queryKey: ['server', 'nodes'],
    queryFn: ({ signal }) => fetchJson<{ nodes: { name: string; role: string }[] }>('server/nodes', { signal }),
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
    enabled: isCluster,
  });
  const refetch = (): void => {
    void metrics.refetch();
    void history.refetch();
  };
  const error = metrics.error ?? history.error;
  if (metrics.data === undefined || history.data === undefined) return { facts: null, error, refetch };
  return {
    error,
    refetch,
    facts: {
      storeFailed: metrics.data.sum('threadmill_store_failed') > 0,
      diskFreeBytes: metrics.data.sum('threadmill_store_disk_free_bytes'),
      silentWorkers: metrics.data.sum('threadmill_workers_silent'),
      hour: history.data.total,
      firingAlerts: firing.data?.length,
      failedDeliveries: deliveries.data?.deliveries.filter(
        ({ attempts }) => Date.parse(attempts.at(-1)?.sent_at ?? '') > Date.now() - DAY_MS,
      ).length,
      lostNodes: nodes.data?.nodes.filter(({ role }) => role === 'lost').map(({ name }) => name),
    },
  };
}
