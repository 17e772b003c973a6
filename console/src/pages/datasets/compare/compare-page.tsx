import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { FileDown } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { COMPARED_MAX, evaluation } from '../../../api/evaluation.js';
import { Button } from '../../../components/button.js';
import { CopyButton } from '../../../components/copy.js';
import { useDoing } from '../../../components/doing.js';
import { many } from '../../../components/format.js';
import { Empty, ErrorNote } from '../../../components/note.js';
import { Page } from '../../../components/page.js';
import { useSearch } from '../../../components/query-string.js';
import { ComparisonView } from './comparison-view.js';
import { saveComparison } from './save.js';
import { serverSource, Source } from './source.js';
import { searchOf, viewOf, type View } from './view.js';

/** The comparison of a server. Where it stands, and which cell is open, is in its address: the link shows exactly this. */
export function ComparePage() {
  const { id } = useParams<{ id: string }>();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const view = useMemo(() => viewOf(search), [search]);
  const source = useMemo(
    () => serverSource(id, (experimentId, runId) => `/experiments/${experimentId}?run=${runId}`),
    [id],
  );
  const dataset = useQuery({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => evaluation.dataset(id, signal),
  });
  // Keys come faster than the page is drawn: each change builds on the one before.
  const latest = useRef(view);
  latest.current = view;
  const onView = useCallback(
    (patch: Partial<View>) => {
      latest.current = { ...latest.current, ...patch };
      navigate(`${location}?${searchOf(latest.current)}`, { replace: true });
    },
    [location, navigate],
  );
  const name = dataset.data?.name ?? 'Dataset';
  const many_ = view.experiments.length;
  return (
    <Page
      title="Comparison"
      crumbs={[
        { name: 'Datasets', to: '/' },
        { name, to: `/${id}` },
      ]}
      about={many_ === 0 ? undefined : `${many(many_, 'experiment')} on ${name}.`}
      actions={
        many_ === 0 ? null : (
          <>
            <CopyButton named text={() => window.location.href} label="Copy the link" />
            <SaveButton datasetId={id} name={name} view={view} />
          </>
        )
      }
    >
      {dataset.error === null ? null : <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />}
      {many_ === 0 ? (
        <Empty title="No experiments are chosen.">Choose some in the list of experiments of the dataset.</Empty>
      ) : many_ > COMPARED_MAX ? (
        <Empty title={`At most ${COMPARED_MAX} experiments are compared at once.`} />
      ) : (
        <Source.Provider value={source}>
          <ComparisonView view={view} onView={onView} />
        </Source.Provider>
      )}
    </Page>
  );
}

function SaveButton({ datasetId, name, view }: { datasetId: string; name: string; view: View }) {
  const { error, pending, attempt } = useDoing();
  const [read, setRead] = useState(0);
  const save = (): Promise<void> =>
    attempt(() => {
      setRead(0);
      return saveComparison(datasetId, name, view, setRead);
    });
  return (
    <>
      <Button isPending={pending} onPress={() => void save()}>
        <FileDown size={15} aria-hidden />
        {pending ? `${many(read, 'row')} read` : 'Save as HTML'}
      </Button>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}
