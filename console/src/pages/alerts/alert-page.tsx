import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Route, Send } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { alerts, type Alert, type AlertChange, type AlertMetric } from '../../api/alerts.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button, ButtonLink } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount, pluralize } from '../../components/format.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { AlertDialog } from '../../shared/alert-dialog.js';
import { describeCondition, formatAlertValue, formatPeriod, tracesHref } from '../../shared/alert-words.js';
import { AlertBadge, AlertSwitch, REFRESH_MS, StateBadge, UPDATE_ALERT } from './alert-parts.js';

const LIST_HREF = consoleHref('/alerts');
const CRUMBS = [{ name: 'Alerts', to: LIST_HREF }];

export function AlertPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'one', id],
    queryFn: ({ signal }) => alerts.get(id, signal),
    refetchInterval: REFRESH_MS,
  });
  if (data !== undefined) return <AlertDetails alert={data} />;
  return (
    <Page title="Alert" crumbs={CRUMBS}>
      {error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function AlertDetails({ alert }: { alert: Alert }) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const [, navigate] = useLocation();
  const close = (): void => setDialog(null);
  const { error, execute, isPending } = useAsyncAction();
  const callWebhook = (): Promise<void> =>
    execute(async () => {
      await alerts.callWebhook(alert.id);
      showToast('The webhook will be called with a test.');
    });
  return (
    <Page
      title={alert.name}
      crumbs={CRUMBS}
      badge={<AlertBadge alert={alert} />}
      about={describeCondition(alert, alert.project_name)}
      actions={
        <>
          <AlertSwitch alert={alert} />
          <ButtonLink to={tracesHref(alert)}>
            <Route size={15} aria-hidden />
            Traces
          </ButtonLink>
          <Button needs={UPDATE_ALERT} variant="primary" onPress={() => setDialog('edit')}>
            <Pencil size={15} aria-hidden />
            Edit
          </Button>
          <Menu
            label="More"
            actions={[
              {
                id: 'test',
                name: 'Call the webhook now',
                needs: UPDATE_ALERT,
                icon: <Send size={15} aria-hidden />,
                isDisabled: alert.webhook === null || isPending,
                onAction: () => void callWebhook(),
              },
              deleteAction('experiments:delete', () => setDialog('delete')),
            ]}
          />
        </>
      }
    >
      {error === null ? null : <ErrorNote error={error} />}
      {alert.error === null ? null : <ErrorNote error={`It cannot be checked. ${alert.error}`} />}
      <Panel title="Now">
        <DescriptionList facts={factsOf(alert)} />
      </Panel>
      <History alert={alert} />
      {dialog === 'edit' ? (
        <AlertDialog alert={alert} onClose={close} onSaved={() => showToast('Alert updated.')} />
      ) : null}
      <ConfirmDialog
        title="Delete this alert?"
        isOpen={dialog === 'delete'}
        onClose={close}
        confirmLabel="Delete"
        onConfirm={async () => {
          await alerts.delete(alert.id);
          showToast('Alert deleted.');
          await client.invalidateQueries({ queryKey: ['alerts'], refetchType: 'none' });
          navigate(LIST_HREF);
        }}
      >
        It is deleted with its history, and calls no webhook any more. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}

function factsOf(alert: Alert): (readonly [string, ReactNode])[] {
  const { metric, webhook, minimum_runs: minimum, last_run_count: runs } = alert;
  return [
    ['Value', formatAlertValue(metric, alert.last_value)],
    ['Limit', `${alert.operator} ${formatAlertValue(metric, alert.threshold)}`],
    [alert.is_root ? 'Traces' : 'Steps', runs === null ? '–' : formatCount(runs)],
    ['In this state', <Time key="since" at={alert.state_since} />],
    ['Checked', alert.last_checked_at === null ? 'Not yet' : <Time key="checked" at={alert.last_checked_at} />],
    ...(minimum === 0 ? [] : [['Needs', `at least ${pluralize(minimum, 'run')}`] as const]),
    ...(alert.filter === null ? [] : [['Filter', <code key="filter">{alert.filter}</code>] as const]),
    ...(alert.tree_filter === null ? [] : [['Any step', <code key="tree">{alert.tree_filter}</code>] as const]),
    ['Webhook', webhook === null ? 'None' : webhook.url],
    ...(webhook === null || alert.repeat_seconds === null
      ? []
      : [['Called again', `every ${formatPeriod(alert.repeat_seconds)} while it is firing`] as const]),
    ['ID', <CopyableId key="id" id={alert.id} />],
  ];
}

function History({ alert: { id, metric, state } }: { alert: Alert }) {
  const history = useQuery({
    // A new state is a new entry.
    queryKey: ['alerts', 'history', id, state],
    queryFn: ({ signal }) => alerts.history(id, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title="History" flush>
      {history.error === null ? null : <ErrorNote error={history.error} onRetry={() => void history.refetch()} />}
      {history.data === undefined ? (
        history.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Table
          label="History"
          columns={historyColumns(metric)}
          items={history.data}
          idOf={({ at }) => at}
          empty={<EmptyState title="It has not fired yet" />}
        />
      )}
    </Panel>
  );
}

function historyColumns(metric: AlertMetric): Column<AlertChange>[] {
  return [
    { id: 'at', name: 'When', cell: ({ at }) => <Time at={at} /> },
    { id: 'state', name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'value',
      name: 'Value',
      numbers: true,
      cell: ({ value }) => formatAlertValue(metric, value),
    },
    { id: 'runs', name: 'Runs', numbers: true, wideOnly: true, cell: ({ run_count: count }) => formatCount(count) },
    { id: 'webhook', name: 'Webhook', cell: ({ webhook }) => webhookWords(webhook) },
  ];
}

function webhookWords(webhook: AlertChange['webhook']): string {
  if (webhook === null) return '–';
  if (webhook.status === 'delivered') return 'Delivered';
  const why = webhook.last_error === null ? '' : `: ${webhook.last_error}`;
  return webhook.status === 'failed' ? `Failed${why}` : `Waits, after ${pluralize(webhook.attempts, 'attempt')}${why}`;
}
