import { Link } from 'wouter';
import { Status } from '../../components/badge.js';
import { CopyableId } from '../../components/copy.js';
import { SelectAllCell, SelectRowCell, type Selection } from '../../components/selection-cells.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { AssistantName } from '../../shared/assistant-name.js';
import { isMetadataColumn, metadataKey, metadataText } from '../../shared/column-choice.js';
import { lastMessage, nonEmptyString, threadStatus, threadTitle } from '../../shared/thread-title.js';
import type { ThreadRow } from '../../shared/thread-search.js';
import styles from './threads.module.css';

/** Columns to choose from, in their order. Those of metadata come after the owner. */
const OPTIONAL_COLUMNS: readonly (Column<ThreadRow> & { name: string })[] = [
  { id: 'status', name: 'Status', cell: (row) => <Status status={threadStatus(row)} /> },
  {
    id: 'graph',
    name: 'Graph',
    wideOnly: true,
    cell: ({ extracted }) => <ClippedText text={nonEmptyString(extracted.graph)} />,
  },
  {
    id: 'assistant',
    name: 'Assistant',
    wideOnly: true,
    cell: ({ extracted }) => {
      const id = nonEmptyString(extracted.assistant);
      return id === null ? <ClippedText text={null} /> : <AssistantName id={id} />;
    },
  },
  {
    id: 'owner',
    name: 'Owner',
    wideOnly: true,
    cell: ({ extracted }) => <ClippedText text={nonEmptyString(extracted.owner)} />,
  },
  { id: 'id', name: 'ID', wideOnly: true, cell: ({ thread_id: id }) => <CopyableId id={id} /> },
  { id: 'created', name: 'Created', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
  { id: 'updated', name: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> },
];
const METADATA_AFTER = 'owner';
export const COLUMN_OPTIONS = OPTIONAL_COLUMNS.map(({ id, name }) => ({ id, name }));
export const COLUMN_IDS: readonly string[] = OPTIONAL_COLUMNS.map(({ id }) => id);
export const DEFAULT_COLUMNS: readonly string[] = ['status', 'graph', 'owner', 'updated'];

/** The columns of the list: the thread, and what the person has chosen. */
export function threadColumns(
  shown: readonly string[],
  rows: readonly ThreadRow[],
  selection: Selection,
): Column<ThreadRow>[] {
  const metadata = shown.filter(isMetadataColumn).map((id): Column<ThreadRow> => ({
    id,
    name: <span dir="auto">{metadataKey(id)}</span>,
    wideOnly: true,
    cell: (row) => <ClippedText text={metadataText(row.metadata, metadataKey(id))} />,
  }));
  return [
    {
      id: 'about',
      name: (
        <SelectAllCell ids={rows.map(({ thread_id: id }) => id)} rows="threads" selection={selection}>
          Thread
        </SelectAllCell>
      ),
      cell: (row) => (
        <SelectRowCell id={row.thread_id} name={row.thread_id} selection={selection}>
          <ThreadTitle row={row} />
        </SelectRowCell>
      ),
    },
    ...OPTIONAL_COLUMNS.flatMap((column) => [
      ...(shown.includes(column.id) ? [column] : []),
      ...(column.id === METADATA_AFTER ? metadata : []),
    ]),
  ];
}

function ThreadTitle({ row }: { row: ThreadRow }) {
  const about = threadTitle(row);
  const last = lastMessage(row);
  return (
    <span className={styles['texts']}>
      <Link
        href={`/${row.thread_id}`}
        className={`${styles['first']} ${about === null ? styles['plain'] : ''}`}
        dir="auto"
      >
        {about ?? row.thread_id}
      </Link>
      {last === null ? null : (
        <span className={styles['last']}>
          {last.role}: <bdi dir="auto">{last.text}</bdi>
        </span>
      )}
    </span>
  );
}

function ClippedText({ text }: { text: string | null }) {
  return text === null ? (
    <span className="soft">–</span>
  ) : (
    <span className={styles['clip']} dir="auto" title={text}>
      {text}
    </span>
  );
}
