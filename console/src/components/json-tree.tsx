import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, Maximize2 } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { prettyJson } from '../api/json.js';
import { IconButton } from './button.js';
import { CopyButton } from './copy.js';
import { hasParts, rowsOf, summaryOf, type JsonRow } from './json-rows.js';
import { TextViewer } from './text-viewer.js';
import styles from './json-tree.module.css';

const TEXT_MAX = 300;
const ROW = 24;

/**
 * A value as a tree: arrows open and close, Home and End go to its ends. However much there is, only the lines in view are made.
 * `openTo`: how deep it is open at first. `rows`: at most so many lines are shown before it scrolls.
 */
export function JsonTree({
  label,
  value,
  openTo = 1,
  rows: linesMax = 20,
}: {
  label: string;
  value: unknown;
  openTo?: number;
  rows?: number;
}) {
  // What was opened and closed by hand, against `openTo`.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [whole, setWhole] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useMemo(
    () => rowsOf(value, (path, depth) => depth < openTo !== turned.has(path)),
    [value, openTo, turned],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const here = Math.min(at, rows.length - 1);

  const turn = (row: JsonRow): void =>
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(row.path)) after.add(row.path);
      return after;
    });
  const go = (next: number): void => {
    const place = Math.max(0, Math.min(rows.length - 1, next));
    setAt(place);
    virtual.scrollToIndex(place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[here]!;
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(here + 1),
      ArrowUp: () => go(here - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => {
        if (hasParts(row.value) && !row.open) turn(row);
        else if (row.open) go(here + 1);
      },
      ArrowLeft: () => {
        if (row.open) turn(row);
        else go(parentOf(rows, here));
      },
      Enter: () => {
        if (hasParts(row.value)) turn(row);
        else if (isLong(row.value)) setWhole(row.value);
      },
      ' ': () => {
        if (hasParts(row.value)) turn(row);
      },
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };

  return (
    <div className={styles['outer']}>
      <div className={styles['copy']}>
        <CopyButton text={() => prettyJson(value)} label="Copy as JSON" />
      </div>
      <div
        ref={box}
        role="tree"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-activedescendant={`${id}${here}`}
        className={styles['tree']}
        style={{ height: Math.min(rows.length, linesMax) * ROW + 16 }}
      >
        <div className={styles['all']} style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            const parts = hasParts(row.value);
            return (
              // The keys are the tree's, which has the focus; a row is only clicked.
              <div
                key={row.path}
                id={`${id}${index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-setsize={row.of}
                aria-posinset={row.place}
                aria-selected={index === here}
                {...(parts ? { 'aria-expanded': row.open } : {})}
                className={`${styles['row']} ${index === here ? styles['here'] : ''}`}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: row.depth * 16 + 4 }}
                onClick={() => {
                  setAt(index);
                  if (parts) turn(row);
                }}
              >
                <span className={styles['turn']} aria-hidden>
                  {parts ? row.open ? <ChevronDown size={14} /> : <ChevronRight size={14} /> : null}
                </span>
                {row.name === null ? null : (
                  <span className={styles['name']} dir="auto">
                    {row.name}
                  </span>
                )}
                <span className={`${styles['value']} ${styles[row.kind]}`} dir="auto">
                  {summaryOf(row.value, TEXT_MAX)}
                </span>
                {isLong(row.value) ? (
                  <IconButton
                    small
                    label="Show all of it"
                    excludeFromTabOrder
                    onPress={() => setWhole(row.value as string)}
                  >
                    <Maximize2 size={13} aria-hidden />
                  </IconButton>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
      <TextViewer title="Text" text={whole} onClose={() => setWhole(null)} />
    </div>
  );
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && (value.length > TEXT_MAX || value.includes('\n'));
}

function parentOf(rows: readonly JsonRow[], at: number): number {
  const { depth } = rows[at]!;
  for (let before = at - 1; before >= 0; before -= 1) if (rows[before]!.depth < depth) return before;
  return at;
}
