import { useQuery } from '@tanstack/react-query';
import { GitCompare } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { evaluation, type Run } from '../../api/evaluation.js';
import { Status } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { formatDateTime, pluralize, statusName } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { SearchableSelect } from '../../components/searchable-select.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { shortPreviewText } from '../../shared/scores.js';
import { idIn } from './compare/load-traces.js';
import { originalOf, replayCodeOf } from './compare/side-names.js';
import { traceIdProblem } from './compare/trace-ids-form.js';
import { metadataOf, runStatus } from './trace-tree.js';

const RECENT_MAX = 20;
const NAME_CHARS_MAX = 80;
/** Project to which replays of runs are uploaded. */
const REPLAYS_PROJECT = 'replays';
const REPLAYS_MAX = 20;
const CODE_CHARS = 12;
const SELECT = ['inputs_preview', 'end_time', 'error', 'extra'];

function compareHref(left: string, right: string): string {
  return `/compare?${new URLSearchParams({ left, right }).toString()}`;
}

/** Opens the comparison of a trace with another one, and with the original run if it is a replay. */
export function CompareWithButtons({ root }: { root: Run }) {
  const [isOpen, setOpen] = useState(false);
  const originalId = originalOf(root);
  return (
    <>
      {originalId === null ? null : (
        <ButtonLink small to={compareHref(originalId, root.trace_id)}>
          Compare with the original run
        </ButtonLink>
      )}
      <Button small onPress={() => setOpen(true)}>
        <GitCompare size={14} aria-hidden />
        Compare with…
      </Button>
      {isOpen ? <CompareWithDialog root={root} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CompareWithDialog({ root, onClose }: { root: Run; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const recent = useQuery({
    queryKey: ['traces', 'recent', root.session_id, root.trace_id],
    queryFn: ({ signal }) => fetchRecent(root, signal),
  });
  const threadId = metadataOf(root)['thread_id'];
  const typed = text.trim().toLowerCase();
  const named = (recent.data ?? []).map((run) => ({
    id: run.trace_id,
    name: shortPreviewText(run.inputs_preview ?? '', NAME_CHARS_MAX) || run.name,
    detail: [
      statusName(runStatus(run)),
      formatDateTime(run.start_time),
      ...(threadId !== undefined && metadataOf(run)['thread_id'] === threadId ? ['same thread'] : []),
    ].join(' · '),
  }));
  const offered = chosenId === null ? named.filter(({ name }) => name.toLowerCase().includes(typed)) : named;
  const otherId = chosenId ?? idIn(text);
  return (
    <Dialog title="Compare with another trace" isOpen onClose={onClose} size="medium">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (otherId !== null) navigate(compareHref(root.trace_id, otherId));
        }}
      >
        <SearchableSelect
          label="Trace"
          help="Enter an id or an address, or choose a recent trace of this project."
          text={text}
          onTextChange={(next) => {
            setText(next);
            setChosenId(null);
          }}
          options={offered}
          selectedId={chosenId}
          onSelect={(id) => {
            setChosenId(id);
            setText(named.find((one) => one.id === id)?.name ?? id);
          }}
          emptyText={null}
          error={isChecked && otherId === null ? traceIdProblem(text) : null}
        />
        {recent.error === null ? null : <ErrorNote error={recent.error} onRetry={() => void recent.refetch()} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit">
            Compare
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The newest traces of the same project, those of the same thread first. */
async function fetchRecent(root: Run, signal: AbortSignal): Promise<Run[]> {
  const threadId = metadataOf(root)['thread_id'];
  const search = { session: [root.session_id], is_root: true, limit: RECENT_MAX + 1, select: SELECT };
  const pages = await Promise.all([
    ...(typeof threadId === 'string'
      ? [evaluation.runs({ ...search, filter: `eq(thread_id, ${JSON.stringify(threadId)})` }, signal)]
      : []),
    evaluation.runs(search, signal),
  ]);
  const found = new Map(pages.flatMap(({ runs }) => runs).map((run) => [run.trace_id, run]));
  found.delete(root.trace_id);
  return [...found.values()];
}

/** The replays of a run, newest first. Nothing if there are none. */
export function Replays({ root }: { root: Run }) {
  const found = useQuery({
    queryKey: ['traces', 'replays', root.id],
    queryFn: ({ signal }) => fetchReplays(root, signal),
  });
  const { data, error } = found;
  if (error !== null) return <ErrorNote error={error} onRetry={() => void found.refetch()} />;
  if (data === undefined || data.runs.length === 0) return null;
  return (
    <Panel flush title="Replays of this run">
      <Table label="Replays" columns={columns(root)} items={data.runs} idOf={({ id }) => id} />
      {data.hasMore ? <p className="soft">The newest {pluralize(data.runs.length, 'replay')} are shown.</p> : null}
    </Panel>
  );
}

function columns(root: Run): Column<Run>[] {
  return [
    {
      id: 'compare',
      name: 'Replay',
      cell: (run) => <Link href={compareHref(root.trace_id, run.trace_id)}>Compare with {run.name}</Link>,
    },
    { id: 'status', name: 'Status', cell: (run) => <Status status={runStatus(run)} /> },
    {
      id: 'code',
      name: 'Code',
      cell: (run) => <code>{replayCodeOf(run)?.slice(0, CODE_CHARS) ?? '–'}</code>,
    },
    { id: 'started', name: 'Started', wideOnly: true, cell: (run) => <Time at={run.start_time} /> },
  ];
}

async function fetchReplays(root: Run, signal: AbortSignal): Promise<{ runs: Run[]; hasMore: boolean }> {
  // A search of all projects would read their runs each time that a trace is opened.
  const projects = await evaluation.experiments({ name: REPLAYS_PROJECT, limit: 1, include_stats: false }, signal);
  if (projects.length === 0) return { runs: [], hasMore: false };
  const { runs, cursors } = await evaluation.runs(
    {
      session: projects.map(({ id }) => id),
      is_root: true,
      filter: `and(eq(metadata_key, "replay_of"), eq(metadata_value, ${JSON.stringify(root.id)}))`,
      limit: REPLAYS_MAX,
      select: SELECT,
    },
    signal,
  );
  return { runs, hasMore: cursors.next !== null && runs.length > 0 };
}
