import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, Send } from 'lucide-react';
import { Link } from 'wouter';
import { serverApi, type Delivery, type RunDelivery } from '../../api/server.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge, Status, type BadgeVariant } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { Select } from '../../components/field.js';
import { formatCount, shortId } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { refreshUnlessForbidden } from '../../shared/forbidden.js';
import styles from './server.module.css';

const REFRESH_MS = 5_000;
const ALL = 'all';
const STATES: Readonly<Record<Delivery['status'], { name: string; variant: BadgeVariant }>> = {
  pending: { name: 'Pending', variant: 'warn' },
  delivered: { name: 'Delivered', variant: 'good' },
  failed: { name: 'Failed', variant: 'bad' },
};

/** The calls that the server made when runs ended, or alerts changed. */
export function Webhooks() {
  const [query, change] = useQueryString();
  const status = query.get('status');
  const client = useQueryClient();
  const action = useAsyncAction();
  const list = useQuery({
    queryKey: ['server', 'deliveries', status ?? ALL],
    queryFn: ({ signal }) => serverApi.deliveries(status, signal),
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
  });
  const sendAgain = (delivery: RunDelivery): Promise<void> =>
    action.execute(async () => {
      await serverApi.sendAgain(delivery);
      showToast('The webhook is sent again.');
      await client.invalidateQueries({ queryKey: ['server', 'deliveries'] });
    });
  const columns: readonly Column<Delivery>[] = [
    {
      id: 'url',
      name: 'Address',
      cell: (delivery) => (
        <span className={styles['address']}>
          <span className="row">
            <Badge variant={STATES[delivery.status].variant}>{STATES[delivery.status].name}</Badge>
            <span className={styles['url']}>{delivery.url}</span>
          </span>
          <Outcome delivery={delivery} />
        </span>
      ),
    },
    {
      id: 'source',
      name: 'Run or alert',
      wideOnly: true,
      cell: (delivery) => <Source delivery={delivery} />,
    },
    {
      id: 'attempts',
      name: 'Attempts',
      numbers: true,
      wideOnly: true,
      cell: (one) => formatCount(one.attempts.length),
    },
    {
      id: 'again',
      name: <span className="visually-hidden">Actions</span>,
      cell: (delivery) =>
        isOfRun(delivery) && delivery.can_send_again ? (
          <Button
            small
            needs="threads:update"
            aria-label={`Send again to ${delivery.url}, run ${shortId(delivery.run_id)}`}
            onPress={() => void sendAgain(delivery)}
          >
            <Send size={14} aria-hidden />
            Send again
          </Button>
        ) : null,
    },
  ];
  return (
    <>
      <Toolbar label="Filters">
        <Select
          label="Status"
          value={status ?? ALL}
          options={[{ id: ALL, name: 'All' }, ...Object.entries(STATES).map(([id, { name }]) => ({ id, name }))]}
          onChange={(id) => change({ status: id === ALL ? null : id })}
        />
      </Toolbar>
      {action.error === null ? null : <ErrorNote error={action.error} />}
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Deliveries of webhooks"
            items={list.data.deliveries}
            idOf={(delivery) => (isOfRun(delivery) ? delivery.run_id : delivery.webhook_id)}
            columns={columns}
            empty={
              status === null ? (
                <EmptyState title="No webhooks in the last 7 days">
                  <p>
                    Start a run with <code>webhook</code>, and the server calls that address when the run has ended. An
                    alert calls the webhook that its form names.
                  </p>
                </EmptyState>
              ) : (
                <EmptyState title="No delivery has this status" />
              )
            }
          />
        </Panel>
      )}
      {list.data?.has_more === true ? <p className="soft">Older deliveries are not shown.</p> : null}
    </>
  );
}

function isOfRun(delivery: Delivery): delivery is RunDelivery {
  return 'run_id' in delivery;
}

function Source({ delivery }: { delivery: Delivery }) {
  if (!isOfRun(delivery))
    return (
      <span className="row">
        <Bell size={14} aria-hidden />
        <Link href={consoleHref(`/alerts/${delivery.alert_id}`)} dir="auto">
          {delivery.alert_name}
        </Link>
      </span>
    );
  const { run_id: runId, thread_id: threadId, run_status: status } = delivery;
  return (
    <span className="row">
      <Link href={consoleHref(`/threads/${threadId}`, { tab: 'runs' })}>{shortId(runId)}</Link>
      {status === null ? null : <Status status={status} />}
    </span>
  );
}

/** What became of the last attempt, and when the next one is. */
function Outcome({ delivery: { attempts, next_attempt_at: next } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <span className={`soft ${styles['outcome']}`}>
      {last === undefined ? null : (
        <>
          {last.error === null ? `Answered ${last.status_code}` : `Last attempt: ${last.error}`},{' '}
          <Time at={last.sent_at} />
        </>
      )}
      {next === null ? null : (
        <>
          {last === undefined ? 'Sent ' : '; sent again '}
          <Time at={next} />
        </>
      )}
    </span>
  );
}
