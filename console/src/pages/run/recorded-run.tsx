import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { evaluation } from '../../api/evaluation.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { AddToDatasetButton } from '../../shared/add-to-dataset.js';

/** The end of a trace is stored up to half a second after the run has ended. */
const LOOKS_MAX = 3;
const LOOK_MS = 700;

/** Actions for the trace of a run that has ended; none if the run was not recorded. */
export function RecordedRun({ runId }: { runId: string }) {
  const trace = useQuery({
    queryKey: ['run', 'trace', runId],
    // A search, because it does not fail for runs without a trace.
    queryFn: async ({ signal }) => {
      const { runs } = await evaluation.runs(
        { id: [runId], select: ['inputs', 'outputs', 'end_time', 'session_id'] },
        signal,
      );
      return runs.find(({ end_time: end }) => end !== null) ?? null;
    },
    refetchInterval: ({ state }) => (state.data === null && state.dataUpdateCount < LOOKS_MAX ? LOOK_MS : false),
  });
  const run = trace.data ?? null;
  if (run === null) return null;
  return (
    <>
      <Link href={`~${CONSOLE_PATH}/traces/${runId}`}>Trace</Link>
      <AddToDatasetButton small run={run} />
    </>
  );
}
