import { JsonTree } from '../../components/json-tree.js';
import { EmptyState } from '../../components/note.js';
import { useQueryString } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { CustomView, EventsView } from './events-view.js';
import type { RunSnapshot } from './follow-run.js';
import { GraphView } from './graph-view.js';
import { StepsView } from './steps-view.js';
import { useNow } from './use-run.js';
import { useRecordedUsage } from './use-trace.js';

/** Tabs with everything that is known about a run. `graphOf`: assistant whose graph has a tab, null for no such tab. */
export function RunDetails({
  snapshot,
  done,
  graphOf,
  onRunFrom,
}: {
  snapshot: RunSnapshot;
  done: boolean;
  graphOf: string | null;
  /** Starts a run from a checkpoint. Null while that is not possible. */
  onRunFrom: ((checkpointId: string) => Promise<void>) | null;
}) {
  const [query, changeQuery] = useQueryString();
  const { view, version } = snapshot;
  const now = useNow(!done && snapshot.connection.kind !== 'gone', 200);
  const usage = useRecordedUsage(snapshot.runId, done);
  const tabs = [
    {
      id: 'steps',
      name: 'Steps',
      count: view.steps.size,
      content: <StepsView steps={view.steps} nowMs={now} done={done} usage={usage} onRunFrom={onRunFrom} />,
    },
    ...(graphOf === null
      ? []
      : [
          {
            id: 'graph',
            name: 'Graph',
            content: <GraphView assistantId={graphOf} steps={view.steps} version={version} />,
          },
        ]),
    {
      id: 'state',
      name: 'State',
      content:
        view.values === undefined ? (
          <EmptyState title="No state yet">The stream has not sent a state yet.</EmptyState>
        ) : (
          <JsonTree label="State" value={view.values} openTo={2} rows={26} />
        ),
    },
    {
      id: 'custom',
      name: 'Custom',
      count: view.customEvents.length,
      content: <CustomView customs={view.customEvents} />,
    },
    {
      id: 'events',
      name: 'Events',
      count: view.received,
      content: <EventsView events={view.events} received={view.received} />,
    },
  ];
  const tab = tabs.some(({ id }) => id === query.get('tab')) ? query.get('tab')! : 'steps';
  return <Tabs label="Run details" tabs={tabs} value={tab} onChange={(id) => changeQuery({ tab: id })} />;
}
