import { randomUUID } from 'node:crypto';
import { sent, type Served } from './sent-runs.js';

/** A step of a trace that a test uploads. */
export interface SentStep {
  name: string;
  type?: string;
  inputs?: unknown;
  outputs?: unknown;
  error?: string;
  metadata?: Record<string, unknown>;
  steps?: readonly SentStep[];
  more?: Record<string, unknown>;
}

const BATCH = 1_000;
const STEP_MS = 100;

/** The runs of a trace, each begins 100 ms after the one before it. */
export function runsOfTrace(root: SentStep, { project, startMs }: { project: string; startMs: number }) {
  const runs: Record<string, unknown>[] = [];
  const traceId = randomUUID();
  const add = (step: SentStep, parent: { id: string; order: string } | null): number => {
    const id = parent === null ? traceId : randomUUID();
    const beginMs = startMs + runs.length * STEP_MS;
    const at = new Date(beginMs).toISOString();
    const order = `${parent === null ? '' : `${parent.order}.`}${at.replaceAll(/[-:.]/g, '').replace('Z', '000Z')}${id}`;
    const run: Record<string, unknown> = {
      id,
      trace_id: traceId,
      dotted_order: order,
      ...(parent === null ? {} : { parent_run_id: parent.id }),
      name: step.name,
      run_type: step.type ?? 'chain',
      start_time: at,
      inputs: step.inputs ?? {},
      ...(step.error === undefined ? { outputs: step.outputs ?? {} } : { error: step.error }),
      extra: { metadata: step.metadata ?? {} },
      session_name: project,
      ...step.more,
    };
    runs.push(run);
    let endMs = beginMs + STEP_MS;
    for (const child of step.steps ?? []) endMs = Math.max(endMs, add(child, { id, order }));
    run['end_time'] = new Date(endMs).toISOString();
    return endMs;
  };
  add(root, null);
  return { traceId, runs };
}

/** Uploads a trace and returns its id. */
export async function sendTrace(
  server: Served,
  root: SentStep,
  place: { project: string; startMs: number },
): Promise<string> {
  const { traceId, runs } = runsOfTrace(root, place);
  for (let at = 0; at < runs.length; at += BATCH)
    await sent(server, 'POST', '/runs/batch', { post: runs.slice(at, at + BATCH) });
  return traceId;
}
