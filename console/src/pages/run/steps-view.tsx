import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Badge, type BadgeLook } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { bytes, count, duration } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Empty, ErrorNote } from '../../components/note.js';
import type { RunView, Step, StepState } from './run-events.js';
import { rowsOf, spanOf } from './steps.js';
import styles from './steps-view.module.css';

const PAGE = 200;
const LOOKS: Readonly<Record<StepState, BadgeLook>> = {
  running: 'info',
  done: 'good',
  failed: 'bad',
  waiting: 'warn',
  lost: 'still',
};
const WORDS: Readonly<Record<StepState, string>> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  waiting: 'waits for an answer',
  lost: 'cut off',
};

/** Every node that ran, when and for how long, what it wrote; those of a subgraph below the node that called it. */
export function StepsView({ steps, nowMs, done }: { steps: RunView['steps']; nowMs: number; done: boolean }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [pages, setPages] = useState(1);
  const rows = rowsOf(steps);
  const span = spanOf(steps, nowMs);
  if (rows.length === 0)
    return <Empty title={done ? 'The stream of this run has told no steps.' : 'No step has begun yet.'} />;
  const shown = rows.slice(-pages * PAGE);
  const turn = (id: string): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <div className={styles['steps']}>
      {shown.length === rows.length ? null : (
        <Button small look="quiet" onPress={() => setPages(pages + 2)}>
          Show earlier steps ({count(rows.length - shown.length)})
        </Button>
      )}
      <ol aria-label="Steps">
        {shown.map(({ step, depth }) => (
          <li key={step.id} className={styles['step']} aria-label={`${step.path.join(' › ')}: ${WORDS[step.state]}`}>
            <button
              type="button"
              className={styles['row']}
              aria-expanded={open.has(step.id)}
              onClick={() => turn(step.id)}
            >
              <span className={styles['name']} style={{ paddingInlineStart: `${Math.min(depth, 6)}rem` }}>
                {open.has(step.id) ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                <span dir="auto">{step.name}</span>
                {step.state === 'done' ? null : <Badge look={LOOKS[step.state]}>{WORDS[step.state]}</Badge>}
                {step.attempt > 1 ? <Badge>attempt {step.attempt}</Badge> : null}
              </span>
              <Bar step={step} span={span} nowMs={nowMs} />
              <span className={styles['figures']}>
                <span className="numbers">{took(step, nowMs)}</span>
                <span className="numbers soft">{step.bytes === null ? '' : bytes(step.bytes)}</span>
              </span>
            </button>
            {open.has(step.id) ? <More step={step} /> : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

function More({ step }: { step: Step }) {
  return (
    <div className={styles['more']}>
      {step.error === null ? null : <ErrorNote error={step.error} />}
      {step.writes === undefined ? null : (
        <>
          <h3>Wrote</h3>
          <JsonTree label={`What ${step.name} wrote`} value={step.writes} openTo={2} rows={12} />
        </>
      )}
      {step.input === undefined ? null : (
        <>
          <h3>Was given</h3>
          <JsonTree label={`What ${step.name} was given`} value={step.input} rows={12} />
        </>
      )}
      {step.writes === undefined && step.error === null && step.input === undefined ? (
        <p className="soft">Nothing is known of it yet.</p>
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

function took({ startMs, endMs, state }: Step, nowMs: number): string {
  if (startMs === null) return '';
  const end = state === 'running' ? nowMs : endMs;
  return end === null ? '' : duration(Math.max(0, end - startMs));
}
