import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { FileDown } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { EXPERIMENTS_COMPARED_MAX, evaluation } from '../../../api/evaluation.js';
import { Button } from '../../../components/button.js';
import { CopyButton } from '../../../components/copy.js';
import { useAsyncAction } from '../../../components/async-action.js';
import { pluralize } from '../../../components/format.js';
import { EmptyState, ErrorNote } from '../../../components/note.js';
import { Page } from '../../../components/page.js';
import { useSearch } from '../../../components/query-string.js';
import { ComparisonView } from './comparison-view.js';
import { saveComparison } from './save.js';
import { serverSource, SourceContext } from './source.js';
import { viewToSearch, viewFromSearch, type ChangeView, type View } from './view.js';

/** Comparison of experiments on a server. The URL contains the whole view, including the open cell. */
export function ComparePage() {
  const { id } = useParams<{ id: string }>();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const view = useMemo(() => viewFromSearch(search), [search]);
  const source = useMemo(
    () => serverSource(id, (experimentId, runId) => `/experiments/${experimentId}?run=${runId}`),
    [id],
  );
  const dataset = useQuery({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => evaluation.dataset(id, signal),
  });
  // Keys can arrive faster than renders, so each change builds on the previous one.
  const latest = useRef(view);
  latest.current = view;
  const onView = useCallback<ChangeView>(
    (patch, { push = false } = {}) => {
      latest.current = { ...latest.current, ...patch };
      navigate(`${location}?${viewToSearch(latest.current)}`, { replace: !push });
    },
    [location, navigate],
  );
  const name = dataset.data?.name ?? 'Dataset';
  const experimentCount = view.experiments.length;
  return (
    <Page
      title="Comparison"
      crumbs={[
        { name: 'Datasets', to: '/' },
        { name, to: `/${id}` },
      ]}
      about={experimentCount === 0 ? undefined : `${pluralize(experimentCount, 'experiment')} on ${name}.`}
      actions={
        experimentCount === 0 ? null : (
          <>
            <CopyButton named text={() => window.location.href} label="Copy link" />
            <SaveButton datasetId={id} name={name} view={view} />
          </>
        )
      }
    >
      {dataset.error === null ? null : <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />}
      {experimentCount === 0 ? (
        <EmptyState title="No experiments selected">Select experiments in the list of the dataset.</EmptyState>
      ) : experimentCount > EXPERIMENTS_COMPARED_MAX ? (
        <EmptyState title="Too many experiments">Select at most {EXPERIMENTS_COMPARED_MAX} experiments.</EmptyState>
      ) : (
        <SourceContext.Provider value={source}>
          <ComparisonView view={view} onView={onView} />
        </SourceContext.Provider>
      )}
    </Page>
  );
}

function SaveButton({ datasetId, name, view }: { datasetId: string; name: string; view: View }) {
  const { error, isPending, execute } = useAsyncAction();
  const [read, setRead] = useState(0);
  const save = (): Promise<void> =>
    execute(() => {
      setRead(0);
      return saveComparison(datasetId, name, view, setRead);
    });
  return (
    <>
      <Button isPending={isPending} onPress={() => void save()}>
        <FileDown size={15} aria-hidden />
        {isPending ? `${pluralize(read, 'row')} loaded` : 'Save as HTML'}
      </Button>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}
