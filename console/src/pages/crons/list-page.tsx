import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Select, TextField } from '../../components/field.js';
import { inConsole } from '../../components/link.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Paging } from '../../components/paging.js';
import { numberIn, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { PAGE, useCrons, type Cron } from './data.js';
import { EditDialog } from './edit-dialog.js';
import { AssistantName, FiresSwitch, Paused, ScheduleLink } from './parts.js';

const STATES = [
  { id: 'all', name: 'Enabled and paused' },
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
        <span className="soft">one for each run, {then === 'keep' ? 'kept' : 'deleted after it'}</span>
      ) : (
        <span className="row">
          <Link href={inConsole(`/threads/${id}`)}>its own</Link>
          <Id id={id} />
        </span>
      ),
  },
  {
    id: 'next',
    name: 'Next run',
    cell: ({ enabled, next_run_date: at }) =>
      enabled ? at === null ? <span className="soft">none before its end</span> : <Time at={at} /> : <Paused />,
  },
  {
    id: 'last',
    name: 'Last run',
    wideOnly: true,
    cell: ({ last_run_date: at, last_error: error }) => (
      <span className="row">
        <Time at={at} />
        {error === null ? null : <Badge look="bad">{error.error}</Badge>}
      </span>
    ),
  },
  { id: 'enabled', name: 'Enabled', cell: (cron) => <FiresSwitch cron={cron} quiet /> },
];

/** All crons, found by the server. */
export function ListPage() {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const [making, setMaking] = useState(false);
  const assistant = query.get('assistant') ?? '';
  const thread = query.get('thread') ?? '';
  const state = query.get('enabled') ?? 'all';
  const offset = numberIn(query, 'offset');
  const threadError = thread === '' || UUID.test(thread) ? null : 'This is no id of a thread.';
  const { page, total } = useCrons({
    assistant,
    thread: threadError === null ? thread : '',
    enabled: state === 'all' ? null : state === 'on',
    offset,
  });
  return (
    <Page
      title="Crons"
      about="Runs by a schedule: on one thread, or each on a thread of its own."
      actions={
        <Button look="primary" onPress={() => setMaking(true)}>
          <Plus size={16} aria-hidden />
          New cron
        </Button>
      }
    >
      <Toolbar label="Which crons">
        <AssistantField value={assistant} onlyChosen onChange={(id) => change({ assistant: id, offset: null })} />
        <TextField
          label="Thread"
          mono
          placeholder="Id of a thread"
          value={thread}
          error={threadError}
          onChange={(text) => change({ thread: text.trim(), offset: null })}
        />
        <Select
          label="State"
          options={STATES}
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
              <Empty title="There is no such cron.">
                A cron starts runs by itself: every morning, or every quarter of an hour.
              </Empty>
            }
          />
          <Paging
            what="crons"
            offset={offset}
            size={PAGE}
            shown={page.data.items.length}
            hasMore={page.data.next !== null}
            total={total.data}
            onOffset={(to) => change({ offset: to === 0 ? null : String(to) }, { push: true })}
          />
        </Panel>
      )}
      {making ? (
        <EditDialog
          cron={null}
          assistant={assistant}
          thread={threadError === null ? thread : ''}
          onClose={() => setMaking(false)}
          onDone={({ cron_id: id }) => navigate(`/${id}`)}
        />
      ) : null}
    </Page>
  );
}
