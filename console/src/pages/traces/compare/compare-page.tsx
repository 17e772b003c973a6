import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Status } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Switch } from '../../../components/field.js';
import { formatCount, formatDuration, pluralize } from '../../../components/format.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../../components/note.js';
import { Page, Panel } from '../../../components/page.js';
import { useQueryString, type ChangeQuery } from '../../../components/query-string.js';
import { Table, type Column } from '../../../components/table.js';
import { Time } from '../../../components/time.js';
import { toggled } from '../../../components/tree-keys.js';
import { costText, tokensText } from '../trace-data.js';
import { runStatus } from '../trace-tree.js';
import { alignSteps } from './align-steps.js';
import { AlignedTree } from './aligned-tree.js';
import { compareSteps, differenceBeside, idsAbove, visiblePairs, type Comparison } from './compare-steps.js';
import { fetchPair, idIn, type LoadedPair, type LoadedTrace } from './load-traces.js';
import { PairDetail } from './pair-detail.js';
import { replayCodeOf, sideNames, type SideNames } from './side-names.js';
import { TraceIdsForm } from './trace-ids-form.js';
import styles from './compare.module.css';

const CODE_CHARS = 12;

/** Two traces side by side, step by step. */
export function ComparePage() {
  const [query, change] = useQueryString();
  const [leftText, rightText] = [query.get('left') ?? '', query.get('right') ?? ''];
  const [left, right] = [idIn(leftText), idIn(rightText)];
  return (
    <Page
      title="Compare traces"
      crumbs={[{ name: 'Traces', to: '/' }]}
      actions={
        left === null || right === null ? undefined : (
          <Button small onPress={() => change({ left: right, right: left, step: null })}>
            <ArrowLeftRight size={14} aria-hidden />
            Swap sides
          </Button>
        )
      }
    >
      {left === null || right === null ? (
        <ChooseTraces left={leftText} right={rightText} change={change} />
      ) : (
        <ComparedTraces key={`${left} ${right}`} ids={{ left, right }} query={query} change={change} />
      )}
    </Page>
  );
}

function ChooseTraces({ left, right, change }: { left: string; right: string; change: ChangeQuery }) {
  return (
    <Panel title="Choose two traces">
      <TraceIdsForm left={left} right={right} onCompare={(ids) => change({ ...ids, step: null }, { push: true })} />
    </Panel>
  );
}

function ComparedTraces({
  ids,
  query,
  change,
}: {
  ids: { left: string; right: string };
  query: URLSearchParams;
  change: ChangeQuery;
}) {
  const [loadedCount, setLoadedCount] = useState(0);
  const loaded = useQuery({
    queryKey: ['traces', 'compared', ids.left, ids.right],
    queryFn: ({ signal }) => fetchPair(ids, { signal, onProgress: setLoadedCount }),
    // Long traces take seconds.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
  const { data, error } = loaded;
  if (data === undefined)
    return error === null ? (
      <Loading what={loadedCount === 0 ? 'Loading both traces' : `Loading: ${pluralize(loadedCount, 'step')} so far`} />
    ) : (
      <ErrorNote error={error} onRetry={() => void loaded.refetch()} />
    );
  const { left, right } = data;
  if (left === null || right === null)
    return (
      <>
        <EmptyState title={missingText(left, right)}>
          A trace may have been deleted, or you may not see its project. A run that was not recorded has none.
        </EmptyState>
        <ChooseTraces left={ids.left} right={ids.right} change={change} />
      </>
    );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void loaded.refetch()} />}
      {ids.left === ids.right ? <Note variant="warn">Both sides are the same trace.</Note> : null}
      {left.isRunning || right.isRunning ? (
        <Note>
          A run has not ended, so steps may be missing.{' '}
          <Button small isPending={loaded.isFetching} onPress={() => void loaded.refetch()}>
            Load again
          </Button>
        </Note>
      ) : null}
      {left.hasMore || right.hasMore ? (
        <Note variant="warn">
          A trace is long. The first {formatCount(Math.max(left.steps.length, right.steps.length))} steps are compared.
        </Note>
      ) : null}
      <ComparisonView data={data} left={left} right={right} query={query} change={change} />
    </>
  );
}

function missingText(left: LoadedTrace | null, right: LoadedTrace | null): string {
  if (left !== null) return 'The right trace does not exist';
  return right === null ? 'Neither trace exists' : 'The left trace does not exist';
}

