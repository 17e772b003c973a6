import { useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Flag } from 'lucide-react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import type { ComparedExperiment } from '../../../api/evaluation.js';
import { shortText } from '../../../shared/scores.js';
import type { Scale } from './cell-state.js';
import { CellContent, shadeClass } from './cell.js';
import { ROWS_PER_PAGE } from './source.js';
import { navigationTarget, type CellPosition } from './grid-keys.js';
import type { ComparisonRows } from './use-rows.js';
import styles from './grid.module.css';

const ROW_HEIGHT_PX = 104;
const HEADER_HEIGHT_PX = 64;
const CELL_WIDTH_MIN_PX = 232;
const OVERSCAN_ROWS = 6;
const OVERSCAN_COLUMNS = 2;
const CHARS_MAX = 320;

export interface GridHandle {
  focus: (place: CellPosition) => void;
}

interface GridProps {
  handle: Ref<GridHandle>;
  rows: ComparisonRows;
  total: number;
  /** Baseline first. */
  experiments: readonly ComparedExperiment[];
  feedbackKey: string | null;
  scale: Scale;
  /** Called with the pages of the visible rows, which have to be loaded. */
  onPages: (pages: readonly number[]) => void;
  onOpen: (index: number, experimentId: string) => void;
  /** Null if the baseline cannot change. */
  onBaseline: ((experimentId: string) => void) | null;
  /** Called for keys that do not navigate. */
  onKey: (event: KeyboardEvent) => void;
}

