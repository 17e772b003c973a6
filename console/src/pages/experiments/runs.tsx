import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { evaluation, type Experiment, type Run } from '../../api/evaluation.js';
import { CursorPagination, useCursorPages } from '../../components/cursor-pagination.js';
import { Switch } from '../../components/field.js';
import { formatNumber, pluralize } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { SelectAllCell, SelectRowCell, useSelection } from '../../components/selection-cells.js';
import { SelectionStatus } from '../../components/selection-status.js';
import { Table, type Column } from '../../components/table.js';
import { AddRunsToDatasetButton } from '../../shared/add-to-dataset.js';
import { AddToQueueButton } from '../../shared/add-to-queue.js';
import { Preview } from '../../shared/preview.js';
import { formatSeconds, shortPreviewText } from '../../shared/scores.js';
import { useQueryString } from '../../components/query-string.js';
import { RunSheet } from './run-sheet.js';
import styles from './runs.module.css';

const PAGE_SIZE = 50;
const PREVIEW_CHARS_MAX = 220;
const SCORE_COLUMNS_MAX = 8;
/** Without full inputs and outputs, which can be of any size. */
const SELECT = ['inputs_preview', 'outputs_preview', 'error', 'end_time', 'feedback_stats', 'reference_example_id'];

/** The runs of an experiment in pages, with a side panel for the open run, and a selection for annotation queues. */
export function Runs({ experiment }: { experiment: Experiment }) {
  const [query, change] = useQueryString();
  const errorsOnly = query.get('errors') === 'only';
  const opened = query.get('run');
  const pages = useCursorPages(String(errorsOnly));
  const { cursor } = pages;
  const selection = useSelection();
  const { selected } = selection;
  const list = useQuery({
    queryKey: ['experiments', 'runs', experiment.id, errorsOnly, cursor],
    queryFn: ({ signal }) =>
      evaluation.runs(
        {
          session: [experiment.id],
          is_root: true,
          limit: PAGE_SIZE,
          select: SELECT,
          ...(cursor === null ? {} : { cursor }),
          ...(errorsOnly ? { error: true } : {}),
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const runs = list.data?.runs ?? [];
  const next = list.data?.cursors.next ?? null;
  const ids = runs.map(({ id }) => id);
  const keys = Object.keys(experiment.feedback_stats ?? {})
    .sort()
    .slice(0, SCORE_COLUMNS_MAX);
  const columns: Column<Run>[] = [
    {
      id: 'inputs',
      name: (
        <SelectAllCell ids={ids} rows="runs" selection={selection}>
          Inputs
        </SelectAllCell>
      ),
      cell: (run) => {
        const name = shortPreviewText(run.inputs_preview ?? run.name, PREVIEW_CHARS_MAX) || run.name;
        return (
          <SelectRowCell id={run.id} name={name} selection={selection}>
            <button type="button" className={styles['open']} onClick={() => change({ run: run.id })} dir="auto">
              {name}
            </button>
          </SelectRowCell>
        );
      },
    },
    {
      id: 'outputs',
      name: 'Outputs',
      cell: (run) =>
        run.error === null ? (
          <Preview>{shortPreviewText(run.outputs_preview ?? '', PREVIEW_CHARS_MAX)}</Preview>
        ) : (
          <Preview isError>Error: {run.error.slice(0, PREVIEW_CHARS_MAX)}</Preview>
        ),
    },
    ...keys.map((key): Column<Run> => ({
      id: key,
      name: <span dir="auto">{key}</span>,
      numbers: true,
      cell: (run) => scoreText(run, key),
    })),
    {
      id: 'latency',
      name: 'Latency',
      numbers: true,
      cell: (run) =>
        run.end_time === null
          ? 'Not ended'
          : formatSeconds((Date.parse(run.end_time) - Date.parse(run.start_time)) / 1_000),
    },
  ];
  return (
    <Panel
      title="Runs"
      flush
      actions={
        <>
          <SelectionStatus
            text={
              selected.size === 0
                ? 'Select runs to review or collect them'
                : `${pluralize(selected.size, 'run')} selected`
            }
            count={selected.size}
            onClear={selection.clear}
          />
          {selected.size === 0 ? null : (
            <>
              <AddToQueueButton small runIds={[...selected]} />
              <AddRunsToDatasetButton small selection={{ runs: [...selected] }} />
            </>
          )}
          <Switch value={errorsOnly} onChange={(only) => change({ errors: only ? 'only' : null })}>
            Errors only
          </Switch>
        </>
      }
    >
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Table
          label="Runs"
          columns={columns}
          items={runs}
          idOf={({ id }) => id}
          empty={<EmptyState title={errorsOnly ? 'No failed runs' : 'No runs yet'} />}
        />
      )}
      <div className={styles['pages']}>
        <CursorPagination what="run" shown={runs.length} pages={pages} next={next} />
      </div>
      {opened === null ? null : (
        <RunSheet
          key={opened}
          runId={opened}
          datasetId={experiment.reference_dataset_id}
          onClose={() => change({ run: null })}
        />
      )}
    </Panel>
  );
}

function scoreText(run: Run, key: string): string {
  const stats =
    run.feedback_stats !== null && Object.hasOwn(run.feedback_stats, key) ? run.feedback_stats[key] : undefined;
  if (stats === undefined) return '–';
  return stats.avg === null ? Object.keys(stats.values).join(', ').slice(0, 60) : formatNumber(stats.avg);
}
