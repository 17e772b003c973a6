import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchJson } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge, type BadgeVariant } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount, formatDuration, formatRelativeTime, pluralize } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { showToast } from '../../components/toast.js';
import styles from './server.module.css';

interface ClusterNode {
  node_id: string;
  name: string;
  role: 'owner' | 'standby' | 'loading' | 'lost';
  drain: 'none' | 'draining' | 'drained';
  version: string;
  entries_behind: number;
  lag_ms: number;
  workers: number;
  runs: number;
  seen_ms_ago: number;
}

interface NodesState {
  epoch: number;
  last_entry: number;
  machines: 1 | 2;
  problems: string[];
  can_drain: boolean;
  nodes: ClusterNode[];
}

const ROLES: Readonly<Record<ClusterNode['role'], { name: string; variant: BadgeVariant; meaning: string }>> = {
  owner: {
    name: 'Owner',
    variant: 'info',
    meaning: 'Answers all requests and stores all changes. A cluster has one owner at a time.',
  },
  standby: {
    name: 'Standby',
    variant: 'good',
    meaning:
      'Keeps a copy of the data and passes requests on to the owner. If the owner is lost, a standby takes its place.',
  },
  loading: { name: 'Loading', variant: 'neutral', meaning: 'Loads a copy of the data before it can help.' },
  lost: {
    name: 'Lost',
    variant: 'bad',
    meaning: 'Has shown no sign of life for some seconds. Its runs continue on other nodes.',
  },
};

const DRAIN_STATES: Readonly<Record<ClusterNode['drain'], { name: string; variant: BadgeVariant }>> = {
  none: { name: 'Active', variant: 'good' },
  draining: { name: 'Draining', variant: 'warn' },
  drained: { name: 'Drained', variant: 'neutral' },
};

/** The nodes of a cluster, for people who take one out of service. */
export function Nodes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'nodes'],
    queryFn: ({ signal }) => fetchJson<NodesState>('server/nodes', { signal }),
    refetchInterval: 2_000,
  });
  const [drained, setDrained] = useState<ClusterNode | null>(null);
  const undo = useAsyncAction();
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />;
  const { nodes, problems, machines, epoch, last_entry: lastEntry, can_drain: canDrain } = data;
  const putBack = (name: string): Promise<void> =>
    undo.execute(async () => {
      await fetchJson(drainPath(name), { method: 'DELETE' });
      showToast(`${name} is back in service.`);
      await refetch();
    });
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {undo.error === null ? null : <ErrorNote error={undo.error} />}
      {nodes.some(({ role }) => role === 'owner') ? null : (
        <Note variant="warn">
          No node is the owner at present, so requests wait. Another node takes over within seconds, unless all of them
          are drained.
        </Note>
      )}
      {problems.map((problem) => (
        <Note key={problem} variant="warn">
          The database is not safe: {problem}.
        </Note>
      ))}
      <Panel title={pluralize(nodes.length, 'node')} flush>
        <Table
          label="Nodes"
          items={nodes}
          idOf={({ node_id: id }) => id}
          columns={[
            { id: 'name', name: 'Node', cell: ({ name }) => name },
            {
              id: 'role',
              name: 'Role',
              cell: ({ role }) => <Badge variant={ROLES[role].variant}>{ROLES[role].name}</Badge>,
            },
            {
              id: 'drain',
              name: 'Service',
              cell: ({ drain }) => <Badge variant={DRAIN_STATES[drain].variant}>{DRAIN_STATES[drain].name}</Badge>,
            },
            { id: 'runs', name: 'Runs', numbers: true, cell: ({ runs }) => formatCount(runs) },
            {
              id: 'workers',
              name: 'Workers',
              numbers: true,
              wideOnly: true,
              cell: ({ workers }) => formatCount(workers),
            },
            { id: 'lag', name: 'Copy', wideOnly: true, cell: lagText },
            {
              id: 'seen',
              name: 'Last heartbeat',
              wideOnly: true,
              cell: ({ seen_ms_ago: seenMs }) => formatRelativeTime(-seenMs, 0),
            },
            { id: 'version', name: 'Version', wideOnly: true, cell: ({ version }) => version },
            {
              id: 'change',
              name: '',
              cell: (node) => {
                if (!canDrain) return null;
                return node.drain === 'none' ? (
                  <Button
                    needs="server:nodes"
                    small
                    variant="quiet"
                    onPress={() => setDrained(node)}
                    aria-label={`Drain ${node.name}`}
                  >
                    Drain
                  </Button>
                ) : (
                  <Button
                    small
                    variant="quiet"
                    needs="server:nodes"
                    isPending={undo.isPending}
                    onPress={() => void putBack(node.name)}
                    aria-label={`Put back ${node.name}`}
                  >
                    Put back
                  </Button>
                );
              },
            },
          ]}
        />
      </Panel>
      <Panel title="What this means">
        <dl className={styles['meanings']}>
          {Object.values(ROLES).map(({ name, meaning }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
          <div>
            <dt>Drained</dt>
            <dd>
              Taken out of service, for example before its machine is maintained. A drained node executes nothing and
              does not become the owner, but clients can still use it: it passes their requests on.
            </dd>
          </div>
        </dl>
        <p>
          {machines === 2
            ? 'Every acknowledged change is on two machines of the database.'
            : 'Acknowledged changes survive the loss of every node, but not of the database: it has no synchronous standby.'}{' '}
          Its log has {pluralize(lastEntry, 'entry', 'entries')}. A node has become the owner {pluralize(epoch, 'time')}{' '}
          since the cluster was created.
        </p>
      </Panel>
      <ConfirmDialog
        title={`Drain ${drained?.name ?? ''}?`}
        isOpen={drained !== null}
        confirmLabel="Drain"
        variant="primary"
        onClose={() => setDrained(null)}
        onConfirm={async () => {
          await fetchJson(drainPath(drained!.name), { method: 'POST' });
          showToast(`${drained!.name} takes no more runs.`);
          await refetch();
        }}
      >
        {drained?.role === 'owner'
          ? 'The node takes no more runs. When those that it executes have ended, another node becomes the owner; requests wait for that moment. You can put the node back at any time.'
          : 'The node takes no more runs, and those that it executes go on until they end. You can put the node back at any time.'}
      </ConfirmDialog>
    </>
  );
}

function lagText({ role, entries_behind: entries, lag_ms: lagMs }: ClusterNode): string {
  if (role === 'loading') return 'Loading';
  return entries === 0 ? 'Up to date' : `${pluralize(entries, 'entry', 'entries')} behind, ${formatDuration(lagMs)}`;
}

function drainPath(name: string): string {
  return `server/nodes/${encodeURIComponent(name)}/drain`;
}
