import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { Badge } from '../../../components/badge.js';
import { formatDuration } from '../../../components/format.js';
import { handleKey } from '../../../components/tree-keys.js';
import { StepIcon } from '../step-icon.js';
import { hasFailed, typeName, type Step } from '../trace-tree.js';
import type { ComparedPair, Difference } from './compare-steps.js';
import type { SideNames } from './side-names.js';
import styles from './compare.module.css';

const INDENT_PX = 14;
/** Deeper steps are not indented further, so that their names stay readable. */
const INDENTS_MAX = 12;
const ROW_HEIGHT_PX = 28;
const WORDS: Readonly<Record<Difference, string>> = {
  inputs: 'inputs',
  outputs: 'outputs',
  error: 'error',
  status: 'status',
  left: 'left',
  right: 'right',
};

/** The steps of both traces as one tree. Arrow keys move, open and close. Only visible rows are rendered. */
export function AlignedTree({
  pairs,
  rows,
  openAt,
  collapsed,
  names,
  onOpen,
  onToggle,
}: {
  pairs: readonly ComparedPair[];
  /** Places of the pairs that are shown. */
  rows: readonly number[];
  openAt: number;
  collapsed: ReadonlySet<string>;
  names: SideNames;
  onOpen: (at: number) => void;
  onToggle: (id: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    getItemKey: (row) => pairs[rows[row]!]!.id,
  });
  const openRow = rows.indexOf(openAt);
  const isFirst = useRef(true);
  useEffect(() => {
    if (openRow === -1) return;
    virtual.scrollToIndex(openRow, { align: isFirst.current ? 'center' : 'auto' });
    isFirst.current = false;
  }, [openRow, virtual]);
  const here = Math.max(0, openRow);
  const moveTo = (row: number): void => onOpen(rows[Math.max(0, Math.min(rows.length - 1, row))]!);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows[here];
    if (at === undefined) return;
    const pair = pairs[at]!;
    const isOpen = pair.below > 0 && !collapsed.has(pair.id);
    handleKey(event, {
      ArrowDown: () => moveTo(here + 1),
      ArrowUp: () => moveTo(here - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => {
        if (isOpen) moveTo(here + 1);
        else if (pair.below > 0) onToggle(pair.id);
      },
      ArrowLeft: () => {
        if (isOpen) onToggle(pair.id);
        else moveTo(rows.findLastIndex((place, row) => row < here && pairs[place]!.depth < pair.depth));
      },
    });
  };
  return (
    <section className={styles['treePanel']} aria-label="Steps">
      <header className={styles['columns']} aria-hidden>
        <span>{names.left}</span>
        <span />
        <span>{names.right}</span>
      </header>
      <div
        ref={box}
        role="tree"
        aria-label="Steps of both traces"
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-activedescendant={rows.length === 0 ? undefined : `${id}${here}`}
        className={styles['tree']}
      >
        <div className={styles['all']} style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const at = rows[index]!;
            const pair = pairs[at]!;
            const isCollapsed = collapsed.has(pair.id);
            return (
              // The tree has the focus and handles the keys. A row only handles clicks.
              <div
                key={key}
                id={`${id}${index}`}
                data-index={index}
                ref={virtual.measureElement}
                role="treeitem"
                aria-level={pair.depth + 1}
                aria-setsize={pair.siblingCount}
                aria-posinset={pair.position}
                aria-selected={index === openRow}
                {...(pair.below > 0 ? { 'aria-expanded': !isCollapsed } : {})}
                className={`${styles['pair']} ${index === openRow ? styles['here'] : ''}`}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onOpen(at)}
              >
                <span className={styles['side']} style={indent(pair)}>
                  <span
                    className={styles['toggle']}
                    onClick={(event) => {
                      if (pair.below === 0) return;
                      event.stopPropagation();
                      onToggle(pair.id);
                    }}
                  >
                    {pair.below === 0 ? null : isCollapsed ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
                  </span>
                  <SideOfPair name={names.left} step={pair.left} />
                </span>
                <span className={styles['verdict']}>
                  <Verdict pair={pair} isCollapsed={isCollapsed} names={names} />
                </span>
                <span className={`${styles['side']} ${styles['rightSide']}`} style={indent(pair)}>
                  <SideOfPair name={names.right} step={pair.right} />
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function indent({ depth }: ComparedPair): { paddingInlineStart: number } {
  return { paddingInlineStart: Math.min(depth, INDENTS_MAX) * INDENT_PX };
}

function SideOfPair({ name, step }: { name: string; step: Step | null }) {
  if (step === null) return <span className={styles['missing']} aria-hidden />;
  const { run, durationMs } = step;
  const isFailed = hasFailed(run);
  return (
    <>
      <StepIcon run={run} />
      <span className="visually-hidden">{name}: </span>
      <span className={`${styles['label']} ${isFailed ? styles['error'] : ''}`} dir="auto">
        {run.name}
      </span>
      <span className="visually-hidden">
        , {typeName(run)}
        {isFailed ? ', failed' : ''},{' '}
      </span>
      <span className={styles['took']}>{run.end_time === null ? 'Running' : formatDuration(durationMs)}</span>
      <span className="visually-hidden">. </span>
    </>
  );
}

function Verdict({ pair, isCollapsed, names }: { pair: ComparedPair; isCollapsed: boolean; names: SideNames }) {
  const { differences } = pair;
  if (differences.length > 0)
    return (
      <Badge variant={pair.left === null || pair.right === null ? 'info' : isError(differences) ? 'bad' : 'warn'}>
        {verdictText(differences, names)}
      </Badge>
    );
  return isCollapsed && pair.differsBelow ? <Badge variant="warn">Differs below</Badge> : <span>Equal</span>;
}

function isError(differences: readonly Difference[]): boolean {
  return differences.includes('error') || differences.includes('status');
}

/** The differences of a pair in words. */
export function verdictText(differences: readonly Difference[], names: SideNames): string {
  if (differences.includes('left')) return `Only ${names.left.toLowerCase()}`;
  if (differences.includes('right')) return `Only ${names.right.toLowerCase()}`;
  const text = differences.map((one) => WORDS[one]).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
