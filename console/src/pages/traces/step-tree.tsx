import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { formatDuration } from '../../components/format.js';
import { handleKey, toggled } from '../../components/tree-keys.js';
import { StepIcon, stepKind } from './step-icon.js';
import { tokensText } from './trace-data.js';
import { hasFailed, traceMs, typeName, visibleSteps, type Step } from './trace-tree.js';
import styles from './traces.module.css';

const INDENT_PX = 14;

/**
 * The steps of a trace as a tree, each with a bar that shows when it ran. Arrow keys move, open and close; the step
 * that has the focus is the one that is open.
 */
export function StepTree({
  steps,
  openId,
  onOpen,
}: {
  steps: readonly Step[];
  openId: string;
  onOpen: (runId: string) => void;
}) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = visibleSteps(steps, collapsed);
  const totalMs = traceMs(steps);
  const here = Math.max(
    0,
    rows.findIndex(({ run }) => run.id === openId),
  );
  const toggle = (runId: string): void => setCollapsed((before) => toggled(before, runId));
  const moveTo = (at: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))]!;
    onOpen(row.run.id);
    tree.current?.querySelector(`[data-step="${row.run.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { run, below, parentId } = rows[here]!;
    const isCollapsed = collapsed.has(run.id);
    handleKey(event, {
      ArrowDown: () => moveTo(here + 1),
      ArrowUp: () => moveTo(here - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => {
        if (isCollapsed) toggle(run.id);
        else if (below > 0) moveTo(here + 1);
      },
      ArrowLeft: () => {
        if (below > 0 && !isCollapsed) toggle(run.id);
        else if (parentId !== null) moveTo(rows.findIndex((row) => row.run.id === parentId));
      },
    });
  };
  return (
    <section className={styles['treePanel']} aria-label="Steps">
      <header className={styles['scale']} aria-hidden>
        <span>Step</span>
        <span className={styles['ticks']}>
          <span>0</span>
          <span>{formatDuration(totalMs / 2)}</span>
          <span>{formatDuration(totalMs)}</span>
        </span>
      </header>
      <div
        ref={tree}
        role="tree"
        aria-label="Steps"
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-activedescendant={`${id}${here}`}
        className={styles['tree']}
      >
        {rows.map(({ run, depth, below, startMs, durationMs }, at) => {
          const isFailed = hasFailed(run);
          const isRunning = run.end_time === null;
          return (
            // The tree has the focus and handles the keys. A row only handles clicks.
            <div
              key={run.id}
              id={`${id}${at}`}
              data-step={run.id}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={at === here}
              {...(below > 0 ? { 'aria-expanded': !collapsed.has(run.id) } : {})}
              className={`${styles['step']} ${at === here ? styles['here'] : ''}`}
              onClick={() => onOpen(run.id)}
            >
              <span className={styles['name']} style={{ paddingInlineStart: depth * INDENT_PX }}>
                <span
                  className={styles['toggle']}
                  onClick={(event) => {
                    if (below === 0) return;
                    event.stopPropagation();
                    toggle(run.id);
                  }}
                >
                  {below === 0 ? null : collapsed.has(run.id) ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
                </span>
                <StepIcon run={run} />
                <span className={`${styles['label']} ${isFailed ? styles['error'] : ''}`} dir="auto">
                  {run.name}
                </span>
                <span className="visually-hidden">
                  , {typeName(run)}
                  {isRunning ? ', running' : isFailed ? ', failed' : ''},
                </span>
                {run.run_type === 'llm' && tokensText(run) !== null ? (
                  <span className={styles['tokens']}>{tokensText(run)} tokens</span>
                ) : null}
              </span>
              <span className={styles['track']}>
                <span
                  className={`${styles['bar']} ${stepKind(run)} ${isRunning ? styles['running'] : ''}`}
                  style={{
                    insetInlineStart: `${(startMs / totalMs) * 100}%`,
                    width: `${Math.max(0.6, (durationMs / totalMs) * 100)}%`,
                  }}
                />
              </span>
              <span className={styles['took']}>{isRunning ? 'Running' : formatDuration(durationMs)}</span>
            </div>
          );
        })}
      </div>
    </section>
  );
}
