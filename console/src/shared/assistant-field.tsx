import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../api/client.js';
import { errorMessage } from '../api/http.js';
import { SearchableSelect } from '../components/searchable-select.js';
import type { SelectOption } from '../components/field.js';

/** Assistants in the list at once. Typing narrows the list. */
const OPTIONS_MAX = 30;

interface AssistantFieldProps {
  hideLabel?: boolean;
  /** Id of an assistant, or name of a graph for its default assistant. Empty: none. */
  value: string;
  onChange: (id: string) => void;
  isRequired?: boolean;
  /** Report only selected assistants (and '' if not required). Otherwise `onChange` also gets typed text. */
  onlySelected?: boolean;
}

/** Selection of an assistant with a search by name on the server. */
export function AssistantField({
  hideLabel = false,
  value,
  onChange,
  isRequired = false,
  onlySelected = false,
}: AssistantFieldProps) {
  // Null while nothing is typed: the field then shows the name of the selected assistant.
  const [typed, setTyped] = useState<string | null>(null);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // Changed from outside, by navigation. The page's own initial selection must not discard typed text.
    if (known !== '' && typed?.trim() !== value) setTyped(null);
  }
  const searched = useDeferredValue(typed?.trim() ?? '');
  const {
    data = [],
    error,
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['assistants', 'offered', searched],
    queryFn: ({ signal }) =>
      client.assistants.search({
        ...(searched === '' ? {} : { name: searched }),
        limit: OPTIONS_MAX,
        sortBy: 'name',
        sortOrder: 'asc',
        select: ['assistant_id', 'name', 'graph_id'],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const found = data.map(optionOf);
  const [last, setLast] = useState<SelectOption | null>(null);
  const here = [last, ...found].find((one) => one?.id === value) ?? null;
  const named = useQuery({
    queryKey: ['assistants', 'one', value],
    queryFn: ({ signal }) => client.assistants.get(value, { signal }),
    enabled: value !== '' && typed === null && here === null,
    retry: false,
  });
  const current = here ?? (value === '' || named.data === undefined ? null : optionOf(named.data));
  const chosen = typed === null ? current : null;
  return (
    <SearchableSelect
      label="Assistant"
      hideLabel={hideLabel}
      isRequired={isRequired}
      placeholder="Search by name"
      error={error === null ? null : errorMessage(error)}
      emptyText={isPending || isPlaceholderData ? 'Searching…' : 'No assistant matches'}
      text={typed ?? chosen?.name ?? value}
      // Without a search the selected assistant is always in the list.
      options={
        chosen === null || searched !== '' || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]
      }
      selectedId={chosen?.id ?? null}
      onTextChange={(text) => {
        if (text === typed || (typed === null && text === chosen?.name)) return;
        setTyped(text);
        if (onlySelected ? text.trim() === '' && !isRequired : true) onChange(text.trim());
      }}
      onSelect={(id) => {
        setTyped(null);
        const one = found.find((option) => option.id === id);
        // Unchanged selection.
        if (one === undefined || id === current?.id) return;
        setLast(one);
        onChange(id);
      }}
      enterOptionId={
        onlySelected && searched !== '' && searched === typed?.trim() && !isPlaceholderData
          ? (found[0]?.id ?? null)
          : null
      }
      // Discard text that was not selected. If it was reported, the name of its assistant replaces it.
      onBlur={() => setTyped(null)}
    />
  );
}

function optionOf({
  assistant_id: id,
  name,
  graph_id: graph,
}: {
  assistant_id: string;
  name: string;
  graph_id: string;
}): SelectOption {
  return { id, name: name || graph, detail: graph === name ? 'graph' : graph };
}
