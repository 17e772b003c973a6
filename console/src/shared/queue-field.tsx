import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { errorMessage } from '../api/http.js';
import { queues, type Queue } from '../api/queues.js';
import { formatCount } from '../components/format.js';
import { SearchableSelect } from '../components/searchable-select.js';

/** Queues in the list at once. Typing narrows the list. */
const QUEUES_OFFERED_MAX = 30;

/** Selection of a queue with a search by name on the server. */
export function QueueField({
  chosen,
  onChoose,
}: {
  chosen: Pick<Queue, 'id' | 'name'> | null;
  onChoose: (queue: Pick<Queue, 'id' | 'name'> | null) => void;
}) {
  const [text, setText] = useState(chosen?.name ?? '');
  const searched = useDeferredValue(chosen === null ? text.trim() : '');
  const found = useQuery({
    queryKey: ['queues', 'offered', searched],
    queryFn: ({ signal }) =>
      queues.list({ name_contains: searched === '' ? null : searched, offset: 0, limit: QUEUES_OFFERED_MAX }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <SearchableSelect
      label="Queue"
      placeholder="Search by name"
      text={text}
      onTextChange={(next) => {
        if (next === text) return;
        setText(next);
        onChoose(null);
      }}
      options={(found.data ?? []).map(({ id, name, total_runs: runs }) => ({
        id,
        name,
        detail: `${formatCount(runs ?? 0)} to review`,
      }))}
      selectedId={chosen?.id ?? null}
      onSelect={(id) => {
        const queue = found.data?.find((one) => one.id === id);
        if (queue === undefined) return;
        setText(queue.name);
        onChoose(queue);
      }}
      emptyText={found.isPending || found.isPlaceholderData ? 'Searching…' : 'No queue matches'}
      error={found.error === null ? null : errorMessage(found.error)}
      isRequired
    />
  );
}
