import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { client } from '../../api/client.js';
import { Select } from '../../kit/field.js';
import { assistantOf, type ThreadHead } from './thread-data.js';

/** The assistant that a thread's runs go to; a person chooses where none has run there yet. `field` is shown only then. */
export function useAssistant(thread: ThreadHead): { assistantId: string | null; field: ReactNode } {
  const known = assistantOf(thread);
  const [chosen, setChosen] = useState<string | null>(null);
  const assistants = useQuery({ queryKey: ['threads', 'assistants'], queryFn: () => client.assistants.search({ limit: 100 }), enabled: known === null, staleTime: 60_000 });
  if (known !== null) return { assistantId: known, field: null };
  const options = (assistants.data ?? []).map(({ assistant_id: id, name, graph_id: graph }) => ({ id, name: name || graph, more: graph }));
  return { assistantId: chosen, field: <Select label="Assistant" quiet options={options} value={chosen} onChange={setChosen} /> };
}
