import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { Select, TextField } from '../../components/field.js';
import { consoleHref } from '../../components/console-href.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { PAGE_SIZE, useCrons, type Cron } from './data.js';
import { AssistantName } from '../../shared/assistant-name.js';
import { CronDialog } from './cron-dialog.js';
import { EnabledSwitch, PausedBadge, ScheduleLink } from './cron-parts.js';

const STATE_OPTIONS = [
  { id: 'all', name: 'All' },
  { id: 'on', name: 'Enabled' },
  { id: 'off', name: 'Paused' },
];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const COLUMNS: readonly Column<Cron>[] = [
  { id: 'schedule', name: 'Schedule', cell: (cron) => <ScheduleLink {...cron} /> },
  { id: 'assistant', name: 'Assistant', cell: ({ assistant_id: id }) => <AssistantName id={id} /> },
  {
    id: 'thread',
    name: 'Thread',
    wideOnly: true,
    cell: ({ thread_id: id, on_run_completed: then }) =>
      id === null ? (
        <span className="soft">One per run, {then === 'keep' ? 'kept' : 'deleted afterwards'}</span>
      ) : (
        <span className="row">
          <Link href={consoleHref(`/threads/${id}`)}>Fixed thread</Link>
          <CopyableId id={id} />
        </span>
      ),
  },
  {
    id: 'next',
    name: 'Next run',
    cell: ({ enabled, next_run_date: at }) =>
      enabled ? (
        at === null ? (
          <span className="soft">None before the end time</span>
        ) : (
          <Time at={at} mayBeAhead />
        )
      ) : (
        <PausedBadge />
      ),
  },
  {
    id: 'last',
    name: 'Last run',
    wideOnly: true,
    cell: ({ last_run_date: at, last_error: error }) => (
      <span className="row">
        <Time at={at} />
        {error === null ? null : <Badge variant="bad">{error.error}</Badge>}
      </span>
    ),
  },
  { id: 'enabled', name: 'Enabled', cell: (cron) => <EnabledSwitch cron={cron} hideLabel /> },
];

/** All crons, searched and paged by the server. */
export function CronsPage() {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(false);
  const assistant = query.get('assistant') ?? '';
  const thread = query.get('thread') ?? '';
  const state = query.get('enabled') ?? 'all';
  const offset = queryNumber(query, 'offset');
  const threadError = thread === '' || UUID.test(thread) ? null : 'Enter a complete thread ID.';
  const { page, total } = useCrons({
    assistant,
    thread: threadError === null ? thread : '',
    enabled: state === 'all' ? null : state === 'on',
    offset,
  });
  return (
    <Page
      title="Crons"
      about="Scheduled runs, all on one thread or each on a new thread."
      actions={
        <Button
          needs={['crons:create', 'threads:create_run', 'assistants:read']}
          variant="primary"
          onPress={() => setCreating(true)}
        >
          <Plus size={16} aria-hidden />
          New cron
        </Button>
      }
    >
      <Toolbar label="Filter crons">
        <AssistantField value={assistant} onlySelected onChange={(id) => change({ assistant: id, offset: null })} />
        <TextField
          label="Thread"
          mono
          placeholder="Thread ID"
          value={thread}
          error={threadError}
          onChange={(text) => change({ thread: text.trim(), offset: null })}
        />
        <Select
          label="State"
          options={STATE_OPTIONS}
          value={state}
          onChange={(id) => change({ enabled: id === 'all' ? null : id, offset: null })}
        />
      </Toolbar>
      {page.error === null ? null : <ErrorNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isLoading ? <Loading /> : null}
      {page.data === undefined ? null : (
        <Panel flush>
          <Table
            label="Crons"
            columns={COLUMNS}
            items={page.data.items}
            idOf={({ cron_id: id }) => id}
            empty={
              <EmptyState title="No crons found">
                Create a cron to start runs on a schedule, or change the filters.
              </EmptyState>
            }
          />
          <Pagination
            what="crons"
            offset={offset}
            size={PAGE_SIZE}
            shown={page.data.items.length}
            hasMore={page.data.nextOffset !== null}
            total={total.data}
            onOffset={(to) => change({ offset: to === 0 ? null : String(to) }, { push: true })}
          />
        </Panel>
      )}
      {isCreating ? (
        <CronDialog
          cron={null}
          assistant={assistant}
          thread={threadError === null ? thread : ''}
          onClose={() => setCreating(false)}
          onDone={({ cron_id: id }) => navigate(`/${id}`)}
        />
      ) : null}
    </Page>
  );
}
