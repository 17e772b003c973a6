import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { CircleHelp, Keyboard } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { formatPercent, pluralize } from '../../../components/format.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../../components/note.js';
import { scoreScale } from './cell-state.js';
import { CellSheet } from './cell-sheet.js';
import { Controls, ROW_FILTER_OPTIONS } from './controls.js';
import { Grid, type GridHandle } from './grid.js';
import type { CellPosition } from './grid-keys.js';
import { KeysHelp } from './keys-help.js';
import { PrintTable, PRINTED_ROWS_MAX, usePrinting } from './print-table.js';
import { scoresByChange, shownScores } from './score-choice.js';
import { MoreScores, ScoreMenu } from './score-menu.js';
import { ROWS_PER_PAGE, useComparisonSource } from './source.js';
import { Summary } from './summary.js';
import { useRows } from './use-rows.js';
import { VerdictHelp } from './verdict-help.js';
import type { ChangeView, View } from './view.js';
import styles from './comparison-view.module.css';

/** Summary and examples of compared experiments, from a server or a saved file. `onView` updates the URL. */
export function ComparisonView({ view, onView }: { view: View; onView: ChangeView }) {
  const source = useComparisonSource();
  const [pages, setPages] = useState<readonly number[]>([]);
  const [help, setHelp] = useState(false);
  const [verdictHelp, setVerdictHelp] = useState(false);
  const grid = useRef<GridHandle>(null);
  const printing = usePrinting();
  // Also load the rows next to the open one.
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const neighborPages =
    openedAt === null
      ? []
      : [openedAt - 1, openedAt + 1].filter((at) => at >= 0).map((at) => Math.floor(at / ROWS_PER_PAGE));
  // Printing cannot wait for requests. A file is read at no cost, so all printable rows are loaded in advance.
  const [printable, setPrintable] = useState(0);
  const printPages =
    source.saved === null
      ? []
      : Array.from({ length: Math.ceil(Math.min(printable, PRINTED_ROWS_MAX) / ROWS_PER_PAGE) }, (_, page) => page);
  const rows = useRows(view, [...new Set([...pages, ...neighborPages, ...printPages])]);
  const { head, total, isLoading } = rows;
  useEffect(() => setPrintable(total), [total]);
  const ordered = useMemo(
    () =>
      head === undefined
        ? []
        : [...head.experiments].sort((a, b) => Number(b.versus_baseline === null) - Number(a.versus_baseline === null)),
    [head],
  );
  const ranked = useMemo(() => (head === undefined ? [] : scoresByChange(head)), [head]);
  const place = view.row === null ? null : rows.indexOf(view.row);
  useEffect(() => setOpenedAt(place === -1 ? null : place), [place]);
  // The sheet returns the focus to the cell that opened it. The person may have moved to another row since then.
  const returnFocusTo = useRef<CellPosition | null>(null);
  useEffect(() => {
    if (view.row !== null || returnFocusTo.current === null) return;
    grid.current?.focus(returnFocusTo.current);
    returnFocusTo.current = null;
  }, [view.row]);
  const onPages = useCallback((next: readonly number[]) => setPages(next), []);

  if (rows.error !== null && head === undefined) return <ErrorNote error={rows.error} onRetry={rows.retry} />;
  if (head === undefined) return <Loading what="Loading the comparison" />;

  const scale = scoreScale(head);
  const shown = shownScores(ranked, head.feedback_key, view);
  const opened = place === null || place === -1 ? undefined : rows.at(place);
  const cell = view.cell ?? ordered[1]?.id ?? ordered[0]!.id;
  const to = (index: number): (() => void) | null => {
    const id = index >= 0 && index < total ? rows.at(index)?.example.id : undefined;
    return id === undefined ? null : () => onView({ row: id });
  };
  const close = (): void => {
    const column = ordered.findIndex(({ id }) => id === cell) + 1;
    returnFocusTo.current = place === null || place < 0 ? null : { row: place, column };
    onView({ row: null, cell: null, tab: 'baseline' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const patch = viewChangeForKey(event.key, view, { shown, chosen: head.feedback_key });
    if (event.key === '?') setHelp(true);
    else if (patch !== null) onView(patch);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <ScoreMenu ranked={ranked} shown={shown} feedbackKey={head.feedback_key} view={view} onView={onView} />
      <Summary comparison={head} shown={shown} hidden={view.hidden} onKey={(key) => onView({ key })} />
      <p className={styles['note']}>
        “Not enough evidence” does not mean that there is no difference.{' '}
        {head.correction === 'holm'
          ? `The confidence of ${formatPercent(head.confidence)} applies to all verdicts together.`
          : `The confidence of ${formatPercent(head.confidence)} applies to each verdict, so among many some are wrong by chance.`}{' '}
        <Button small variant="quiet" onPress={() => setVerdictHelp(true)}>
          <CircleHelp size={14} aria-hidden />
          How verdicts are made
        </Button>
      </p>
      <Controls
        view={view}
        onView={onView}
        keys={ranked.map(({ key }) => key)}
        feedbackKey={head.feedback_key}
        experiments={head.experiments}
        isSaved={source.saved !== null}
      />
      <div className={styles['line']}>
        <span role="status">
          {isLoading ? 'Loading…' : pluralize(total, 'example')}
          {view.only === null ? '' : `: ${ROW_FILTER_OPTIONS.find(({ id }) => id === view.only)!.name.toLowerCase()}`}
        </span>
        <Legend />
        <Button small variant="quiet" onPress={() => setHelp(true)}>
          <Keyboard size={14} aria-hidden />
          Keyboard shortcuts
        </Button>
      </div>
      {rows.error === null ? null : <ErrorNote error={rows.error} onRetry={rows.retry} />}
      {place === -1 ? (
        <Note variant="warn">
          The example of this link is not in these rows. It was filtered out or deleted.{' '}
          <Button small onPress={() => onView({ only: null, text: '' })}>
            Show all examples
          </Button>
        </Note>
      ) : null}
      {total === 0 ? (
        isLoading ? (
          <Loading what="Loading the comparison" />
        ) : (
          <EmptyState title="No matching examples">
            {view.only === null && view.text === '' ? (
              'These experiments have no runs with examples. Select other experiments.'
            ) : (
              <Button onPress={() => onView({ only: null, text: '' })}>Show all examples</Button>
            )}
          </EmptyState>
        )
      ) : printing ? (
        <PrintTable rows={rows} total={total} experiments={ordered} feedbackKey={head.feedback_key} scale={scale} />
      ) : (
        <Grid
          handle={grid}
          rows={rows}
          total={total}
          experiments={ordered}
          feedbackKey={head.feedback_key}
          scale={scale}
          onPages={onPages}
          onKey={onKey}
          onOpen={(index, experimentId) => {
            const row = rows.at(index);
            if (row !== undefined) onView({ row: row.example.id, cell: experimentId });
          }}
          onBaseline={source.saved === null ? (id) => onView({ baseline: id }) : null}
        />
      )}
      {opened === undefined || place === null ? null : (
        <CellSheet
          row={opened}
          index={place}
          total={total}
          experiments={ordered}
          feedbackKeys={shown}
          moreScores={<MoreScores count={ranked.length - shown.length} view={view} onView={onView} />}
          experimentId={cell}
          tab={view.tab}
          onTab={(tab) => onView({ tab })}
          onExperiment={(id) => onView({ cell: id })}
          onPrevious={to(place - 1)}
          onNext={to(place + 1)}
          onClose={close}
        />
      )}
      <KeysHelp isOpen={help} onClose={() => setHelp(false)} />
      <VerdictHelp comparison={head} isOpen={verdictHelp} onClose={() => setVerdictHelp(false)} />
    </>
  );
}

/** View change for a key, or null if the key has no function. */
function viewChangeForKey(
  key: string,
  view: View,
  { shown, chosen }: { shown: readonly string[]; chosen: string | null },
): Partial<View> | null {
  const beside = <T,>(all: readonly T[], at: number, step: number): T => all[(at + step + all.length) % all.length]!;
  switch (key) {
    case 'k':
    case 'K':
      return shown.length === 0
        ? null
        : { key: beside(shown, shown.indexOf(view.key ?? chosen!), key === 'k' ? 1 : -1) };
    case 'f':
    case 'F': {
      const { id } = beside(
        ROW_FILTER_OPTIONS,
        ROW_FILTER_OPTIONS.findIndex((one) => one.id === (view.only ?? 'all')),
        key === 'f' ? 1 : -1,
      );
      return { only: id === 'all' ? null : id };
    }
    case 'o':
      return { sort: 'difference', order: view.sort === 'difference' && view.order === 'asc' ? 'desc' : 'asc' };
    default:
      return null;
  }
}

function Legend() {
  return (
    <span className={styles['legend']}>
      <span>Worse</span>
      {[styles['worse4'], styles['worse2'], styles['same'], styles['better2'], styles['better4']].map((one) => (
        <span key={one} aria-hidden className={`${styles['shade']} ${one}`} />
      ))}
      <span>Better</span>
    </span>
  );
}
