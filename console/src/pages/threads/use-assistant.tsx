import { useState, type ReactNode } from 'react';
import { AssistantField } from '../../shared/assistant-field.js';
import { assistantIdOf, type ThreadSummary } from './thread-data.js';

/** The assistant of a thread. `field` selects one if the thread has had no run; otherwise it is null. */
export function useAssistant(thread: ThreadSummary): { assistantId: string | null; field: ReactNode } {
  const known = assistantIdOf(thread);
  const [chosen, setChosen] = useState('');
  if (known !== null) return { assistantId: known, field: null };
  return {
    assistantId: chosen === '' ? null : chosen,
    field: <AssistantField hideLabel isRequired onlySelected value={chosen} onChange={setChosen} />,
  };
}
