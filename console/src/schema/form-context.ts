import { createContext, useContext, useEffect, useState } from 'react';
import type { FieldError } from '../api/http.js';
import { pathText, type JsonSchema, type ValidationProblem } from './model.js';

interface FormContextValue {
  root: JsonSchema;
  problems: readonly ValidationProblem[];
  strict: boolean;
  /** What the server has found, with paths that begin at the root of the form. */
  serverErrors: readonly FieldError[];
  /** In the field of a single message. */
  messagePlaceholder: string;
  /** Whether the labels of optional values say that. */
  marksOptional: boolean;
  /** Reports that the text of a field is not a value yet. Null: it is valid again. */
  onFieldError: (place: string, message: string | null) => void;
}

export const FormContext = createContext<FormContextValue>({
  root: {},
  problems: [],
  strict: false,
  serverErrors: [],
  messagePlaceholder: '',
  marksOptional: true,
  onFieldError: () => undefined,
});

/** Text draft of a value that is parsed when complete. The text stays as typed unless the value changes elsewhere. */
export function useTextDraft(
  path: ValidationProblem['path'],
  value: unknown,
  write: (value: unknown) => string,
  read: (text: string) => { value: unknown; error: string | null },
): { text: string; error: string | null; type: (text: string) => unknown } {
  const { onFieldError } = useContext(FormContext);
  const [draft, setDraft] = useState(() => write(value));
  const parsed = read(draft);
  const draftIsCurrent =
    parsed.error === null ? write(parsed.value) === write(value) : value === undefined || value === null;
  const text = draftIsCurrent ? draft : write(value);
  const { error } = draftIsCurrent ? parsed : read(text);
  const place = pathText(path);
  useEffect(() => {
    onFieldError(place, error);
    return () => onFieldError(place, null);
  }, [place, error, onFieldError]);
  return {
    text,
    error,
    type: (next) => {
      setDraft(next);
      return read(next).value;
    },
  };
}
