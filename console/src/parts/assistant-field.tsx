import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.js';
import { messageFrom } from '../api/http.js';
import { Combo } from '../kit/combo.js';
import type { Option } from '../kit/field.js';

/** Assistants that are offered at once; typing narrows them. */
const OFFERED = 30;

/** One assistant out of however many: found by its name on the server. The id, or the name of a graph, may be typed as well, but where `onlyChosen` ones are told. */
export function AssistantField({ label, help, value, onChange, isRequired = false, onlyChosen = false }: { label: string; help?: string; value: string; onChange: (id: string) => void; isRequired?: boolean; onlyChosen?: boolean }) {
  const [text, setText] = useState(value);
  // What stood in it at first is an id: its name is looked up once.
  const [first] = useState(value);
  // A name that was chosen stands in the field in place of the id.
  const [chosen, setChosen] = useState<Option | null>(null);
  const searched = chosen?.name === text ? '' : text.trim();
  const { data = [], error } = useQuery({
    queryKey: ['assistants', 'offered', searched],
    queryFn: ({ signal }) => client.assistants.search({ ...(searched === '' ? {} : { name: searched }), limit: OFFERED, sortBy: 'name', sortOrder: 'asc', select: ['assistant_id', 'name', 'graph_id'], signal }),
    placeholderData: keepPreviousData,
  });
  const named = useQuery({ queryKey: ['assistants', 'one', first], queryFn: ({ signal }) => client.assistants.get(first, { signal }), enabled: first !== '', retry: false });
  const found = data.map(({ assistant_id: id, name, graph_id: graph }) => ({ id, name, more: graph === name ? 'graph' : graph }));
  return (
    <Combo label={label} {...(help === undefined ? {} : { help })} isRequired={isRequired} placeholder="Search by name" text={text !== '' && text === first ? named.data?.name ?? text : text} error={error === null ? null : messageFrom(error)}
      // What is chosen stays in the list, also where the search does not find it.
      options={chosen === null || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]} chosen={chosen?.id ?? null}
      onText={(next) => {
        if (next === chosen?.name) return;
        setText(next);
        setChosen(null);
        if (!onlyChosen || next.trim() === '') onChange(next.trim());
      }}
      onChoose={(id) => {
        const one = found.find((option) => option.id === id);
        if (one === undefined) return;
        setChosen(one);
        setText(one.name);
        onChange(id);
      }} />
  );
}
