import { useEffect, useRef, useState } from 'react';
import { SearchField } from './field.js';

const DEBOUNCE_MS = 300;

/** Text of a field whose trimmed value is passed to `take` after a typing pause. `now` passes it immediately. */
export function useDebouncedValue(
  taken: string,
  take: (text: string) => void,
): { text: string; setText: (text: string) => void; now: () => void } {
  const [text, setText] = useState(taken);
  const committed = useRef(taken);
  const latest = useRef(take);
  latest.current = take;
  const commit = (wanted: string): void => {
    if (wanted === committed.current) return;
    committed.current = wanted;
    latest.current(wanted);
  };
  useEffect(() => {
    // Changed from outside, for example by back navigation or a link.
    if (taken === committed.current) return;
    committed.current = taken;
    setText(taken);
  }, [taken]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === committed.current) return undefined;
    const timer = setTimeout(() => commit(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, now: () => commit(text.trim()) };
}

/** A search field that searches after a typing pause or on Enter. */
export function DebouncedSearchField({
  label,
  placeholder,
  text,
  onText,
}: {
  label: string;
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
}) {
  const typed = useDebouncedValue(text, onText);
  return (
    <SearchField
      label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={typed.text}
      onChange={typed.setText}
      onSubmit={typed.now}
    />
  );
}
