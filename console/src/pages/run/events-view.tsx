import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { count } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Empty, Note } from '../../components/note.js';
import { VirtualList } from '../../components/virtual-list.js';
import type { RunEvent, RunView } from './run-events.js';
import styles from './events-view.module.css';

/** Everything that came over the wire, under the ids it had there. */
export function EventsView({ events, received }: { events: readonly RunEvent[]; received: number }) {
  const [chosen, setChosen] = useState<RunEvent | null>(null);
  if (events.length === 0) return <Empty title="No event has come yet." />;
  return (
    <div className="stack">
      {received === events.length ? null : (
        <Note>
          Of {count(received)} events the newest {count(events.length)} are kept in this page.
        </Note>
      )}
      <div className={styles['list']}>
        <VirtualList
          label="Events"
          items={events}
          idOf={({ at }) => at}
          estimate={30}
          render={(event) => (
            <button type="button" className={styles['row']} onClick={() => setChosen(event)}>
              <code className={styles['id']}>{event.id ?? ''}</code>
              <code className={styles['name']} dir="auto">
                {event.event}
              </code>
              <span className={styles['data']} dir="auto">
                {brief(event.data)}
              </span>
            </button>
          )}
        />
      </div>
      <Dialog
        title={chosen === null ? '' : `Event ${chosen.id ?? 'without an id'}: ${chosen.event}`}
        size="wide"
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
      >
        {chosen === null ? null : <JsonTree label="Data of the event" value={chosen.data} openTo={2} rows={24} />}
      </Dialog>
    </div>
  );
}

/** What nodes said of their own, in their order. */
export function CustomView({ customs }: { customs: RunView['customs'] }) {
  if (customs.length === 0)
    return <Empty title="No node has said anything of its own.">A node does with its writer.</Empty>;
  return (
    <div className={styles['list']}>
      <VirtualList
        label="Custom events"
        items={customs}
        idOf={({ at }) => at}
        estimate={30}
        render={({ id, from, data, attempt }) => (
          <div className={styles['row']}>
            <code className={styles['id']}>{id ?? ''}</code>
            <span className={styles['name']} dir="auto">
              {from.join(' › ')}
              {attempt > 1 ? ` (attempt ${attempt})` : ''}
            </span>
            <code className={styles['whole']} dir="auto">
              {brief(data)}
            </code>
          </div>
        )}
      />
    </div>
  );
}

/** Enough to tell it by; a value of megabytes is not written out for it. */
function brief(data: unknown): string {
  const text =
    typeof data === 'string'
      ? data
      : (JSON.stringify(data, (_key, value: unknown) =>
          typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)}…` : value,
        ) ?? '');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
