import { Link } from 'wouter';
import { Badge, Status } from '../../components/badge.js';
import { Checkbox } from '../../components/field.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { threadTitle, lastMessage, nonEmptyString, isWaitingForInput } from '../../shared/thread-title.js';
import type { ThreadRow } from '../../shared/thread-search.js';
import styles from './threads.module.css';

export function threadColumns(
  chosen: ReadonlySet<string>,
  setChosen: (chosen: ReadonlySet<string>) => void,
): Column<ThreadRow>[] {
  const choose = (id: string, value: boolean): void => {
    const after = new Set(chosen);
    if (value) after.add(id);
    else after.delete(id);
    setChosen(after);
  };
  return [
    {
      id: 'about',
      name: 'Thread',
      cell: (row) => (
        <ThreadTitle row={row} chosen={chosen.has(row.thread_id)} onChoose={(value) => choose(row.thread_id, value)} />
      ),
    },
    {
      id: 'status',
      name: 'Status',
      cell: (row) => (
        <span className={styles['states']}>
          <Status status={row.status} />
          {isWaitingForInput(row) ? <Badge variant="warn">Waiting for input</Badge> : null}
        </span>
      ),
    },
    {
      id: 'graph',
      name: 'Graph',
      wideOnly: true,
      cell: ({ extracted }) => <ClippedText text={nonEmptyString(extracted.graph)} />,
    },
    {
      id: 'owner',
      name: 'Owner',
      wideOnly: true,
      cell: ({ extracted }) => <ClippedText text={nonEmptyString(extracted.owner)} />,
    },
    {
      id: 'updated',
      name: 'Updated',
      cell: ({ updated_at: at }) => (
        <span className={`${styles['cell']} ${styles['when']}`}>
          <Time at={at} />
        </span>
      ),
    },
  ];
}

function ThreadTitle({
  row,
  chosen,
  onChoose,
}: {
  row: ThreadRow;
  chosen: boolean;
  onChoose: (value: boolean) => void;
}) {
  const about = threadTitle(row);
  const last = lastMessage(row);
  return (
    <span className={styles['about']}>
      <Checkbox value={chosen} onChange={onChoose}>
        <span className="visually-hidden">Select {row.thread_id}</span>
      </Checkbox>
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
    </span>
  );
}

function ClippedText({ text }: { text: string | null }) {
  return (
    <span className={styles['cell']}>
      {text === null ? (
        <span className="visually-hidden">None</span>
      ) : (
        <span className={styles['clip']} dir="auto" title={text}>
          {text}
        </span>
      )}
    </span>
  );
}
