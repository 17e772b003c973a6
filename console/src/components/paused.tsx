import { useEffect, useRef, useState } from 'react';
import { SearchField } from './field.js';

const PAUSE_MS = 300;

/** A text that is being typed, and is taken, without the space around it, when there is a pause; `now` takes it at once. */
export function usePaused(
  taken: string,
  take: (text: string) => void,
): { text: string; setText: (text: string) => void; now: () => void } {
  const [text, setText] = useState(taken);
  const last = useRef(taken);
  const latest = useRef(take);
  latest.current = take;
  const tell = (wanted: string): void => {
    if (wanted === last.current) return;
    last.current = wanted;
    latest.current(wanted);
  };
  useEffect(() => {
    // Somebody went back, or followed a link.
    if (taken === last.current) return;
    last.current = taken;
    setText(taken);
  }, [taken]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === last.current) return undefined;
    const timer = setTimeout(() => tell(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, now: () => tell(text.trim()) };
}

/** A search that asks when the person pauses, or presses Enter. */
export function PausedSearch({
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
  const typed = usePaused(text, onText);
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
