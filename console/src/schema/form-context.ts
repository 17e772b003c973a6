import { createContext, useContext, useEffect, useState } from 'react';
import { placeOf, type JsonSchema, type Problem } from './model.js';

interface FormOf {
  root: JsonSchema;
  problems: readonly Problem[];
  strict: boolean;
  /** A field has text that is no value yet; null: it has one again. */
  report: (place: string, message: string | null) => void;
}

export const FormContext = createContext<FormOf>({ root: {}, problems: [], strict: false, report: () => undefined });

/** Text that is a value only when it is whole. It stays as typed, unless the value was changed from elsewhere. */
export function useTyped(
  path: Problem['path'],
  value: unknown,
  write: (value: unknown) => string,
  read: (text: string) => { value: unknown; error: string | null },
): { text: string; error: string | null; type: (text: string) => unknown } {
  const { report } = useContext(FormContext);
  const [kept, setKept] = useState(() => write(value));
  const now = read(kept);
  const stands = now.error === null ? write(now.value) === write(value) : value === undefined || value === null;
  const text = stands ? kept : write(value);
  const { error } = stands ? now : read(text);
  const place = placeOf(path);
  useEffect(() => {
    report(place, error);
    return () => report(place, null);
  }, [place, error, report]);
  return {
    text,
    error,
    type: (next) => {
      setKept(next);
      return read(next).value;
    },
  };
}
