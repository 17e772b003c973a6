import type { NodeState } from '../../graph/graph-picture.js';
import type { RunView, Step } from './run-events.js';

export interface StepRow {
  step: Step;
  depth: number;
}

/** Steps in order of their start, those of a subgraph below the step that called it. */
export function stepRows(steps: RunView['steps']): StepRow[] {
  const below = new Map<string | null, Step[]>();
  for (const step of steps.values()) {
    const parent = step.parent !== null && steps.has(step.parent) ? step.parent : null;
    const list = below.get(parent);
    if (list === undefined) below.set(parent, [step]);
    else list.push(step);
  }
  const rows: StepRow[] = [];
  const walk = (parent: string | null, depth: number): void => {
    for (const step of below.get(parent) ?? []) {
      rows.push({ step, depth });
      walk(step.id, depth + 1);
    }
  };
  walk(null, 0);
  return rows;
}

/** Node states for the drawing: the state of the newest step, or running while any step of the node runs. */
export function nodeStates(steps: RunView['steps']): Map<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const { path, state } of steps.values()) {
    const id = path.join(':');
    if (states.get(id) === 'running' && state !== 'running') continue;
    if (state !== 'lost') states.set(id, state);
    else states.delete(id);
  }
  return states;
}

/** First start and last known time of all steps; null if the stream has no times. */
export function timeSpan(steps: RunView['steps'], nowMs: number): { startMs: number; endMs: number } | null {
  let startMs = Infinity;
  let endMs = -Infinity;
  for (const step of steps.values()) {
    if (step.startMs !== null) startMs = Math.min(startMs, step.startMs);
    const end = step.state === 'running' ? nowMs : (step.endMs ?? step.startMs);
    if (end !== null) endMs = Math.max(endMs, end);
  }
  return startMs === Infinity ? null : { startMs, endMs: Math.max(endMs, startMs + 1) };
}
