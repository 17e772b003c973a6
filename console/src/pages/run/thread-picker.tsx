import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { errorMessage } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { Select, TextField } from '../../components/field.js';
import { formatRelativeTime, statusName } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import styles from './run-page.module.css';

/** `new`: create a thread for the run. `none`: stateless run. Otherwise a thread id. */
export type ThreadChoice = 'new' | 'none' | (string & {});

/** Selects the thread of a run: one of the newest threads, or any other by id. */
export function ThreadPicker({ choice, onChange }: { choice: ThreadChoice; onChange: (choice: ThreadChoice) => void }) {
  const [id, setId] = useState<string | null>(null);
  const newest = useQuery({
    queryKey: ['run', 'threads'],
    queryFn: ({ signal }) =>
      client.threads.search({
        limit: 8,
        sortBy: 'updated_at',
        sortOrder: 'desc',
        select: ['thread_id', 'status', 'updated_at', 'metadata'],
        signal,
      }),
  });
  const threads = newest.data ?? [];
  const known = choice === 'new' || choice === 'none' || threads.some((thread) => thread.thread_id === choice);
  const options = [
    { id: 'new', name: 'New thread' },
    { id: 'none', name: 'No thread', detail: 'stateless' },
    ...(known ? [] : [{ id: choice, name: choice }]),
    ...threads.map(({ thread_id: threadId, status, updated_at: updated, metadata }) => ({
      id: threadId,
      name: threadId,
      detail: `${typeof metadata?.['graph_id'] === 'string' ? `${metadata['graph_id']}, ` : ''}${statusName(status)}, ${formatRelativeTime(Date.parse(updated), Date.now())}`,
    })),
    { id: 'id', name: 'Other thread by ID…' },
  ];
  const choose = (next: string): void => {
    if (next === 'id') return setId('');
    setId(null);
    return onChange(next);
  };
  return (
    <div className={styles['threadPicker']}>
      <Select label="Thread" options={options} value={id === null ? choice : 'id'} onChange={choose} />
      {id === null ? null : (
        <form
          className={styles['byId']}
          onSubmit={(event) => {
            event.preventDefault();
            if (id.trim() !== '') {
              onChange(id.trim());
              setId(null);
            }
          }}
        >
          <TextField label="Thread ID" value={id} onChange={setId} autoFocus mono />
          <Button type="submit">Use thread</Button>
        </form>
      )}
      {newest.error === null ? null : (
        <ErrorNote error={errorMessage(newest.error)} onRetry={() => void newest.refetch()} />
      )}
    </div>
  );
}
