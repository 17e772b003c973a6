import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { evaluation, type Run } from '../../api/evaluation.js';
import { Status } from '../../components/badge.js';
import { CursorPagination, useCursorPages } from '../../components/cursor-pagination.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { Select, Switch } from '../../components/field.js';
import { formatDuration, pluralize } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { SelectAllCell, SelectRowCell, useSelection, type Selection } from '../../components/selection-cells.js';
import { SelectionStatus } from '../../components/selection-status.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { AddRunsToDatasetButton } from '../../shared/add-to-dataset.js';
import { AddToQueueButton } from '../../shared/add-to-queue.js';
import { CopyAs } from '../../shared/copy-as.js';
import { filterQuery } from '../../shared/saved-filters.js';
import { SavedFiltersBar, SaveFiltersButton, useSavedFilters } from '../../shared/saved-filters-bar.js';
import { useTraceProjects } from '../../shared/trace-projects.js';
import { bothFilters, ConditionNote, conditionOf, hasCondition, NO_CONDITION } from './condition.js';
import { NewAlertButton } from './new-alert.js';
import { NewRuleButton } from './new-rule.js';
import { Preview } from '../../shared/preview.js';
import { shortPreviewText } from '../../shared/scores.js';
import { Activity } from '../../shared/activity.js';
import { tracesRequest, type TraceSearch } from './traces-request.js';
import { textCondition, tokensText } from './trace-data.js';
import { errorLine, runStatus } from './trace-tree.js';
import styles from './traces.module.css';

const PAGE_SIZE = 50;
/** Parameters of the address that select traces. */
const FILTER_NAMES = ['project', 'text', 'errors', 'filter', 'tree_filter', 'from', 'to'];
const SAVED_KEY = 'threadmill.traces.filters';
const PREVIEW_CHARS_MAX = 160;
const REFRESH_MS = 5_000;
const SELECT = ['inputs_preview', 'outputs_preview', 'error', 'end_time', 'total_tokens'];

/** Traces of runs, newest first, over all projects or in one. */
export function TracesPage() {
  const [query, change] = useQueryString();
  const project = query.get('project') ?? '';
  const text = query.get('text') ?? '';
  const errorsOnly = query.get('errors') === 'only';
  const saved = useSavedFilters(SAVED_KEY);
  const current = filterQuery(query, FILTER_NAMES);
  const pages = useCursorPages(current);
  const { cursor } = pages;
  const condition = conditionOf(query);
  const treeFilter = bothFilters(textCondition(text), condition.treeFilter);
  const projects = useTraceProjects();
  const sessions = project === '' ? (projects.data ?? []).map(({ id }) => id) : [project];
  const search: TraceSearch = {
    session: sessions,
    is_root: true,
    limit: PAGE_SIZE,
    filter: condition.filter,
    tree_filter: treeFilter,
    start_time: condition.from,
    end_time: condition.to,
    ...(errorsOnly ? { error: true } : {}),
  };
  const list = useQuery({
    queryKey: ['traces', 'list', { sessions, text, errorsOnly, condition, cursor }],
    queryFn: ({ signal }) =>
      evaluation.runs({ ...search, select: SELECT, ...(cursor === null ? {} : { cursor }) }, signal),
    enabled: sessions.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: cursor === null ? REFRESH_MS : false,
  });
  const onText = useCallback((next: string) => change({ text: next }), [change]);
  const runs = list.data?.runs ?? [];
  const next = list.data?.cursors.next ?? null;
  const selection = useSelection();
  const { selected } = selection;
  const isFiltered = project !== '' || text !== '' || errorsOnly || hasCondition(condition);
  return (
    <Page
      title="Traces"
      about="What each run did: its steps, model calls and tools, with their inputs and outputs."
      actions={
        <>
          <CopyAs request={sessions.length === 0 ? null : tracesRequest(search)} />
          <NewRuleButton
            start={{
              project,
              filter: bothFilters(errorsOnly ? 'eq(status, "error")' : null, condition.filter) ?? '',
              treeFilter: treeFilter ?? '',
            }}
          />
          <NewAlertButton
            start={{
              project,
              metric: errorsOnly ? 'error_count' : 'error_rate',
              filter: condition.filter ?? '',
              treeFilter: treeFilter ?? '',
            }}
          />
        </>
      }
    >
      <SavedFiltersBar all="All traces" filters={saved} current={current} />
      <Toolbar label="Search and select">
        <Select
          label="Project"
          value={project}
          options={[{ id: '', name: 'All projects' }, ...(projects.data ?? []).map(({ id, name }) => ({ id, name }))]}
          onChange={(id) => change({ project: id })}
        />
        <DebouncedSearchField label="Text in any step" text={text} onText={onText} />
        <Switch value={errorsOnly} onChange={(only) => change({ errors: only ? 'only' : null })}>
          Errors only
        </Switch>
        <div className={styles['chosen']}>
          <SelectionStatus
            text={
              selected.size === 0 ? 'Select traces to collect them' : `${pluralize(selected.size, 'trace')} selected`
            }
            count={selected.size}
            onClear={selection.clear}
          />
          {selected.size === 0 ? (
            <SaveFiltersButton filters={saved} current={current} />
          ) : (
            <>
              <AddToQueueButton small runIds={[...selected]} />
              <AddRunsToDatasetButton small selection={{ runs: [...selected] }} onAdded={selection.clear} />
            </>
          )}
        </div>
      </Toolbar>
      {hasCondition(condition) ? <ConditionNote condition={condition} onClear={() => change(NO_CONDITION)} /> : null}
      {[projects, list].map((one, at) =>
        one.error === null ? null : <ErrorNote key={at} error={one.error} onRetry={() => void one.refetch()} />,
      )}
      {sessions.length === 0 ? null : (
        <Activity
          filter={{
            sessions,
            filter: bothFilters(condition.filter, errorsOnly ? 'eq(status, "error")' : null),
            treeFilter,
          }}
          spanId={query.get('time')}
          onSpan={(time) => change({ time })}
        />
      )}
      {projects.data === undefined || (list.data === undefined && sessions.length > 0) ? (
        projects.error === null && list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Traces"
            columns={columns(projects.data.length > 1 && project === '' ? projects.data : [], runs, selection)}
            items={runs}
            idOf={({ id }) => id}
            empty={isFiltered ? <EmptyState title="No matching traces">Change the filters.</EmptyState> : <NoTraces />}
          />
        </Panel>
      )}
      <CursorPagination what="trace" shown={runs.length} pages={pages} next={next} />
    </Page>
  );
}