/** Grid of examples by experiments. Renders only visible cells and the focused one. */
export function Grid({
  handle,
  rows,
  total,
  experiments,
  feedbackKey,
  scale,
  onPages,
  onOpen,
  onBaseline,
  onKey,
}: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 1 });
  /** Cell to focus once it is rendered, which happens after scrolling. */
  const pendingFocus = useRef<CellPosition | null>(null);
  const width = useWidth(box);
  const firstWidth = width < 640 ? 148 : Math.min(420, Math.max(260, width * 0.22));
  const cellWidth = Math.max(CELL_WIDTH_MIN_PX, Math.floor((width - firstWidth - 2) / Math.max(1, experiments.length)));
  const here: CellPosition = {
    row: Math.min(active.row, total - 1),
    column: Math.min(active.column, experiments.length),
  };

  const down = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    paddingStart: HEADER_HEIGHT_PX,
    scrollPaddingStart: HEADER_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: (range) => withFocused(range, here.row),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: experiments.length,
    getScrollElement: () => box.current,
    estimateSize: () => cellWidth,
    paddingStart: firstWidth,
    scrollPaddingStart: firstWidth,
    overscan: OVERSCAN_COLUMNS,
    rangeExtractor: (range) => withFocused(range, here.column - 1),
  });
  useLayoutEffect(() => across.measure(), [across, cellWidth, firstWidth]);

  const shown = down.getVirtualItems();
  const pages = [...new Set(shown.map(({ index }) => Math.floor(index / ROWS_PER_PAGE)))].sort((a, b) => a - b).join();
  useEffect(() => onPages(pages === '' ? [] : pages.split(',').map(Number)), [pages, onPages]);

  const moveTo = (place: CellPosition): void => {
    pendingFocus.current = place;
    setActive(place);
    if (place.row >= 0) down.scrollToIndex(place.row);
    if (place.column > 0) across.scrollToIndex(place.column - 1);
  };
  useImperativeHandle(handle, () => ({ focus: moveTo }));
  useLayoutEffect(() => {
    if (pendingFocus.current === null) return;
    const cell = box.current?.querySelector<HTMLElement>(
      `[data-place="${pendingFocus.current.row}:${pendingFocus.current.column}"]`,
    );
    if (cell === null || cell === undefined) return;
    pendingFocus.current = null;
    cell.focus({ preventScroll: true });
  });

  const open = (place: CellPosition): void => {
    const { id } = experiments[Math.max(0, place.column - 1)]!;
    if (place.row === -1) {
      if (place.column > 0) onBaseline?.(id);
      return;
    }
    // The example column opens the first candidate.
    onOpen(place.row, place.column === 0 ? experiments[Math.min(1, experiments.length - 1)]!.id : id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(
      1,
      Math.floor(((box.current?.clientHeight ?? ROW_HEIGHT_PX) - HEADER_HEIGHT_PX) / ROW_HEIGHT_PX) - 1,
    );
    const target = navigationTarget(event, here, { rows: total, columns: experiments.length + 1, page });
    if (target !== null) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open(here);
    } else onKey(event);
  };
  const cellOf = (row: number, column: number) => ({
    'data-place': `${row}:${column}`,
    'aria-colindex': column + 1,
    tabIndex: row === here.row && column === here.column ? 0 : -1,
    onFocus: () => {
      if (row !== here.row || column !== here.column) setActive({ row, column });
    },
    onClick: () => {
      setActive({ row, column });
      if (row >= 0) open({ row, column });
    },
  });
  const columns = across.getVirtualItems();
  const wide = { width: across.getTotalSize() };

  return (
    // One cell has the focus at a time. The grid handles its keys.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={box}
      role="grid"
      aria-label="Examples and experiments"
      aria-rowcount={total + 1}
      aria-colcount={experiments.length + 1}
      className={styles['box']}
      style={{ height: `min(${HEADER_HEIGHT_PX + total * ROW_HEIGHT_PX + 18}px, calc(100dvh - 5rem))` }}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={styles['heads']} style={{ ...wide, height: HEADER_HEIGHT_PX }}>
        <div
          role="columnheader"
          {...cellOf(-1, 0)}
          className={`${styles['first']} ${styles['head']}`}
          style={{ width: firstWidth }}
        >
          Example
        </div>
        {columns.map(({ index, start, size }) => {
          const one = experiments[index]!;
          const isBaseline = one.versus_baseline === null;
          return (
            <div
              key={one.id}
              role="columnheader"
              {...cellOf(-1, index + 1)}
              className={`${styles['cell']} ${styles['head']} ${isBaseline ? styles['baseline'] : ''}`}
              style={{ transform: `translateX(${start}px)`, width: size }}
            >
              <span className={styles['name']} dir="auto" title={one.name}>
                {one.name}
              </span>
              {isBaseline ? (
                <span className={styles['mark']}>
                  <Flag size={12} aria-hidden />
                  Baseline
                </span>
              ) : onBaseline === null ? null : (
                <button
                  type="button"
                  tabIndex={-1}
                  className={styles['make']}
                  onClick={(event) => {
                    event.stopPropagation();
                    onBaseline(one.id);
                  }}
                >
                  Set as baseline
                </button>
              )}
            </div>
          );
        })}
      </div>
      <div
        role="rowgroup"
        style={{ height: down.getTotalSize() - HEADER_HEIGHT_PX, ...wide }}
        className={styles['rows']}
      >
        {shown.map(({ index, start }) => {
          const row = rows.at(index);
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={styles['row']}
              style={{ transform: `translateY(${start - HEADER_HEIGHT_PX}px)`, height: ROW_HEIGHT_PX, ...wide }}
            >
              <div role="rowheader" {...cellOf(index, 0)} className={styles['first']} style={{ width: firstWidth }}>
                {row === undefined ? (
                  <span className={styles['loading']}>Loading…</span>
                ) : (
                  <>
                    <span className={styles['inputs']} dir="auto">
                      {row.example.inputs_preview?.slice(0, CHARS_MAX) ?? shortText(row.example.inputs, CHARS_MAX)}
                    </span>
                    {row.example.outputs === null && row.example.outputs_preview === undefined ? null : (
                      <span className={styles['reference']}>
                        <span className="soft">Expected </span>
                        <span dir="auto">
                          {row.example.outputs_preview?.slice(0, CHARS_MAX) ??
                            shortText(row.example.outputs, CHARS_MAX)}
                        </span>
                      </span>
                    )}
                  </>
                )}
              </div>
              {columns.map(({ index: column, start: left, size }) => {
                const one = experiments[column]!;
                return (
                  <div
                    key={one.id}
                    role="gridcell"
                    {...cellOf(index, column + 1)}
                    className={`${styles['cell']} ${one.versus_baseline === null ? styles['baseline'] : ''} ${row === undefined ? '' : shadeClass(row, one.id, feedbackKey, scale)}`}
                    style={{ transform: `translateX(${left}px)`, width: size }}
                  >
                    {row === undefined ? (
                      <span className={styles['loading']}>Loading…</span>
                    ) : (
                      <CellContent
                        row={row}
                        experimentId={one.id}
                        feedbackKey={feedbackKey}
                        scale={scale}
                        isBaseline={one.versus_baseline === null}
                      />
                    )}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Indexes of the visible range with overscan, plus the focused one, which must stay rendered. */
function withFocused({ startIndex, endIndex, overscan, count }: Range, one: number): number[] {
  const from = Math.max(0, startIndex - overscan);
  const to = Math.min(count - 1, endIndex + overscan);
  const found = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (one >= 0 && one < from) found.unshift(one);
  if (one > to && one < count) found.push(one);
  return found;
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(1_000);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
