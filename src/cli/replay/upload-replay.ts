import { randomIds } from '../../base/ids.js';
import type { Client } from '../client.js';
import type { TraceStep } from './trace-steps.js';

/** Project of the server that gets the traces of replays. */
export const REPLAYS_PROJECT = 'replays';

export interface UploadedReplay {
  traceId: string;
  /** Address of the page that compares both; null if the server has no console. */
  console: string | null;
}

/** Stores the trace of a replay on the server. Its root names the run in its metadata, as `replay_of`. */
export async function uploadReplay(
  client: Client,
  runId: string,
  steps: readonly TraceStep[],
): Promise<UploadedReplay> {
  // The replay's own ids may be stored already, if it is uploaded twice.
  const ids = new Map(steps.map(({ id }) => [id, randomIds.next()]));
  const renamed = (text: string): string => [...ids].reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const post = steps.map(({ extra, ...step }) => ({
    name: step.name,
    run_type: step.run_type,
    start_time: step.start_time,
    end_time: step.end_time,
    inputs: step.inputs,
    outputs: step.outputs,
    error: step.error,
    tags: step.tags,
    id: ids.get(step.id),
    trace_id: ids.get(step.trace_id),
    parent_run_id: step.parent_run_id === null ? null : (ids.get(step.parent_run_id) ?? null),
    dotted_order: renamed(step.dotted_order),
    session_name: REPLAYS_PROJECT,
    extra: {
      ...extra,
      metadata: { ...extra?.metadata, ...(step.parent_run_id === null ? rootMetadata(runId, extra) : {}) },
    },
  }));
  await client.post('/runs/batch', { post, patch: [] });
  const traceId = ids.get(steps[0]!.trace_id)!;
  return { traceId, console: await client.consoleUrl(`/traces/compare?left=${runId}&right=${traceId}`) };
}

function rootMetadata(runId: string, extra: TraceStep['extra']): Record<string, unknown> {
  const code = extra?.metadata?.['code_version'];
  return { replay_of: runId, ...(code === undefined ? {} : { replay_code: code }) };
}
