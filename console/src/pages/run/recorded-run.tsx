import { Link } from 'wouter';
import { CONSOLE_PATH } from '../../api/session.js';
import { AddToDatasetButton } from '../../shared/add-to-dataset.js';
import { usageText } from './step-usage.js';
import { useTrace } from './use-trace.js';

/** Usage and actions of a run that has ended, from its trace; none if the run was not recorded. */
export function RecordedRun({ runId }: { runId: string }) {
  const run = useTrace(runId, true);
  if (run === null) return null;
  const { total_tokens: tokens, total_cost: cost } = run;
  return (
    <>
      {tokens === null || tokens === 0 ? null : (
        <span className="soft numbers">{usageText({ tokens, cost: cost === null ? null : Number(cost) })}</span>
      )}
      <Link href={`~${CONSOLE_PATH}/traces/${runId}`}>Trace</Link>
      <AddToDatasetButton small run={run} />
    </>
  );
}
