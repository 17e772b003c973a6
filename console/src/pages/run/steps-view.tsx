import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge, type BadgeVariant } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { formatBytes, formatCount, formatDuration } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote } from '../../components/note.js';
import type { RunView, Step, StepState } from './run-events.js';
import { usageOfWrites, usageText, type Usage } from './step-usage.js';
import { stepRows, timeSpan } from './steps.js';
import styles from './steps-view.module.css';

const PAGE = 200;
const STATE_VARIANTS: Readonly<Record<StepState, BadgeVariant>> = {
  running: 'info',
  done: 'good',
  failed: 'bad',
  waiting: 'warn',
  lost: 'neutral',
};
const STATE_NAMES: Readonly<Record<StepState, string>> = {
  running: 'Running',
  done: 'Succeeded',
  failed: 'Failed',
  waiting: 'Waiting for input',
  lost: 'Aborted',
};

/** All steps with their times and writes. Steps of a subgraph are below the node that called it. */
export function StepsView({
  steps,
  nowMs,
  done,
  usage,
  onRunFrom,
}: {
  steps: RunView['steps'];
  nowMs: number;
  done: boolean;
  /** Recorded tokens and costs by task id. */
  usage: ReadonlyMap<string, Usage>;
  /** Starts a run from a checkpoint. Null while that is not possible. */
  onRunFrom: ((checkpointId: string) => Promise<void>) | null;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [pages, setPages] = useState(1);
  const rows = stepRows(steps);
  const span = timeSpan(steps, nowMs);
  if (rows.length === 0)
    return <EmptyState title={done ? 'The stream of this run contains no steps' : 'No steps yet'} />;
  const shown = rows.slice(-pages * PAGE);
  const toggle = (id: string): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <div className={styles['steps']}>
      {shown.length === rows.length ? null : (
        <Button small variant="quiet" onPress={() => setPages(pages + 2)}>
          Show earlier steps ({formatCount(rows.length - shown.length)})
        </Button>
      )}
      <ol aria-label="Steps">
        {shown.map(({ step, depth }) => (
          <li
            key={step.id}
            className={styles['step']}
            aria-label={`${step.path.join(' › ')}: ${STATE_NAMES[step.state]}`}
          >
            <button
              type="button"
              className={styles['row']}
              aria-expanded={open.has(step.id)}
              onClick={() => toggle(step.id)}
            >
              <span className={styles['name']} style={{ paddingInlineStart: `${Math.min(depth, 6)}rem` }}>
                {open.has(step.id) ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                <span dir="auto">{step.name}</span>
                {step.state === 'done' ? null : (
                  <Badge variant={STATE_VARIANTS[step.state]}>{STATE_NAMES[step.state]}</Badge>
                )}
                {step.attempt > 1 ? <Badge>Attempt {step.attempt}</Badge> : null}
                <StepUsage usage={usage.get(step.id) ?? usageOfWrites(step.writes)} />
              </span>
              <Bar step={step} span={span} nowMs={nowMs} />
              <span className={styles['figures']}>
                <span className="numbers">{stepDuration(step, nowMs)}</span>
                <span className="numbers soft">{step.bytes === null ? '' : formatBytes(step.bytes)}</span>
              </span>
            </button>
            {open.has(step.id) ? <StepDetails step={step} onRunFrom={onRunFrom} /> : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepUsage({ usage }: { usage: Usage | null }) {
  return usage === null ? null : <span className={`soft numbers ${styles['usage']}`}>{usageText(usage)}</span>;
}

function StepDetails({ step, onRunFrom }: { step: Step; onRunFrom: ((checkpointId: string) => Promise<void>) | null }) {
  const { error, isPending, execute } = useAsyncAction();
  const { checkpointId } = step;
  return (
    <div className={styles['more']}>
      {onRunFrom === null || checkpointId === null ? null : (
        <div>
          <Button small isPending={isPending} onPress={() => void execute(() => onRunFrom(checkpointId))}>
            <RotateCw size={13} aria-hidden />
            Run from here
          </Button>
        </div>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      {step.error === null ? null : <ErrorNote error={step.error} />}
      {step.writes === undefined ? null : (
        <>
          <h3>Writes</h3>
          <JsonTree label={`Writes of ${step.name}`} value={step.writes} openTo={2} rows={12} />
        </>
      )}
      {step.input === undefined ? null : (
        <>
          <h3>Input</h3>
          <JsonTree label={`Input of ${step.name}`} value={step.input} rows={12} />
        </>
      )}
      {step.writes === undefined && step.error === null && step.input === undefined ? (
        <p className="soft">No data yet.</p>
      ) : null}
    </div>
  );
}

function Bar({ step, span, nowMs }: { step: Step; span: { startMs: number; endMs: number } | null; nowMs: number }) {
  if (span === null || step.startMs === null) return <span className={styles['track']} />;
  const whole = span.endMs - span.startMs;
  const from = ((step.startMs - span.startMs) / whole) * 100;
  const to = (((step.state === 'running' ? nowMs : (step.endMs ?? step.startMs)) - span.startMs) / whole) * 100;
  return (
    <span className={styles['track']} aria-hidden>
      <span
        className={`${styles['bar']} ${styles[step.state]}`}
        style={{ insetInlineStart: `${Math.min(99, from)}%`, width: `${Math.max(0.8, Math.min(100, to) - from)}%` }}
      />
    </span>
  );
}

function stepDuration({ startMs, endMs, state }: Step, nowMs: number): string {
  if (startMs === null) return '';
  const end = state === 'running' ? nowMs : endMs;
  return end === null ? '' : formatDuration(Math.max(0, end - startMs));
}
