import type { Run } from '../../api/evaluation.js';

/** A step of a trace and its place in the tree. */
export interface Step {
  run: Run;
  depth: number;
  /** Number of steps below it. */
  below: number;
  parentId: string | null;
  /** Milliseconds since the start of the trace, and until the step ended or now. */
  startMs: number;
  durationMs: number;
}

/** The steps in the order of the tree: each before those below it, which are in the order of their start. */
export function stepsOfTrace(runs: readonly Run[], nowMs: number): Step[] {
  const ordered = runs.toSorted((one, other) => (one.dotted_order < other.dotted_order ? -1 : 1));
  const ids = new Set(ordered.map(({ id }) => id));
  const children = new Map<string | null, Run[]>();
  for (const run of ordered) {
    // A step whose parent has not arrived is shown at the top.
    const parentId = run.parent_run_id !== null && ids.has(run.parent_run_id) ? run.parent_run_id : null;
    const others = children.get(parentId);
    if (others === undefined) children.set(parentId, [run]);
    else others.push(run);
  }
  const beginMs = Math.min(...ordered.map(({ start_time: start }) => Date.parse(start)));
  const steps: Step[] = [];
  const places: (number | null)[] = [];
  // No recursion: clients can send traces that are nested thousands of levels deep.
  const waiting: { run: Run; parentAt: number | null }[] = [];
  const addChildren = (id: string | null, parentAt: number | null): void => {
    for (const run of (children.get(id) ?? []).toReversed()) waiting.push({ run, parentAt });
  };
  const seen = new Set<string>();
  const addWaiting = (): void => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { run, parentAt } = next;
      if (seen.has(run.id)) continue;
      seen.add(run.id);
      const parent = parentAt === null ? null : steps[parentAt]!;
      const endMs = run.end_time === null ? nowMs : Date.parse(run.end_time);
      const startMs = Date.parse(run.start_time);
      steps.push({
        run,
        depth: parent === null ? 0 : parent.depth + 1,
        below: 0,
        parentId: parent?.run.id ?? null,
        startMs: startMs - beginMs,
        durationMs: Math.max(0, endMs - startMs),
      });
      places.push(parentAt);
      addChildren(run.id, steps.length - 1);
    }
  };
  addChildren(null, null);
  addWaiting();
  // Steps that are below each other have no place under a root.
  for (const run of ordered) {
    if (seen.has(run.id)) continue;
    waiting.push({ run, parentAt: null });
    addWaiting();
  }
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const parentAt = places[at] ?? null;
    if (parentAt !== null) steps[parentAt]!.below += 1 + steps[at]!.below;
  }
  return steps;
}

/** Without the steps below those that are collapsed. */
export function visibleSteps(steps: readonly Step[], collapsed: ReadonlySet<string>): Step[] {
  const visible: Step[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at]!;
    visible.push(step);
    if (collapsed.has(step.run.id)) at += step.below;
  }
  return visible;
}

/** How long the whole trace took, at least 1 ms. */
export function traceMs(steps: readonly Step[]): number {
  return Math.max(1, ...steps.map(({ startMs, durationMs }) => startMs + durationMs));
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  chain: 'Step',
  llm: 'Model',
  tool: 'Tool',
  retriever: 'Retriever',
  prompt: 'Prompt',
  parser: 'Parser',
  embedding: 'Embedding',
};

export function typeName({ run_type: type, parent_run_id: parentId }: Run): string {
  return type === 'chain' && parentId === null ? 'Run' : (TYPE_NAMES[type] ?? type);
}

export function metadataOf({ extra }: Pick<Run, 'extra'>): Record<string, unknown> {
  return (extra?.['metadata'] ?? {}) as Record<string, unknown>;
}

/** The API calls a run that executes pending. */
export function runStatus({ status, end_time: end }: Pick<Run, 'status' | 'end_time'>): string {
  return end === null ? 'running' : status;
}

/** Some clients send an empty error for a run that succeeded. */
export function hasFailed({ error }: Pick<Run, 'error'>): boolean {
  return error !== null && error !== '';
}

/** The first line of an error, without its stack. */
export function errorLine(error: string, charsMax: number): string {
  const line = error.trim().split('\n', 1)[0]!;
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}
