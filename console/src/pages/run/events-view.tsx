import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { formatCount } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, Note } from '../../components/note.js';
import { VirtualList } from '../../components/virtual-list.js';
import type { RunEvent, RunView } from './run-events.js';
import styles from './events-view.module.css';

/** All received events, with their ids. */
export function EventsView({ events, received }: { events: readonly RunEvent[]; received: number }) {
  const [chosen, setChosen] = useState<RunEvent | null>(null);
  if (events.length === 0)
    return <EmptyState title="No events yet">Events appear here while the run streams.</EmptyState>;
  return (
    <div className="stack">
      {received === events.length ? null : (
        <Note>
          Showing the newest {formatCount(events.length)} of {formatCount(received)} events.
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
                {preview(event.data)}
              </span>
            </button>
          )}
        />
      </div>
      <Dialog
        title={chosen === null ? '' : `Event ${chosen.id ?? 'without id'}: ${chosen.event}`}
        size="wide"
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
      >
        {chosen === null ? null : <JsonTree label="Event data" value={chosen.data} openTo={2} rows={24} />}
      </Dialog>
    </div>
  );
}

/** Custom stream events in order. */
export function CustomView({ customs }: { customs: RunView['customEvents'] }) {
  if (customs.length === 0)
    return <EmptyState title="No custom events">A node sends them with `config.writer`.</EmptyState>;
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
              {preview(data)}
            </code>
          </div>
        )}
      />
    </div>
  );
}

/** A short preview. Long strings are cut before serialization. */
function preview(data: unknown): string {
  const text =
    typeof data === 'string'
      ? data
      : (JSON.stringify(data, (_key, value: unknown) =>
          typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)}…` : value,
        ) ?? '');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
