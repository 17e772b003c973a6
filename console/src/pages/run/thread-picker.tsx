import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { messageFrom } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { Select, TextField } from '../../components/field.js';
import { ago } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import styles from './run-room.module.css';

/** `new`: a thread is made with the run. `none`: a run without one. Else the thread's id. */
export type ThreadChoice = 'new' | 'none' | (string & {});

/** Where the run is to be: the newest threads are at hand, any other by its id. */
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
    { id: 'new', name: 'A new thread' },
    { id: 'none', name: 'No thread', more: 'nothing is kept' },
    ...(known ? [] : [{ id: choice, name: choice }]),
    ...threads.map(({ thread_id: threadId, status, updated_at: updated, metadata }) => ({
      id: threadId,
      name: threadId,
      more: `${typeof metadata?.['graph_id'] === 'string' ? `${metadata['graph_id']}, ` : ''}${status}, ${ago(Date.parse(updated), Date.now())}`,
    })),
    { id: 'id', name: 'Another, by its id…' },
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
          <TextField label="Id of the thread" value={id} onChange={setId} autoFocus mono />
          <Button type="submit">Use it</Button>
        </form>
      )}
      {newest.error === null ? null : (
        <ErrorNote error={messageFrom(newest.error)} onRetry={() => void newest.refetch()} />
      )}
    </div>
  );
}
