import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.js';
import { messageFrom } from '../../api/http.js';
import { ComboBox } from '../../kit/combo-box.js';
import { ErrorNote } from '../../kit/note.js';

export interface Chosen { assistant_id: string; graph_id: string; name: string }

/** The assistants whose names have what is typed, the newest first. */
export function AssistantPicker({ chosen, onChange }: { chosen: Chosen | null; onChange: (id: string) => void }) {
  // Null: nothing is being typed, and the field has the name of the chosen one.
  const [typed, setTyped] = useState<string | null>(null);
  const name = useDeferredValue(typed ?? '');
  const found = useQuery({
    queryKey: ['run', 'assistants', name],
    queryFn: ({ signal }) => client.assistants.search({ limit: 30, sortBy: 'name', sortOrder: 'asc', signal, ...(name === '' ? {} : { name }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ComboBox
        label="Assistant" placeholder="Search by name" nothing={found.isPending ? 'Searching…' : 'No assistant has such a name'}
        options={(found.data ?? []).map((one) => ({ id: one.assistant_id, name: one.name, ...(one.name === one.graph_id ? {} : { more: one.graph_id }) }))}
        text={typed ?? chosen?.name ?? ''}
        onText={(text) => setTyped(text === chosen?.name ? null : text)}
        value={chosen?.assistant_id ?? null}
        onChange={(id) => { setTyped(null); onChange(id); }}
      />
      {found.error === null ? null : <ErrorNote error={messageFrom(found.error)} onRetry={() => void found.refetch()} />}
    </>
  );
}