function NoTraces() {
  return (
    <EmptyState title="No traces yet">
      Add <code>&quot;traces&quot;: true</code> to langgraph.json and restart the server. Each run then leaves a trace.
    </EmptyState>
  );
}

/** `projects`: where the name of a project is shown. `runs`: those of the page. */
function columns(
  projects: readonly { id: string; name: string }[],
  runs: readonly Run[],
  selection: Selection,
): Column<Run>[] {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const ids = runs.map(({ id }) => id);
  return [
    {
      id: 'inputs',
      name: (
        <SelectAllCell ids={ids} rows="traces" selection={selection}>
          Inputs
        </SelectAllCell>
      ),
      cell: (run) => {
        const name = shortPreviewText(run.inputs_preview ?? '', PREVIEW_CHARS_MAX) || run.name;
        return (
          <SelectRowCell id={run.id} name={name} selection={selection}>
            <Link href={`/${run.trace_id}`} dir="auto">
              <Preview>{name}</Preview>
            </Link>
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
          <Preview isError>{errorLine(run.error, PREVIEW_CHARS_MAX)}</Preview>
        ),
    },
    { id: 'status', name: 'Status', cell: (run) => <Status status={runStatus(run)} /> },
    ...(names.size === 0
      ? []
      : [{ id: 'project', name: 'Project', wideOnly: true, cell: (run: Run) => names.get(run.session_id) ?? '–' }]),
    {
      id: 'latency',
      name: 'Latency',
      numbers: true,
      cell: (run) =>
        run.end_time === null ? '–' : formatDuration(Date.parse(run.end_time) - Date.parse(run.start_time)),
    },
    {
      id: 'tokens',
      name: 'Tokens',
      numbers: true,
      wideOnly: true,
      cell: (run) => tokensText(run) ?? '–',
    },
    {
      id: 'started',
      name: 'Started',
      cell: ({ start_time: at }) => (
        <span className={styles['time']}>
          <Time at={at} />
        </span>
      ),
    },
  ];
}
