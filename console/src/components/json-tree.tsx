import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, Maximize2 } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { prettyJson } from '../api/json.js';
import { IconButton } from './button.js';
import { CopyButton } from './copy.js';
import { hasChildren, flattenJson, summarizeValue, type JsonRow } from './json-rows.js';
import { handleKey, toggled } from './tree-keys.js';
import { TextViewer } from './text-viewer.js';
import styles from './json-tree.module.css';

const TEXT_CHARS_MAX = 300;
const ROW_HEIGHT_PX = 24;

/**
 * A JSON value as a tree. Arrow keys move and open, Home and End jump to the ends. Only visible rows are rendered.
 * `openTo`: depth that is open at first. `rows`: rows that are shown before the tree scrolls.
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
  // Paths whose state differs from the default of `openTo`.
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [fullText, setFullText] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useMemo(
    () => flattenJson(value, (path, depth) => depth < openTo !== paths.has(path)),
    [value, openTo, paths],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
  });
  const here = Math.min(at, rows.length - 1);

  const toggle = (row: JsonRow): void => setPaths((before) => toggled(before, row.path));
  const moveTo = (next: number): void => {
    const place = Math.max(0, Math.min(rows.length - 1, next));
    setAt(place);
    virtual.scrollToIndex(place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[here]!;
    handleKey(event, {
      ArrowDown: () => moveTo(here + 1),
      ArrowUp: () => moveTo(here - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => {
        if (hasChildren(row.value) && !row.isOpen) toggle(row);
        else if (row.isOpen) moveTo(here + 1);
      },
      ArrowLeft: () => {
        if (row.isOpen) toggle(row);
        else moveTo(parentOf(rows, here));
      },
      Enter: () => {
        if (hasChildren(row.value)) toggle(row);
        else if (isLong(row.value)) setFullText(row.value);
      },
      ' ': () => {
        if (hasChildren(row.value)) toggle(row);
      },
    });
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
        style={{ height: Math.min(rows.length, linesMax) * ROW_HEIGHT_PX + 16 }}
      >
        <div className={styles['all']} style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            const parts = hasChildren(row.value);
            return (
              // The tree has the focus and handles the keys. A row only handles clicks.
              <div
                key={row.path}
                id={`${id}${index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-setsize={row.siblingCount}
                aria-posinset={row.position}
                aria-selected={index === here}
                {...(parts ? { 'aria-expanded': row.isOpen } : {})}
                className={`${styles['row']} ${index === here ? styles['here'] : ''}`}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: row.depth * 16 + 4 }}
                onClick={() => {
                  setAt(index);
                  if (parts) toggle(row);
                }}
              >
                <span className={styles['toggle']} aria-hidden>
                  {parts ? row.isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} /> : null}
                </span>
                {row.name === null ? null : (
                  <span className={styles['name']} dir="auto">
                    {row.name}
                  </span>
                )}
                <span className={`${styles['value']} ${styles[row.kind]}`} dir="auto">
                  {summarizeValue(row.value, TEXT_CHARS_MAX)}
                </span>
                {isLong(row.value) ? (
                  <IconButton
                    small
                    label="Show full text"
                    excludeFromTabOrder
                    onPress={() => setFullText(row.value as string)}
                  >
                    <Maximize2 size={13} aria-hidden />
                  </IconButton>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
      <TextViewer title="Text" text={fullText} onClose={() => setFullText(null)} />
    </div>
  );
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && (value.length > TEXT_CHARS_MAX || value.includes('\n'));
}

function parentOf(rows: readonly JsonRow[], at: number): number {
  const { depth } = rows[at]!;
  for (let before = at - 1; before >= 0; before -= 1) if (rows[before]!.depth < depth) return before;
  return at;
}
