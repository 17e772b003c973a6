import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../api/client.js';
import { messageFrom } from '../api/http.js';
import { Combo } from '../components/combo.js';
import type { Option } from '../components/field.js';

/** Assistants that are offered at once; typing narrows them. */
const OFFERED = 30;

interface AssistantFieldProps {
  quiet?: boolean;
  /** The id of an assistant, or the name of a graph, which stands for its own one; '' is none. */
  value: string;
  onChange: (id: string) => void;
  isRequired?: boolean;
  /** Only those that are offered are told, and '' where none is a choice as well; else what is typed is told too. */
  onlyChosen?: boolean;
}

/** One assistant out of however many: found by its name on the server. */
export function AssistantField({
  quiet = false,
  value,
  onChange,
  isRequired = false,
  onlyChosen = false,
}: AssistantFieldProps) {
  // Null: nothing is being typed, and the name of the chosen one stands in the field in place of its id.
  const [typed, setTyped] = useState<string | null>(null);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // Somebody went back, or followed a link. Where nothing was chosen yet, the first choice is the page's own: it takes no typed text away.
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
        limit: OFFERED,
        sortBy: 'name',
        sortOrder: 'asc',
        select: ['assistant_id', 'name', 'graph_id'],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const found = data.map(optionOf);
  const [last, setLast] = useState<Option | null>(null);
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
    <Combo
      label="Assistant"
      quiet={quiet}
      isRequired={isRequired}
      placeholder="Search by name"
      error={error === null ? null : messageFrom(error)}
      nothing={isPending || isPlaceholderData ? 'Searching…' : 'No assistant has such a name'}
      text={typed ?? chosen?.name ?? value}
      // What is chosen stays in the list of all, also where it is not among the first.
      options={
        chosen === null || searched !== '' || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]
      }
      chosen={chosen?.id ?? null}
      onText={(text) => {
        if (text === typed || (typed === null && text === chosen?.name)) return;
        setTyped(text);
        if (onlyChosen ? text.trim() === '' && !isRequired : true) onChange(text.trim());
      }}
      onChoose={(id) => {
        setTyped(null);
        const one = found.find((option) => option.id === id);
        // It is the one that was chosen before.
        if (one === undefined || id === current?.id) return;
        setLast(one);
        onChange(id);
      }}
      first={
        onlyChosen && searched !== '' && searched === typed?.trim() && !isPlaceholderData
          ? (found[0]?.id ?? null)
          : null
      }
      // What was typed and not chosen goes; where it was told, the name of what it stands for comes in its place.
      onLeave={() => setTyped(null)}
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
}): Option {
  return { id, name: name || graph, more: graph === name ? 'graph' : graph };
}
