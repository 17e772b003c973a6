import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { fetchJson, saveFile } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CursorPagination, useCursorPages } from '../../components/cursor-pagination.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { Select } from '../../components/field.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';

interface Entry {
  entry_id: string;
  at: string;
  actor: { kind: 'person' | 'key' | 'user' | 'anyone'; id: string; name: string };
  action: string;
  request: string;
  record: string | null;
  status: number | null;
  reason: string | null;
  address: string;
  forwarded_for: string | null;
}

interface EntryPage {
  entries: Entry[];
  next: string | null;
}

const KINDS = [
  { id: '', name: 'Everything' },
  { id: 'sign-in', name: 'Sign-ins' },
  { id: 'sign-out', name: 'Sign-outs' },
  { id: 'server', name: 'Server, keys and backups' },
  { id: 'assistants', name: 'Assistants' },
  { id: 'crons', name: 'Crons' },
  { id: 'threads', name: 'Threads' },
  { id: 'datasets', name: 'Datasets' },
  { id: 'experiments', name: 'Alerts and rules' },
];
const ACTOR_KINDS: Readonly<Record<Entry['actor']['kind'], string>> = {
  person: 'Person',
  key: 'API key',
  user: 'User',
  anyone: 'Unknown',
};
const EXPORT_PAGE = 1_000;

function readPage(query: Record<string, string | number | null>, signal?: AbortSignal): Promise<EntryPage> {
  return fetchJson<EntryPage>('server/audit', { query, signal });
}

/** What was changed by whom, and who signed in or out. */
export function Audit() {
  const [action, setAction] = useState('');
  const [actor, setActor] = useState('');
  const pages = useCursorPages(JSON.stringify([action, actor]));
  const filter = { action: action || null, actor: actor || null };
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'audit', action, actor, pages.cursor],
    queryFn: ({ signal }) => readPage({ ...filter, after: pages.cursor, limit: 50 }, signal),
    placeholderData: (before) => before,
  });
  const exporting = useAsyncAction();
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Toolbar label="Filters of the audit log">
        <Select label="Changes" options={KINDS} value={action} onChange={setAction} />
        <DebouncedSearchField label="Who" placeholder="Name or id, exactly" text={actor} onText={setActor} />
      </Toolbar>
      {exporting.error === null ? null : <ErrorNote error={exporting.error} />}
      <Panel
        title="Audit log"
        flush
        actions={
          <Button
            small
            isPending={exporting.isPending}
            onPress={() => void exporting.execute(async () => saveFile(await exportAll(filter), 'audit.jsonl'))}
          >
            <Download size={14} aria-hidden />
            Export
          </Button>
        }
      >
        <Table
          label="Audit log"
          items={data.entries}
          idOf={({ entry_id: id }) => id}
          empty={
            <EmptyState title="No entries">
              Changes of keys, assistants, crons, alerts and rules, deletions, backups and sign-ins appear here.
            </EmptyState>
          }
          columns={[
            { id: 'at', name: 'Time', cell: ({ at }) => <Time at={at} /> },
            { id: 'who', name: 'Who', cell: (entry) => <Who {...entry} /> },
            { id: 'what', name: 'What', cell: (entry) => <What {...entry} /> },
            { id: 'result', name: 'Result', cell: (entry) => <Result {...entry} /> },
            {
              id: 'address',
              name: 'Address',
              wideOnly: true,
              cell: ({ address, forwarded_for: by }) => (
                <span title={by === null ? undefined : `x-forwarded-for: ${by}`}>{address}</span>
              ),
            },
          ]}
        />
      </Panel>
      <CursorPagination what="change" shown={data.entries.length} pages={pages} next={data.next} />
    </>
  );
}

function Who({ actor }: Entry) {
  return (
    <div>
      <div dir="auto">{actor.name === '' ? ACTOR_KINDS[actor.kind] : actor.name}</div>
      {actor.name === '' ? null : <div className="soft">{ACTOR_KINDS[actor.kind]}</div>}
    </div>
  );
}

function What({ action, request, record }: Entry) {
  return (
    <div>
      <div>{action === 'sign-in' ? 'Sign-in' : <code>{request}</code>}</div>
      {record === null ? null : (
        <div className="soft" dir="auto">
          {record}
        </div>
      )}
    </div>
  );
}

function Result({ status, reason }: Entry) {
  if (status === null) return <Badge variant="neutral">Unknown</Badge>;
  if (status < 400) return <Badge variant="good">Succeeded</Badge>;
  return <Badge variant="bad">{reason === null ? `Refused (${status})` : `Refused (${reason})`}</Badge>;
}

/** All entries that match, as JSON lines. */
async function exportAll(filter: Record<string, string | null>): Promise<Blob> {
  const lines: string[] = [];
  let after: string | null = null;
  do {
    const page: EntryPage = await readPage({ ...filter, after, limit: EXPORT_PAGE });
    for (const entry of page.entries) lines.push(`${JSON.stringify(entry)}\n`);
    after = page.next;
  } while (after !== null);
  return new Blob(lines, { type: 'application/x-ndjson' });
}
