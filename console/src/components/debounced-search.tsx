import { useEffect, useRef, useState } from 'react';
import { SearchField } from './field.js';

const DEBOUNCE_MS = 300;

/** Text of a field whose trimmed value is passed to `onChange` after a typing pause. `flush` passes it immediately. */
export function useDebouncedValue(
  value: string,
  onChange: (text: string) => void,
): { text: string; setText: (text: string) => void; flush: () => void } {
  const [text, setText] = useState(value);
  const committed = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  const commit = (next: string): void => {
    if (next === committed.current) return;
    committed.current = next;
    latest.current(next);
  };
  useEffect(() => {
    // Changed from outside, for example by back navigation or a link.
    if (value === committed.current) return;
    committed.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const next = text.trim();
    if (next === committed.current) return undefined;
    const { pathname } = window.location;
    // A page stays visible while the code of the next one is loaded. It must not lead back to itself then.
    const timer = setTimeout(() => {
      if (window.location.pathname === pathname) commit(next);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, flush: () => commit(text.trim()) };
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
      onSubmit={typed.flush}
    />
  );
}
