import { Play } from 'lucide-react';
import type { Experiment } from '../../api/evaluation.js';
import { ButtonLink } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { lazyPart } from '../../components/lazy-component.js';
import { RUN } from '../../components/needs.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { FirstSteps } from '../../shared/lazy-first-steps.js';
import { useTraceProjects } from '../../shared/trace-projects.js';
import { FiringAlerts } from './firing-alerts.js';
import { useRecentExperiments, useThreadCount } from './home-data.js';
import { Now } from './now.js';
import { RecentExperiments } from './recent-experiments.js';
import { RecentThreads } from './recent-threads.js';
import { isForbidden } from '../../shared/forbidden.js';
import { ServerFigures } from './server-figures.js';
import styles from './home.module.css';

const Activity = lazyPart(async () => (await import('../../shared/activity.js')).Activity, <Loading />);

/** What happens on the server, or how to begin if nothing has happened yet. */
export function HomePage() {
  const threads = useThreadCount('');
  const experiments = useRecentExperiments();
  const projects = useTraceProjects();
  const counts = [threads.data, experiments.data?.length, projects.data?.filter(hasRuns).length];
  const isKnown = [threads, experiments, projects].every(({ data, error }) => data !== undefined || error !== null);
  const isEmpty = isKnown && counts.every((count) => (count ?? 0) === 0) && counts.some((count) => count === 0);
  return (
    <Page
      title="Home"
      about={isEmpty ? 'This server is ready. Three ways to begin:' : undefined}
      actions={
        <ButtonLink needs={RUN} variant={isEmpty ? 'plain' : 'primary'} to={consoleHref('/run')}>
          <Play size={15} aria-hidden />
          Start a run
        </ButtonLink>
      }
    >
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <>
          <Now />
          <FiringAlerts />
          <Charts projects={projects} />
          <div className={styles['columns']}>
            <RecentThreads />
            <RecentExperiments />
          </div>
        </>
      )}
    </Page>
  );
}

/** The default project exists from the start. */
function hasRuns({ run_count: count }: Experiment): boolean {
  return (count ?? 0) > 0;
}

function Charts({ projects }: { projects: ReturnType<typeof useTraceProjects> }) {
  const [query, change] = useQueryString();
  if (projects.data === undefined)
    return projects.error === null ? null : isForbidden(projects.error) ? (
      <ServerFigures />
    ) : (
      <ErrorNote error={projects.error} onRetry={() => void projects.refetch()} />
    );
  if (!projects.data.some(hasRuns)) return <ServerFigures />;
  return (
    <Activity
      filter={{ sessions: projects.data.map(({ id }) => id), filter: null, treeFilter: null }}
      spanId={query.get('time')}
      onSpan={(time) => change({ time })}
      hrefOf={(more) => consoleHref('/traces', more)}
    />
  );
}
