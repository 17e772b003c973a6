import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { evaluation } from '../../api/evaluation.js';
import { formatCount } from '../../components/format.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { useQueryString } from '../../components/query-string.js';
import { SharedBadge, ShareButton } from '../../shared/share.js';
import { AboutTab } from './about-tab.js';
import { ExamplesTab } from './examples-tab.js';
import { ExperimentsTab } from './experiments-tab.js';
import { RunExperimentButton } from './run-experiment.js';
import { UploadFile } from './upload/upload-file.js';
import { VersionsTab } from './versions-tab.js';

const CRUMBS = [{ name: 'Datasets', to: '/' }];

export function DatasetPage() {
  const { id } = useParams<{ id: string }>();
  const [query, change] = useQueryString();
  const dataset = useQuery({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => evaluation.dataset(id, signal),
  });
  if (dataset.data === undefined)
    return (
      <Page title="Dataset" crumbs={CRUMBS}>
        {dataset.error === null ? (
          <Loading />
        ) : (
          <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />
        )}
      </Page>
    );
  const { name, description, example_count: examples, session_count: experiments } = dataset.data;
  const tabs = [
    {
      id: 'experiments',
      name: 'Experiments',
      count: formatCount(experiments),
      content: <ExperimentsTab dataset={dataset.data} />,
    },
    { id: 'examples', name: 'Examples', count: formatCount(examples), content: <ExamplesTab dataset={dataset.data} /> },
    { id: 'versions', name: 'Versions', content: <VersionsTab dataset={dataset.data} /> },
    { id: 'about', name: 'About', content: <AboutTab dataset={dataset.data} /> },
  ];
  const requestedTab = query.get('tab');
  return (
    <Page
      title={name}
      crumbs={CRUMBS}
      badge={<SharedBadge kind="dataset" id={id} />}
      actions={
        <>
          <UploadFile dataset={dataset.data} />
          <ShareButton kind="dataset" id={id} />
          <RunExperimentButton dataset={dataset.data} />
        </>
      }
      about={
        description === null || description === '' ? undefined : <span dir="auto">{description.slice(0, 500)}</span>
      }
    >
      {dataset.error === null ? null : <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />}
      <Tabs
        label="Dataset views"
        tabs={tabs}
        value={tabs.some((tab) => tab.id === requestedTab) ? requestedTab! : 'experiments'}
        onChange={(tab) => change({ tab: tab === 'experiments' ? null : tab, offset: null })}
      />
    </Page>
  );
}
