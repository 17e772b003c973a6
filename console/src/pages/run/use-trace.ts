import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { evaluation, type Run } from '../../api/evaluation.js';
import { usageByTask, type Usage } from './step-usage.js';

/** The end of a trace is stored up to half a second after the run has ended. */
const LOOKS_MAX = 3;
const LOOK_MS = 700;
/** Model calls of which the usage is known. Longer runs show the first ones. */
const CALLS_MAX = 100;
const NO_USAGE: ReadonlyMap<string, Usage> = new Map();

/** The trace of a run that has ended; null if the run was not recorded. */
export function useTrace(runId: string, done: boolean): Run | null {
  const trace = useQuery({
    queryKey: ['run', 'trace', runId],
    // A search, because it does not fail for runs without a trace.
    queryFn: async ({ signal }) => {
      const select = ['inputs', 'outputs', 'end_time', 'session_id', 'total_tokens', 'total_cost'];
      const { runs } = await evaluation.runs({ id: [runId], select }, signal);
      return runs.find(({ end_time: end }) => end !== null) ?? null;
    },
    enabled: done,
    refetchInterval: ({ state }) => (state.data === null && state.dataUpdateCount < LOOKS_MAX ? LOOK_MS : false),
  });
  return trace.data ?? null;
}

/** Tokens and costs of the steps of a run by task id, from its trace. Empty without a trace. */
export function useRecordedUsage(runId: string, done: boolean): ReadonlyMap<string, Usage> {
  const isRecorded = useTrace(runId, done) !== null;
  const calls = useQuery({
    queryKey: ['run', 'calls', runId],
    queryFn: ({ signal }) =>
      evaluation.runs(
        {
          trace: runId,
          run_type: 'llm',
          order: 'asc',
          limit: CALLS_MAX,
          select: ['total_tokens', 'total_cost', 'extra'],
        },
        signal,
      ),
    enabled: isRecorded,
    staleTime: Infinity,
  });
  return useMemo(() => (calls.data === undefined ? NO_USAGE : usageByTask(calls.data.runs)), [calls.data]);
}
