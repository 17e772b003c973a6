import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, CommandError } from '../client.js';

/** A step of a trace, as POST /runs/query returns it. */
export interface TraceStep {
  id: string;
  trace_id: string;
  parent_run_id: string | null;
  name: string;
  run_type: string;
  start_time: string;
  end_time: string | null;
  dotted_order: string;
  inputs: unknown;
  outputs: unknown;
  error: string | null;
  extra: { metadata?: Record<string, unknown> } | null;
  tags: string[] | null;
  total_tokens: number | null;
  total_cost: number | string | null;
}

const FIELDS = [
  ...['id', 'trace_id', 'parent_run_id', 'name', 'run_type', 'start_time', 'end_time', 'dotted_order', 'inputs'],
  ...['outputs', 'error', 'extra', 'tags', 'total_tokens', 'total_cost'],
];
const PAGE = 100;
const POLL_MS = 20;
const WAIT_MS = 10_000;

/** The steps of a trace, the root first and each before its children. Waits until the root is stored with its end. */
export async function readTrace(client: Client, traceId: string): Promise<TraceStep[]> {
  const untilMs = Date.now() + WAIT_MS;
  for (;;) {
    const steps = await storedSteps(client, traceId);
    if (steps.some((step) => step.parent_run_id === null && step.end_time !== null)) return steps;
    if (Date.now() > untilMs) throw new CommandError(`The trace ${traceId} has no end.`);
    await sleep(POLL_MS);
  }
}

/** Those that are stored now; empty if there is no such trace. */
export async function storedSteps(client: Client, traceId: string): Promise<TraceStep[]> {
  const steps: TraceStep[] = [];
  let cursor: string | null = null;
  do {
    const query = { trace: traceId, select: FIELDS, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page = JSON.parse(await client.post('/runs/query', query)) as {
      runs: TraceStep[];
      cursors: { next: string | null };
    };
    steps.push(...page.runs);
    cursor = page.cursors.next;
  } while (cursor !== null);
  return steps.sort((one, other) => (one.dotted_order < other.dotted_order ? -1 : 1));
}