function ComparisonView({
  data: { digests, facts },
  left,
  right,
  query,
  change,
}: {
  data: LoadedPair;
  left: LoadedTrace;
  right: LoadedTrace;
  query: URLSearchParams;
  change: ChangeQuery;
}) {
  const exact = query.get('ids') === 'shown';
  const onlyDifferences = query.get('steps') === 'different';
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const aligned = useMemo(() => alignSteps(left.steps, right.steps), [left, right]);
  const comparison = useMemo(() => compareSteps(aligned, digests, exact), [aligned, digests, exact]);
  const rows = useMemo(
    () => visiblePairs(comparison, collapsed, onlyDifferences),
    [comparison, collapsed, onlyDifferences],
  );
  const { pairs, differing } = comparison;
  const stepId = query.get('step');
  const chosenAt =
    stepId === null ? -1 : pairs.findIndex((pair) => pair.left?.run.id === stepId || pair.right?.run.id === stepId);
  const openAt = chosenAt === -1 ? (differing[0] ?? 0) : chosenAt;
  const open = pairs[openAt]!;
  const names = sideNames(left.steps[0]!.run, right.steps[0]!.run);
  const openPair = (at: number): void => {
    // A pair in a closed one would not be seen.
    const above = new Set(idsAbove(pairs, at));
    if ([...above].some((id) => collapsed.has(id)))
      setCollapsed(new Set([...collapsed].filter((id) => !above.has(id))));
    change({ step: pairs[at]!.id });
  };
  const previous = differenceBeside(comparison, openAt, -1);
  const next = differenceBeside(comparison, openAt, 1);
  useDifferenceKeys({
    p: previous === null ? null : () => openPair(previous),
    n: next === null ? null : () => openPair(next),
  });
  return (
    <>
      <Panel flush>
        <Table
          label="Both traces"
          columns={sideColumns([left, right])}
          items={[
            { name: names.left, trace: left },
            { name: names.right, trace: right },
          ]}
          idOf={({ name }) => name}
        />
      </Panel>
      <div role="group" aria-label="Differences" className={styles['controls']}>
        <div className="row">
          <Button small isDisabled={previous === null} onPress={() => openPair(previous!)}>
            <ChevronUp size={14} aria-hidden />
            Previous <kbd>p</kbd>
          </Button>
          <Button small isDisabled={next === null} onPress={() => openPair(next!)}>
            <ChevronDown size={14} aria-hidden />
            Next <kbd>n</kbd>
          </Button>
          <span role="status" className="soft">
            {positionText(differing, openAt)}
          </span>
        </div>
        <Switch value={onlyDifferences} onChange={(only) => change({ steps: only ? 'different' : null })}>
          Only differences
        </Switch>
        <Switch value={exact} onChange={(shown) => change({ ids: shown ? 'shown' : null })}>
          Ids and times
        </Switch>
        <p className={styles['summary']}>{summaryText(comparison, names)}</p>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No step differs">
          {exact ? 'Both runs did the same.' : 'Both runs did the same, except for ids and times.'}
        </EmptyState>
      ) : (
        <AlignedTree
          pairs={pairs}
          rows={rows}
          openAt={openAt}
          collapsed={collapsed}
          names={names}
          onOpen={openPair}
          onToggle={(id) => setCollapsed((before) => toggled(before, id))}
        />
      )}
      {rows.length === 0 ? null : <PairDetail key={open.id} pair={open} names={names} facts={facts} exact={exact} />}
    </>
  );
}

function summaryText({ counts }: Comparison, names: SideNames): string {
  const { equal, different, left, right } = counts;
  return [
    `${pluralize(equal, 'step')} equal`,
    `${formatCount(different)} ${different === 1 ? 'differs' : 'differ'}`,
    `${formatCount(left)} only ${names.left.toLowerCase()}`,
    `${formatCount(right)} only ${names.right.toLowerCase()}`,
  ].join(', ');
}

function positionText(differing: readonly number[], openAt: number): string {
  if (differing.length === 0) return 'No differences';
  const place = differing.indexOf(openAt);
  return place === -1
    ? pluralize(differing.length, 'difference')
    : `Difference ${formatCount(place + 1)} of ${formatCount(differing.length)}`;
}

interface Side {
  name: string;
  trace: LoadedTrace;
}

function sideColumns(traces: readonly LoadedTrace[]): Column<Side>[] {
  const rootOf = ({ trace }: Side) => trace.steps[0]!.run;
  const hasCode = traces.some(({ steps }) => replayCodeOf(steps[0]!.run) !== null);
  return [
    {
      id: 'trace',
      name: 'Trace',
      cell: (side) => (
        <Link href={`/${rootOf(side).trace_id}`} dir="auto">
          {side.name}: {rootOf(side).name}
        </Link>
      ),
    },
    { id: 'status', name: 'Status', wideOnly: true, cell: (side) => <Status status={runStatus(rootOf(side))} /> },
    {
      id: 'latency',
      name: 'Latency',
      numbers: true,
      cell: ({ trace: { steps } }) => (steps[0]!.run.end_time === null ? '–' : formatDuration(steps[0]!.durationMs)),
    },
    { id: 'tokens', name: 'Tokens', numbers: true, cell: (side) => tokensText(rootOf(side)) ?? '–' },
    { id: 'cost', name: 'Cost', numbers: true, cell: (side) => costText(rootOf(side)) ?? '–' },
    {
      id: 'steps',
      name: 'Steps',
      numbers: true,
      wideOnly: true,
      cell: ({ trace }) => formatCount(trace.steps.length),
    },
    { id: 'started', name: 'Started', wideOnly: true, cell: (side) => <Time at={rootOf(side).start_time} /> },
    ...(hasCode
      ? [
          {
            id: 'code',
            name: 'Code',
            wideOnly: true,
            cell: (side: Side) => <code>{replayCodeOf(rootOf(side))?.slice(0, CODE_CHARS) ?? '–'}</code>,
          },
        ]
      : []),
  ];
}

/** `n` and `p` work wherever the focus is, except where letters are text. */
function useDifferenceKeys(moves: Readonly<Record<'n' | 'p', (() => void) | null>>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || defaultPrevented || (key !== 'n' && key !== 'p')) return;
      const isText =
        target instanceof Element &&
        target.closest('input:not([role=switch], [type=checkbox]), textarea, [contenteditable], [role=listbox]') !==
          null;
      const isDialogOpen = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
      const move = moves[key];
      if (isText || isDialogOpen || move === null) return;
      event.preventDefault();
      move();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
