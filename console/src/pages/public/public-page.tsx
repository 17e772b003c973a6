import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { publicShares, type PublicExperiment, type PublicRun } from '../../api/public-shares.js';
import { Badge } from '../../components/badge.js';
import { formatCount, formatPercent, pluralize, statusName } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { RunValues } from '../../shared/run-values.js';
import { formatSeconds } from '../../shared/scores.js';

const PAGE_SIZE = 20;
const ERROR_CHARS_MAX = 2_000;
const EXPERIMENTS_SHOWN_MAX = 100;

const EXPERIMENT_COLUMNS: readonly Column<PublicExperiment>[] = [
  { id: 'name', name: 'Experiment', cell: ({ name }) => name },
  { id: 'start', name: 'Started', cell: (one) => <Time at={one.start_time} /> },
  { id: 'runs', name: 'Runs', numbers: true, cell: (one) => formatCount(one.run_count ?? 0) },
  {
    id: 'errors',
    name: 'Errors',
    numbers: true,
    cell: (one) => (one.error_rate === null ? '–' : formatPercent(one.error_rate)),
  },
  {
    id: 'p50',
    name: 'p50',
    numbers: true,
    cell: (one) => (one.latency_p50 === null ? '–' : formatSeconds(one.latency_p50)),
  },
];

/** What a share link shows, without a key and without the menu. */
export function PublicPage() {
  const { token } = useParams<{ token: string }>();
  const [query] = useQueryString();
  return query.get('kind') === 'r' ? <SharedTrace token={token} /> : <SharedDataset token={token} />;
}

function SharedDataset({ token }: { token: string }) {
  const [query, change] = useQueryString();
  const offset = queryNumber(query, 'offset');
  const dataset = useQuery({
    queryKey: ['public', token, 'dataset'],
    queryFn: ({ signal }) => publicShares.dataset(token, signal),
  });
  const examples = useQuery({
    queryKey: ['public', token, 'examples', offset],
    queryFn: ({ signal }) => publicShares.examples(token, { offset, limit: PAGE_SIZE }, signal),
    placeholderData: keepPreviousData,
  });
  const experiments = useQuery({
    queryKey: ['public', token, 'experiments'],
    queryFn: ({ signal }) => publicShares.experiments(token, { offset: 0, limit: EXPERIMENTS_SHOWN_MAX }, signal),
  });
  const failed = [dataset, examples, experiments].find(({ error }) => error !== null);
  if (dataset.data === undefined || examples.data === undefined)
    return (
      <Page title="Shared dataset">{failed === undefined ? <Loading /> : <ErrorNote error={failed.error} />}</Page>
    );
  const { name, description, example_count: total } = dataset.data;
  return (
    <Page title={name} about={description === null || description === '' ? undefined : description.slice(0, 500)}>
      {failed === undefined ? null : <ErrorNote error={failed.error} />}
      {experiments.data === undefined || experiments.data.length === 0 ? null : (
        <Panel title={experiments.data.length < EXPERIMENTS_SHOWN_MAX ? 'Experiments' : 'Newest experiments'} flush>
          <Table label="Experiments" columns={EXPERIMENT_COLUMNS} items={experiments.data} idOf={({ id }) => id} />
        </Panel>
      )}
      {examples.data.length === 0 ? <EmptyState title="No examples" /> : null}
      {examples.data.map((example, at) => (
        <Panel key={example.id} title={`Example ${formatCount(offset + at + 1)}`}>
          <h3>Inputs</h3>
          <JsonTree label={`Inputs of example ${offset + at + 1}`} value={example.inputs} openTo={2} rows={10} />
          <h3>Reference outputs</h3>
          {example.outputs === null ? (
            <p className="soft">None</p>
          ) : (
            <JsonTree label={`Outputs of example ${offset + at + 1}`} value={example.outputs} openTo={2} rows={10} />
          )}
        </Panel>
      ))}
      <Pagination
        what="examples"
        offset={offset}
        shown={examples.data.length}
        total={total}
        hasMore={offset + PAGE_SIZE < total}
        size={PAGE_SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
    </Page>
  );
}

function SharedTrace({ token }: { token: string }) {
  const trace = useQuery({
    queryKey: ['public', token, 'runs'],
    queryFn: ({ signal }) => publicShares.runs(token, signal),
  });
  const [root, ...children] = trace.data?.runs ?? [];
  if (root === undefined)
    return <Page title="Shared run">{trace.error === null ? <Loading /> : <ErrorNote error={trace.error} />}</Page>;
  return (
    <Page title={root.name} about={pluralize(children.length + 1, 'run')}>
      {[root, ...children].map((run) => (
        <RunPanel key={run.id} run={run} isRoot={run === root} />
      ))}
    </Page>
  );
}

function RunPanel({ run, isRoot }: { run: PublicRun; isRoot: boolean }) {
  const seconds = run.end_time === null ? null : (Date.parse(run.end_time) - Date.parse(run.start_time)) / 1_000;
  return (
    <Panel title={isRoot ? 'Run' : `${run.name} (${run.run_type})`}>
      <DescriptionList
        facts={[
          [
            'Status',
            <Badge key="status" variant={run.error === null ? 'good' : 'bad'}>
              {statusName(run.status)}
            </Badge>,
          ],
          ['Started', <Time key="start" at={run.start_time} />],
          ['Latency', seconds === null ? 'Not ended' : formatSeconds(seconds)],
        ]}
      />
      {run.error === null ? null : <ErrorNote error={run.error.slice(0, ERROR_CHARS_MAX)} />}
      <RunValues title="Inputs" label={`Inputs of ${run.name}`} value={run.inputs} openTo={2} rows={10} />
      <RunValues title="Outputs" label={`Outputs of ${run.name}`} value={run.outputs} openTo={2} rows={10} />
    </Panel>
  );
}
