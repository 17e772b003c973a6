import { useQueryString } from '../../components/query-string.js';
import { HealthPanel } from './health-panel.js';
import { HistoryCharts } from './history-charts.js';
import { Load } from './load.js';
import styles from './server.module.css';

/** Health in one sentence, the history as charts, and the load at this moment, folded. */
export function Overview() {
  const [query, change] = useQueryString();
  const isOpen = query.get('details') === 'open';
  return (
    <>
      <HealthPanel />
      <HistoryCharts />
      <details
        className={styles['details']}
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) change({ details: currentTarget.open ? 'open' : null });
        }}
      >
        <summary>Load at this moment, by graph and by thread</summary>
        {isOpen ? (
          <div className={styles['inside']}>
            <Load />
          </div>
        ) : null}
      </details>
    </>
  );
}
