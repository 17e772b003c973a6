import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { alerts, type Alert } from '../../api/alerts.js';
import { Button } from '../../components/button.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { AlertDialog } from '../../shared/alert-dialog.js';
import { byUrgency, describeCondition, formatAlertValue } from '../../shared/alert-words.js';
import { AlertBadge, AlertSwitch, REFRESH_MS } from './alert-parts.js';
import styles from './alerts.module.css';

const COLUMNS: readonly Column<Alert>[] = [
  {
    id: 'name',
    name: 'Alert',
    cell: (alert) => (
      <span className={styles['name']}>
        <span className="row">
          <AlertBadge alert={alert} />
          <Link href={`/${alert.id}`}>{alert.name}</Link>
        </span>
        <span className={`soft ${styles['condition']}`}>{describeCondition(alert, alert.project_name)}</span>
      </span>
    ),
  },
  {
    id: 'value',
    name: 'Value',
    numbers: true,
    cell: ({ metric, last_value: value }) => formatAlertValue(metric, value),
  },
  {
    id: 'limit',
    name: 'Limit',
    numbers: true,
    wideOnly: true,
    cell: ({ metric, threshold }) => formatAlertValue(metric, threshold),
  },
  { id: 'since', name: 'Since', wideOnly: true, cell: ({ state_since: at }) => <Time at={at} /> },
  { id: 'enabled', name: 'Enabled', cell: (alert) => <AlertSwitch alert={alert} hideLabel /> },
];

/** All alerts, those that need attention first. */
export function AlertsPage() {
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ['alerts', 'list'],
    queryFn: ({ signal }) => alerts.list(signal),
    refetchInterval: REFRESH_MS,
  });
  const newAlert = (
    <Button needs={['experiments:create', 'experiments:search']} variant="primary" onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      New alert
    </Button>
  );
  return (
    <Page
      title="Alerts"
      about="Conditions on runs that the server checks once a minute: errors, latency, cost, scores."
      // An empty page has the button in its middle. Until that is known it is not shown, so that it does not move.
      actions={list.isPending || list.data?.length === 0 ? undefined : newAlert}
    >
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Alerts"
            columns={COLUMNS}
            items={list.data.toSorted(byUrgency)}
            idOf={({ id }) => id}
            empty={
              <EmptyState title="No alerts yet">
                <p>An alert calls a webhook when runs fail, become slow or expensive, or score low.</p>
                <div className={styles['action']}>{newAlert}</div>
              </EmptyState>
            }
          />
        </Panel>
      )}
      {isCreating ? (
        <AlertDialog
          alert={null}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => {
            showToast('Alert created.');
            navigate(`/${id}`);
          }}
        />
      ) : null}
    </Page>
  );
}
