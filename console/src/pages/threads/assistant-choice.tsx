import { useState, type ReactNode } from 'react';
import { AssistantField } from '../../shared/assistant-field.js';
import { assistantOf, type ThreadHead } from './thread-data.js';

/** The assistant that a thread's runs go to; a person chooses where none has run there yet. `field` is shown only then. */
export function useAssistant(thread: ThreadHead): { assistantId: string | null; field: ReactNode } {
  const known = assistantOf(thread);
  const [chosen, setChosen] = useState('');
  if (known !== null) return { assistantId: known, field: null };
  return {
    assistantId: chosen === '' ? null : chosen,
    field: <AssistantField quiet isRequired onlyChosen value={chosen} onChange={setChosen} />,
  };
}
