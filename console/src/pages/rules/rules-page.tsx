import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { rules, type Rule } from '../../api/rules.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount } from '../../components/format.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { CREATE_RULE, UPDATE_RULE } from '../../components/needs.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { EnabledSwitch } from '../../shared/enabled-switch.js';
import { RuleDialog } from '../../shared/rule-dialog.js';
import { describeActions, describeRuns } from './rule-words.js';
import styles from './rules.module.css';

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<Rule>[] = [
  { id: 'name', name: 'Rule', cell: (rule) => <RuleCell rule={rule} /> },
  {
    id: 'actions',
    name: 'Action',
    cell: (rule) => (
      <ul className={styles['actions']}>
        {describeActions(rule).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    ),
  },
  { id: 'matched', name: 'Matched', numbers: true, wideOnly: true, cell: (rule) => formatCount(rule.matched_count) },
  { id: 'acted', name: 'Acted on', numbers: true, cell: (rule) => formatCount(rule.acted_count) },
  {
    id: 'last',
    name: 'Last',
    wideOnly: true,
    cell: ({ last_acted_at: at }) => (at === null ? '–' : <Time at={at} />),
  },
  { id: 'enabled', name: 'Enabled', cell: (rule) => <EnabledCell rule={rule} /> },
  { id: 'more', name: <span className="visually-hidden">Actions</span>, cell: (rule) => <RuleMenu rule={rule} /> },
];

/** All rules: those of langgraph.json, then the oldest first. */
export function RulesPage() {
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ['rules', 'list'],
    queryFn: ({ signal }) => rules.list(signal),
    refetchInterval: REFRESH_MS,
  });
  const newRule = (
    <Button needs={CREATE_RULE} variant="primary" onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      New rule
    </Button>
  );
  return (
    <Page
      title="Rules"
      about="Runs that are added to datasets and annotation queues, or scored, as soon as they end or get feedback."
      // An empty page has the button in its middle. Until that is known it is not shown, so that it does not move.
      actions={list.isPending || list.data?.length === 0 ? undefined : newRule}
    >
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Rules"
            columns={COLUMNS}
            items={list.data}
            idOf={({ id }) => id}
            empty={
              <EmptyState title="No rules yet">
                <p>A rule collects failed runs in a dataset, or runs with a bad score in a queue.</p>
                <div className={styles['empty']}>{newRule}</div>
              </EmptyState>
            }
          />
        </Panel>
      )}
      {isCreating ? (
        <RuleDialog rule={null} onClose={() => setCreating(false)} onSaved={() => showToast('Rule created.')} />
      ) : null}
    </Page>
  );
}

function RuleCell({ rule }: { rule: Rule }) {
  return (
    <span className={styles['name']}>
      <span className="row">
        {rule.last_error === null ? null : <Badge variant="bad">Error</Badge>}
        <span dir="auto">{rule.display_name}</span>
        {rule.read_only ? <Badge>langgraph.json</Badge> : null}
      </span>
      <span className={`soft ${styles['detail']}`}>{describeRuns(rule)}</span>
      {[rule.filter, rule.tree_filter].map((filter, at) =>
        filter === null ? null : (
          <code key={at} className={styles['detail']}>
            {filter}
          </code>
        ),
      )}
      {rule.last_error === null ? null : <span className={styles['detail']}>{rule.last_error}</span>}
      {rule.dropped_count === 0 ? null : (
        <span className={styles['detail']}>{formatCount(rule.dropped_count)} left out, because too many waited</span>
      )}
    </span>
  );
}

function EnabledCell({ rule }: { rule: Rule }) {
  if (rule.read_only) return 'On';
  return (
    <EnabledSwitch
      what="Rule"
      name={rule.display_name}
      isEnabled={rule.is_enabled}
      queryKey="rules"
      hideLabel
      needs={UPDATE_RULE}
      onChange={(isEnabled) => rules.update(rule.id, { is_enabled: isEnabled })}
    />
  );
}

function RuleMenu({ rule }: { rule: Rule }) {
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  if (rule.read_only) return null;
  return (
    <>
      <Menu
        label={`More: ${rule.display_name}`}
        actions={[
          { id: 'edit', name: 'Edit', needs: UPDATE_RULE, onAction: () => setEditing(true) },
          deleteAction('experiments:delete', () => setDeleting(true)),
        ]}
      />
      {isEditing ? (
        <RuleDialog rule={rule} onClose={() => setEditing(false)} onSaved={() => showToast('Rule saved.')} />
      ) : null}
      <ConfirmDialog
        title={`Delete ${rule.display_name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirmLabel="Delete"
        onConfirm={async () => {
          await rules.delete(rule.id);
          showToast('Rule deleted.');
          await client.invalidateQueries({ queryKey: ['rules'] });
        }}
      >
        What it has added stays.
      </ConfirmDialog>
    </>
  );
}
